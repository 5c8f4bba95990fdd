package org.bochner.data.format;

import java.util.List;
import org.bochner.data.cell.Notation;

/**
 * How a cell of a table becomes columns: a number stays one, a category becomes a 1 among zeros.
 *
 * @param name the name in the header, or the index from 0
 * @param categories the categories in order; empty for numbers
 * @param fill what stands in for a missing value: a number, or the index of a category
 * @param notation how its numbers are written; plain for a category
 * @param origin what is subtracted from a number, in float64, before it is rounded to float32; 0 for most columns
 */
public record ColumnEncoding(String name, List<String> categories, double fill, Notation notation, double origin) {
    public ColumnEncoding {
        categories = List.copyOf(categories);
    }

    /** A column of plain numbers, rounded as they are, or of categories. */
    ColumnEncoding(String name, List<String> categories, double fill) {
        this(name, categories, fill, Notation.PLAIN, 0);
    }

    boolean categorical() {
        return !categories.isEmpty();
    }

    public int columns() {
        return Math.max(1, categories.size());
    }
}
