package org.bochner.base;

import java.util.List;

/**
 * A row that cannot be used, with its index and the column of the value at fault, each where it is known. The caller that
 * knows the file adds it by {@link #in}.
 */
public final class RowException extends BochnerException {
    private static final long serialVersionUID = 1L;

    /** Stands in for a row that is not known. */
    private static final long NO_ROW = -1;

    /** Stands in for the column of a failure of the whole row. */
    private static final int NO_COLUMN = -1;

    private final long row;
    private final int column;
    private final RuntimeException problem;

    private RowException(long row, int column, RuntimeException problem) {
        // Rows are told as people count them; columns as kernels and models name them.
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

    /** A failure of a whole row of a source, counted from 0. */
    public static RowException ofRow(long row, RuntimeException problem) {
        return new RowException(row, NO_COLUMN, problem);
    }

    /** A failure at a row and a column of a source, both counted from 0. */
    public static RowException at(long row, int column, RuntimeException problem) {
        return new RowException(row, column, problem);
    }

    /** A failure at a column, counted from 0, of a row by itself. */
    public static RowException at(int column, RuntimeException problem) {
        return new RowException(NO_ROW, column, problem);
    }

    /** The row, counted from 0; -1 where it is not known. */
    public long row() {
        return row;
    }

    /** The column, from 0; -1 where the whole row is at fault. */
    public int column() {
        return column;
    }

    private static String reason(RuntimeException problem) {
        return problem instanceof BochnerException known ? known.problem() : String.valueOf(problem.getMessage());
    }

    private static List<Remedy> remedies(RuntimeException problem) {
        return problem instanceof BochnerException known ? known.remedies() : List.of();
    }

    /** Returns what is wrong, without the place. */
    public String reason() {
        return reason(problem);
    }

    /** The same failure among the columns of wider rows, so many of which come before. */
    public RowException behind(int columns) {
        return new RowException(row, column == NO_COLUMN ? NO_COLUMN : column + columns, problem);
    }

    /** The same failure among the columns of wider rows, of which only these, ascending, were seen. */
    public RowException among(int... columns) {
        return new RowException(row, column == NO_COLUMN ? NO_COLUMN : columns[column], problem);
    }

    /** The same failure in a row of a source, counted from 0; -1 where the row is not known. */
    public RowException inRow(long row) {
        return new RowException(row, column, problem);
    }

    /** The same failure, with the name of the source it was found in. */
    public DataException in(String source) {
        return DataException.in(source, this);
    }

    /**
     * The same failure of rows that were scaled, so that nobody looks for the value in the file.
     *
     * @param scaling how, as it is spelled; {@code none} needs no words
     */
    public DataException in(String source, String scaling) {
        return scaling.equals("none")
                ? in(source)
                : DataException.in(
                        source,
                        problem() + " (values after the scaling '" + scaling + "')",
                        this,
                        remedies().toArray(Remedy[]::new));
    }
}
