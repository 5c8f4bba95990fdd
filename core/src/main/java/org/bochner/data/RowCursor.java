package org.bochner.data;

/** One reading of a source, from its first row to its last. */
public interface RowCursor extends AutoCloseable {
    /**
     * Reads up to {@code maxRows} rows into the builder, which it starts anew. Returns false, with no rows, at the end.
     */
    boolean next(RowBlockBuilder into, int maxRows);

    /** How much of the source has been read, between 0 and 1; NaN where that is not known. */
    default double progress() {
        return Double.NaN;
    }

    @Override
    void close();
}
