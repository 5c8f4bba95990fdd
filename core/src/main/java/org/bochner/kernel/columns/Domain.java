package org.bochner.kernel.columns;

import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.jspecify.annotations.Nullable;

/** Rejects values of a block of rows outside the domain of a kernel, with their row and column. */
public final class Domain {
    private Domain() {}

    /** Checks all values of a block; in sparse rows, the stored values. */
    public static void check(Kernel kernel, RowBlock rows) {
        boolean any = kernel.takesAnyValue();
        for (int i = 0; i < rows.rows() && !any; i++) {
            long row = rows.firstRow() + i;
            if (rows instanceof SparseRows sparse) {
                int from = sparse.starts()[i];
                check(kernel, row, sparse.values(), from, sparse.starts()[i + 1] - from, sparse.indices());
            } else {
                DenseRows dense = (DenseRows) rows;
                check(kernel, row, dense.values(), dense.offset() + i * dense.stride(), dense.columns(), null);
            }
        }
    }

    /** Checks a range of values. The column of values[e] is columns[e], or its index if {@code columns} is null. */
    private static void check(Kernel kernel, long row, float[] values, int from, int count, int @Nullable [] columns) {
        if (kernel instanceof HomogeneousKernel && nonNegative(values, from, count)) {
            return;
        }
        for (int e = from; e < from + count; e++) {
            int column = columns == null ? e - from : columns[e];
            try {
                kernel.requireValue(values[e], column);
            } catch (BochnerException failure) {
                throw RowException.at(row, column, failure);
            }
        }
    }

    /**
     * Returns true if all values are finite and not negative: a fast check for histograms; other values are checked one
     * by one.
     */
    private static boolean nonNegative(float[] values, int from, int count) {
        boolean all = true;
        for (int e = from; e < from + count; e++) {
            all &= values[e] >= 0 && values[e] < Float.POSITIVE_INFINITY;
        }
        return all;
    }
}
