package org.bochner.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.data.Encoding;
import org.bochner.data.FileColumn;
import org.bochner.model.KernelModel;

/** Describes the columns of the files that a model reads: what becomes of their cells, and how these columns are scaled. */
final class ColumnFindings {
    /** The most categories that a line shows. */
    private static final int MOST_CATEGORIES = 5;

    private ColumnFindings() {}

    private static List<FileColumn> columns(KernelModel model) {
        return encoding(model).fileColumns();
    }

    private static Encoding encoding(KernelModel model) {
        return model.encoding()
                .orElseThrow(() -> new BochnerException(
                        "the model was not trained from files, so the columns of files are not known"));
    }

    /** Returns one object per column of the files; those of numbers and dates contain the scalings of the columns they fill. */
    static List<Map<String, Object>> json(KernelModel model) {
        List<String> names = encoding(model).columnNames();
        List<Map<String, Object>> all = new ArrayList<>();
        for (FileColumn column : columns(model)) {
            Map<String, Object> map = column.asJson();
            if (holdsNumbers(column)) {
                List<Map<String, Object>> filled = new ArrayList<>();
                for (int j = column.from(); j < column.to(); j++) {
                    Map<String, Object> own = new LinkedHashMap<>();
                    own.put("column", j);
                    own.put("name", names.get(j));
                    own.put("scaling", model.scaler().columnFacts(j));
                    filled.add(own);
                }
                map.put("columns", filled);
            }
            all.add(map);
        }
        return all;
    }

    /** Returns true if the columns of the rows that a column fills hold numbers, whose scaling is worth a look. */
    private static boolean holdsNumbers(FileColumn column) {
        return column.kind() == FileColumn.Kind.NUMBER
                || column.kind() == FileColumn.Kind.DATE
                || column.categoryEncoding() == FileColumn.CategoryEncoding.MEANS;
    }

    /** Returns a table with a line per column of the files. */
    static String table(KernelModel model) {
        List<String> names = encoding(model).columnNames();
        Table table = new Table().leftAligned().line("column", "type", "columns of the model", "if missing", "scaling");
        for (FileColumn column : columns(model)) {
            int filled = holdsNumbers(column) ? column.to() - column.from() : 0;
            boolean several = filled > (column.indicator().isEmpty() ? 1 : 2);
            table.line(
                    Spelling.line(column.name()),
                    type(column),
                    column.to() > column.from() ? range(column.from(), column.to()) : "-",
                    missing(column),
                    filled == 0 || several ? "" : scaling(model, column.from()));
            for (int j = column.from(); several && j < column.to(); j++) {
                table.line("  " + Spelling.line(names.get(j)), "", range(j, j + 1), "", scaling(model, j));
            }
        }
        return table.toString();
    }

    private static String range(int from, int to) {
        return to - from == 1 ? Integer.toString(from) : from + " to " + (to - 1);
    }

    private static String type(FileColumn column) {
        return switch (column.kind()) {
            case NUMBER -> column.unit().isEmpty() ? "number" : "number in " + column.unit();
            case DATE ->
                column.dateParts().size() > 1
                        ? "date, " + column.dateParts().size() + " parts"
                        : "date as " + joined(column.dateParts(), 1);
            case TEXT -> "text, counted as " + column.textFeatures();
            case CATEGORY -> category(column);
            case SPARSE -> "numbers of a sparse file";
            case IGNORED -> "left out";
            case LABEL, WEIGHT, SET -> column.kind().toString();
        };
    }

    private static String category(FileColumn column) {
        List<String> categories = column.categories();
        if (categories.isEmpty()) {
            return "category, " + column.categoryEncoding();
        }
        String count = Text.count(categories.size()) + (categories.size() == 1 ? " category" : " categories");
        return "category, " + column.categoryEncoding() + ": " + count + ", " + joined(categories, MOST_CATEGORIES);
    }

    private static String joined(List<String> all, int most) {
        return all.stream().limit(most).map(Spelling::line).collect(Collectors.joining(", "))
                + (all.size() > most ? ", ..." : "");
    }

    private static String missing(FileColumn column) {
        if (!column.mayMiss()) {
            return "";
        }
        if (!column.fillsMissing()) {
            return "refused";
        }
        OptionalInt indicator = column.indicator();
        return indicator.isEmpty()
                ? replacement(column)
                : replacement(column) + ", marked by column " + indicator.getAsInt();
    }

    private static String replacement(FileColumn column) {
        Object fill = column.fill();
        if (fill instanceof Number number) {
            double mean = number.doubleValue();
            return "mean " + (column.kind() == FileColumn.Kind.DATE ? day(mean) : shown(mean));
        }
        if (fill != null) {
            return "'" + Spelling.line(fill.toString()) + "'";
        }
        if (column.indicator().isEmpty()) {
            return "most frequent category";
        }
        return column.categoryEncoding() == FileColumn.CategoryEncoding.MEANS ? "a mean of their own" : "zeros";
    }

    private static String day(double days) {
        return LocalDate.ofEpochDay((long) Math.floor(days)).toString();
    }

    /** Returns what the steps of the scaling do to a value x of a column of the model. */
    private static String scaling(KernelModel model, int column) {
        return model.scaler().columnFacts(column).stream()
                .map(ColumnFindings::step)
                .collect(Collectors.joining(", then "));
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
