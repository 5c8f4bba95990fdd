package org.bochner.map;

import org.bochner.base.BochnerException;
import org.bochner.base.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Warp;
import org.jspecify.annotations.Nullable;

/** The rows of a block as projections read them: as they are, or each value through a warp. */
class RowReader {
    private final RowBlock rows;
    private final @Nullable Warp warp;

    RowReader(RowBlock rows, @Nullable Warp warp) {
        this.rows = rows;
        this.warp = warp;
    }

    final int rows() {
        return rows.rows();
    }

    int columns() {
        return rows.columns();
    }

    /** The rows in their own array, where they can be read from there; otherwise null. */
    @Nullable
    DenseRows dense() {
        return warp == null && rows instanceof DenseRows dense ? dense : null;
    }

    /** The rows in compressed form, where that is what they are; otherwise null. A warp may move zeros, so it fills them. */
    @Nullable
    SparseRows sparse() {
        return warp == null && rows instanceof SparseRows sparse ? sparse : null;
    }

    /** Writes rows from (inclusive) to (exclusive), in full width and row-major, to the start of an array. */
    final void read(int from, int to, float[] tile) {
        SparseRows sparse = sparse();
        if (sparse != null) {
            sparse.copyDense(from, to, tile);
            return;
        }
        int columns = columns();
        double[] row = new double[columns];
        for (int i = from; i < to; i++) {
            readRow(i, row);
            int start = (i - from) * columns;
            for (int l = 0; l < columns; l++) {
                tile[start + l] = (float) row[l];
            }
        }
    }

    /** Reads one row in float64, in which warped values keep their precision. */
    void readRow(int i, double[] row) {
        rows.copyRow(i, row);
        if (warp != null) {
            for (int l = 0; l < row.length; l++) {
                row[l] = warped(warp, row[l], i, l);
            }
        }
    }

    private double warped(Warp warp, double value, int i, int column) {
        try {
            return warp.apply(value, column);
        } catch (BochnerException | IllegalArgumentException e) {
            throw RowException.at(rows.firstRow() + i, column, e);
        }
    }
}
