package org.bochner.data.format;

import java.util.List;
import org.bochner.data.cell.Notation;
import org.jspecify.annotations.Nullable;

/**
 * How a cell of a table becomes columns: a number makes one column, a category is one-hot encoded.
 *
 * @param name the name in the header, or the index from 0
 * @param categories the categories in order; empty for numbers
 * @param fill the replacement of a missing value: a number, or the index of a category
 * @param notation the notation of its numbers; plain for a category
 * @param origin the number that is subtracted in float64 before a value is rounded to float32; 0 for most columns
 */
public record ColumnEncoding(String name, List<String> categories, double fill, Notation notation, double origin) {
    public ColumnEncoding {
        categories = List.copyOf(categories);
    }

    /** Creates the encoding of a column of categories, or of plain numbers without an origin. */
    ColumnEncoding(String name, List<String> categories, double fill) {
        this(name, categories, fill, Notation.PLAIN, 0);
    }

    /** Returns the difference between this column, which has index k, and that of a model; null if there is none. */
    @Nullable
    String differenceFrom(ColumnEncoding known, int k, boolean named, boolean filled) {
        if (named && !name.equals(known.name)) {
            return "its column " + k + " is '" + name + "', that of the model is '" + known.name + "'";
        }
        if (categorical() != known.categorical()) {
            return "its column '" + name + "' has " + kind() + ", that of the model has " + known.kind();
        }
        if (!categories.equals(known.categories)) {
            return "its column '" + name + "' has the categories " + some(categories) + ", that of the model has "
                    + some(known.categories);
        }
        return filled && fill != known.fill
                ? "missing values of its column '" + name + "' are replaced by another value than in training"
                : null;
    }

    private String kind() {
        return categorical() ? "categories" : "numbers";
    }

    private static String some(List<String> names) {
        return names.size() <= 5 ? String.join(", ", names) : String.join(", ", names.subList(0, 5)) + ", ...";
    }

    public boolean categorical() {
        return !categories.isEmpty();
    }

    public int columns() {
        return Math.max(1, categories.size());
    }
}
