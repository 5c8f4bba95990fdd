package org.bochner.stats;

import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;

/**
 * Finds rows whose values are so large that their features are no finite numbers, or mean nothing: 3e38 is in the range
 * of float32, but the product with a frequency may not be, and its cosine is that of a number known to no more than 1e31.
 *
 * <p>Cost: one look at every value of the rows; features are looked at only where some value is above 1000, from which
 * a product with ordinary frequencies or a power of up to 12 cannot leave the range of float32.
 */
public final class FiniteFeatures {
    /** A hundredth of the range of float32: beyond it, not even sums of a few columns are sure to be numbers. */
    private static final int HUGE = Float.floatToRawIntBits(3e36f);

    private static final int ORDINARY = Float.floatToRawIntBits(1000f);
    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int INFINITE = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private FiniteFeatures() {}

    /**
     * Fails, naming the row and its largest value, where features are not finite.
     *
     * @param rows the rows that were mapped
     * @param features of row i from {@code offset + i * width} on
     * @throws RowException if features are infinite or NaN
     */
    public static void require(RowBlock rows, float[] features, int offset, int width) {
        int largest = largest(rows);
        for (int i = 0; largest > ORDINARY && i < rows.rows(); i++) {
            int from = offset + i * width;
            if (isHuge(rows, i, largest) || largest(features, from, from + width) >= INFINITE) {
                throw problem(rows, i);
            }
        }
    }

    /** The same for features in float64. */
    public static void require(RowBlock rows, double[] features, int offset, int width) {
        int largest = largest(rows);
        for (int i = 0; largest > ORDINARY && i < rows.rows(); i++) {
            boolean finite = !isHuge(rows, i, largest);
            for (int j = offset + i * width; j < offset + (i + 1) * width; j++) {
                finite &= Math.abs(features[j]) < Double.POSITIVE_INFINITY;
            }
            if (!finite) {
                throw problem(rows, i);
            }
        }
    }

    /** The same for sparse features; returns them. */
    public static SparseRows require(SparseRows rows, SparseRows features) {
        int largest = largest(rows);
        int[] starts = features.starts();
        for (int i = 0; largest > ORDINARY && i < rows.rows(); i++) {
            if (isHuge(rows, i, largest) || largest(features.values(), starts[i], starts[i + 1]) >= INFINITE) {
                throw problem(rows, i);
            }
        }
        return features;
    }

    /** The failure of a row whose features or scores are not finite: its largest value is to blame. */
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

    /** Whether a row has a huge value, in rows whose largest magnitude is known. */
    private static boolean isHuge(RowBlock rows, int row, int largest) {
        return largest > HUGE && largest(rows, row) > HUGE;
    }

    /** The bits of the largest magnitude; those of an infinite one or above, if a value is infinite or NaN. */
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

    // Magnitudes of floats are in the order of their bits, and a maximum of integers vectorises.
    private static int largest(float[] values, int from, int to) {
        int largest = 0;
        for (int i = from; i < to; i++) {
            largest = Math.max(largest, Float.floatToRawIntBits(values[i]) & MAGNITUDE);
        }
        return largest;
    }
}
