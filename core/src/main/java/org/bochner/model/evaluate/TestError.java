package org.bochner.model.evaluate;

/**
 * The test error of predictions with its standard error. Sums the rows' losses ℓ: 0 or 1 for a right or wrong class,
 * the squared error for numbers.
 */
public final class TestError {
    private final boolean classes;
    private long rows;
    private double mean;
    /** The sum of squared deviations of the losses from their mean, by Welford's recurrence. */
    private double deviations;

    /**
     * Creates a test error without rows.
     *
     * @param classes true for an error rate, false for a root mean squared error
     */
    public TestError(boolean classes) {
        this.classes = classes;
    }

    /** Adds the loss of a row. */
    public void add(double loss) {
        rows++;
        double from = loss - mean;
        mean += from / rows;
        deviations += from * (loss - mean);
    }

    /** Returns the number of rows. */
    public long rows() {
        return rows;
    }

    /** Returns the share of wrong classes, or the root mean squared error. */
    public double errorOrRmse() {
        return classes ? mean : Math.sqrt(mean);
    }

    /**
     * Returns the variance of {@link #errorOrRmse}: e·(1 − e)/n for an error rate e of n rows; for numbers, that of the
     * mean squared error m divided by the squared derivative 4·m of m = r².
     */
    public double variance() {
        if (classes) {
            return mean * (1 - mean) / rows;
        }
        return mean == 0 || rows < 2 ? 0 : deviations / (rows - 1) / rows / (4 * mean);
    }
}
