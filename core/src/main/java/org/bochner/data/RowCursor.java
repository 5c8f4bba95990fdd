package org.bochner.data;

/** One pass over a source, from its first row to its last. */
public interface RowCursor extends AutoCloseable {
    /**
     * Starts a new block in the builder and reads up to {@code maxRows} rows into it. Returns false, with no rows, at the
     * end.
     */
    boolean next(RowBlockBuilder into, int maxRows);

    /** Returns the fraction of the source that has been read, between 0 and 1; NaN if it is not known. */
    default double progress() {
        return Double.NaN;
    }

    @Override
    void close();
}
