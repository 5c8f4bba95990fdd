package org.bochner.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.DataException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cells of a table that is to be read as another was: by names where both have a header, by position otherwise.
 * Labels, the weight and the group may be absent. A group is passed over: only training splits rows.
 */
final class LayoutMatch {
    private final TableShape shape;
    private final PartEncoding encoding;
    private final int labelWidth;
    /** The cells that the user says are the labels; null to find them. */
    private final @Nullable List<Integer> chosen;
    /** The cells that are carried along as text, whether training had them or not. */
    private final List<Integer> carried;

    private LayoutMatch(
            TableShape shape,
            PartEncoding encoding,
            int labelWidth,
            @Nullable List<Integer> chosen,
            List<Integer> carried) {
        this.shape = shape;
        this.encoding = encoding;
        this.labelWidth = labelWidth;
        this.chosen = chosen;
        this.carried = carried;
    }

    /**
     * The layout of the table.
     *
     * @param label which cells are the labels; "auto" for those that were in training, "none" to leave those alone
     * @param carried the cells that are carried along as text; those that training did not have are nothing else
     */
    static TableLayout of(
            TableShape shape, PartEncoding encoding, String label, int labelWidth, List<Integer> carried) {
        boolean find = label.equals("auto") || label.equals("none");
        LayoutMatch match = new LayoutMatch(
                shape, encoding, labelWidth, find ? null : TableLayout.findLabels(shape, label), carried);
        TableLayout layout = encoding.named && shape.header() ? match.byName() : match.byPosition();
        return (label.equals("none") ? layout.withoutLabels() : layout).withCarried(carried);
    }

    private TableLayout byName() {
        Map<String, Integer> free = new LinkedHashMap<>();
        for (int c = 0; c < shape.width(); c++) {
            free.put(shape.names().get(c), c);
        }
        List<Integer> labels = labelsByName(free);
        Integer weight = encoding.weightPlace < 0 ? null : free.remove(encoding.weightName);
        if (encoding.groupPlace >= 0) {
            free.remove(encoding.groupName);
        }
        int[] features = new int[shape.width()];
        Arrays.fill(features, TableLayout.UNUSED);
        List<String> absent = new ArrayList<>();
        for (int k = 0; k < encoding.columns.size(); k++) {
            String name = encoding.columns.get(k).name();
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
        free.values().removeAll(carried);
        if (!free.isEmpty()) {
            throw DataException.at(
                    shape.file(),
                    1,
                    "'" + free.keySet().iterator().next() + "'",
                    "the training data has no such column; it has " + encoding.columns.size());
        }
        return new TableLayout(features, labels, weight == null ? TableLayout.UNUSED : weight, shape.names());
    }

    private List<Integer> labelsByName(Map<String, Integer> free) {
        if (chosen != null) {
            free.values().removeAll(chosen);
            return chosen;
        }
        List<Integer> labels = new ArrayList<>();
        for (String name : encoding.labelNames) {
            Integer cell = free.remove(name);
            if (cell != null) {
                labels.add(cell);
            }
        }
        return labels.size() < encoding.labelNames.size() ? List.of() : labels;
    }

    private TableLayout byPosition() {
        if (encoding.groupPlace >= 0) {
            return aroundGroup();
        }
        int plain = encoding.features();
        List<Integer> trained = encoding.labelPlaces;
        int extra = shape.width() - plain;
        boolean weighted = encoding.weightPlace >= 0;
        if (chosen != null) {
            if (extra == chosen.size() || (extra == chosen.size() + 1 && weighted)) {
                int weight = extra == chosen.size() ? TableLayout.UNUSED : encoding.weightPlace;
                return TableLayout.around(shape, chosen, weight);
            }
        } else if (extra == trained.size() + (weighted ? 1 : 0)) {
            return TableLayout.around(shape, trained, encoding.weightPlace);
        } else if (extra == trained.size()) {
            List<Integer> shifted = trained.stream()
                    .map(place -> place > encoding.weightPlace ? place - 1 : place)
                    .toList();
            return TableLayout.around(shape, shifted, TableLayout.UNUSED);
        } else if (extra == 0) {
            return TableLayout.around(shape, List.of(), TableLayout.UNUSED);
        } else if (extra == labelWidth && trained.isEmpty()) {
            // Trained on a file that keeps its labels elsewhere: a table has them last.
            List<Integer> last = IntStream.range(plain, shape.width()).boxed().toList();
            return TableLayout.around(shape, last, TableLayout.UNUSED);
        }
        throw DataException.at(
                shape.file(),
                1,
                "expected " + plain + " columns, as in training, with or without the label; found " + shape.width());
    }

    /**
     * The layout by position of a table whose training data had a group. Label, weight and group may each be absent; the
     * number of cells must tell which of them are.
     */
    private TableLayout aroundGroup() {
        List<TableLayout> fitting = new ArrayList<>();
        for (int present = 0; present < 8; present++) {
            List<Integer> absent = new ArrayList<>();
            if ((present & 1) == 0) {
                absent.addAll(encoding.labelPlaces);
            }
            if ((present & 2) == 0) {
                absent.add(encoding.weightPlace);
            }
            if ((present & 4) == 0) {
                absent.add(encoding.groupPlace);
            }
            // Without labels or a weight in training, they are neither present nor absent.
            boolean possible = (present & 1) == 0 || !encoding.labelPlaces.isEmpty();
            possible &= (present & 2) == 0 || encoding.weightPlace >= 0;
            absent.remove((Integer) TableLayout.UNUSED);
            int trained = encoding.features() + encoding.labelPlaces.size() + (encoding.weightPlace < 0 ? 0 : 1) + 1;
            if (possible && shape.width() == trained - absent.size()) {
                TableLayout layout = withoutCells(absent);
                if (chosen == null || chosen.equals(layout.labelPlaces())) {
                    fitting.add(layout);
                }
            }
        }
        if (fitting.size() != 1) {
            throw DataException.at(
                    shape.file(),
                    1,
                    "expected " + encoding.features() + " columns, as in training, with or without the label and the"
                            + " group; found " + shape.width()
                            + (fitting.isEmpty() ? "" : ". Only a header can tell which of them are there: add one"));
        }
        return fitting.get(0);
    }

    /** The cells of training of which some are absent; those after an absent one have moved up. */
    private TableLayout withoutCells(List<Integer> absent) {
        List<Integer> labels = encoding.labelPlaces.stream()
                .filter(place -> !absent.contains(place))
                .map(place -> moved(place, absent))
                .toList();
        int weight = encoding.weightPlace;
        TableLayout layout = TableLayout.around(
                shape, labels, weight < 0 || absent.contains(weight) ? TableLayout.UNUSED : moved(weight, absent));
        return absent.contains(encoding.groupPlace) ? layout : layout.without(moved(encoding.groupPlace, absent));
    }

    private static int moved(int place, List<Integer> absent) {
        return place - (int) absent.stream().filter(other -> other < place).count();
    }
}
