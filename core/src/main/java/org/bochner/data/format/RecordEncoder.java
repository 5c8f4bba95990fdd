package org.bochner.data.format;

import java.nio.charset.StandardCharsets;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.text.Suggestion;
import org.bochner.data.Encoding;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.cell.Categories;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.DateForm;
import org.bochner.data.cell.WrittenNumber;
import org.bochner.data.text.TextFeatures;
import org.bochner.data.text.TextHasher;
import org.jspecify.annotations.Nullable;

/**
 * Encodes records (values by column name) as the readers of files encode rows. {@link Encoding#encode} describes
 * records.
 *
 * <p>Threads: safe; immutable.
 */
public final class RecordEncoder {
    /** A cell of a table: its encoding, the first of its columns, and the index of each category. */
    private record Field(ColumnEncoding column, int first, Map<String, Integer> categories) {}

    /** The columns of a LIBSVM file, whose names are not stored. */
    private record Sparse(int base, int columns, int first) {}

    private final int columns;
    private final boolean fill;
    private final Map<String, Field> fields = new HashMap<>();
    private final Map<String, Sparse> sparse = new HashMap<>();
    private final Set<String> unused = new HashSet<>();

    public RecordEncoder(List<PartEncoding> parts, int columns, boolean fill) {
        this.columns = columns;
        this.fill = fill;
        int first = 0;
        for (PartEncoding part : parts) {
            String prefix = part.channel().isEmpty() ? "" : part.channel() + ":";
            if (!part.table()) {
                sparse.put(prefix, new Sparse(part.base(), part.totalColumns(), first));
            }
            int next = first;
            for (ColumnEncoding column : part.columns()) {
                Map<String, Integer> categories = new HashMap<>();
                for (String category : column.categories()) {
                    categories.put(category, categories.size());
                }
                fields.put(prefix + column.name(), new Field(column, next, categories));
                next += column.columns();
            }
            part.layout().labelNames().forEach(name -> unused.add(prefix + name));
            part.layout().ignoredNames().forEach(name -> unused.add(prefix + name));
            unused.add(prefix + part.layout().rowWeightName());
            first += part.totalColumns();
        }
    }

    /** Receives the value of a column; columns that receive none are 0. */
    private interface Sink {
        void set(int column, double value);
    }

    /** Encodes a record as one number per column. */
    public double[] encode(Map<String, ? extends @Nullable Object> record) {
        double[] row = new double[columns];
        encode(record, (column, value) -> row[column] = value);
        return row;
    }

    /** Encodes a record as a sparse row, without an array of all columns. */
    public RowBlock sparse(Map<String, ? extends @Nullable Object> record) {
        Entries entries = new Entries();
        encode(record, entries);
        return entries.row(columns);
    }

    /** The non-zeros of a row, which may come in any order: the column in the high bits, the float32 value in the low ones. */
    private static final class Entries implements Sink {
        private long[] packed = new long[64];
        private int count;

        @Override
        public void set(int column, double value) {
            float rounded = (float) value;
            if (rounded == 0) {
                return;
            }
            if (count == packed.length) {
                packed = Arrays.copyOf(packed, 2 * count);
            }
            packed[count++] = ((long) column << 32) | Integer.toUnsignedLong(Float.floatToIntBits(rounded));
        }

        RowBlock row(int columns) {
            Arrays.sort(packed, 0, count);
            RowBlockBuilder builder = new RowBlockBuilder();
            builder.beginSparse(0, columns, 0, false);
            for (int e = 0; e < count; e++) {
                builder.addEntry((int) (packed[e] >> 32), Float.intBitsToFloat((int) packed[e]));
            }
            builder.endRow();
            return builder.build();
        }
    }

    private void encode(Map<String, ? extends @Nullable Object> record, Sink row) {
        int found = 0;
        for (Map.Entry<String, ? extends @Nullable Object> entry : record.entrySet()) {
            String name = entry.getKey();
            Field field = fields.get(name);
            if (field != null) {
                encode(name, field, entry.getValue(), row);
                found++;
            } else if (!sparseEntry(name, entry.getValue(), row) && !unused.contains(name)) {
                throw new BochnerException("record: the training data has no column '" + name + "'"
                        + Suggestion.hint(
                                name,
                                fields.keySet().stream().sorted().limit(50).toList()));
            }
        }
        if (found < fields.size()) {
            List<String> absent = fields.keySet().stream()
                    .filter(name -> !record.containsKey(name))
                    .sorted()
                    .toList();
            throw new BochnerException("record: has no value for "
                    + (absent.size() == 1 ? "the column '" : "the columns '")
                    + String.join("', '", absent.subList(0, Math.min(20, absent.size()))) + "'"
                    + (absent.size() > 20 ? " and " + (absent.size() - 20) + " more" : "")
                    + "; give every column of the training data a value, null where it is missing");
        }
    }

    private void encode(String name, Field field, @Nullable Object value, Sink row) {
        TextFeatures text = field.column.text();
        if (text != null) {
            count(name, new TextHasher(text), value, row, field.first);
        } else if (field.column.means() != null) {
            field.column.encode(code(name, field, value), (column, mean) -> row.set(field.first + column, mean));
        } else if (field.column.categorical()) {
            row.set(field.first + category(name, field, value), 1);
        } else {
            field.column.encode(
                    number(name, field.column, value), (column, known) -> row.set(field.first + column, known));
        }
    }

    /** Counts the n-grams of a text. Null is an empty text, as an empty cell is. */
    private static void count(String name, TextHasher hasher, @Nullable Object value, Sink row, int first) {
        if (value != null && !(value instanceof CharSequence)) {
            throw refused(
                    name, "the value must be a text, got a " + value.getClass().getSimpleName());
        }
        String text = value == null ? "" : value.toString();
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw refused(name, "the text has half of a surrogate pair, which no file can hold");
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int entries = hasher.hash(bytes, 0, bytes.length);
        for (int e = 0; e < entries; e++) {
            row.set(first + hasher.columns[e], hasher.counts[e]);
        }
    }

    /** Sets the value of a column of a LIBSVM file; returns false if the name is not that of a column. */
    private boolean sparseEntry(String name, @Nullable Object value, Sink row) {
        String prefix = name.substring(0, name.lastIndexOf(':') + 1);
        Sparse part = sparse.get(prefix);
        String index = name.substring(prefix.length());
        // Nine digits fit in an int. Leading zeros would give one column two names.
        if (part == null || !index.matches("0|[1-9][0-9]{0,8}")) {
            return false;
        }
        int column = Integer.parseInt(index) - part.base();
        if (column < 0 || column >= part.columns) {
            return false;
        }
        double number = number(name, new ColumnEncoding(index, List.of(), 0), value);
        row.set(part.first + column, Double.isNaN(number) ? 0 : number);
        return true;
    }

    /** Returns the number of a value; NaN if it is missing and is to be filled. */
    private double number(String name, ColumnEncoding column, @Nullable Object value) {
        double number;
        if (value instanceof Number given) {
            number = given.doubleValue();
            if (Double.isNaN(number)) {
                return missing(name);
            }
        } else if (value instanceof Temporal time && column.notation().date() != null) {
            number = days(name, time);
        } else {
            String text = text(name, value);
            byte[] bytes = bytes(text);
            int end = bytes.length - 1;
            number = column.notation().parse(bytes, 0, end, new WrittenNumber());
            if (Double.isNaN(number)) {
                if (Cells.missing(bytes, 0, end)) {
                    return missing(name);
                }
                throw refused(
                        name,
                        "the value must be " + column.notation().expected() + ", got '" + Cells.shown(bytes, 0, end)
                                + "'");
            }
        }
        if (!(Math.abs((float) number) <= Float.MAX_VALUE)) {
            throw refused(name, "the value must be finite and within ±3.4e38 (float32), got '" + value + "'");
        }
        return number;
    }

    private static double days(String name, Temporal time) {
        byte[] bytes = bytes(time.toString());
        double days = DateForm.ISO.parse(bytes, 0, bytes.length - 1);
        if (Double.isNaN(days)) {
            throw refused(
                    name,
                    "the value must be a day, with a time or without, such as a LocalDate or an Instant; got '" + time
                            + "'");
        }
        return days;
    }

    /** Returns the code of a category that is encoded by means. */
    private int code(String name, Field field, @Nullable Object value) {
        if (field.column.needsMeans()) {
            throw refused(name, "its category means are computed in training; use the encoding of the model");
        }
        String text = value instanceof Number number ? category(number) : text(name, value);
        Integer category = field.categories.get(Cells.canonical(text));
        if (category != null) {
            return category + 1;
        }
        byte[] bytes = bytes(text);
        if (!Cells.missing(bytes, 0, bytes.length - 1)) {
            return TargetMeans.UNSEEN;
        }
        missing(name);
        return field.column.missingCode();
    }

    private int category(String name, Field field, @Nullable Object value) {
        String text = value instanceof Number number ? category(number) : text(name, value);
        Integer category = field.categories.get(Cells.canonical(text));
        if (category != null) {
            return category;
        }
        byte[] bytes = bytes(text);
        if (Cells.missing(bytes, 0, bytes.length - 1)) {
            missing(name);
            return field.column.indicator() ? field.column.valueColumns() : (int) field.column.fill();
        }
        if (field.column.buckets() > 0) {
            return Categories.bucket(Cells.canonical(text), field.column.buckets());
        }
        List<String> known = field.column.categories();
        throw refused(
                name,
                "the training data has no category '" + Cells.shown(bytes, 0, bytes.length - 1) + "'"
                        + Suggestion.category(text, known));
    }

    /** Returns the name of the category that a number means; floating-point numbers are spelled as in matrix files. */
    private static String category(Number number) {
        return number instanceof Float || number instanceof Double
                ? Cells.canonical(number.doubleValue())
                : number.toString();
    }

    /** Returns NaN, for a missing value; fails if missing values are not filled. */
    private double missing(String name) {
        if (fill) {
            return Double.NaN;
        }
        throw refused(
                name,
                "the value is missing, and the training data were read without a rule for missing values; give a value",
                Remedy.set(Setting.MISSING, "fills in missing values, in training"));
    }

    /** Returns the text of a value as a cell would hold it, without blanks around it. */
    private static String text(String name, @Nullable Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof CharSequence || value instanceof Boolean || value instanceof Character) {
            return value.toString().strip();
        }
        throw refused(
                name,
                "the value must be a number, a text, a date or null, got a "
                        + value.getClass().getSimpleName());
    }

    /** Returns the bytes of a text and one more, because the parsers of numbers read one byte ahead. */
    private static byte[] bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] ended = Arrays.copyOf(bytes, bytes.length + 1);
        ended[bytes.length] = '\n';
        return ended;
    }

    private static BochnerException refused(String name, String problem, Remedy... remedies) {
        return new BochnerException("record: column '" + name + "': " + problem, remedies);
    }
}
