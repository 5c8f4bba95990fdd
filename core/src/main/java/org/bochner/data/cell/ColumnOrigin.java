package org.bochner.data.cell;

import org.bochner.base.Spelling;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the numbers of a column are so far from 0, compared with their spread, that float32 would blur them. For
 * example, Unix timestamps of one year are 1.7e9 ± 1e7, and float32 has steps of 128 there. Readers subtract an origin near
 * the mean, in float64, from such a column.
 */
public final class ColumnOrigin {
    /**
     * |mean| over standard deviation from which a column has an origin. Rounding to float32 errs by up to 2⁻²⁴ of a
     * number: 6e-5 standard deviations at this ratio.
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
        double deviation = Math.sqrt(scatter / count);
        // A constant column, or an empty one, has nothing that could be blurred.
        return deviation > 0 && Math.abs(mean) > FAR * deviation ? (float) mean : 0;
    }
}
