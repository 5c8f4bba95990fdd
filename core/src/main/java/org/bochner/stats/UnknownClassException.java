package org.bochner.stats;

import org.bochner.base.BochnerException;

/** Thrown for a row whose class is not among the labels; callers that know the file and the classes add their names. */
public final class UnknownClassException extends BochnerException {
    private static final long serialVersionUID = 1L;

    private final long row;

    /** Creates the exception for a row, counted from 0. */
    UnknownClassException(long row) {
        super("row " + (row + 1) + ": is of a class that is none of those to be learned");
        this.row = row;
    }

    /** Returns the row, counted from 0. */
    public long row() {
        return row;
    }
}
