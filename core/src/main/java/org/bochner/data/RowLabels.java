package org.bochner.data;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The targets, weights, groups, set ids and carried texts of the rows of a block.
 *
 * @param carried the carried texts of each row; empty if there are none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowLabels(
        int targetCount,
        double[] targets,
        double @Nullable [] weights,
        long @Nullable [] groups,
        long @Nullable [] sets,
        List<List<String>> carried) {
    static final RowLabels NONE = new RowLabels(0, new double[0], null, null, null, List.of());
}
