package org.bochner.data.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.data.cell.DatePart;
import org.jspecify.annotations.Nullable;

/** Describes how the columns of files become columns of rows, for JSON. */
public final class EncodingJson {
    private EncodingJson() {}

    /**
     * Returns one object per column of the files, in the order of the files; a LIBSVM file is one object.
     *
     * @param fillsMissing true if missing values are replaced
     */
    public static List<Map<String, Object>> of(List<PartEncoding> parts, boolean fillsMissing) {
        List<Map<String, Object>> all = new ArrayList<>();
        int from = 0;
        for (PartEncoding part : parts) {
            String prefix = part.channel().isEmpty() ? "" : part.channel() + ":";
            if (part.table()) {
                addTable(part, prefix, from, fillsMissing, all);
            } else {
                int last = part.base() + part.totalColumns() - 1;
                Map<String, Object> sparse = object(prefix + part.base() + ".." + last, "sparse");
                sparse.put("from", from);
                sparse.put("to", from + part.totalColumns());
                sparse.put("missing", "error");
                all.add(sparse);
            }
            from += part.totalColumns();
        }
        return all;
    }

    private static void addTable(
            PartEncoding part, String prefix, int first, boolean fillsMissing, List<Map<String, Object>> all) {
        TableLayout layout = part.layout();
        int[] starts = part.starts();
        for (int c = 0; c < layout.cells(); c++) {
            int feature = layout.feature(c);
            if (feature >= 0) {
                all.add(describe(part.column(feature), prefix, first + starts[feature], fillsMissing));
            } else {
                String name = part.named() ? layout.names().get(c) : Integer.toString(c);
                all.add(object(prefix + name, role(layout, c)));
            }
        }
    }

    private static String role(TableLayout layout, int cell) {
        return layout.labelPlaces().contains(cell)
                ? "label"
                : cell == layout.rowWeight() ? "weight" : cell == layout.set() ? "set" : "ignored";
    }

    private static Map<String, Object> describe(ColumnEncoding column, String prefix, int from, boolean fillsMissing) {
        boolean dated = column.notation().date() != null;
        Map<String, Object> map = object(
                prefix + column.name(),
                column.text() != null ? "text" : column.categorical() ? "category" : dated ? "date" : "number");
        map.put("from", from);
        map.put("to", from + column.columns());
        if (column.text() != null) {
            map.put("encoding", column.text().toString());
            // A missing text is an empty one.
            return map;
        }
        if (column.categorical()) {
            map.put("encoding", column.means() != null ? "means" : column.buckets() > 0 ? "hashed" : "one-hot");
        }
        if (!column.categories().isEmpty()) {
            map.put("levels", column.categories());
        }
        if (dated) {
            List<String> parts = column.parts().stream().map(DatePart::shown).toList();
            map.put("parts", parts.isEmpty() ? List.of(DatePart.DAYS.shown()) : parts);
        }
        if (!column.notation().unit().isEmpty()) {
            map.put("unit", column.notation().unit());
        }
        map.put("missing", fillsMissing ? "filled" : "error");
        if (fillsMissing) {
            map.put("fill", fill(column));
            map.put("indicator", column.indicator() ? from + column.valueColumns() : null);
        }
        return map;
    }

    /** Returns what replaces a missing value: a number, or a category; null for zeros, or if the category is not known. */
    private static @Nullable Object fill(ColumnEncoding column) {
        if (!column.categorical()) {
            return column.fill();
        }
        return column.indicator() || column.categories().isEmpty()
                ? null
                : column.categories().get((int) column.fill());
    }

    private static Map<String, Object> object(String name, String type) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", name);
        map.put("type", type);
        return map;
    }
}
