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
 * The roles of the cells of a table: features, labels, the weight, cells that are left out, and carried cells. The
 * group is no feature. A cell may have no role, such as a label that is not read.
 */
public final class TableLayout {
    static final int UNUSED = -1;
    private static final Pattern INDEX = Pattern.compile("-?[0-9]{1,9}");

    /** The index of the feature of each cell; -1 if the cell is no feature. */
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
     * Creates the layout of training data: labels, weight and group as asked for, all other cells features.
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
        // Ignored columns change which column is the last one and so the label. The group does not, because users would
        // not expect it.
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

    /** Creates the layout of a file of labels: all cells are labels. */
    static TableLayout onlyLabels(TableShape shape) {
        int[] features = new int[shape.cells()];
        Arrays.fill(features, UNUSED);
        List<Integer> labels = new ArrayList<>();
        for (int c = 0; c < features.length; c++) {
            labels.add(c);
        }
        return new TableLayout(features, labels, UNUSED, Set.of(), shape.names());
    }

    /** Returns this layout without labels. */
    TableLayout withoutLabels() {
        return new TableLayout(features, List.of(), rowWeight, ignored, names, group, carried);
    }

    /** Returns this layout with carried cells, which keep their other roles. */
    TableLayout withCarried(List<Integer> cells) {
        return new TableLayout(features, labels, rowWeight, ignored, names, group, cells);
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
        return new TableLayout(fewer, labels, rowWeight, all, names, group, carried);
    }

    /**
     * Creates a layout with labels and weight at the given cells, some cells left out, and all others features in
     * order.
     */
    private static TableLayout around(TableShape shape, List<Integer> labels, int weight, Set<Integer> ignored) {
        int[] features = new int[shape.cells()];
        int next = 0;
        for (int c = 0; c < features.length; c++) {
            features[c] = c == weight || labels.contains(c) || ignored.contains(c) ? UNUSED : next++;
        }
        return new TableLayout(features, labels, weight, ignored, shape.names());
    }

    /** Returns the label cells of a spelling. */
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

    /** Returns the cell of a name, an index from 0, a negative index from the end, "first" or "last". */
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

    /** Returns the index of the feature of a cell; -1 if it is no feature. */
    int feature(int cell) {
        return features[cell];
    }

    /** Returns the number of labels per row. */
    int labels() {
        return labels.size();
    }

    /** Returns the cell of label j. */
    int label(int j) {
        return labels.get(j);
    }

    List<Integer> labelPlaces() {
        return labels;
    }

    List<String> labelNames() {
        return labels.stream().map(this::name).toList();
    }

    /** Returns the cell of the row weight; -1 if there is none. */
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

    /** Returns the cell of the group; -1 if there is none. */
    int group() {
        return group;
    }

    String groupName() {
        return group < 0 ? "" : name(group);
    }

    /** Returns the carried cells, whose texts accompany the rows. */
    List<Integer> carried() {
        return carried;
    }

    private String name(int cell) {
        return names.isEmpty() ? Integer.toString(cell) : names.get(cell);
    }
}
