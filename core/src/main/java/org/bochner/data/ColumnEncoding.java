package org.bochner.data;

import java.util.List;

/**
 * How a cell of a table becomes columns: a number stays one, a level of a category becomes a 1 among zeros.
 *
 * @param name the name in the header, or the index from 0
 * @param levels the levels of a category in order; empty for numbers
 * @param fill what stands in for a missing value: a number, or the index of a level
 */
record ColumnEncoding(String name, List<String> levels, double fill) {
    ColumnEncoding {
        levels = List.copyOf(levels);
    }

    boolean categorical() {
        return !levels.isEmpty();
    }

    int width() {
        return Math.max(1, levels.size());
    }
}
