package org.bochner.kernel.columns;

/** The columns from (inclusive) to (exclusive). */
public record Columns(int from, int to) {
    @Override
    public String toString() {
        return "[" + from + ":" + to + "]";
    }
}
