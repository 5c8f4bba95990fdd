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
 * Labels and the weight may be absent.
 */
final class LayoutMatch {
    private final TableShape shape;
    private final PartEncoding encoding;
    private final int labelWidth;
    /** The cells that the user says are the labels; null to find them. */
    private final @Nullable List<Integer> chosen;

    private LayoutMatch(TableShape shape, PartEncoding encoding, int labelWidth, @Nullable List<Integer> chosen) {
        this.shape = shape;
        this.encoding = encoding;
        this.labelWidth = labelWidth;
        this.chosen = chosen;
    }

    /**
     * The layout of the table.
     *
     * @param label which cells are the labels; "auto" for those that were in training, "none" to leave those alone
     */
    static TableLayout of(TableShape shape, PartEncoding encoding, String label, int labelWidth) {
        boolean find = label.equals("auto") || label.equals("none");
        LayoutMatch match =
                new LayoutMatch(shape, encoding, labelWidth, find ? null : TableLayout.findLabels(shape, label));
        TableLayout layout = encoding.named && shape.header() ? match.byName() : match.byPosition();
        return label.equals("none") ? layout.withoutLabels() : layout;
    }

    private TableLayout byName() {
        Map<String, Integer> free = new LinkedHashMap<>();
        for (int c = 0; c < shape.width(); c++) {
            free.put(shape.names().get(c), c);
        }
        List<Integer> labels = labelsByName(free);
        Integer weight = encoding.weightPlace < 0 ? null : free.remove(encoding.weightName);
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
}
