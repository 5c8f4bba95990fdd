package org.bochner.data.format;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.DataFormat;
import org.bochner.data.Labels;
import org.bochner.data.cell.CategoryFeatures;
import org.bochner.data.cell.DatePart;
import org.bochner.data.cell.Names;
import org.bochner.data.cell.Notation;
import org.bochner.data.text.TextFeatures;
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
    private static final String TYPE = "columns";

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
                                ? column.withMeans(column.requireMeans().of(labels))
                                : column)
                        .toList());
    }

    /** Returns the encoding with the means of the targets, one array per column that needs them, in order. */
    public PartEncoding withMeans(Iterator<double[]> means) {
        return withColumns(columns.stream()
                .map(column -> column.needsMeans()
                        ? column.withMeans(column.requireMeans().with(means.next()))
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
        Stream<String> allCategories = columns.stream().flatMap(column -> column.categories().stream());
        state.with("cells", columns.size())
                .with("named", Boolean.toString(named()))
                .with("fill", fill)
                .with("levelCounts", categories)
                .with("levels", Names.join(allCategories))
                .with("labelNames", Names.join(layout.labelNames().stream()))
                .with("labelPlaces", array(layout.labelPlaces()))
                .with("weightName", layout.rowWeightName())
                .with("weightPlace", layout.rowWeight());
        if (!layout.ignored().isEmpty()) {
            state.with("ignoredNames", Names.join(layout.ignoredNames().stream()))
                    .with("ignoredPlaces", array(layout.ignored()));
        }
        if (layout.set() >= 0) {
            state.with("setPlace", layout.set());
        }
        if (columns.stream().anyMatch(column -> !column.notation().plain())) {
            Stream<String> notations =
                    columns.stream().map(column -> column.notation().saved());
            state.with("notations", Names.join(notations));
        }
        if (hasText()) {
            Stream<String> texts = columns.stream()
                    .map(column -> column.text() == null ? "" : column.text().toString());
            state.with("texts", Names.join(texts));
        }
        if (columns.stream().anyMatch(column -> column.buckets() > 0)) {
            state.with(
                    "hashed", columns.stream().mapToInt(ColumnEncoding::buckets).toArray());
        }
        if (columns.stream().anyMatch(column -> column.means() != null)) {
            saveMeans(state);
        }
        if (columns.stream().anyMatch(column -> !column.parts().isEmpty())) {
            Stream<String> parts = columns.stream()
                    .map(column -> column.parts().stream().map(DatePart::name).collect(Collectors.joining(",")));
            state.with("dateParts", Names.join(parts));
        }
        if (columns.stream().anyMatch(ColumnEncoding::indicator)) {
            state.with(
                    "indicators",
                    columns.stream()
                            .mapToInt(column -> column.indicator() ? 1 : 0)
                            .toArray());
        }
        if (hasOrigin()) {
            double[] origins =
                    columns.stream().mapToDouble(ColumnEncoding::origin).toArray();
            state.with("origin", origins);
        }
        if (named()) {
            state.with("names", Names.join(columns.stream().map(ColumnEncoding::name)));
        }
        return state;
    }

    /** Saves the means of the targets: their recipes per cell, the names of their targets, and all means in order. */
    private void saveMeans(State state) {
        List<TargetMeans> means = columns.stream()
                .flatMap(column -> Stream.ofNullable(column.means()))
                .toList();
        Stream<String> recipes = columns.stream()
                .map(column -> column.means() == null
                        ? ""
                        : column.requireMeans().recipe().toString());
        state.with("meanRecipes", Names.join(recipes)).with("meanTargets", Names.join(means.get(0).targets().stream()));
        if (!needsMeans()) {
            state.with(
                    "means",
                    means.stream()
                            .flatMapToDouble(one -> Arrays.stream(one.requireValues()))
                            .toArray());
        }
    }

    private static int[] array(Collection<Integer> places) {
        return places.stream().mapToInt(Integer::intValue).toArray();
    }

    public static PartEncoding load(State state) {
        require(state.type().equals(TYPE), "the type must be '" + TYPE + "', is '" + state.type() + "'");
        String channel = state.text("channel");
        DataFormat format = format(state.text("format"));
        int base = state.count("base");
        int totalColumns = state.count("width");
        require(base <= 1, "the base must be 0 or 1, is " + base);
        if (format == DataFormat.LIBSVM) {
            return libsvm(channel, base, totalColumns);
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
        int weightPlace = (int) state.number("weightPlace");
        List<String> ignoredNames = state.has("ignoredNames") ? Names.split(state.text("ignoredNames")) : List.of();
        int raw = Math.toIntExact((long) cells + labelNames.size() + ignoredNames.size() + (weightPlace < 0 ? 0 : 1));
        require(weightPlace >= -1 && weightPlace < raw, "weight place " + weightPlace + " of " + raw);
        // The names of the cells that are no features, by place.
        Map<Integer, String> others = new HashMap<>();
        if (weightPlace >= 0) {
            others.put(weightPlace, state.text("weightName"));
        }
        List<Integer> labelPlaces = places(state, "label", labelNames, others, raw);
        List<Integer> ignoredPlaces = places(state, "ignored", ignoredNames, others, raw);
        List<String> notations = state.has("notations") ? Names.split(state.text("notations")) : List.of();
        require(notations.isEmpty() || notations.size() == cells, notations.size() + " notations of " + cells);
        List<String> texts = state.has("texts") ? Names.split(state.text("texts")) : List.of();
        require(texts.isEmpty() || texts.size() == cells, texts.size() + " texts of " + cells);
        int[] hashed = state.has("hashed") ? state.integers("hashed", cells) : new int[cells];
        int[] indicators = state.has("indicators") ? state.integers("indicators", cells) : new int[cells];
        List<String> dateParts = state.has("dateParts") ? Names.split(state.text("dateParts")) : List.of();
        require(dateParts.isEmpty() || dateParts.size() == cells, dateParts.size() + " parts of dates of " + cells);
        List<String> meanRecipes = state.has("meanRecipes") ? Names.split(state.text("meanRecipes")) : List.of();
        require(meanRecipes.isEmpty() || meanRecipes.size() == cells, meanRecipes.size() + " means of " + cells);
        List<String> meanTargets = meanRecipes.isEmpty() ? List.of() : Names.split(state.text("meanTargets"));
        double[] means = meanRecipes.isEmpty()
                ? new double[0]
                : state.array("means", meanCount(meanRecipes, categoryCounts, meanTargets.size()));
        int nextMean = 0;
        List<ColumnEncoding> columns = new ArrayList<>(cells);
        List<String> allNames = new ArrayList<>();
        int[] features = new int[raw];
        int next = 0;
        long total = 0;
        for (int cell = 0; cell < raw; cell++) {
            int k = columns.size();
            String other = others.get(cell);
            features[cell] = other == null ? k : TableLayout.UNUSED;
            allNames.add(other == null && named ? names.get(k) : other == null ? Integer.toString(cell) : other);
            if (other != null) {
                continue;
            }
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
            TextFeatures text = texts.isEmpty() || texts.get(k).isEmpty() ? null : TextFeatures.load(texts.get(k));
            require(
                    text == null || (count == 0 && notation.plain() && origin[k] == 0),
                    "cell " + cell + " has texts and the encoding of numbers or categories");
            List<DatePart> parts = dateParts.isEmpty() ? List.of() : dateParts(dateParts.get(k));
            require(parts.isEmpty() || (notation.date() != null && origin[k] == 0), "cell " + cell + " is no date");
            require(
                    hashed[k] == 0
                            || (hashed[k] >= 2
                                    && hashed[k] <= CategoryFeatures.Hash.MOST_BUCKETS
                                    && count == 0
                                    && text == null
                                    && notation.plain()
                                    && origin[k] == 0
                                    && fill[k] >= 0
                                    && fill[k] < hashed[k]
                                    && fill[k] == Math.rint(fill[k])),
                    "cell " + cell + " cannot have " + hashed[k] + " hashed columns");
            require(
                    indicators[k] == 0 || (indicators[k] == 1 && text == null),
                    "cell " + cell + " has the indicator " + indicators[k]);
            TargetMeans targetMeans = null;
            if (!meanRecipes.isEmpty() && !meanRecipes.get(k).isEmpty()) {
                int end = nextMean + TargetMeans.codes(count) * meanTargets.size();
                targetMeans =
                        TargetMeans.load(meanRecipes.get(k), meanTargets, Arrays.copyOfRange(means, nextMean, end));
                nextMean = end;
            }
            columns.add(new ColumnEncoding(
                    allNames.get(cell),
                    categories.subList(next, next + count),
                    fill[k],
                    notation,
                    origin[k],
                    text,
                    hashed[k],
                    parts,
                    targetMeans,
                    indicators[k] == 1));
            next += count;
            total += columns.get(k).columns();
        }
        require(next == categories.size(), "the categories do not match their counts");
        require(total == totalColumns, "the number of columns must be " + total + ", is " + totalColumns);
        int setPlace = state.has("setPlace") ? state.count("setPlace") : TableLayout.UNUSED;
        require(setPlace < 0 || ignoredPlaces.contains(setPlace), "set place " + setPlace + " is not left out");
        TableLayout layout = new TableLayout(
                        features, labelPlaces, weightPlace, Set.copyOf(ignoredPlaces), named ? allNames : List.of())
                .withSet(setPlace);
        return new PartEncoding(channel, format, base, totalColumns, columns, layout, false);
    }

    /** Returns the number of means of all cells; fails if a cell with means has no categories, or if they have no targets. */
    private static int meanCount(List<String> recipes, int[] categoryCounts, int targets) {
        require(targets > 0, "category means have no targets");
        long count = 0;
        for (int k = 0; k < recipes.size(); k++) {
            if (!recipes.get(k).isEmpty()) {
                require(categoryCounts[k] > 0, "a cell without categories has their means");
                count += (long) TargetMeans.codes(categoryCounts[k]) * targets;
            }
        }
        require(count > 0 && count <= Integer.MAX_VALUE, count + " category means");
        return (int) count;
    }

    private static List<DatePart> dateParts(String saved) {
        List<DatePart> parts = new ArrayList<>();
        for (String name : saved.isEmpty() ? new String[0] : saved.split(",", -1)) {
            DatePart part = Arrays.stream(DatePart.values())
                    .filter(known -> known.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new BochnerException(TYPE + ": unknown part of a date '" + name + "'"));
            require(!parts.contains(part), "a date has the part " + name + " twice");
            parts.add(part);
        }
        return parts;
    }

    /** Reads the places of the cells of a role, none of which may have another role. */
    private static List<Integer> places(
            State state, String role, List<String> names, Map<Integer, String> taken, int raw) {
        List<Integer> places = new ArrayList<>();
        for (int place : names.isEmpty() ? new int[0] : state.integers(role + "Places", names.size())) {
            require(
                    place >= 0 && place < raw && taken.putIfAbsent(place, names.get(places.size())) == null,
                    role + " place " + place + " of " + raw);
            places.add(place);
        }
        return places;
    }

    private static DataFormat format(String text) {
        return Arrays.stream(DataFormat.values())
                .filter(format -> format != DataFormat.AUTO && format.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new BochnerException(TYPE + ": unknown format '" + text + "'"));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new BochnerException(TYPE + ": the saved form is inconsistent: " + message);
        }
    }
}
