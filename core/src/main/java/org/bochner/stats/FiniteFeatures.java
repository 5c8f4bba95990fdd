package org.bochner.stats;

import java.util.function.IntPredicate;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;

/**
 * Checks for rows whose values are too large for finite or meaningful features. The value 3e38 is in the range of
 * float32, but its product with a frequency may not be, and that product is known only to about 1e31, too coarsely
 * for a cosine.
 *
 * <p>Cost: one comparison per value of the rows. Features are compared only if some value is above 1000; products of
 * smaller values with ordinary frequencies, and powers up to 12, stay in the range of float32.
 */
public final class FiniteFeatures {
    /** A hundredth of the range of float32; larger values may overflow in a sum of a few columns. */
    private static final int HUGE = Float.floatToRawIntBits(3e36f);

    private static final int ORDINARY = Float.floatToRawIntBits(1000f);
    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int INFINITE = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private FiniteFeatures() {}

    /**
     * Throws if features are not finite.
     *
     * @param rows the rows that were mapped
     * @param features the features; those of row i start at {@code i * width}
     * @throws RowException with the row and its largest value, if features are infinite or NaN
     */
    public static void require(RowBlock rows, float[] features, int width) {
        requireFinite(rows, i -> largest(features, i * width, (i + 1) * width) < INFINITE);
    }

    /** Throws if float64 features are not finite. */
    public static void require(RowBlock rows, double[] features, int width) {
        requireFinite(rows, i -> areFinite(features, i * width, (i + 1) * width));
    }

    /** Throws if sparse features are not finite; returns the features. */
    public static SparseRows require(RowBlock rows, SparseRows features) {
        int[] starts = features.starts();
        requireFinite(rows, i -> largest(features.values(), starts[i], starts[i + 1]) < INFINITE);
        return features;
    }

    /** Throws if values are too large to compute features from, whatever the map. */
    public static void requireMappable(RowBlock rows) {
        for (int i = 0; i < rows.rows(); i++) {
            if (largest(rows, i) > HUGE) {
                throw problem(rows, i);
            }
        }
    }

    private static void requireFinite(RowBlock rows, IntPredicate hasFiniteFeatures) {
        int largest = largest(rows);
        for (int i = 0; largest > ORDINARY && i < rows.rows(); i++) {
            boolean huge = largest > HUGE && largest(rows, i) > HUGE;
            if (huge || !hasFiniteFeatures.test(i)) {
                throw problem(rows, i);
            }
        }
    }

    /** Returns the exception for a row whose features or scores are not finite; it names the row's largest value. */
    public static RowException problem(RowBlock rows, int row) {
        double[] values = new double[rows.columns()];
        rows.copyRow(row, values);
        int worst = 0;
        for (int j = 1; j < values.length; j++) {
            worst = Math.abs(values[j]) > Math.abs(values[worst]) || Double.isNaN(values[j]) ? j : worst;
        }
        return RowException.at(
                rows.firstRow() + row,
                worst,
                new BochnerException("the value " + (float) values[worst] + " is too large to compute features from in"
                        + " float32; correct it, or leave the row out"));
    }

    /** Returns the bits of the largest magnitude; at least {@link #INFINITE} if a value is infinite or NaN. */
    private static int largest(RowBlock rows) {
        if (rows instanceof SparseRows sparse) {
            return largest(sparse.values(), sparse.starts()[0], sparse.starts()[sparse.rows()]);
        }
        int largest = 0;
        for (int i = 0; i < rows.rows(); i++) {
            largest = Math.max(largest, largest(rows, i));
        }
        return largest;
    }

    private static int largest(RowBlock rows, int row) {
        if (rows instanceof SparseRows sparse) {
            return largest(sparse.values(), sparse.starts()[row], sparse.starts()[row + 1]);
        }
        DenseRows dense = (DenseRows) rows;
        int start = dense.offset() + row * dense.stride();
        return largest(dense.values(), start, start + dense.columns());
    }

    private static boolean areFinite(double[] values, int from, int to) {
        boolean finite = true;
        for (int i = from; i < to; i++) {
            finite &= Math.abs(values[i]) < Double.POSITIVE_INFINITY;
        }
        return finite;
    }

    // The bits of non-negative floats have the order of the floats, and an integer maximum vectorises.
    private static int largest(float[] values, int from, int to) {
        int largest = 0;
        for (int i = from; i < to; i++) {
            largest = Math.max(largest, Float.floatToRawIntBits(values[i]) & MAGNITUDE);
        }
        return largest;
    }
}
