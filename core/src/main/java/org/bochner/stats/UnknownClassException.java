package org.bochner.stats;

import org.bochner.base.BochnerException;

/** A row is of a class that is none of those to be learned. Whoever knows the file and the classes says which. */
public final class UnknownClassException extends BochnerException {
    private static final long serialVersionUID = 1L;

    private final long row;

    /** A row of a source, counted from 0. */
    UnknownClassException(long row) {
        super("row " + (row + 1) + ": is of a class that is none of those to be learned");
        this.row = row;
    }

    /** The row, counted from 0. */
    public long row() {
        return row;
    }
}
