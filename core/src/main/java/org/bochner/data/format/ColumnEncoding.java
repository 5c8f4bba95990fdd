package org.bochner.data.format;

import java.util.List;
import java.util.Objects;
import org.bochner.data.cell.Notation;
import org.bochner.data.text.TextFeatures;
import org.jspecify.annotations.Nullable;

/**
 * How a cell of a table becomes columns: a number makes one column, a category is one-hot encoded, and the n-grams of
 * a text are counted in hashed columns.
 *
 * @param name the name in the header, or the index from 0
 * @param categories the categories in order; empty for numbers and texts
 * @param fill the replacement of a missing value: a number, or the index of a category
 * @param notation the notation of its numbers; plain for a category or a text
 * @param origin the number that is subtracted in float64 before a value is rounded to float32; 0 for most columns
 * @param text how a text becomes columns; null for numbers and categories
 */
public record ColumnEncoding(
        String name,
        List<String> categories,
        double fill,
        Notation notation,
        double origin,
        @Nullable TextFeatures text) {
    public ColumnEncoding {
        categories = List.copyOf(categories);
    }

    /** Creates the encoding of a column of categories, or of plain numbers without an origin. */
    ColumnEncoding(String name, List<String> categories, double fill) {
        this(name, categories, fill, Notation.PLAIN, 0, null);
    }

    /** Creates the encoding of a column of texts. */
    static ColumnEncoding ofText(String name, TextFeatures text) {
        return new ColumnEncoding(name, List.of(), 0, Notation.PLAIN, 0, text);
    }

    /** Returns the difference between this column, which has index k, and that of a model; null if there is none. */
    @Nullable
    String differenceFrom(ColumnEncoding known, int k, boolean named, boolean filled) {
        if (named && !name.equals(known.name)) {
            return "its column " + k + " is '" + name + "', that of the model is '" + known.name + "'";
        }
        if (!kind().equals(known.kind())) {
            return "its column '" + name + "' has " + kind() + ", that of the model has " + known.kind();
        }
        if (!categories.equals(known.categories)) {
            return "its column '" + name + "' has the categories " + some(categories) + ", that of the model has "
                    + some(known.categories);
        }
        if (!Objects.equals(text, known.text)) {
            return "its column '" + name + "' was read as " + text + ", that of the model as " + known.text;
        }
        return filled && fill != known.fill
                ? "missing values of its column '" + name + "' are replaced by another value than in training"
                : null;
    }

    private String kind() {
        return text != null ? "text" : categorical() ? "categories" : "numbers";
    }

    private static String some(List<String> names) {
        return names.size() <= 5 ? String.join(", ", names) : String.join(", ", names.subList(0, 5)) + ", ...";
    }

    public boolean categorical() {
        return !categories.isEmpty();
    }

    /** Returns true if the cell is a number. */
    boolean numeric() {
        return text == null && !categorical();
    }

    /** Returns the number of columns. */
    public int columns() {
        return text != null ? text.buckets() : Math.max(1, categories.size());
    }
}
