package org.bochner.data.format;

import org.bochner.data.bytes.ByteFeed;
import org.jspecify.annotations.Nullable;

/**
 * One pass over one file of a source. After {@link #next}, a row is decoded once, by {@link #dense} or {@link #sparse}.
 */
public abstract class PartReader implements AutoCloseable {
    private final ByteFeed feed;
    private final @Nullable LabelDecoder decoder;

    PartReader(ByteFeed feed, @Nullable LabelDecoder decoder) {
        this.feed = feed;
        this.decoder = decoder;
    }

    /** Moves to the next row; returns false after the last. */
    public abstract boolean next();

    /** Writes the columns of the row to an array of zeros. */
    public abstract void dense(float[] row, int start);

    /** Adds the non-zeros of the row. Nothing is subtracted from numbers, because zeros are not stored. */
    public abstract void sparse(Entries into, int firstColumn);

    /** Receives the non-zeros of a sparse row. */
    public interface Entries {
        /** Adds entries in ascending order of their columns; the shift is added to each column. */
        void add(int[] columns, float[] values, int count, int shift);
    }

    /** Returns label j of the row that was decoded last; NaN if labels are not decoded. */
    public final double target(int j) {
        return decoder == null ? Double.NaN : target(decoder, j);
    }

    abstract double target(LabelDecoder labels, int j);

    /** Returns the weight of the row that was decoded last. */
    public double rowWeight() {
        return 1;
    }

    /** Returns a hash of the group of the row that was decoded last; only for parts with groups. */
    public long group() {
        throw new UnsupportedOperationException("the part has no groups");
    }

    /** Returns a hash of the set id of the row that was decoded last; only for parts with set ids. */
    public long set() {
        throw new UnsupportedOperationException("the part has no set ids");
    }

    /** Returns the text of a carried cell of the row that was decoded last, by its index among the carried cells. */
    public String carried(int index) {
        throw new UnsupportedOperationException("the part carries no texts");
    }

    /** Returns the line, from 1, of the current row; 0 in files without lines. */
    public long line() {
        return 0;
    }

    public final double progress() {
        return feed.progress();
    }

    @Override
    public void close() {
        feed.close();
    }
}
