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
    private final Kernel kernel;
    private final RowBlock rows;
    private final boolean any;

    public Domain(Kernel kernel, RowBlock rows) {
        this.kernel = kernel;
        this.rows = rows;
        this.any = kernel.takesAnyValue();
    }

    /** Checks all values of the block; in sparse rows, the stored values. */
    public void check() {
        for (int i = 0; i < rows.rows() && !any; i++) {
            if (rows instanceof SparseRows sparse) {
                int from = sparse.starts()[i];
                check(i, sparse.values(), from, sparse.starts()[i + 1] - from, sparse.indices());
            } else {
                DenseRows dense = (DenseRows) rows;
                check(i, dense.values(), dense.offset() + i * dense.stride(), dense.columns(), null);
            }
        }
    }

    /** Checks a value of row i of the block. */
    private void check(int i, double value, int column) {
        try {
            kernel.requireValue(value, column);
        } catch (BochnerException e) {
            throw RowException.at(rows.firstRow() + i, column, e);
        }
    }

    /** Checks a range of values. The column of values[e] is columns[e], or its index if {@code columns} is null. */
    private void check(int i, float[] values, int from, int count, int @Nullable [] columns) {
        if (kernel instanceof HomogeneousKernel && nonNegative(values, from, count)) {
            return;
        }
        for (int e = from; e < from + count; e++) {
            check(i, values[e], columns == null ? e - from : columns[e]);
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
