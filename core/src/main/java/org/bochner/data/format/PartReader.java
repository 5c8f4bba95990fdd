package org.bochner.data.format;

/** One reading of one file of a source. After {@link #next}, the row is decoded once, by {@link #dense} or {@link #sparse}. */
public interface PartReader extends AutoCloseable {
    /** Steps to the next row; false after the last. */
    boolean next();

    /** Writes the row's columns to an array of zeros. */
    void dense(float[] row, int start);

    /** Adds the row's non-zeros; only for sparse parts with columns. */
    default void sparse(Entries into, int firstColumn) {
        throw new UnsupportedOperationException("the file is dense");
    }

    /** Takes the non-zeros of a sparse row. */
    interface Entries {
        /** Adds entries, in ascending order of their columns, to each of which the shift is added. */
        void add(int[] columns, float[] values, int count, int shift);
    }

    /** Label j of the row decoded last. */
    double target(int j);

    /** The weight of the row decoded last. */
    default double rowWeight() {
        return 1;
    }

    /** A hash of the group of the row decoded last; only for parts with groups. */
    default long group() {
        throw new UnsupportedOperationException("the part has no groups");
    }

    /** The text of a cell of the row decoded last that is carried along, by its place among the carried ones. */
    default String carried(int index) {
        throw new UnsupportedOperationException("the part carries no texts");
    }

    /** The line, from 1, of the row stepped to last; 0 in files without lines. */
    default long line() {
        return 0;
    }

    double progress();

    @Override
    void close();
}
