package org.bochner.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.text.Escape;
import org.bochner.data.cell.Categories;
import org.bochner.data.cell.Cells;
import org.bochner.data.cell.ColumnOrigin;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Rows held in memory: the caller's own arrays, or another source read once.
 *
 * <pre>{@code
 * RowSource flowers = MemorySource.of(rows).withClasses("setosa", "virginica", "setosa");
 * RowSource prices = MemorySource.of(rows).withTargets(prices);
 * RowSource words = MemorySource.ofCsr(columns, starts, indices, counts).withClasses(topics);
 * }</pre>
 *
 * <p>Memory: 4 bytes per value (8 per non-zero of sparse rows). Threads: safe; immutable. Arrays of the caller are
 * copied.
 */
public final class MemorySource implements RowSource {
    private static final int READ_ROWS = 1024;

    private final String name;
    private final LabelledRows rows;
    private final Labels labels;
    private final @Nullable Origin origin;

    private MemorySource(String name, LabelledRows rows, Labels labels, @Nullable Origin origin) {
        this.name = name;
        this.rows = rows;
        this.labels = labels;
        this.origin = origin;
    }

    /**
     * The source that rows were read from.
     *
     * @param rows the index of each row in the source; null if all rows were read
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Origin(RowSource source, long @Nullable [] rows) {
        String place(long row, int column) {
            return source.place(row < 0 || rows == null ? row : rows[(int) row], column);
        }
    }

    private MemorySource(LabelledRows rows) {
        this("memory", rows, Labels.none(), null);
    }

    /** Creates dense rows from a row-major array; all values must be finite. */
    public static MemorySource of(int columns, float... values) {
        Require.atLeast("MemorySource", "columns", columns, 1);
        Require.that(
                values.length > 0 && values.length % columns == 0,
                "MemorySource: " + values.length + " values do not make rows of " + columns);
        return dense(columns, values.clone());
    }

    private static MemorySource dense(int columns, float[] values) {
        for (int i = 0; i < values.length; i++) {
            requireValue(i / columns, i % columns, values[i]);
        }
        return new MemorySource(DenseRows.of(values.length / columns, columns, values));
    }

    /**
     * Creates dense rows from one array per row.
     *
     * <p>Values are kept as float32. A column far from 0 compared with its spread, such as timestamps, is kept relative
     * to a number near its mean, as for files.
     *
     * @throws IllegalArgumentException if there are no rows, if rows differ in their number of columns, or if a value
     *     is not finite in float32
     */
    public static MemorySource of(double[][] rows) {
        int columns = rows.length == 0 ? 0 : rows[0].length;
        requireShape(rows.length, columns);
        ColumnOrigin[] survey = new ColumnOrigin[columns];
        Arrays.setAll(survey, j -> new ColumnOrigin());
        for (int i = 0; i < rows.length; i++) {
            requireColumns(i, rows[i].length, columns);
            for (int j = 0; j < columns; j++) {
                requireValue(i, j, rows[i][j]);
                survey[j].add(rows[i][j]);
            }
        }
        double[] origin = Arrays.stream(survey).mapToDouble(ColumnOrigin::value).toArray();
        float[] values = new float[Math.multiplyExact(rows.length, columns)];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < columns; j++) {
                values[i * columns + j] = (float) (rows[i][j] - origin[j]);
            }
        }
        boolean far = Arrays.stream(origin).anyMatch(shift -> shift != 0);
        return new MemorySource(
                new DenseRows(0, rows.length, columns, values, 0, columns, RowLabels.NONE, far ? origin : null));
    }

    /**
     * Creates dense rows from one array per row.
     *
     * @throws IllegalArgumentException if there are no rows, if rows differ in their number of columns, or if a value is not
     *     finite
     */
    public static MemorySource of(float[][] rows) {
        int columns = rows.length == 0 ? 0 : rows[0].length;
        requireShape(rows.length, columns);
        float[] values = new float[Math.multiplyExact(rows.length, columns)];
        for (int i = 0; i < rows.length; i++) {
            requireColumns(i, rows[i].length, columns);
            System.arraycopy(rows[i], 0, values, i * columns, columns);
        }
        return dense(columns, values);
    }

    /**
     * Creates sparse rows from the three arrays of the compressed sparse row format (CSR).
     *
     * @param columns the number of columns
     * @param starts one number per row and one more: the entries of row i are {@code starts[i]} to {@code starts[i + 1]}
     *     (exclusive); the first number is 0
     * @param indices the column of each entry, from 0, ascending within a row
     * @param values the value of each entry
     * @throws IllegalArgumentException if the arrays do not fit together, if the indices of a row do not ascend, or if a
     *     value is not finite
     */
    public static MemorySource ofCsr(int columns, int[] starts, int[] indices, float[] values) {
        Require.atLeast("MemorySource", "columns", columns, 1);
        requireShape(starts.length - 1, columns);
        Require.that(starts[0] == 0, "MemorySource", "starts must begin with 0, got " + starts[0]);
        Require.sameSize("MemorySource", "number of values", values.length, indices.length);
        int rows = starts.length - 1;
        for (int i = 0; i < rows; i++) {
            if (starts[i] > starts[i + 1] || starts[i + 1] > indices.length) {
                throw refused("starts must ascend to the number of entries, " + indices.length + "; row " + (i + 1)
                        + " is from " + starts[i] + " to " + starts[i + 1]);
            }
            requireEntries(i, starts[i], starts[i + 1], columns, indices, values);
        }
        Require.sameSize("MemorySource", "the last of starts, the number of entries,", starts[rows], indices.length);
        return new MemorySource(SparseRows.of(rows, columns, starts.clone(), indices.clone(), values.clone()));
    }

    /** Creates sparse rows from the three arrays of the CSR format, with float64 values that are rounded to float32. */
    public static MemorySource ofCsr(int columns, int[] starts, int[] indices, double[] values) {
        float[] rounded = new float[values.length];
        for (int e = 0; e < values.length; e++) {
            rounded[e] = (float) values[e];
        }
        return ofCsr(columns, starts, indices, rounded);
    }

    private static void requireEntries(int row, int from, int to, int columns, int[] indices, float[] values) {
        for (int e = from; e < to; e++) {
            if (indices[e] < 0 || indices[e] >= columns) {
                throw refused(
                        at(row, indices[e]) + " is not within the " + columns + " columns, 0 to " + (columns - 1));
            }
            if (e > from && indices[e] <= indices[e - 1]) {
                throw refused(at(row, indices[e])
                        + (indices[e] == indices[e - 1]
                                ? " occurs twice; add up its values"
                                : " stands after column " + indices[e - 1]
                                        + "; sort the entries of each row by column"));
            }
            requireValue(row, indices[e], values[e]);
        }
    }

    private static void requireShape(int rows, int columns) {
        Require.that(rows > 0, "MemorySource", "there are no rows");
        Require.that(columns > 0, "MemorySource", "the rows have no columns");
    }

    private static void requireColumns(int row, int found, int columns) {
        if (found != columns) {
            throw refused("row " + (row + 1) + " has " + found + " columns, row 1 has " + columns
                    + "; all rows must have the same number of columns");
        }
    }

    private static void requireValue(int row, int column, double value) {
        // Checked as float32, whose range is smaller.
        if (!Float.isFinite((float) value)) {
            throw refused(at(row, column) + ": the value must be finite in float32, got " + value
                    + (Double.isNaN(value) ? "; fill in missing values first" : ""));
        }
    }

    /** Returns a place for messages: the row, counted from 1, and the column, counted from 0. */
    private static String at(int row, int column) {
        return "row " + (row + 1) + ", column " + column + " (from 0)";
    }

    /** Returns a failure. Loops over values throw it, because building a message per value would take most of the time. */
    private static IllegalArgumentException refused(String problem) {
        return new IllegalArgumentException("MemorySource: " + problem);
    }

    /** Reads all rows of a source into memory. */
    public static MemorySource load(RowSource source) {
        LabelledRows all = read(source, row -> true, index -> {});
        return new MemorySource(source.name(), all, source.labels(), new Origin(source, null));
    }

    /**
     * Reads some rows of a source into memory.
     *
     * @param chosen returns true for the indices of the rows to read
     */
    public static MemorySource load(RowSource source, LongPredicate chosen) {
        LongStream.Builder read = LongStream.builder();
        LabelledRows some = read(source, chosen, read);
        Origin origin = new Origin(source, read.build().toArray());
        return new MemorySource(source.name(), some, source.labels(), origin);
    }

    /**
     * Reads some rows of a source into memory, which may lie in parts.
     *
     * @param chosen chooses rows by their indices
     */
    public static MemorySource load(RowSource source, RowChoice chosen) {
        if (source.parted().isEmpty()) {
            return load(source, (LongPredicate) chosen);
        }
        ChosenRows some = new ChosenRowsTask(chosen).over(source, new Workers(1));
        Origin origin = new Origin(source, some.indices());
        return new MemorySource(source.name(), (LabelledRows) some.rows(), source.labels(), origin);
    }

    private static LabelledRows read(RowSource source, LongPredicate chosen, LongConsumer indices) {
        Encoding.requireComplete(source);
        RowBlockBuilder all = new RowBlockBuilder();
        RowBlockBuilder some = new RowBlockBuilder();
        boolean begun = false;
        try (RowCursor cursor = source.open()) {
            while (cursor.next(some, READ_ROWS)) {
                RowBlock block = some.build();
                if (!begun) {
                    all.beginLike(block, block.hasRowWeights());
                    begun = true;
                }
                for (int i = 0; i < block.rows(); i++) {
                    if (chosen.test(block.firstRow() + i)) {
                        all.addRow(block, i);
                        indices.accept(block.firstRow() + i);
                    }
                }
            }
        }
        if (!begun) {
            throw new BochnerException(source.name() + ": has no rows");
        }
        return (LabelledRows) all.build();
    }

    /** Returns the same rows with one number per row to predict. */
    public MemorySource withTargets(double... targets) {
        return withTargets(List.of("target"), targets);
    }

    /** Returns the same rows with several numbers per row to predict, in row-major order. */
    public MemorySource withTargets(List<String> names, double... targets) {
        Require.sameSize("MemorySource", "number of targets", targets.length, rows.rows() * names.size());
        for (double target : targets) {
            Require.finite("MemorySource", "target", target);
        }
        return with(new Labels.Numbers(names), targets.clone(), rows.labels.weights(), rows.labels.groups());
    }

    /** Returns the same rows with one class per row, given by its index in {@code names}, which must differ. */
    public MemorySource withClasses(List<String> names, int... classes) {
        Set<String> different = new HashSet<>();
        for (String name : names) {
            if (!different.add(name)) {
                throw refused("two classes have the name '" + Escape.line(name) + "'; names of classes must differ");
            }
        }
        Require.sameSize("MemorySource", "number of classes", classes.length, rows.rows());
        double[] targets = new double[classes.length];
        for (int i = 0; i < classes.length; i++) {
            if (classes[i] < 0 || classes[i] >= names.size()) {
                throw refused("class " + classes[i] + " of row " + (i + 1) + " is none of the " + names.size());
            }
            targets[i] = classes[i];
        }
        return with(new Labels.Classes(names), targets, rows.labels.weights(), rows.labels.groups());
    }

    /**
     * Returns the same rows with one class per row, given by name.
     *
     * <p>The classes of the source are the distinct names in the order of file readers: numbers ascending, then texts
     * in alphabetical order.
     */
    public MemorySource withClasses(String... classes) {
        Require.sameSize("MemorySource", "number of classes", classes.length, rows.rows());
        for (int i = 0; i < classes.length; i++) {
            if (classes[i] == null || classes[i].isBlank()) {
                throw refused("row " + (i + 1) + " has no class; every row needs a name");
            }
        }
        TreeSet<String> sorted = new TreeSet<>(Cells.ORDER);
        sorted.addAll(Arrays.asList(classes));
        List<String> names = List.copyOf(sorted);
        Categories index = new Categories(names);
        return withClasses(names, Arrays.stream(classes).mapToInt(index::find).toArray());
    }

    /** Returns the same rows with one class per row, given by name. */
    public MemorySource withClasses(List<String> classes) {
        return withClasses(classes.toArray(String[]::new));
    }

    /** Returns the same rows with row weights, which must be finite and at least 0. */
    public MemorySource withRowWeights(double... weights) {
        Require.sameSize("MemorySource", "number of weights", weights.length, rows.rows());
        for (double weight : weights) {
            Require.notNegative("MemorySource", "a row weight", weight);
        }
        return with(labels, rows.labels.targets(), weights.clone(), rows.labels.groups());
    }

    /** Returns the same rows with one group per row. Hold-outs and folds keep the rows of a group together. */
    public MemorySource withGroups(long... groups) {
        Require.sameSize("MemorySource", "number of groups", groups.length, rows.rows());
        return with(labels, rows.labels.targets(), rows.labels.weights(), groups.clone());
    }

    /**
     * Returns the same rows with one set id per row: the rows of a set stand together and have the same label. A machine
     * learns from sets, and a model predicts sets.
     *
     * @see RowSource#bySet
     */
    public MemorySource withSets(String... ids) {
        Require.sameSize("MemorySource", "number of set ids", ids.length, rows.rows());
        long[] sets = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == null || ids[i].isBlank()) {
                throw refused("row " + (i + 1) + " has no set id; give every row the id of its set");
            }
            byte[] bytes = ids[i].getBytes(StandardCharsets.UTF_8);
            sets[i] = Cells.hash(bytes, 0, bytes.length);
        }
        RowLabels own = rows.labels;
        RowLabels with = new RowLabels(own.targetCount(), own.targets(), own.weights(), own.groups(), sets, List.of());
        return new MemorySource(name, rows.withLabels(with), labels, origin);
    }

    private MemorySource with(Labels meaning, double[] targets, double @Nullable [] weights, long @Nullable [] groups) {
        RowLabels with = new RowLabels(meaning.targets(), targets, weights, groups, rows.labels.sets(), List.of());
        return new MemorySource(name, rows.withLabels(with), meaning, origin);
    }

    /** Returns the same rows under another name. */
    public MemorySource withName(String newName) {
        return new MemorySource(newName, rows, labels, origin);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int columns() {
        return rows.columns();
    }

    @Override
    public long rows() {
        return rows.rows();
    }

    @Override
    public Labels labels() {
        return labels;
    }

    @Override
    public void requireTrainable() {
        if (origin != null) {
            origin.source.requireTrainable();
        }
    }

    @Override
    public boolean sparse() {
        return rows.localRows() instanceof SparseRows;
    }

    @Override
    public boolean grouped() {
        return rows.grouped();
    }

    @Override
    public boolean inSets() {
        return rows.labels.sets() != null;
    }

    @Override
    public boolean ofSets() {
        return rows instanceof SetRows;
    }

    /** Returns the local rows with the labels of their sets if each row is a set. */
    @Override
    public RowSource localRows() {
        return rows instanceof SetRows sets
                ? new MemorySource(name, sets.localRows().withLabels(sets.localLabels()), labels, null)
                : this;
    }

    /** Returns the place in the source that was read into memory, if there is one. */
    @Override
    public String place(long row, int column) {
        return origin == null ? RowSource.super.place(row, column) : origin.place(row, column);
    }

    @Override
    public RowCursor open() {
        return new RowCursor() {
            private int next;

            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                into.beginLike(rows, next, rows.hasRowWeights());
                int end = (int) Math.min(rows.rows(), (long) next + maxRows);
                while (next < end) {
                    into.addRow(rows, next++);
                }
                return into.rows() > 0;
            }

            @Override
            public double progress() {
                return (double) next / rows.rows();
            }

            @Override
            public void close() {}
        };
    }
}
