package org.bochner.data.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.DataFormat;
import org.bochner.data.cell.CategoryFeatures;
import org.bochner.data.cell.DatePart;
import org.bochner.data.cell.Names;
import org.bochner.data.cell.Notation;
import org.bochner.data.text.TextFeatures;
import org.jspecify.annotations.Nullable;

/**
 * The saved form of the encoding of one file. It has an array or a list per component of the columns, with one entry per
 * cell that becomes columns. What no column has is absent.
 */
final class PartState {
    private static final String TYPE = "columns";

    private final State state;
    private final int cells;
    private final double[] fill;
    private final double[] origin;
    private final int[] categoryCounts;
    private final List<String> categories;
    private final List<String> notations;
    private final List<String> texts;
    private final int[] hashed;
    private final int[] indicators;
    private final List<String> dateParts;
    private final List<String> meanRecipes;
    private final List<String> meanTargets;
    private final double[] means;
    /** The number of cells, categories and means that were read. */
    private int read;

    private int readCategories;
    private int readMeans;

    private PartState(State state) {
        this.state = state;
        cells = state.count("cells");
        fill = state.array("fill", cells);
        origin = state.has("origin") ? state.array("origin", cells) : new double[cells];
        categoryCounts = state.integers("levelCounts", cells);
        categories = names("levels");
        notations = perCell("notations", "notations", Notation.PLAIN.saved());
        texts = perCell("texts", "texts", "");
        hashed = integers("hashed");
        indicators = integers("indicators");
        dateParts = perCell("dateParts", "parts of dates", "");
        meanRecipes = perCell("meanRecipes", "means", "");
        boolean hasMeans = state.has("meanRecipes");
        meanTargets = hasMeans ? names("meanTargets") : List.of();
        means = hasMeans ? state.array("means", meanCount()) : new double[0];
    }

    private int[] integers(String key) {
        return state.has(key) ? state.integers(key, cells) : new int[cells];
    }

    /** Returns names; none if they are absent. */
    private List<String> names(String key) {
        return state.has(key) ? Names.split(state.text(key)) : List.of();
    }

    /** Returns one text per cell; the usual one if they are absent. */
    private List<String> perCell(String key, String shown, String usual) {
        List<String> given = names(key);
        require(given.isEmpty() || given.size() == cells, given.size() + " " + shown + " of " + cells);
        return given.isEmpty() ? Collections.nCopies(cells, usual) : given;
    }

    /** Returns the number of means of all cells; fails if a cell with means has no categories, or if they have no targets. */
    private int meanCount() {
        require(!meanTargets.isEmpty(), "category means have no targets");
        long count = 0;
        for (int k = 0; k < cells; k++) {
            if (!meanRecipes.get(k).isEmpty()) {
                require(categoryCounts[k] > 0, "a cell without categories has their means");
                count += (long) TargetMeans.codes(categoryCounts[k]) * meanTargets.size();
            }
        }
        require(count > 0 && count <= Integer.MAX_VALUE, count + " category means");
        return (int) count;
    }

    /** Returns the saved form of an encoding. */
    static State save(PartEncoding part) {
        State state = State.of(TYPE)
                .with("channel", part.channel())
                .with("format", part.format().name())
                .with("base", part.base())
                .with("width", part.totalColumns());
        if (!part.table()) {
            return state;
        }
        double[] fill =
                part.columns().stream().mapToDouble(ColumnEncoding::fill).toArray();
        int[] categories = part.columns().stream()
                .mapToInt(column -> column.categories().size())
                .toArray();
        Stream<String> allCategories = part.columns().stream().flatMap(column -> column.categories().stream());
        state.with("cells", part.columns().size())
                .with("named", Boolean.toString(part.named()))
                .with("fill", fill)
                .with("levelCounts", categories)
                .with("levels", Names.join(allCategories))
                .with("labelNames", Names.join(part.layout().labelNames().stream()))
                .with("labelPlaces", array(part.layout().labelPlaces()))
                .with("weightName", part.layout().rowWeightName())
                .with("weightPlace", part.layout().rowWeight());
        if (!part.layout().ignored().isEmpty()) {
            state.with("ignoredNames", Names.join(part.layout().ignoredNames().stream()))
                    .with("ignoredPlaces", array(part.layout().ignored()));
        }
        if (part.layout().set() >= 0) {
            state.with("setPlace", part.layout().set());
        }
        if (part.columns().stream().anyMatch(column -> !column.notation().plain())) {
            Stream<String> notations =
                    part.columns().stream().map(column -> column.notation().saved());
            state.with("notations", Names.join(notations));
        }
        if (part.hasText()) {
            Stream<String> texts = part.columns().stream()
                    .map(column -> column.text() == null ? "" : column.text().toString());
            state.with("texts", Names.join(texts));
        }
        if (part.columns().stream().anyMatch(column -> column.buckets() > 0)) {
            state.with(
                    "hashed",
                    part.columns().stream().mapToInt(ColumnEncoding::buckets).toArray());
        }
        if (part.columns().stream().anyMatch(column -> column.means() != null)) {
            saveMeans(part, state);
        }
        if (part.columns().stream().anyMatch(column -> !column.parts().isEmpty())) {
            Stream<String> parts = part.columns().stream()
                    .map(column -> column.parts().stream().map(DatePart::name).collect(Collectors.joining(",")));
            state.with("dateParts", Names.join(parts));
        }
        if (part.columns().stream().anyMatch(ColumnEncoding::indicator)) {
            state.with(
                    "indicators",
                    part.columns().stream()
                            .mapToInt(column -> column.indicator() ? 1 : 0)
                            .toArray());
        }
        if (part.hasOrigin()) {
            double[] origins =
                    part.columns().stream().mapToDouble(ColumnEncoding::origin).toArray();
            state.with("origin", origins);
        }
        if (part.named()) {
            state.with("names", Names.join(part.columns().stream().map(ColumnEncoding::name)));
        }
        return state;
    }

    /** Saves the means of the targets: their recipes per cell, the names of their targets, and all means in order. */
    private static void saveMeans(PartEncoding part, State state) {
        List<TargetMeans> means = part.columns().stream()
                .flatMap(column -> Stream.ofNullable(column.means()))
                .toList();
        Stream<String> recipes = part.columns().stream()
                .map(column -> column.means() == null
                        ? ""
                        : column.requireMeans().recipe().toString());
        state.with("meanRecipes", Names.join(recipes)).with("meanTargets", Names.join(means.get(0).targets().stream()));
        if (!part.needsMeans()) {
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

    /** Reads an encoding from its saved form, which is not trusted. */
    static PartEncoding load(State state) {
        require(state.type().equals(TYPE), "the type must be '" + TYPE + "', is '" + state.type() + "'");
        String channel = state.text("channel");
        DataFormat format = format(state.text("format"));
        int base = state.count("base");
        int totalColumns = state.count("width");
        require(base <= 1, "the base must be 0 or 1, is " + base);
        if (format == DataFormat.LIBSVM) {
            return PartEncoding.libsvm(channel, base, totalColumns);
        }
        return new PartState(state).table(channel, format, base, totalColumns);
    }

    private PartEncoding table(String channel, DataFormat format, int base, int totalColumns) {
        boolean named = Boolean.parseBoolean(state.text("named"));
        List<String> names = named ? Names.split(state.text("names")) : List.of();
        require(!named || names.size() == cells, names.size() + " names for " + cells + " cells");
        List<String> labelNames = Names.split(state.text("labelNames"));
        int weightPlace = (int) state.number("weightPlace");
        List<String> ignoredNames = names("ignoredNames");
        int raw = Math.toIntExact((long) cells + labelNames.size() + ignoredNames.size() + (weightPlace < 0 ? 0 : 1));
        require(weightPlace >= -1 && weightPlace < raw, "weight place " + weightPlace + " of " + raw);
        // The names of the cells that are no features, by place.
        Map<Integer, String> others = new HashMap<>();
        if (weightPlace >= 0) {
            others.put(weightPlace, state.text("weightName"));
        }
        List<Integer> labelPlaces = places("label", labelNames, others, raw);
        List<Integer> ignoredPlaces = places("ignored", ignoredNames, others, raw);
        List<ColumnEncoding> columns = new ArrayList<>(cells);
        List<String> allNames = new ArrayList<>();
        int[] features = new int[raw];
        long total = 0;
        for (int cell = 0; cell < raw; cell++) {
            String other = others.get(cell);
            if (other != null) {
                features[cell] = TableLayout.UNUSED;
                allNames.add(other);
                continue;
            }
            String name = named ? names.get(read) : Integer.toString(cell);
            features[cell] = read;
            allNames.add(name);
            ColumnEncoding column = column(cell, name);
            columns.add(column);
            total += column.columns();
        }
        require(readCategories == categories.size(), "the categories do not match their counts");
        require(total == totalColumns, "the number of columns must be " + total + ", is " + totalColumns);
        int setPlace = state.has("setPlace") ? state.count("setPlace") : TableLayout.UNUSED;
        require(setPlace < 0 || ignoredPlaces.contains(setPlace), "set place " + setPlace + " is not left out");
        TableLayout layout = new TableLayout(
                        features, labelPlaces, weightPlace, Set.copyOf(ignoredPlaces), named ? allNames : List.of())
                .withSet(setPlace);
        return new PartEncoding(channel, format, base, totalColumns, columns, layout, false);
    }

    /** Reads the encoding of the next column, which has an index among all cells. */
    private ColumnEncoding column(int cell, String name) {
        int k = read++;
        int count = categoryCounts[k];
        require(count >= 0 && count <= categories.size() - readCategories, "the categories do not match their counts");
        require(
                count == 0 || isIndex(fill[k], count),
                "the fill of cell " + cell + " must be one of its categories, is " + fill[k]);
        Notation notation = Notation.load(notations.get(k));
        require(count == 0 || notation.plain(), "cell " + cell + " has categories and the notation of numbers");
        require(
                count == 0 ? Math.abs(origin[k]) <= Float.MAX_VALUE : origin[k] == 0,
                "the origin of cell " + cell + " cannot be " + origin[k]);
        TextFeatures text = texts.get(k).isEmpty() ? null : TextFeatures.load(texts.get(k));
        boolean plainNumber = count == 0 && notation.plain() && origin[k] == 0;
        require(text == null || plainNumber, "cell " + cell + " has texts and the encoding of numbers or categories");
        List<DatePart> parts = dateParts(dateParts.get(k));
        require(parts.isEmpty() || (notation.date() != null && origin[k] == 0), "cell " + cell + " is no date");
        require(
                hashed[k] == 0
                        || (hashed[k] >= 2
                                && hashed[k] <= CategoryFeatures.Hash.MOST_BUCKETS
                                && plainNumber
                                && text == null
                                && isIndex(fill[k], hashed[k])),
                "cell " + cell + " cannot have " + hashed[k] + " hashed columns");
        require(
                indicators[k] == 0 || (indicators[k] == 1 && text == null),
                "cell " + cell + " has the indicator " + indicators[k]);
        List<String> own = categories.subList(readCategories, readCategories + count);
        readCategories += count;
        return new ColumnEncoding(
                name, own, fill[k], notation, origin[k], text, hashed[k], parts, means(k), indicators[k] == 1);
    }

    private static boolean isIndex(double value, int size) {
        return value >= 0 && value < size && value == Math.rint(value);
    }

    /** Reads the means of a column; null if it has none. */
    private @Nullable TargetMeans means(int k) {
        if (meanRecipes.get(k).isEmpty()) {
            return null;
        }
        int first = readMeans;
        readMeans += TargetMeans.codes(categoryCounts[k]) * meanTargets.size();
        return TargetMeans.load(meanRecipes.get(k), meanTargets, Arrays.copyOfRange(means, first, readMeans));
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
    private List<Integer> places(String role, List<String> names, Map<Integer, String> taken, int raw) {
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
