package org.bochner.data;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The targets, weights, groups and carried texts of the rows of a block. */
final class RowLabels {
    static final RowLabels NONE = new RowLabels(0, new double[0], null, null, List.of());

    final int targetCount;
    final double[] targets;
    final double @Nullable [] weights;
    final long @Nullable [] groups;
    /** The carried texts of each row; empty if there are none. */
    final List<List<String>> carried;

    RowLabels(
            int targetCount,
            double[] targets,
            double @Nullable [] weights,
            long @Nullable [] groups,
            List<List<String>> carried) {
        this.targetCount = targetCount;
        this.targets = targets;
        this.weights = weights;
        this.groups = groups;
        this.carried = carried;
    }
}
