package org.bochner.data.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.bochner.base.DataException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.jspecify.annotations.Nullable;

/**
 * Matches the cells of a table to those of the training table: by name if both have a header, by position otherwise.
 * Labels, the weight and the columns that training left out, including the group, may be absent.
 *
 * @param encoding the encoding of the training table
 * @param targets the number of labels that the model knows
 * @param chosen the label cells that the user gives; null to find them
 * @param ignored names of further columns that this table may have
 * @param carried the carried cells, whether training had them or not
 */
record LayoutMatch(
        TableShape shape,
        PartEncoding encoding,
        int targets,
        @Nullable List<Integer> chosen,
        List<String> ignored,
        List<Integer> carried) {
    /**
     * Returns the layout of the table.
     *
     * @param label the label columns; {@code AUTO} for those of training
     * @param ignored names of further columns that this table may have
     * @param carried the carried cells; those that training did not have make no column
     */
    static TableLayout of(
            TableShape shape,
            PartEncoding encoding,
            LabelChoice label,
            int targets,
            List<String> ignored,
            List<Integer> carried) {
        List<Integer> chosen = label instanceof LabelChoice.Columns ? TableLayout.findLabels(shape, label) : null;
        LayoutMatch match = new LayoutMatch(shape, encoding, targets, chosen, ignored, carried);
        TableLayout layout = encoding.named() && shape.header() ? match.byName() : match.byPosition();
        return (label == LabelChoice.Word.NONE ? layout.withoutLabels() : layout).withCarried(carried);
    }

    private TableLayout byName() {
        Map<String, Integer> free = new LinkedHashMap<>();
        for (int c = 0; c < shape.cells(); c++) {
            free.put(shape.names().get(c), c);
        }
        List<Integer> labels = labelsByName(free);
        Integer weight =
                trained().rowWeight() < 0 ? null : free.remove(trained().rowWeightName());
        int[] features = new int[shape.cells()];
        Arrays.fill(features, TableLayout.UNUSED);
        List<String> absent = new ArrayList<>();
        for (int k = 0; k < encoding.columns().size(); k++) {
            String name = encoding.columns().get(k).name();
            Integer cell = free.remove(name);
            if (cell == null) {
                absent.add(name);
            } else {
                features[cell] = k;
            }
        }
        if (!absent.isEmpty()) {
            String more = absent.size() > 1 ? " and " + (absent.size() - 1) + " more" : "";
            throw DataException.at(
                    shape.file(), 1, "lacks column '" + absent.get(0) + "'" + more + " of the training data");
        }
        Set<Integer> left = new HashSet<>();
        free.entrySet().removeIf(entry -> {
            boolean leave = trained().ignoredNames().contains(entry.getKey()) || ignored.contains(entry.getKey());
            return leave && left.add(entry.getValue());
        });
        free.values().removeAll(carried);
        if (!free.isEmpty()) {
            String first = free.keySet().iterator().next();
            Remedy ignore = Remedy.set(Setting.IGNORED, first, "leaves it out");
            String problem = "the training data has no such column; it has " + encoding.features();
            throw DataException.at(shape.file(), 1, "'" + first + "'", problem, ignore);
        }
        String set = trained().setName();
        int ofSet = set == null ? TableLayout.UNUSED : shape.names().indexOf(set);
        return new TableLayout(features, labels, weight == null ? TableLayout.UNUSED : weight, left, shape.names())
                .withSet(ofSet);
    }

    private List<Integer> labelsByName(Map<String, Integer> free) {
        if (chosen != null) {
            free.values().removeAll(chosen);
            return chosen;
        }
        List<Integer> labels = new ArrayList<>();
        for (String name : trained().labelNames()) {
            Integer cell = free.remove(name);
            if (cell != null) {
                labels.add(cell);
            }
        }
        return labels.size() < trained().labelNames().size() ? List.of() : labels;
    }

    private TableLayout byPosition() {
        int[] labelCounts = labelCounts();
        int maxWeights = trained().rowWeight() < 0 ? 0 : 1;
        int left = trained().ignored().size();
        List<TableLayout> fitting = new ArrayList<>();
        List<String> meanings = new ArrayList<>();
        for (int labels : labelCounts) {
            for (int weights = 0; weights <= maxWeights; weights++) {
                for (boolean withIgnored : left == 0 ? new boolean[] {false} : new boolean[] {false, true}) {
                    if (shape.cells() == encoding.features() + labels + weights + (withIgnored ? left : 0)) {
                        fitting.add(assign(labels, weights > 0, withIgnored));
                        meanings.add(meaning(labels, weights, withIgnored ? left : 0));
                    }
                }
            }
        }
        if (fitting.isEmpty()) {
            String others = (maxWeights == 0 ? "" : " and the row weight")
                    + (left == 0 ? "" : " and the " + left + " that training left out");
            String expected = encoding.features() + " columns, as in training, with or without the label" + others;
            throw DataException.at(shape.file(), 1, "expected " + expected + "; found " + shape.cells());
        }
        if (fitting.size() > 1 && (chosen != null || shape.cells() != raw())) {
            String unclear = shape.cells() + " columns may be " + String.join(", or ", meanings);
            Remedy all = Remedy.advice("give all " + raw() + " columns of the training data");
            throw DataException.at(shape.file(), 1, unclear, Remedy.advice("name the columns in a header"), all);
        }
        // A table as wide as the training table has its columns, though the last one could be a label that training had
        // in another file: the loop finds the layout without labels first.
        return fitting.get(0);
    }

    /** Returns the numbers of label cells that the table may have. */
    private int[] labelCounts() {
        if (chosen != null) {
            return new int[] {chosen.size()};
        }
        int trained = trained().labelPlaces().size();
        // In training, the labels may have been in another file. A table has them last.
        int present = trained == 0 ? targets : trained;
        return present == 0 ? new int[] {0} : new int[] {0, present};
    }

    private String meaning(int labels, int weights, int left) {
        return encoding.features() + " features"
                + (labels == 0 ? "" : labels == 1 ? ", the label" : ", " + labels + " labels")
                + (weights == 0 ? "" : ", the row weight")
                + (left == 0 ? "" : ", " + left + " that training left out");
    }

    private TableLayout trained() {
        return encoding.layout();
    }

    /** Returns the number of cells per row of the training table; LIBSVM rows have only features. */
    private int raw() {
        return encoding.table() ? trained().cells() : encoding.features();
    }

    /** Assigns the roles of the training cells to the cells of the table, in order. */
    private TableLayout assign(int labelCount, boolean withWeight, boolean withIgnored) {
        boolean trained = chosen == null
                && labelCount > 0
                && labelCount == trained().labelPlaces().size();
        // Labels in other cells than those of training get no other role.
        List<Integer> labels = chosen != null
                ? chosen
                : IntStream.range(trained ? shape.cells() : shape.cells() - labelCount, shape.cells())
                        .boxed()
                        .toList();
        int[] features = new int[shape.cells()];
        Arrays.fill(features, TableLayout.UNUSED);
        Integer[] found = new Integer[trained().labelPlaces().size()];
        Set<Integer> ignoredPlaces = trained().ignored();
        Set<Integer> left = new TreeSet<>();
        int weight = TableLayout.UNUSED;
        int set = TableLayout.UNUSED;
        int cell = 0;
        int next = 0;
        for (int place = 0; place < raw(); place++) {
            int label = trained().labelPlaces().indexOf(place);
            boolean present = label >= 0
                    ? trained
                    : place == trained().rowWeight() ? withWeight : !ignoredPlaces.contains(place) || withIgnored;
            if (!present) {
                continue;
            }
            while (labels.contains(cell)) {
                cell++;
            }
            if (label >= 0) {
                found[label] = cell;
            } else if (place == trained().rowWeight()) {
                weight = cell;
            } else if (ignoredPlaces.contains(place)) {
                left.add(cell);
                set = place == trained().set() ? cell : set;
            } else {
                features[cell] = next++;
            }
            cell++;
        }
        return new TableLayout(features, trained ? List.of(found) : labels, weight, left, shape.names()).withSet(set);
    }
}
