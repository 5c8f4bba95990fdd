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
 * @param labelWidth the number of labels that the model knows
 * @param chosen the label cells that the user gives; null to find them
 * @param ignored names of further columns that this table may have
 * @param carried the carried cells, whether training had them or not
 */
record LayoutMatch(
        TableShape shape,
        PartEncoding encoding,
        int labelWidth,
        @Nullable List<Integer> chosen,
        List<String> ignored,
        List<Integer> carried) {
    /**
     * Returns the layout of the table.
     *
     * @param label the spelling of the label cells; "auto" for those of training, "none" to read no labels
     * @param ignored names of further columns that this table may have
     * @param carried the carried cells; those that training did not have make no column
     */
    static TableLayout of(
            TableShape shape,
            PartEncoding encoding,
            String label,
            int labelWidth,
            List<String> ignored,
            List<Integer> carried) {
        boolean find = label.equals("auto") || label.equals("none");
        LayoutMatch match = new LayoutMatch(
                shape, encoding, labelWidth, find ? null : TableLayout.findLabels(shape, label), ignored, carried);
        TableLayout layout = encoding.named() && shape.header() ? match.byName() : match.byPosition();
        return (label.equals("none") ? layout.withoutLabels() : layout).withCarried(carried);
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
            throw DataException.at(
                    shape.file(),
                    1,
                    "'" + first + "'",
                    "the training data has no such column; it has "
                            + encoding.columns().size(),
                    Remedy.set(Setting.IGNORED, first, "leaves it out"));
        }
        return new TableLayout(features, labels, weight == null ? TableLayout.UNUSED : weight, left, shape.names());
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
        int left = trained().ignored().size();
        TableLayout without = byPosition(false);
        TableLayout with = left == 0 ? null : byPosition(true);
        if (without != null && with != null) {
            throw DataException.at(
                    shape.file(),
                    1,
                    shape.cells() + " columns may have the label without the columns that training left out, or those"
                            + " without the label; name the columns in a header, or give all "
                            + raw() + " of the training data");
        }
        TableLayout found = with == null ? without : with;
        if (found != null) {
            return found;
        }
        throw DataException.at(
                shape.file(),
                1,
                "expected " + encoding.features() + " columns, as in training, with or without the label"
                        + (left == 0 ? "" : " and the " + left + " that training left out") + "; found "
                        + shape.cells());
    }

    private TableLayout trained() {
        return encoding.layout();
    }

    /** Returns the number of cells per row of the training table; LIBSVM rows have only features. */
    private int raw() {
        return encoding.table() ? trained().cells() : encoding.features();
    }

    /**
     * Returns the layout of a table with or without the columns that training left out; null if the number of cells
     * does not fit.
     */
    private @Nullable TableLayout byPosition(boolean withIgnored) {
        int trained = trained().labelPlaces().size();
        int extra = shape.cells()
                - encoding.features()
                - (withIgnored ? trained().ignored().size() : 0);
        boolean weighted = trained().rowWeight() >= 0;
        if (chosen != null) {
            boolean withWeight = weighted && extra == chosen.size() + 1;
            return extra == chosen.size() || withWeight ? assign(chosen, false, withWeight, withIgnored) : null;
        }
        if (extra == trained + (weighted ? 1 : 0)) {
            return assign(List.of(), true, weighted, withIgnored);
        }
        if (extra == trained) {
            return assign(List.of(), true, false, withIgnored);
        }
        if (extra == 0) {
            return assign(List.of(), false, false, withIgnored);
        }
        if (extra == labelWidth && trained == 0) {
            // In training, the labels were in another file. A table has them last.
            List<Integer> last = IntStream.range(shape.cells() - extra, shape.cells())
                    .boxed()
                    .toList();
            return assign(last, false, false, withIgnored);
        }
        return null;
    }

    /**
     * Assigns the roles of the training cells to the cells of the table, in order.
     *
     * @param labels label cells, which get no other role
     * @param trained true if the labels are in the cells of training
     */
    private TableLayout assign(List<Integer> labels, boolean trained, boolean withWeight, boolean withIgnored) {
        int[] features = new int[shape.cells()];
        Arrays.fill(features, TableLayout.UNUSED);
        Integer[] found = new Integer[trained().labelPlaces().size()];
        Set<Integer> ignoredPlaces = trained().ignored();
        Set<Integer> left = new TreeSet<>();
        int weight = TableLayout.UNUSED;
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
            } else {
                features[cell] = next++;
            }
            cell++;
        }
        return new TableLayout(features, trained ? List.of(found) : labels, weight, left, shape.names());
    }
}
