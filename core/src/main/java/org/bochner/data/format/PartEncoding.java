package org.bochner.data.format;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.stream.IntStream;
import org.bochner.base.State;
import org.bochner.data.DataFormat;
import org.bochner.data.Labels;
import org.jspecify.annotations.Nullable;

/**
 * How the cells of one file become columns.
 *
 * @param base the first index of a LIBSVM file, 0 or 1
 * @param totalColumns the number of columns that the file makes
 * @param columns the cells of a table that become columns, in order; empty for a LIBSVM file
 * @param layout the roles of the cells of a table; a LIBSVM file has no cells
 * @param support true if the columns are those of the support vectors of a LIBSVM model; not saved
 */
public record PartEncoding(
        String channel,
        DataFormat format,
        int base,
        int totalColumns,
        List<ColumnEncoding> columns,
        TableLayout layout,
        boolean support) {
    public PartEncoding {
        columns = List.copyOf(columns);
    }

    public static PartEncoding libsvm(String channel, int base, int columns) {
        return libsvm(channel, base, columns, false);
    }

    /** Returns the encoding of a LIBSVM file with the columns of the support vectors of a LIBSVM model. */
    public static PartEncoding ofSupportVectors(int base, int columns) {
        return libsvm("", base, columns, true);
    }

    /**
     * Returns the encoding of a table with a header.
     *
     * @param columns the first cells, which become columns
     * @param names the names of all cells; further ones are labels
     */
    public static PartEncoding ofTable(List<ColumnEncoding> columns, List<String> names) {
        int[] features = new int[names.size()];
        Arrays.setAll(features, cell -> cell < columns.size() ? cell : TableLayout.UNUSED);
        List<Integer> labels =
                IntStream.range(columns.size(), names.size()).boxed().toList();
        TableLayout layout = new TableLayout(features, labels, TableLayout.UNUSED, Set.of(), names);
        return table("", DataFormat.CSV, columns, layout);
    }

    private static PartEncoding libsvm(String channel, int base, int columns, boolean support) {
        TableLayout none = new TableLayout(new int[0], List.of(), TableLayout.UNUSED, Set.of(), List.of());
        return new PartEncoding(channel, DataFormat.LIBSVM, base, columns, List.of(), none, support);
    }

    static PartEncoding table(String channel, DataFormat format, List<ColumnEncoding> columns, TableLayout layout) {
        long totalColumns = columns.stream().mapToLong(ColumnEncoding::columns).sum();
        return new PartEncoding(channel, format, 0, Math.toIntExact(totalColumns), columns, layout, false);
    }

    /** Returns true if the names of the cells are those of a header. */
    public boolean named() {
        return !layout.names().isEmpty();
    }

    public boolean table() {
        return format != DataFormat.LIBSVM;
    }

    /** Returns the number of cells of a row that become columns. */
    int features() {
        return table() ? columns.size() : totalColumns;
    }

    /** Returns the encoding of feature cell k; LIBSVM files have plain numbers only. */
    ColumnEncoding column(int k) {
        return table() ? columns.get(k) : new ColumnEncoding(Integer.toString(k + base), List.of(), 0);
    }

    /** Returns true if no cell is a category or a text. */
    public boolean allNumeric() {
        return columns.stream().allMatch(ColumnEncoding::numeric);
    }

    /** Returns true if every cell is one column. */
    boolean oneColumnPerCell() {
        return columns.stream().allMatch(column -> column.numeric() && column.columns() == 1);
    }

    /** Returns the first column of each feature cell, and the number of columns at the end. */
    int[] starts() {
        int[] starts = new int[features() + 1];
        for (int k = 0; k < features(); k++) {
            starts[k + 1] = starts[k] + column(k).columns();
        }
        return starts;
    }

    /** Returns true if the means of the targets per category are still to be computed from training rows. */
    public boolean needsMeans() {
        return columns.stream().anyMatch(ColumnEncoding::needsMeans);
    }

    /** Returns the encoding for targets that are known now. */
    public PartEncoding withTargets(Labels labels) {
        return columns.stream().noneMatch(ColumnEncoding::needsMeans)
                ? this
                : withColumns(columns.stream()
                        .map(column -> column.needsMeans()
                                ? column.withMeans(column.requireMeans().withTargets(labels))
                                : column)
                        .toList());
    }

    /** Returns the encoding with the means of the targets, one array per column that needs them, in order. */
    public PartEncoding withMeans(Iterator<double[]> means) {
        return withColumns(columns.stream()
                .map(column -> column.needsMeans()
                        ? column.withMeans(column.requireMeans().withValues(means.next()))
                        : column)
                .toList());
    }

    private PartEncoding withColumns(List<ColumnEncoding> others) {
        return table() ? table(channel, format, others, layout) : this;
    }

    /** Returns true if a column holds texts, whose counts make sparse rows. */
    public boolean hasText() {
        return columns.stream().anyMatch(column -> column.text() != null);
    }

    public boolean hasOrigin() {
        return columns.stream().anyMatch(column -> column.origin() != 0);
    }

    /** Returns the number that is subtracted from each column of a table, in a new array. */
    public double[] origin() {
        double[] origin = new double[totalColumns];
        int first = 0;
        for (ColumnEncoding column : columns) {
            origin[first] = column.origin();
            first += column.columns();
        }
        return origin;
    }

    /** Returns the names of all columns of a table. They are computed on demand, because texts make many columns. */
    public List<String> tableNames() {
        int[] ends = new int[columns.size()];
        int end = 0;
        for (int k = 0; k < ends.length; k++) {
            end += columns.get(k).columns();
            ends[k] = end;
        }
        return new TableNames(ends);
    }

    private final class TableNames extends AbstractList<String> implements RandomAccess {
        private final int[] ends;

        TableNames(int[] ends) {
            this.ends = ends;
        }

        @Override
        public String get(int index) {
            int found = Arrays.binarySearch(ends, Objects.checkIndex(index, totalColumns) + 1);
            int k = found < 0 ? -found - 1 : found;
            ColumnEncoding column = columns.get(k);
            int within = index - ends[k] + column.columns();
            return column.columnName(within);
        }

        @Override
        public int size() {
            return totalColumns;
        }
    }

    /**
     * Returns the first difference between this encoding and that of a model; null if cells have the same meaning.
     *
     * @param filled whether the replacements of missing values are compared
     * @param labelled whether the names of the label columns are compared
     */
    public @Nullable String differenceFrom(PartEncoding trained, boolean filled, boolean labelled) {
        if (!table() || !trained.table()) {
            boolean sameBase = table() || trained.table() || base == trained.base;
            return sameBase
                    ? widthDifference(totalColumns, trained.totalColumns)
                    : "its indices start at " + base + ", those of the model at " + trained.base;
        }
        boolean bothNamed = named() && trained.named();
        for (int k = 0; k < Math.min(columns.size(), trained.columns.size()); k++) {
            ColumnEncoding own = columns.get(k);
            ColumnEncoding known = trained.columns.get(k);
            String difference = own.differenceFrom(known, k, bothNamed, filled);
            if (difference != null) {
                return difference;
            }
        }
        List<String> labels = layout.labelNames();
        List<String> knownLabels = trained.layout.labelNames();
        if (labelled && bothNamed && !labels.isEmpty() && !knownLabels.isEmpty() && !labels.equals(knownLabels)) {
            return "its label is '" + String.join(",", labels) + "', that of the model is '"
                    + String.join(",", knownLabels) + "'";
        }
        return widthDifference(columns.size(), trained.columns.size());
    }

    private static @Nullable String widthDifference(int own, int known) {
        return own == known ? null : "it has " + own + " columns, the model has " + known;
    }

    public State state() {
        return PartState.save(this);
    }

    public static PartEncoding load(State state) {
        return PartState.load(state);
    }
}
