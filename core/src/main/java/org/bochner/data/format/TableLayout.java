package org.bochner.data.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.Suggestion;
import org.jspecify.annotations.Nullable;

/**
 * Which cells of a table's rows are features, labels and the weight, which are left out, and which are carried along as
 * text. The group is left out of the features. A cell may be none of them: a label nobody asked for.
 */
public final class TableLayout {
    static final int UNUSED = -1;
    private static final Pattern INDEX = Pattern.compile("-?[0-9]{1,9}");

    /** For each cell the number of its feature, or -1. */
    private final int[] features;

    private final List<Integer> labels;
    private final int rowWeight;
    private final Set<Integer> ignored;
    private final List<String> names;
    private final int group;
    private final List<Integer> carried;

    TableLayout(int[] features, List<Integer> labels, int weight, Set<Integer> ignored, List<String> names) {
        this(features, labels, weight, ignored, names, UNUSED, List.of());
    }

    private TableLayout(
            int[] features,
            List<Integer> labels,
            int weight,
            Set<Integer> ignored,
            List<String> names,
            int group,
            List<Integer> carried) {
        this.features = features;
        this.labels = List.copyOf(labels);
        this.rowWeight = weight;
        this.ignored = Collections.unmodifiableSet(new TreeSet<>(ignored));
        this.names = names;
        this.group = group;
        this.carried = List.copyOf(carried);
    }

    /**
     * The layout of a file whose columns are not yet known: labels, weight and group as asked for, all others features.
     *
     * @param labelSpelling null for the last column that is not ignored
     */
    static TableLayout choose(
            TableShape shape,
            @Nullable String labelSpelling,
            @Nullable String weightSpelling,
            @Nullable String groupSpelling,
            Set<Integer> ignored) {
        int group = groupSpelling == null ? UNUSED : find(shape, "group", groupSpelling);
        Set<Integer> left = new TreeSet<>(ignored);
        if (group >= 0) {
            left.add(group);
        }
        // Ignored columns move the label that is guessed; the group does not, because nobody would expect it to.
        List<Integer> labels =
                labelSpelling == null ? List.of(lastBut(shape, ignored)) : findLabels(shape, labelSpelling);
        int weight = weightSpelling == null ? UNUSED : find(shape, "weight", weightSpelling);
        if (labels.contains(weight)) {
            throw DataException.in(shape.file(), "column " + shape.name(weight) + " cannot be both label and weight");
        }
        if (group >= 0 && (group == weight || labels.contains(group))) {
            throw DataException.in(
                    shape.file(),
                    "column " + shape.name(group) + " cannot be both group and "
                            + (group == weight ? "weight" : "label"));
        }
        for (int cell : left) {
            if (cell == weight || labels.contains(cell)) {
                throw DataException.in(
                        shape.file(),
                        "column " + shape.name(cell) + " is label or row weight, so it cannot be left out");
            }
        }
        TableLayout layout = around(shape, labels, weight, left);
        return new TableLayout(layout.features, labels, weight, layout.ignored, layout.names, group, layout.carried);
    }

    private static int lastBut(TableShape shape, Set<Integer> ignored) {
        for (int cell = shape.cells() - 1; cell > 0; cell--) {
            if (!ignored.contains(cell)) {
                return cell;
            }
        }
        return 0;
    }

    /** All cells are labels: a file of labels. */
    static TableLayout onlyLabels(TableShape shape) {
        int[] features = new int[shape.cells()];
        Arrays.fill(features, UNUSED);
        List<Integer> labels = new ArrayList<>();
        for (int c = 0; c < features.length; c++) {
            labels.add(c);
        }
        return new TableLayout(features, labels, UNUSED, Set.of(), shape.names());
    }

    /** The same cells with the labels left out of account. */
    TableLayout withoutLabels() {
        return new TableLayout(features, List.of(), rowWeight, ignored, names, group, carried);
    }

    /** The same cells, of which some are carried along as text, whatever else they are. */
    TableLayout withCarried(List<Integer> cells) {
        return new TableLayout(features, labels, rowWeight, ignored, names, group, cells);
    }

    /** The same labels and weight, with more cells left out. */
    TableLayout without(Set<Integer> cells) {
        Set<Integer> all = new TreeSet<>(ignored);
        all.addAll(cells);
        int[] fewer = new int[features.length];
        int next = 0;
        for (int c = 0; c < fewer.length; c++) {
            fewer[c] = features[c] < 0 || all.contains(c) ? UNUSED : next++;
        }
        return new TableLayout(fewer, labels, rowWeight, all, names, group, carried);
    }

    /** Labels and weight at the given cells, some left out, all others features in their order. */
    private static TableLayout around(TableShape shape, List<Integer> labels, int weight, Set<Integer> ignored) {
        int[] features = new int[shape.cells()];
        int next = 0;
        for (int c = 0; c < features.length; c++) {
            features[c] = c == weight || labels.contains(c) || ignored.contains(c) ? UNUSED : next++;
        }
        return new TableLayout(features, labels, weight, ignored, shape.names());
    }

    /** The cells of labels as they are spelled. */
    static List<Integer> findLabels(TableShape shape, String spelling) {
        if (spelling.equals("none")) {
            return List.of();
        }
        List<Integer> found = new ArrayList<>();
        String[] parts = shape.names().contains(spelling) ? new String[] {spelling} : spelling.split(",", -1);
        for (String part : parts) {
            int cell = find(shape, "label", part.strip());
            if (found.contains(cell)) {
                throw DataException.in(shape.file(), "label column '" + part.strip() + "' is given twice");
            }
            found.add(cell);
        }
        return found;
    }

    /** The cell that a name, an index from 0, a negative one from the end, "first" or "last" stands for. */
    static int find(TableShape shape, String what, String spelling) {
        int cells = shape.cells();
        int named = shape.names().indexOf(spelling);
        if (named >= 0) {
            return named;
        }
        if (spelling.equals("first")) {
            return 0;
        }
        if (spelling.equals("last")) {
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
            throw DataException.in(
                    shape.file(),
                    problem + "; the file has no header, so columns go by their index, 0 to " + (cells - 1),
                    Remedy.set(Setting.HEADER, "yes", "if its first line names them"));
        } else {
            problem += Suggestion.hint(spelling, shape.names().subList(0, Math.min(50, cells)));
        }
        throw DataException.in(shape.file(), problem);
    }

    int cells() {
        return features.length;
    }

    /** The feature that a cell is, or -1. */
    int feature(int cell) {
        return features[cell];
    }

    /** How many labels a row has. */
    int labels() {
        return labels.size();
    }

    /** The cell of label j. */
    int label(int j) {
        return labels.get(j);
    }

    List<Integer> labelPlaces() {
        return labels;
    }

    List<String> labelNames() {
        return labels.stream().map(this::name).toList();
    }

    /** The cell of the weight, or -1. */
    int rowWeight() {
        return rowWeight;
    }

    List<Integer> ignoredPlaces() {
        return List.copyOf(ignored);
    }

    List<String> ignoredNames() {
        return ignored.stream().map(this::name).toList();
    }

    String rowWeightName() {
        return rowWeight < 0 ? "" : name(rowWeight);
    }

    /** The cell that says the group, or -1. */
    int group() {
        return group;
    }

    String groupName() {
        return group < 0 ? "" : name(group);
    }

    /** The cells whose texts are carried along. */
    List<Integer> carried() {
        return carried;
    }

    private String name(int cell) {
        return names.isEmpty() ? Integer.toString(cell) : names.get(cell);
    }
}
