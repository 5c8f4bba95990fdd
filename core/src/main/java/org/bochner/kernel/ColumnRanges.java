package org.bochner.kernel;

import java.util.Arrays;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;

/** The smallest positive and the largest value of every column, over all rows shown. */
final class ColumnRanges {
    private final float[] smallest;
    private final float[] largest;

    private ColumnRanges(float[] smallest, float[] largest) {
        this.smallest = smallest;
        this.largest = largest;
    }

    static ColumnRanges unknown(int columns) {
        float[] smallest = new float[columns];
        Arrays.fill(smallest, Float.POSITIVE_INFINITY);
        return new ColumnRanges(smallest, new float[columns]);
    }

    void add(RowBlock block) {
        if (block instanceof SparseRows sparse) {
            int end = sparse.starts()[sparse.rows()];
            for (int e = sparse.starts()[0]; e < end; e++) {
                add(sparse.indices()[e], sparse.values()[e]);
            }
            return;
        }
        DenseRows dense = (DenseRows) block;
        for (int i = 0; i < dense.rows(); i++) {
            int start = dense.offset() + i * dense.stride();
            for (int l = 0; l < largest.length; l++) {
                add(l, dense.values()[start + l]);
            }
        }
    }

    private void add(int column, float value) {
        if (value > largest[column]) {
            largest[column] = value;
        }
        if (value > 0 && value < smallest[column]) {
            smallest[column] = value;
        }
    }

    ValueRange of(int from, int to) {
        float low = Float.POSITIVE_INFINITY;
        float high = 0;
        for (int l = from; l < to; l++) {
            low = Math.min(low, smallest[l]);
            high = Math.max(high, largest[l]);
        }
        return new ValueRange(low, high);
    }

    ColumnRanges columns(int from, int to) {
        return new ColumnRanges(Arrays.copyOfRange(smallest, from, to), Arrays.copyOfRange(largest, from, to));
    }

    ColumnRanges copy() {
        return columns(0, largest.length);
    }
}
