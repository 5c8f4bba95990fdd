package org.bochner.data.format;

/**
 * One pass over one file of a source. After {@link #next}, a row is decoded once, by {@link #dense} or {@link #sparse}.
 */
public interface PartReader extends AutoCloseable {
    /** Moves to the next row; returns false after the last. */
    boolean next();

    /** Writes the columns of the row to an array of zeros. */
    void dense(float[] row, int start);

    /** Adds the non-zeros of the row; only for sparse parts with columns. */
    default void sparse(Entries into, int firstColumn) {
        throw new UnsupportedOperationException("the file is dense");
    }

    /** Receives the non-zeros of a sparse row. */
    interface Entries {
        /** Adds entries in ascending order of their columns; the shift is added to each column. */
        void add(int[] columns, float[] values, int count, int shift);
    }

    /** Returns label j of the row that was decoded last. */
    double target(int j);

    /** Returns the weight of the row that was decoded last. */
    default double rowWeight() {
        return 1;
    }

    /** Returns a hash of the group of the row that was decoded last; only for parts with groups. */
    default long group() {
        throw new UnsupportedOperationException("the part has no groups");
    }

    /** Returns the text of a carried cell of the row that was decoded last, by its index among the carried cells. */
    default String carried(int index) {
        throw new UnsupportedOperationException("the part carries no texts");
    }

    /** Returns the line, from 1, of the current row; 0 in files without lines. */
    default long line() {
        return 0;
    }

    double progress();

    @Override
    void close();
}
