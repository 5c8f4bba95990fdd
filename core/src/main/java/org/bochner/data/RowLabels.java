package org.bochner.data;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The targets, weights, groups and carried texts of the rows of a block. */
final class RowLabels {
    static final RowLabels NONE = new RowLabels(0, new double[0], null, null, List.of());

    private final int targetCount;
    private final double[] targets;
    private final double @Nullable [] weights;
    private final long @Nullable [] groups;
    /** The carried texts of each row; empty if there are none. */
    private final List<List<String>> carried;

    RowLabels(
            int width,
            double[] targets,
            double @Nullable [] weights,
            long @Nullable [] groups,
            List<List<String>> carried) {
        this.targetCount = width;
        this.targets = targets;
        this.weights = weights;
        this.groups = groups;
        this.carried = carried;
    }

    int targetCount() {
        return targetCount;
    }

    double target(int row, int j) {
        return targets[row * targetCount + j];
    }

    boolean hasRowWeights() {
        return weights != null;
    }

    double rowWeight(int row) {
        return weights == null ? 1 : weights[row];
    }

    boolean grouped() {
        return groups != null;
    }

    /** Returns the group of a row, or the index of the row in its source if rows have no groups. */
    long group(long firstRow, int row) {
        return groups == null ? firstRow + row : groups[row];
    }

    List<String> carried(int row) {
        return carried.isEmpty() ? List.of() : carried.get(row);
    }
}
