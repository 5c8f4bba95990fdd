package org.bochner.data.format;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.bochner.data.cell.Categories;
import org.bochner.data.cell.DatePart;
import org.bochner.data.cell.Notation;
import org.bochner.data.text.TextFeatures;
import org.jspecify.annotations.Nullable;

/**
 * How a cell of a table becomes columns: a number makes one column, a date one or several, a category is one-hot encoded,
 * hashed or encoded by means of the targets, and the n-grams of a text are counted in hashed columns. One more column may
 * tell whether the cell is missing.
 *
 * @param name the name in the header, or the index from 0
 * @param categories the categories in order; empty for numbers, hashed categories and texts
 * @param fill the replacement of a missing value: a number, or the index of a category or of its hashed column
 * @param notation the notation of its numbers; plain for a category or a text
 * @param origin the number that is subtracted in float64 before a value is rounded to float32; 0 for most columns
 * @param text how a text becomes columns; null for numbers and categories
 * @param buckets the number of columns of hashed categories; 0 for all others
 * @param parts the columns of a date; empty for one column of days, and for all others
 * @param means the means of the targets per category; null for all others
 * @param indicator true if the last column is 1 where the cell is missing, and 0 elsewhere
 */
public record ColumnEncoding(
        String name,
        List<String> categories,
        double fill,
        Notation notation,
        double origin,
        @Nullable TextFeatures text,
        int buckets,
        List<DatePart> parts,
        @Nullable TargetMeans means,
        boolean indicator) {
    public ColumnEncoding {
        categories = List.copyOf(categories);
        parts = List.copyOf(parts);
    }

    /** Creates the encoding of a column of one-hot encoded categories, or of plain numbers without an origin. */
    ColumnEncoding(String name, List<String> categories, double fill) {
        this(name, categories, fill, Notation.PLAIN, 0, null, 0, List.of(), null, false);
    }

    /** Returns the encoding of a column of one-hot encoded categories, or of plain numbers if there are none. */
    public static ColumnEncoding of(String name, List<String> categories, double origin) {
        return categories.isEmpty()
                ? ofNumbers(name, 0, Notation.PLAIN, origin)
                : new ColumnEncoding(name, categories, 0);
    }

    /** Creates the encoding of a column of numbers. */
    static ColumnEncoding ofNumbers(String name, double fill, Notation notation, double origin) {
        return new ColumnEncoding(name, List.of(), fill, notation, origin, null, 0, List.of(), null, false);
    }

    /** Creates the encoding of a column of hashed categories. */
    static ColumnEncoding ofHashed(String name, int buckets, int fill) {
        return new ColumnEncoding(name, List.of(), fill, Notation.PLAIN, 0, null, buckets, List.of(), null, false);
    }

    /** Creates the encoding of a column of texts. */
    static ColumnEncoding ofText(String name, TextFeatures text) {
        return new ColumnEncoding(name, List.of(), 0, Notation.PLAIN, 0, text, 0, List.of(), null, false);
    }

    ColumnEncoding withParts(List<DatePart> dateParts) {
        return new ColumnEncoding(name, categories, fill, notation, origin, text, buckets, dateParts, means, indicator);
    }

    ColumnEncoding withIndicator(boolean indicated) {
        return new ColumnEncoding(name, categories, fill, notation, origin, text, buckets, parts, means, indicated);
    }

    ColumnEncoding withMeans(TargetMeans targetMeans) {
        return new ColumnEncoding(
                name, categories, fill, notation, origin, text, buckets, parts, targetMeans, indicator);
    }

    /** Returns the means of the targets per category; fails for a column that has none. */
    TargetMeans requireMeans() {
        return Objects.requireNonNull(means, "means");
    }

    /** Returns true if the means of the targets are still to be computed from training rows. */
    boolean needsMeans() {
        return means != null && means.values() == null;
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
        if (!parts.equals(known.parts)) {
            return "its column '" + name + "' has other parts of dates than that of the model";
        }
        if (means != null && known.means != null) {
            if (!means.targets().equals(known.means.targets())) {
                return "its column '" + name + "' has the means of other targets than that of the model";
            }
            double[] own = means.values();
            double[] trained = known.means.values();
            if (own != null && trained != null && !Arrays.equals(own, trained)) {
                return "the category means of its column '" + name + "' were computed from other rows";
            }
        }
        if (indicator != known.indicator) {
            return "its column '" + name + "' has " + (indicator ? "a" : "no")
                    + " column for missing values, that of the model has " + (known.indicator ? "one" : "none");
        }
        return filled && fill != known.fill
                ? "missing values of its column '" + name + "' are replaced by another value than in training"
                : null;
    }

    private String kind() {
        if (text != null) {
            return "text";
        }
        if (buckets > 0) {
            return "categories in " + buckets + " hashed columns";
        }
        if (means != null) {
            return "category means";
        }
        return categorical() ? "categories" : "numbers";
    }

    private static String some(List<String> names) {
        return names.size() <= 5 ? String.join(", ", names) : String.join(", ", names.subList(0, 5)) + ", ...";
    }

    /** Returns true if the cell is a category, one-hot encoded, hashed or encoded by means. */
    public boolean categorical() {
        return buckets > 0 || !categories.isEmpty();
    }

    /** Returns true if the cell is a number or a date. */
    boolean numeric() {
        return text == null && !categorical();
    }

    /** Receives the value of a column of a cell; columns of a cell count from 0. */
    interface Sink {
        void set(int column, double value);
    }

    /** Sets the columns of a number or a date; NaN is a missing one, which is filled. */
    void encode(double number, Sink sink) {
        boolean missing = Double.isNaN(number);
        double known = missing ? fill : number;
        if (parts.isEmpty()) {
            sink.set(0, known);
        }
        for (int p = 0; p < parts.size(); p++) {
            sink.set(p, parts.get(p).of(known));
        }
        if (missing && indicator) {
            sink.set(valueColumns(), 1);
        }
    }

    /** Sets the columns of a category by its {@linkplain TargetMeans code}. */
    void encode(int code, Sink sink) {
        requireMeans().encode(code, sink);
        if (indicator && code == missingCode()) {
            sink.set(valueColumns(), 1);
        }
    }

    /** Returns the code of a missing category: a code of its own if an indicator marks it, else that of the replacement. */
    int missingCode() {
        return indicator ? TargetMeans.codes(categories.size()) : (int) fill + 1;
    }

    /** Returns the index of the categories, or of their hashed columns. */
    Categories index() {
        return buckets > 0 ? Categories.hashed(buckets) : new Categories(categories);
    }

    /** Returns the number of columns. */
    public int columns() {
        return valueColumns() + (indicator ? 1 : 0);
    }

    /** Returns the number of columns without the one that tells whether the cell is missing. */
    int valueColumns() {
        if (text != null) {
            return text.buckets();
        }
        if (buckets > 0) {
            return buckets;
        }
        if (means != null) {
            return means.columns();
        }
        return categorical() ? categories.size() : Math.max(1, parts.size());
    }

    /** Returns the name of one of the columns. */
    String columnName(int column) {
        if (column == valueColumns()) {
            return name + " missing";
        }
        if (means != null) {
            return means.columns() == 1
                    ? name + " mean"
                    : name + " mean of " + means.targets().get(column);
        }
        if (!categories.isEmpty()) {
            return name + "=" + categories.get(column);
        }
        return numeric()
                ? (parts.isEmpty() ? name : name + " " + parts.get(column).shown())
                : name + "#" + column;
    }
}
