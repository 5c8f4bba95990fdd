package org.bochner.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.bochner.data.Labels;
import org.bochner.data.cell.Cells;
import org.jspecify.annotations.Nullable;

/**
 * The column of the labels.
 *
 * @param index the index of the column in a row; −1 if there are no labels
 * @param names the names of the classes; empty for numbers
 * @param classes the index of each class, by name
 * @param indexed the names of the indices in the column, which its metadata give, as {@code StringIndexer} writes them; empty if
 *     the column does not hold indices
 */
record FrameLabel(int index, String name, List<String> names, Map<String, Integer> classes, List<String> indexed)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    static final FrameLabel NONE = new FrameLabel(-1, "", List.of(), Map.of(), List.of());

    /** Returns the label with the classes that rows have. */
    FrameLabel withClasses(List<String> found) {
        Map<String, Integer> places = new HashMap<>();
        found.forEach(each -> places.put(each, places.size()));
        return new FrameLabel(index, name, List.copyOf(found), places, indexed);
    }

    /** Returns the label with the names of its indices. */
    FrameLabel withIndexed(String... values) {
        return new FrameLabel(
                index,
                name,
                names,
                classes,
                Arrays.stream(values).map(Cells::canonical).toList());
    }

    static FrameLabel numbers(int index, String name) {
        return new FrameLabel(index, name, List.of(), Map.of(), List.of());
    }

    boolean exists() {
        return index >= 0;
    }

    boolean ofClasses() {
        return !names.isEmpty();
    }

    Labels labels() {
        if (!exists()) {
            return Labels.none();
        }
        return ofClasses() ? new Labels.Classes(names) : new Labels.Numbers(List.of(name));
    }

    /** Returns the target of a row: a number, or the index of its class, which is NaN for a class that is not listed. */
    double target(Row row) {
        if (!ofClasses()) {
            return ((Number) row.get(index)).doubleValue();
        }
        Integer known = classes.get(className(row.get(index)));
        return known == null ? Double.NaN : known;
    }

    /** Returns what is wrong with a label; null if nothing is. */
    @Nullable
    String problem(@Nullable Object value) {
        if (value == null) {
            return "is null";
        }
        if (!(value instanceof Number number)) {
            return null;
        }
        double target = number.doubleValue();
        if (!(Math.abs(target) < Double.POSITIVE_INFINITY)) {
            return "must hold finite numbers, got " + target;
        }
        boolean named = target >= 0 && target < indexed.size() && target == Math.rint(target);
        return indexed.isEmpty() || named
                ? null
                : "holds " + Cells.canonical(target) + ", and its metadata name only the classes 0 to "
                        + (indexed.size() - 1);
    }

    /** Returns the name of a class: that of its index, a number without a needless fraction, or a text. */
    String className(Object value) {
        if (!indexed.isEmpty() && value instanceof Number place) {
            return indexed.get(place.intValue());
        }
        return value instanceof Number number
                ? Cells.canonical(number.doubleValue())
                : Cells.canonical(value.toString());
    }
}
