package org.bochner.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.data.Encoding;
import org.bochner.model.KernelModel;
import org.jspecify.annotations.Nullable;

/** Describes the columns of the files that a model reads: what becomes of their cells, and how these columns are scaled. */
final class ColumnFindings {
    /** The most levels of a category that a line shows. */
    private static final int MOST_LEVELS = 5;

    private ColumnFindings() {}

    /** Returns one object per column of the files; those of numbers and dates contain the scalings of the columns they fill. */
    static List<Map<String, Object>> json(KernelModel model) {
        Encoding encoding = model.encoding()
                .orElseThrow(() -> new BochnerException(
                        "the model was not trained from files, so the columns of files are not known"));
        List<String> names = encoding.columnNames();
        List<Map<String, Object>> all = encoding.columnsAsJson();
        for (Map<String, Object> column : all) {
            String type = String.valueOf(column.get("type"));
            if (type.equals("number") || type.equals("date") || "means".equals(column.get("encoding"))) {
                List<Map<String, Object>> filled = new ArrayList<>();
                for (int j = place(column, "from"); j < place(column, "to"); j++) {
                    Map<String, Object> own = new LinkedHashMap<>();
                    own.put("column", j);
                    own.put("name", names.get(j));
                    own.put("scaling", model.scaler().columnFacts(j));
                    filled.add(own);
                }
                column.put("columns", filled);
            }
        }
        return all;
    }

    private static int place(Map<?, ?> column, String key) {
        return ((Number) Objects.requireNonNull(column.get(key), key)).intValue();
    }

    /** Returns a table with a line per column of the files. */
    static String table(KernelModel model) {
        Table table = new Table().leftAligned().line("column", "type", "columns of the model", "if missing", "scaling");
        for (Map<String, Object> column : json(model)) {
            List<?> filled = column.get("columns") instanceof List<?> list ? list : List.of();
            boolean several = filled.size() > (column.get("indicator") == null ? 1 : 2);
            table.line(
                    Spelling.line(String.valueOf(column.get("name"))),
                    type(column),
                    column.containsKey("from") ? range(place(column, "from"), place(column, "to")) : "-",
                    missing(column),
                    filled.isEmpty() || several ? "" : scaling((Map<?, ?>) filled.get(0)));
            if (several) {
                for (Object part : filled) {
                    Map<?, ?> own = (Map<?, ?>) part;
                    int j = place(own, "column");
                    table.line(
                            "  " + Spelling.line(String.valueOf(own.get("name"))),
                            "",
                            range(j, j + 1),
                            "",
                            scaling(own));
                }
            }
        }
        return table.toString();
    }

    private static String range(int from, int to) {
        return to - from == 1 ? Integer.toString(from) : from + " to " + (to - 1);
    }

    private static String type(Map<String, Object> column) {
        String type = String.valueOf(column.get("type"));
        return switch (type) {
            case "number" -> column.containsKey("unit") ? "number in " + column.get("unit") : type;
            case "date" ->
                column.get("parts") instanceof List<?> parts && parts.size() > 1
                        ? "date, " + parts.size() + " parts"
                        : "date as " + joined(column.get("parts"), 1);
            case "text" -> "text, counted as " + column.get("encoding");
            case "category" ->
                column.get("levels") instanceof List<?> levels
                        ? "category, " + column.get("encoding") + ": " + Text.count(levels.size(), "level") + ", "
                                + joined(levels, MOST_LEVELS)
                        : "category, hashed";
            case "sparse" -> "numbers of a sparse file";
            case "ignored" -> "left out";
            default -> type;
        };
    }

    private static String joined(@Nullable Object list, int most) {
        List<?> all = list instanceof List<?> known ? known : List.of();
        return all.stream()
                        .limit(most)
                        .map(one -> Spelling.line(one.toString()))
                        .collect(Collectors.joining(", "))
                + (all.size() > most ? ", ..." : "");
    }

    private static String missing(Map<String, Object> column) {
        if (!column.containsKey("missing")) {
            return "";
        }
        if ("error".equals(column.get("missing"))) {
            return "refused";
        }
        Object fill = column.get("fill");
        boolean category = "category".equals(column.get("type"));
        String replaced = fill instanceof Number number
                ? "mean "
                        + ("date".equals(column.get("type")) ? day(number.doubleValue()) : shown(number.doubleValue()))
                : fill != null
                        ? "'" + Spelling.line(fill.toString()) + "'"
                        : category && column.get("indicator") != null
                                ? "means".equals(column.get("encoding")) ? "a mean of their own" : "zeros"
                                : "most frequent category";
        return column.get("indicator") == null ? replaced : replaced + ", marked by column " + column.get("indicator");
    }

    private static String day(double days) {
        return LocalDate.ofEpochDay((long) Math.floor(days)).toString();
    }

    /** Returns what the steps of the scaling do to a value x of a column. */
    private static String scaling(Map<?, ?> filled) {
        List<?> steps = filled.get("scaling") instanceof List<?> list ? list : List.of();
        return steps.stream().map(step -> step((Map<?, ?>) step)).collect(Collectors.joining(", then "));
    }

    private static String step(Map<?, ?> step) {
        if (step.containsKey("factor")) {
            double shift = number(step, "shift");
            double factor = number(step, "factor");
            String moved = shift == 0 ? "x" : "(x " + (shift < 0 ? "+ " : "- ") + shown(Math.abs(shift)) + ")";
            return factor == 0 ? "0" : factor == 1 ? moved : moved + " / " + shown(1 / factor);
        }
        if (step.containsKey("upper")) {
            return "clip to " + shown(number(step, "lower")) + " .. " + shown(number(step, "upper"));
        }
        if (step.containsKey("median")) {
            return Text.of(
                    "quantiles from %s over the median %s to %s",
                    shown(number(step, "lowest")), shown(number(step, "median")), shown(number(step, "highest")));
        }
        return String.valueOf(step.get("step"));
    }

    /** Returns a number with five digits. */
    private static String shown(double value) {
        double size = Math.abs(value);
        return value == 0 || (size >= 1e-4 && size < 1e9)
                ? new BigDecimal(value)
                        .round(new MathContext(5))
                        .stripTrailingZeros()
                        .toPlainString()
                : Text.of("%.4e", value);
    }

    private static double number(Map<?, ?> step, String key) {
        return ((Number) Objects.requireNonNull(step.get(key), key)).doubleValue();
    }
}
