package org.bochner.data.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.text.Suggestion;
import org.jspecify.annotations.Nullable;

/**
 * The roles of the cells of a table. A cell may have no role, such as a label that is not read.
 *
 * @param features the index of the feature of each cell; -1 if the cell is no feature
 * @param labelPlaces the cells of the labels
 * @param rowWeight the cell of the row weight; -1 if there is none
 * @param ignored the cells that are left out; the group and the set id are among them
 * @param names the names of all cells; empty if there is no header
 * @param group the cell of the group; -1 if there is none
 * @param set the cell of the set id; -1 if there is none
 * @param carried the carried cells, whose texts accompany the rows; they may have other roles too
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TableLayout(
        int[] features,
        List<Integer> labelPlaces,
        int rowWeight,
        Set<Integer> ignored,
        List<String> names,
        int group,
        int set,
        List<Integer> carried) {
    static final int UNUSED = -1;
    /** The words for the first and the last column. A column of such a name takes precedence. */
    static final String FIRST = "first";

    static final String LAST = "last";
    private static final Pattern INDEX = Pattern.compile("-?[0-9]{1,9}");

    public TableLayout {
        labelPlaces = List.copyOf(labelPlaces);
        ignored = Collections.unmodifiableSet(new TreeSet<>(ignored));
        carried = List.copyOf(carried);
    }

    TableLayout(int[] features, List<Integer> labels, int weight, Set<Integer> ignored, List<String> names) {
        this(features, labels, weight, ignored, names, UNUSED, UNUSED, List.of());
    }

    /**
     * Creates the layout of training data: labels, weight and group as asked for, all other cells features. The label
     * {@code AUTO} is the last column that is neither ignored nor text.
     */
    static TableLayout choose(
            TableShape shape,
            LabelChoice label,
            @Nullable String weightSpelling,
            @Nullable String groupSpelling,
            @Nullable String setSpelling,
            Set<Integer> ignored,
            Set<Integer> texts) {
        int group = groupSpelling == null ? UNUSED : find(shape, "group", groupSpelling);
        int set = setSpelling == null ? UNUSED : find(shape, "set", setSpelling);
        Set<Integer> left = new TreeSet<>(ignored);
        if (group >= 0) {
            left.add(group);
        }
        if (set >= 0) {
            left.add(set);
        }
        // Ignored columns change which column is the last one and so the label. The group and the set do not, because
        // users would not expect it.
        List<Integer> labels =
                label == LabelChoice.Word.AUTO ? List.of(lastBut(shape, ignored, texts)) : findLabels(shape, label);
        int weight = weightSpelling == null ? UNUSED : find(shape, "weight", weightSpelling);
        if (labels.contains(weight)) {
            throw shape.problem("column " + shape.name(weight) + " cannot be both label and weight");
        }
        if (group >= 0 && (group == weight || labels.contains(group))) {
            throw shape.problem("column " + shape.name(group) + " cannot be both group and "
                    + (group == weight ? "weight" : "label"));
        }
        if (set >= 0 && (set == weight || labels.contains(set))) {
            throw shape.problem(
                    "column " + shape.name(set) + " cannot be both set and " + (set == weight ? "weight" : "label"));
        }
        for (int cell : left) {
            if (cell == weight || labels.contains(cell)) {
                throw shape.problem("column " + shape.name(cell) + " is label or row weight, so it cannot be left out");
            }
        }
        int[] features = new int[shape.cells()];
        labels.forEach(cell -> features[cell] = UNUSED);
        if (weight >= 0) {
            features[weight] = UNUSED;
        }
        return new TableLayout(features, labels, weight, Set.of(), shape.names(), group, set, List.of()).without(left);
    }

    private static int lastBut(TableShape shape, Set<Integer> ignored, Set<Integer> texts) {
        return IntStream.range(0, shape.cells())
                .filter(cell -> !ignored.contains(cell) && !texts.contains(cell))
                .max()
                .orElse(0);
    }

    /** Creates the layout of a file of labels: all cells are labels. */
    static TableLayout onlyLabels(TableShape shape) {
        int[] features = new int[shape.cells()];
        Arrays.fill(features, UNUSED);
        List<Integer> all = IntStream.range(0, features.length).boxed().toList();
        return new TableLayout(features, all, UNUSED, Set.of(), shape.names());
    }

    /** Returns this layout without labels. */
    TableLayout withoutLabels() {
        return new TableLayout(features, List.of(), rowWeight, ignored, names, group, set, carried);
    }

    /** Returns this layout with carried cells, which keep their other roles. */
    TableLayout withCarried(List<Integer> cells) {
        return new TableLayout(features, labelPlaces, rowWeight, ignored, names, group, set, cells);
    }

    /** Returns this layout with another cell of the set id, which must be left out; -1 for none. */
    TableLayout withSet(int cell) {
        return new TableLayout(features, labelPlaces, rowWeight, ignored, names, group, cell, carried);
    }

    /** Returns this layout with more cells left out. */
    TableLayout without(Set<Integer> cells) {
        Set<Integer> all = new TreeSet<>(ignored);
        all.addAll(cells);
        int[] fewer = new int[features.length];
        int next = 0;
        for (int c = 0; c < fewer.length; c++) {
            fewer[c] = features[c] < 0 || all.contains(c) ? UNUSED : next++;
        }
        return new TableLayout(fewer, labelPlaces, rowWeight, all, names, group, set, carried);
    }

    /** Returns the cells of the label columns that are named; empty if none are. */
    static List<Integer> findLabels(TableShape shape, LabelChoice label) {
        if (!(label instanceof LabelChoice.Columns columns)) {
            return List.of();
        }
        List<Integer> found = new ArrayList<>();
        boolean one = shape.names().contains(columns.spelling());
        for (String part : one ? List.of(columns.spelling()) : columns.parts()) {
            int cell = find(shape, "label", part);
            if (found.contains(cell)) {
                throw shape.problem("label column '" + part + "' is given twice");
            }
            found.add(cell);
        }
        return found;
    }

    /** Returns the cell of a name, an index from 0, a negative index from the end, "first" or "last". */
    static int find(TableShape shape, String what, String spelling) {
        int cells = shape.cells();
        int named = shape.names().indexOf(spelling);
        if (named >= 0) {
            return named;
        }
        if (spelling.equals(FIRST)) {
            return 0;
        }
        if (spelling.equals(LAST)) {
            return cells - 1;
        }
        boolean index = INDEX.matcher(spelling).matches();
        int cell = index ? Integer.parseInt(spelling) : 0;
        int counted = cell < 0 ? cells + cell : cell;
        if (index && counted >= 0 && counted < cells) {
            return counted;
        }
        String problem = "no " + what + " column '" + spelling + "'";
        if (index) {
            problem += "; indices go from 0 to " + (cells - 1) + ", or from -1, the last, to -" + cells;
        } else if (shape.names().isEmpty()) {
            throw shape.problem(
                    problem + "; the file has no header, so columns go by their index, 0 to " + (cells - 1),
                    Remedy.set(Setting.HEADER, true, "if its first line names them"));
        } else {
            problem += Suggestion.hint(spelling, shape.names().subList(0, Math.min(50, cells)));
        }
        throw shape.problem(problem);
    }

    public int cells() {
        return features.length;
    }

    /** Returns the index of the feature of a cell; -1 if it is no feature. */
    public int feature(int cell) {
        return features[cell];
    }

    /** Returns the number of labels per row. */
    int labels() {
        return labelPlaces.size();
    }

    /** Returns the cell of label j. */
    int label(int j) {
        return labelPlaces.get(j);
    }

    public List<String> labelNames() {
        return labelPlaces.stream().map(this::name).toList();
    }

    public List<String> ignoredNames() {
        return ignored.stream().map(this::name).toList();
    }

    String rowWeightName() {
        return rowWeight < 0 ? "" : name(rowWeight);
    }

    /** Returns the name of the cell of the group; null if there is none. */
    @Nullable
    String groupName() {
        return group < 0 ? null : name(group);
    }

    /** Returns the name of the cell of the set id; null if there is none. */
    public @Nullable String setName() {
        return set < 0 ? null : name(set);
    }

    private String name(int cell) {
        return names.isEmpty() ? Integer.toString(cell) : names.get(cell);
    }
}
