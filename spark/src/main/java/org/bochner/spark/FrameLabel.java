package org.bochner.spark;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.bochner.data.Labels;
import org.bochner.data.cell.Cells;

/**
 * The column of the labels.
 *
 * @param index the index of the column in a row; −1 if there are no labels
 * @param names the names of the classes; empty for numbers
 * @param classes the index of each class, by name
 */
record FrameLabel(int index, String name, List<String> names, Map<String, Integer> classes) implements Serializable {
    private static final long serialVersionUID = 1L;

    static final FrameLabel NONE = new FrameLabel(-1, "", List.of(), Map.of());

    static FrameLabel classes(int index, String name, List<String> names) {
        Map<String, Integer> classes = new HashMap<>();
        names.forEach(each -> classes.put(each, classes.size()));
        return new FrameLabel(index, name, List.copyOf(names), classes);
    }

    static FrameLabel numbers(int index, String name) {
        return new FrameLabel(index, name, List.of(), Map.of());
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

    /** Returns the name of a class: a number without a needless fraction, or a text. */
    static String className(Object value) {
        return value instanceof Number number
                ? Cells.canonical(number.doubleValue())
                : Cells.canonical(value.toString());
    }
}
