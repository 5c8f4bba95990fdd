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
        boolean sparse = rows instanceof SparseRows;
        row = new double[sparse ? 0 : rows.columns()];
        int most = sparse ? mostEntries((SparseRows) rows) : rows.columns();
        columns = new int[most];
        values = new double[most];
    }

    /** Returns the entries of the longest row, which are few beside the columns of texts. */
    private static int mostEntries(SparseRows rows) {
        int most = 0;
        for (int i = 0; i < rows.rows(); i++) {
            most = Math.max(most, rows.starts()[i + 1] - rows.starts()[i]);
        }
        return most;
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
