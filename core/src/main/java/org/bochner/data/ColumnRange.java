package org.bochner.data;

/** A named range of columns, from (inclusive) to (exclusive): a channel, or the columns of one cell. */
public record ColumnRange(String name, int from, int to) {
    /** Returns the spelling {@code name=from:to}. */
    @Override
    public String toString() {
        return name + "=" + from + ":" + to;
    }
}
