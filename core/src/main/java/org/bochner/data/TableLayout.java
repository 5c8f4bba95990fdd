package org.bochner.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.DataException;
import org.bochner.base.Nearest;
import org.jspecify.annotations.Nullable;

/**
 * Which cells of a table's rows are features, labels and the weight. A cell may be none of them: a label nobody asked
 * for.
 */
final class TableLayout {
    private static final int UNUSED = -1;

    /** For each cell the number of its feature, or -1. */
    private final int[] features;

    private final List<Integer> labels;
    private final int weight;
    private final List<String> names;

    private TableLayout(int[] features, List<Integer> labels, int weight, List<String> names) {
        this.features = features;
        this.labels = List.copyOf(labels);
        this.weight = weight;
        this.names = names;
    }

    /** The layout of a file whose columns are not yet known: labels and weight as asked for, all others features. */
    static TableLayout choose(TableShape shape, String labelSpelling, @Nullable String weightSpelling) {
        List<Integer> labels = find(shape, "label", labelSpelling);
        int weight = weightSpelling == null ? UNUSED : find(shape, "weight", weightSpelling, shape.width());
        if (labels.contains(weight)) {
            throw DataException.in(shape.file(), "column '" + weightSpelling + "' cannot be both label and weight");
        }
        int[] features = new int[shape.width()];
        int next = 0;
        for (int c = 0; c < features.length; c++) {
            features[c] = c == weight || labels.contains(c) ? UNUSED : next++;
        }
        return new TableLayout(features, labels, weight, shape.names());
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

    /**
     * The layout of a file that is read as another was: by names where both have them, by position otherwise. Labels and
     * the weight may be absent.
     *
     * @param label where the label is if the file says otherwise than the encoding; "auto" to do as it says
     */
    static TableLayout match(TableShape shape, PartEncoding encoding, String label, int labelWidth) {
        TableLayout layout;
        if (label.equals("auto") || label.equals("none")) {
            layout = encoding.named && !shape.names().isEmpty()
                    ? byName(shape, encoding)
                    : byPosition(shape, encoding, labelWidth);
        } else {
            layout = choose(shape, label, encoding.weightPlace < 0 ? null : encoding.weightName);
            layout.requireFeatures(shape, encoding);
        }
        return label.equals("none") ? layout.withoutLabels() : layout;
    }

    private void requireFeatures(TableShape shape, PartEncoding encoding) {
        int count = shape.width() - labels.size() - (weight < 0 ? 0 : 1);
        if (count != encoding.features()) {
            throw DataException.in(
                    shape.file(),
                    "expected " + encoding.features() + " columns besides the label, as in training; found " + count);
        }
    }

    private TableLayout withoutLabels() {
        return new TableLayout(features, List.of(), weight, names);
    }

    private static TableLayout byName(TableShape shape, PartEncoding encoding) {
        int[] features = new int[shape.width()];
        Arrays.fill(features, UNUSED);
        Map<String, Integer> free = new LinkedHashMap<>();
        for (int c = 0; c < features.length; c++) {
            free.put(shape.names().get(c), c);
        }
        List<String> absent = new ArrayList<>();
        for (int k = 0; k < encoding.columns.size(); k++) {
            Integer cell = free.remove(encoding.columns.get(k).name());
            if (cell == null) {
                absent.add(encoding.columns.get(k).name());
            } else {
                features[cell] = k;
            }
        }
        if (!absent.isEmpty()) {
            throw DataException.at(
                    shape.file(),
                    1,
                    "lacks column '" + absent.get(0) + "'"
                            + (absent.size() > 1 ? " and " + (absent.size() - 1) + " more" : "")
                            + " of the training data");
        }
        List<Integer> labels = new ArrayList<>();
        for (String name : encoding.labelNames) {
            Integer cell = free.remove(name);
            if (cell != null) {
                labels.add(cell);
            }
        }
        if (labels.size() < encoding.labelNames.size()) {
            labels.clear();
        }
        Integer weight = encoding.weightPlace < 0 ? null : free.remove(encoding.weightName);
        if (!free.isEmpty()) {
            throw DataException.at(
                    shape.file(),
                    1,
                    "'" + free.keySet().iterator().next() + "'",
                    "the training data has no such column; it has " + encoding.columns.size());
        }
        return new TableLayout(features, labels, weight == null ? UNUSED : weight, shape.names());
    }

    private static TableLayout byPosition(TableShape shape, PartEncoding encoding, int labelWidth) {
        int plain = encoding.features();
        boolean weighted = encoding.weightPlace >= 0;
        List<Integer> labels = List.of();
        int weight = UNUSED;
        if (shape.width() == plain + encoding.labelPlaces.size() + (weighted ? 1 : 0)) {
            labels = encoding.labelPlaces;
            weight = encoding.weightPlace;
        } else if (shape.width() == plain + encoding.labelPlaces.size() && weighted) {
            List<Integer> shifted = new ArrayList<>();
            encoding.labelPlaces.forEach(place -> shifted.add(place > encoding.weightPlace ? place - 1 : place));
            labels = shifted;
        } else if (shape.width() == plain + labelWidth && encoding.labelPlaces.isEmpty() && labelWidth > 0) {
            // Trained on a file that keeps its labels elsewhere: a table has them last.
            List<Integer> last = new ArrayList<>();
            for (int j = 0; j < labelWidth; j++) {
                last.add(plain + j);
            }
            labels = last;
        } else if (shape.width() != plain) {
            throw DataException.at(
                    shape.file(),
                    1,
                    "expected " + plain + " columns, as in training, with or without " + Math.max(1, labelWidth)
                            + " for the label; found " + shape.width());
        }
        int[] features = new int[shape.width()];
        int next = 0;
        for (int c = 0; c < features.length; c++) {
            features[c] = c == weight || labels.contains(c) ? UNUSED : next++;
        }
        return new TableLayout(features, labels, weight, shape.names());
    }

    private static List<Integer> find(TableShape shape, String what, String spelling) {
        if (spelling.equals("none")) {
            return List.of();
        }
        List<Integer> found = new ArrayList<>();
        String[] parts = shape.names().contains(spelling) ? new String[] {spelling} : spelling.split(",", -1);
        for (String part : parts) {
            int cell = find(shape, what, part.strip(), shape.width());
            if (found.contains(cell)) {
                throw DataException.in(shape.file(), what + " column '" + part.strip() + "' is given twice");
            }
            found.add(cell);
        }
        return found;
    }

    /** The cell that a name, an index from 0, "first" or "last" stands for. */
    static int find(TableShape shape, String what, String spelling, int width) {
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

    private String name(int cell) {
        return names.isEmpty() ? Integer.toString(cell) : names.get(cell);
    }
}
