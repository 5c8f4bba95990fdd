package org.bochner.data.format;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.DataFormat;
import org.bochner.data.cell.Names;
import org.bochner.data.cell.Notation;

/**
 * How the cells of one file become columns.
 *
 * @param base the first index of a LIBSVM file, 0 or 1
 * @param totalColumns the number of columns that the file makes
 * @param columns the cells of a table that become columns, in order; empty for a LIBSVM file
 * @param named whether the names are those of a header
 * @param labelNames the names of the label cells
 * @param labelPlaces the places of the label cells among all cells of a row
 * @param weightName the name of the cell of the row weight
 * @param weightPlace its place; -1 if there is none
 * @param ignoredNames the names of the cells that are left out
 * @param ignoredPlaces their places among all cells of a row
 */
public record PartEncoding(
        String channel,
        DataFormat format,
        int base,
        int totalColumns,
        List<ColumnEncoding> columns,
        boolean named,
        List<String> labelNames,
        List<Integer> labelPlaces,
        String weightName,
        int weightPlace,
        List<String> ignoredNames,
        List<Integer> ignoredPlaces) {
    private static final String TYPE = "columns";

    public PartEncoding {
        columns = List.copyOf(columns);
        labelNames = List.copyOf(labelNames);
        labelPlaces = List.copyOf(labelPlaces);
        ignoredNames = List.copyOf(ignoredNames);
        ignoredPlaces = List.copyOf(ignoredPlaces);
    }

    static PartEncoding libsvm(String channel, int base, int columns) {
        List<String> none = List.of();
        return new PartEncoding(
                channel, DataFormat.LIBSVM, base, columns, List.of(), false, none, List.of(), "", -1, none, List.of());
    }

    static PartEncoding table(
            String channel, DataFormat format, List<ColumnEncoding> columns, boolean named, TableLayout layout) {
        long width = columns.stream().mapToLong(ColumnEncoding::columns).sum();
        return new PartEncoding(
                channel,
                format,
                0,
                Math.toIntExact(width),
                columns,
                named,
                layout.labelNames(),
                layout.labelPlaces(),
                layout.rowWeightName(),
                layout.rowWeight(),
                layout.ignoredNames(),
                layout.ignoredPlaces());
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

    boolean allNumeric() {
        return columns.stream().noneMatch(ColumnEncoding::categorical);
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

    /** Returns the names of all columns of a table. */
    public List<String> tableNames() {
        List<String> names = new ArrayList<>(totalColumns);
        for (ColumnEncoding column : columns) {
            if (column.categorical()) {
                column.categories().forEach(category -> names.add(column.name() + "=" + category));
            } else {
                names.add(column.name());
            }
        }
        return names;
    }

    public State state() {
        State state = State.of(TYPE)
                .with("channel", channel)
                .with("format", format.name())
                .with("base", base)
                .with("width", totalColumns);
        if (!table()) {
            return state;
        }
        double[] fill = columns.stream().mapToDouble(ColumnEncoding::fill).toArray();
        int[] categories =
                columns.stream().mapToInt(column -> column.categories().size()).toArray();
        List<String> allCategories = new ArrayList<>();
        columns.forEach(column -> allCategories.addAll(column.categories()));
        state.with("cells", columns.size())
                .with("named", Boolean.toString(named))
                .with("fill", fill)
                .with("levelCounts", categories)
                .with("levels", Names.join(allCategories))
                .with("labelNames", Names.join(labelNames))
                .with("labelPlaces", places(labelPlaces))
                .with("weightName", weightName)
                .with("weightPlace", weightPlace);
        if (!ignoredPlaces.isEmpty()) {
            state.with("ignoredNames", Names.join(ignoredNames)).with("ignoredPlaces", places(ignoredPlaces));
        }
        if (columns.stream().anyMatch(column -> !column.notation().plain())) {
            state.with(
                    "notations",
                    Names.join(columns.stream()
                            .map(column -> column.notation().saved())
                            .toList()));
        }
        if (hasOrigin()) {
            state.with(
                    "origin",
                    columns.stream().mapToDouble(ColumnEncoding::origin).toArray());
        }
        if (named) {
            state.with(
                    "names",
                    Names.join(columns.stream().map(ColumnEncoding::name).toList()));
        }
        return state;
    }

    private static int[] places(List<Integer> places) {
        return places.stream().mapToInt(Integer::intValue).toArray();
    }

    public static PartEncoding load(State state) {
        require(state.type().equals(TYPE), "the type must be '" + TYPE + "', is '" + state.type() + "'");
        String channel = state.text("channel");
        DataFormat format = format(state.text("format"));
        int base = state.count("base");
        int width = state.count("width");
        require(base <= 1, "the base must be 0 or 1, is " + base);
        if (format == DataFormat.LIBSVM) {
            return libsvm(channel, base, width);
        }
        int cells = state.count("cells");
        double[] fill = state.array("fill", cells);
        // Absent in most files, whose columns have no origins.
        double[] origin = state.has("origin") ? state.array("origin", cells) : new double[cells];
        int[] categoryCounts = state.integers("levelCounts", cells);
        List<String> categories = Names.split(state.text("levels"));
        boolean named = Boolean.parseBoolean(state.text("named"));
        List<String> names = named ? Names.split(state.text("names")) : List.of();
        require(!named || names.size() == cells, names.size() + " names for " + cells + " cells");
        List<String> labelNames = Names.split(state.text("labelNames"));
        List<Integer> labelPlaces = new ArrayList<>();
        int weightPlace = (int) state.number("weightPlace");
        List<String> ignoredNames = state.has("ignoredNames") ? Names.split(state.text("ignoredNames")) : List.of();
        int raw = Math.toIntExact((long) cells + labelNames.size() + ignoredNames.size() + (weightPlace < 0 ? 0 : 1));
        require(weightPlace >= -1 && weightPlace < raw, "weight place " + weightPlace + " of " + raw);
        for (int place : state.integers("labelPlaces", labelNames.size())) {
            require(
                    place >= 0 && place < raw && !labelPlaces.contains(place) && place != weightPlace,
                    "label place " + place + " of " + raw);
            labelPlaces.add(place);
        }
        Set<Integer> ignoredPlaces = new LinkedHashSet<>();
        for (int place : ignoredNames.isEmpty() ? new int[0] : state.integers("ignoredPlaces", ignoredNames.size())) {
            require(
                    place >= 0
                            && place < raw
                            && !labelPlaces.contains(place)
                            && place != weightPlace
                            && ignoredPlaces.add(place),
                    "ignored place " + place + " of " + raw);
        }
        List<String> notations = state.has("notations") ? Names.split(state.text("notations")) : List.of();
        require(notations.isEmpty() || notations.size() == cells, notations.size() + " notations of " + cells);
        List<ColumnEncoding> columns = new ArrayList<>(cells);
        int next = 0;
        long total = 0;
        for (int cell = 0; cell < raw; cell++) {
            if (cell == weightPlace || labelPlaces.contains(cell) || ignoredPlaces.contains(cell)) {
                continue;
            }
            int k = columns.size();
            int count = categoryCounts[k];
            require(count >= 0 && count <= categories.size() - next, "the categories do not match their counts");
            require(
                    count == 0 || (fill[k] >= 0 && fill[k] < count && fill[k] == Math.rint(fill[k])),
                    "the fill of cell " + cell + " must be one of its categories, is " + fill[k]);
            Notation notation = notations.isEmpty() ? Notation.PLAIN : Notation.load(notations.get(k));
            require(count == 0 || notation.plain(), "cell " + cell + " has categories and the notation of numbers");
            require(
                    count == 0 ? Math.abs(origin[k]) <= Float.MAX_VALUE : origin[k] == 0,
                    "the origin of cell " + cell + " cannot be " + origin[k]);
            columns.add(new ColumnEncoding(
                    named ? names.get(k) : Integer.toString(cell),
                    categories.subList(next, next + count),
                    fill[k],
                    notation,
                    origin[k]));
            next += count;
            total += Math.max(1, count);
        }
        require(next == categories.size(), "the categories do not match their counts");
        require(total == width, "the number of columns must be " + total + ", is " + width);
        return new PartEncoding(
                channel,
                format,
                base,
                width,
                columns,
                named,
                labelNames,
                labelPlaces,
                state.text("weightName"),
                weightPlace,
                ignoredNames,
                List.copyOf(ignoredPlaces));
    }

    private static DataFormat format(String text) {
        for (DataFormat format : DataFormat.values()) {
            if (format != DataFormat.AUTO && format.name().equals(text)) {
                return format;
            }
        }
        throw new BochnerException(TYPE + ": unknown format '" + text + "'");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new BochnerException(TYPE + ": the saved form is inconsistent: " + message);
        }
    }
}
