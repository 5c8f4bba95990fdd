package org.bochner.data.cell;

import org.bochner.base.Spelling;
import org.jspecify.annotations.Nullable;

/**
 * Decides from all numbers of a column whether they lie so far from 0, for their spread, that float32 would blur them:
 * Unix timestamps of one year are 1.7e9 ± 1e7, and float32 has steps of 128 there. Such a column is read relative to an
 * origin near its mean, which is subtracted in float64.
 *
 * <p>The mean and the variance are those of differences from the first number, in which nothing cancels where it matters.
 */
public final class ColumnOrigin {
    /**
     * |mean| over standard deviation from which a column has an origin. Rounding to float32 errs by up to 2⁻²⁴ of a
     * number: 6e-5 standard deviations at this ratio.
     */
    static final double FAR = 1000;

    private double first;
    private double sum;
    private double squares;
    private double largest;
    private long count;

    public void add(double value) {
        if (count++ == 0) {
            first = value;
        }
        double difference = value - first;
        sum += difference;
        squares += difference * difference;
        largest = Math.max(largest, Math.abs(value));
    }

    /**
     * A note on a column whose numbers are all below the range of float32, in which they become 0 or lose digits; null for
     * other columns.
     */
    public @Nullable String underflow(String column) {
        return largest > 0 && largest < Float.MIN_NORMAL
                ? "column " + column + " holds numbers of at most " + Spelling.print(largest)
                        + " in magnitude, below the range of float32: they become 0 or lose digits; multiply the column"
                        + " by a constant first"
                : null;
    }

    /**
     * The origin: the mean rounded to float32, which has so few bits that differences of whole numbers from it are exact;
     * 0 for a column that needs none.
     */
    public double value() {
        double shift = sum / count;
        double deviation = Math.sqrt(Math.max(0, squares / count - shift * shift));
        double mean = first + shift;
        // A constant column, or an empty one, has nothing that could be blurred.
        return deviation > 0 && Math.abs(mean) > FAR * deviation ? (float) mean : 0;
    }
}
