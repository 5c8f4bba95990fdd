package org.bochner.stats;

import org.bochner.base.BochnerException;
import org.bochner.data.RowSource;

/** A row is of a class that is none of those to be learned. Whoever knows the file and the classes says which. */
public final class UnknownClassException extends BochnerException {
    private static final long serialVersionUID = 1L;

    private final long row;

    /** A row of a source, counted from 0. */
    UnknownClassException(long row) {
        super("row " + (row + 1) + ": is of a class that is none of those to be learned");
        this.row = row;
    }

    /** Returns the same failure with the row as the file counts it, whatever views the source shows it through. */
    public UnknownClassException inFile(RowSource source) {
        long place = source.place(row).row();
        return place < 0 || place == row ? this : new UnknownClassException(place);
    }

    /** The row, counted from 0. */
    public long row() {
        return row;
    }
}
