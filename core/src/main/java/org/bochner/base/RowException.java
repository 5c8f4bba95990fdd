package org.bochner.base;

/** A value that a kernel or a map cannot take, with its row and column; whoever knows the file adds it by {@link #in}. */
public final class RowException extends BochnerException {
    private static final long serialVersionUID = 1L;

    private RowException(String message, Throwable cause) {
        super(message, cause);
    }

    /** A failure at a row and a column of a source, both counted from 0. */
    public static RowException at(long row, int column, RuntimeException problem) {
        // Rows are told as people count them; columns as kernels and models name them.
        return new RowException(
                "row " + (row + 1) + ", column " + column + " (from 0): " + problem.getMessage(), problem);
    }

    /** The same failure, with the name of the source it was found in. */
    public DataException in(String source) {
        return DataException.in(source, String.valueOf(getMessage()), this);
    }
}
