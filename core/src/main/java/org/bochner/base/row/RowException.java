package org.bochner.base.row;

import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;

/**
 * A failure of one row, with the index of the row and the column of the bad value, if they are known. The caller that knows
 * the file adds its name.
 */
public final class RowException extends BochnerException {
    private static final long serialVersionUID = 1L;

    /** The index of an unknown row. */
    private static final long NO_ROW = -1;

    /** The column of a failure of the whole row. */
    private static final int NO_COLUMN = -1;

    private final long row;
    private final int column;
    private final RuntimeException problem;

    private RowException(long row, int column, RuntimeException problem) {
        // Rows count from 1, as in text editors; columns count from 0, as in kernels and models.
        super(place(row, column) + reason(problem), problem, remedies(problem));
        this.row = row;
        this.column = column;
        this.problem = problem;
    }

    private static String place(long row, int column) {
        String ofRow = row == NO_ROW ? "" : "row " + (row + 1);
        String ofColumn = column == NO_COLUMN ? "" : "column " + column + " (from 0)";
        String between = ofRow.isEmpty() || ofColumn.isEmpty() ? "" : ", ";
        String both = ofRow + between + ofColumn;
        return both.isEmpty() ? "" : both + ": ";
    }

    /** Returns a failure of a whole row of a source, counted from 0. */
    public static RowException ofRow(long row, RuntimeException problem) {
        return new RowException(row, NO_COLUMN, problem);
    }

    /** Returns a failure at a row and a column of a source, both counted from 0. */
    public static RowException at(long row, int column, RuntimeException problem) {
        return new RowException(row, column, problem);
    }

    /** Returns a failure at a column, counted from 0, of a row whose index is not known. */
    public static RowException at(int column, RuntimeException problem) {
        return new RowException(NO_ROW, column, problem);
    }

    /** Returns the row, counted from 0; -1 if it is not known. */
    public long row() {
        return row;
    }

    /** Returns the column, counted from 0; -1 if the whole row is at fault. */
    public int column() {
        return column;
    }

    private static String reason(RuntimeException problem) {
        return problem instanceof BochnerException known ? known.problem() : String.valueOf(problem.getMessage());
    }

    private static Remedy[] remedies(RuntimeException problem) {
        return problem instanceof BochnerException known ? known.remedies().toArray(Remedy[]::new) : new Remedy[0];
    }

    /** Returns what is wrong, without the place. */
    public String reason() {
        return reason(problem);
    }

    /** Returns this failure for a wider row, which has {@code columns} further columns on the left. */
    public RowException behind(int columns) {
        return new RowException(row, column == NO_COLUMN ? NO_COLUMN : column + columns, problem);
    }

    /** Returns this failure for a wider row; {@code columns} are the indices of this row's columns in it. */
    public RowException among(int... columns) {
        return new RowException(row, column == NO_COLUMN ? NO_COLUMN : columns[column], problem);
    }

    /** Returns this failure in a row of a source, counted from 0; -1 if the row is not known. */
    public RowException inRow(long row) {
        return new RowException(row, column, problem);
    }
}
