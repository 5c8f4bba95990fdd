package org.bochner.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.DataException;
import org.bochner.base.Nearest;
import org.jspecify.annotations.Nullable;

/**
 * Which cells of a table's rows are features, labels, the weight and the group, and which are carried along as text. A cell may be none of them: a label nobody asked
 * for.
 */
final class TableLayout {
    static final int UNUSED = -1;

    /** For each cell the number of its feature, or -1. */
    private final int[] features;

    private final List<Integer> labels;
    private final int weight;
    private final List<String> names;
    private final int group;
    private final List<Integer> carried;

    TableLayout(int[] features, List<Integer> labels, int weight, List<String> names) {
        this(features, labels, weight, names, UNUSED, List.of());
    }

    private TableLayout(
            int[] features, List<Integer> labels, int weight, List<String> names, int group, List<Integer> carried) {
        this.features = features;
        this.labels = List.copyOf(labels);
        this.weight = weight;
        this.names = names;
        this.group = group;
        this.carried = List.copyOf(carried);
    }

    /** The layout of a file whose columns are not yet known: labels and weight as asked for, all others features. */
    static TableLayout choose(
            TableShape shape, String labelSpelling, @Nullable String weightSpelling, @Nullable String groupSpelling) {
        List<Integer> labels = findLabels(shape, labelSpelling);
        int weight = weightSpelling == null ? UNUSED : find(shape, "weight", weightSpelling);
        if (labels.contains(weight)) {
            throw DataException.in(shape.file(), "column '" + weightSpelling + "' cannot be both label and weight");
        }
        TableLayout layout = around(shape, labels, weight);
        if (groupSpelling == null) {
            return layout;
        }
        int group = find(shape, "group", groupSpelling);
        if (layout.feature(group) == UNUSED) {
            throw DataException.in(
                    shape.file(),
                    "column '" + groupSpelling + "' cannot be both group and "
                            + (group == weight ? "weight" : "label"));
        }
        return layout.withGroup(group);
    }

    /** All cells are labels: a file of labels. */
    static TableLayout onlyLabels(TableShape shape) {
        int[] features = new int[shape.width()];
        Arrays.fill(features, UNUSED);
        List<Integer> labels = new ArrayList<>();
        for (int c = 0; c < features.length; c++) {
            labels.add(c);
        }
        return new TableLayout(features, labels, UNUSED, shape.names());
    }

    /** The same cells with the labels left out of account. */
    TableLayout withoutLabels() {
        return new TableLayout(features, List.of(), weight, names, group, carried);
    }

    /** The same cells, of which one feature is passed over; the features after it move up. */
    TableLayout without(int feature) {
        int[] others = features.clone();
        for (int c = 0; c < others.length; c++) {
            others[c] = c == feature ? UNUSED : features[c] > features[feature] ? features[c] - 1 : features[c];
        }
        return new TableLayout(others, labels, weight, names, group, carried);
    }

    /** The same cells, of which one says the group and is no feature. */
    TableLayout withGroup(int cell) {
        return new TableLayout(without(cell).features, labels, weight, names, cell, carried);
    }

    /** The same cells, of which some are carried along as text, whatever else they are. */
    TableLayout withCarried(List<Integer> cells) {
        return new TableLayout(features, labels, weight, names, group, cells);
    }

    /** Labels and weight at the given cells, all others features in their order. */
    static TableLayout around(TableShape shape, List<Integer> labels, int weight) {
        int[] features = new int[shape.width()];
        int next = 0;
        for (int c = 0; c < features.length; c++) {
            features[c] = c == weight || labels.contains(c) ? UNUSED : next++;
        }
        return new TableLayout(features, labels, weight, shape.names());
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

    /** The cell that a name, an index from 0, "first" or "last" stands for. */
    static int find(TableShape shape, String what, String spelling) {
        int width = shape.width();
        int named = shape.names().indexOf(spelling);
        if (named >= 0) {
            return named;
        }
        if (spelling.equals("first")) {
            return 0;
        }
        if (spelling.equals("last")) {
            return width - 1;
        }
        boolean index = !spelling.isEmpty()
                && spelling.length() < 10
                && spelling.chars().allMatch(Character::isDigit);
        if (index && Integer.parseInt(spelling) < width) {
            return Integer.parseInt(spelling);
        }
        String hint;
        if (index) {
            hint = "; indices go from 0 to " + (width - 1);
        } else if (shape.names().isEmpty()) {
            hint = "; the file has no header, so columns go by their index, 0 to " + (width - 1)
                    + " (--header yes if its first line names them)";
        } else {
            hint = Nearest.hint(spelling, shape.names().subList(0, Math.min(50, width)));
        }
        throw DataException.in(shape.file(), "no " + what + " column '" + spelling + "'" + hint);
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
    int weight() {
        return weight;
    }

    String weightName() {
        return weight < 0 ? "" : name(weight);
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
