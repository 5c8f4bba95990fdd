package org.bochner.data;

import java.util.List;

/**
 * How a cell of a table becomes columns: a number stays one, a level of a category becomes a 1 among zeros.
 *
 * @param name the name in the header, or the index from 0
 * @param levels the levels of a category in order; empty for numbers
 * @param fill what stands in for a missing value: a number, or the index of a level
 * @param notation how its numbers are written; plain for a category
 */
record ColumnEncoding(String name, List<String> levels, double fill, Notation notation) {
    ColumnEncoding {
        levels = List.copyOf(levels);
    }

    ColumnEncoding(String name, List<String> levels, double fill) {
        this(name, levels, fill, Notation.PLAIN);
    }

    boolean categorical() {
        return !levels.isEmpty();
    }

    int width() {
        return Math.max(1, levels.size());
    }
}
