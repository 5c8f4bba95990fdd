package org.bochner.data.cell;

import org.bochner.base.Notes;
import org.bochner.base.Spelling;

/**
 * Decides whether a column is so far from 0, compared with its spread, that float32 would lose its differences. For
 * example, Unix timestamps of one year are 1.7e9 ± 1e7, and float32 has steps of 128 there. For these columns, readers
 * subtract an origin near the mean in float64.
 */
public final class ColumnOrigin {
    /**
     * The ratio of |mean| to standard deviation from which a column has an origin. Rounding to float32 errs by up to
     * 2⁻²⁴ of a number: 6e-5 standard deviations at this ratio.
     */
    static final double FAR = 1000;

    private double mean;
    /** The sum of squared deviations from the mean, updated by Welford's formula. */
    private double scatter;

    private double largest;
    private long count;

    public void add(double value) {
        count++;
        double before = value - mean;
        mean += before / count;
        scatter += before * (value - mean);
        largest = Math.max(largest, Math.abs(value));
    }

    /** Returns true if there are at least two values, which are all equal. */
    public boolean constant() {
        return count > 1 && scatter == 0;
    }

    /** Adds a note if all numbers of the column are so small that they become 0 or lose digits in float32. */
    public void note(String column, Notes notes) {
        if (largest > 0 && largest < Float.MIN_NORMAL) {
            notes.data("column " + column + " holds numbers of at most " + Spelling.print(largest)
                    + " in magnitude, below the range of float32: they become 0 or lose digits; multiply the column by"
                    + " a constant first");
        }
    }

    /**
     * Returns the origin: the mean rounded to float32, whose few bits make differences of whole numbers from it exact;
     * 0 for a column that needs no origin.
     */
    public double value() {
        double deviation = Math.sqrt(scatter / count);
        // A constant or empty column has no differences to lose.
        return deviation > 0 && Math.abs(mean) > FAR * deviation ? (float) mean : 0;
    }
}
