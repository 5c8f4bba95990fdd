package org.bochner.data.sample;

import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.row.RowException;
import org.bochner.data.RowSource;

/** Adds the place in the file to failures of rows that were found after the rows were read. */
public final class Places {
    private Places() {}

    /**
     * Returns the failure with the place of its row in the file.
     *
     * @param scaling the spelling of the scaling that was applied to the rows
     */
    public static DataException of(RowSource source, RowException problem, String scaling) {
        return DataException.in(
                source.place(problem.row(), problem.column()),
                problem.reason() + (scaling.equals("none") ? "" : " (values after the scaling '" + scaling + "')"),
                problem,
                problem.remedies().toArray(Remedy[]::new));
    }

    /** Returns the place of a value in a source without lines: the name, the row from 1 and the column from 0. */
    public static String text(String name, long row, int column) {
        String ofRow = row < 0 ? "" : ": row " + (row + 1);
        String ofColumn = column < 0 ? "" : (row < 0 ? ": " : ", ") + "column " + column + " (from 0)";
        return name + ofRow + ofColumn;
    }
}
