package org.bochner.data;

import org.bochner.data.sample.Places;
import org.jspecify.annotations.Nullable;

/**
 * Rows that can be read from the start as often as needed.
 *
 * <p>This is all a new kind of source has to implement: say what its rows look like, and {@link #open} a cursor. Test it
 * with {@code RowSourceContract} of {@code bochner-testkit}.
 *
 * <p>Threads: a source may be opened by several threads at once; each cursor belongs to one.
 */
public interface RowSource {
    /** The name users know it by, for errors and training records: a file, a table. */
    String name();

    /** Width of every row. */
    int columns();

    /** How many rows there are; -1 where only reading them tells. */
    default long rows() {
        return -1;
    }

    /** What the targets of the rows mean. */
    Labels labels();

    /** Whether blocks will be sparse. */
    boolean sparse();

    /** Whether the rows carry groups, which splits and folds keep together. */
    default boolean grouped() {
        return false;
    }

    /** How files become its rows, saved with models so that later files are read alike; null where there are none. */
    default @Nullable Encoding encoding() {
        return null;
    }

    /** Which rows these are, as models record it. */
    default DataIdentity identity() {
        return DataIdentity.UNKNOWN;
    }

    /**
     * Returns where a value is, for messages: the name of the source, the row and the column. A source that shows rows of
     * another one names the place in the other, and a file names the line, because messages must count as the file does.
     * Finding the place may read the file again.
     *
     * @param row the index of the row in this source, from 0; -1 if it is not known
     * @param column the index of the column, from 0; -1 for the whole row
     */
    default String place(long row, int column) {
        return Places.text(name(), row, column);
    }

    /** Returns the same rows without labels. */
    default RowSource withoutLabels() {
        return new Unlabelled(this);
    }

    /** Starts reading from the first row. */
    RowCursor open();
}
