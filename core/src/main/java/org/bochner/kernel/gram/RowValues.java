package org.bochner.kernel.gram;

import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;

/** Reads the non-zeros of the rows of a block, one row at a time. */
final class RowValues {
    private final RowBlock rows;
    private final double[] row;
    private final int[] columns;
    private final double[] values;

    RowValues(RowBlock rows) {
        this.rows = rows;
        row = new double[rows instanceof SparseRows ? 0 : rows.columns()];
        columns = new int[rows.columns()];
        values = new double[rows.columns()];
    }

    /** Reads a row and returns the number of its non-zeros. */
    int read(int i) {
        int count = 0;
        if (rows instanceof SparseRows sparse) {
            for (int e = sparse.starts()[i]; e < sparse.starts()[i + 1]; e++) {
                columns[count] = sparse.indices()[e];
                values[count++] = sparse.values()[e];
            }
            return count;
        }
        rows.copyRow(i, row);
        for (int l = 0; l < row.length; l++) {
            if (row[l] != 0) {
                columns[count] = l;
                values[count++] = row[l];
            }
        }
        return count;
    }

    int column(int k) {
        return columns[k];
    }

    double value(int k) {
        return values[k];
    }
}
