package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.RowSource;
import org.bochner.learn.ridge.Elimination;
import org.bochner.numeric.Workers;
import org.bochner.stats.GramStatistics;

/**
 * The pruned models of all sizes; the units of each are a subset of the next larger one's.
 *
 * <p>Memory: the statistics, D² numbers. Threads: safe; immutable.
 */
record PruningPath(
        Pruning pruning,
        RowSource rows,
        GramStatistics statistics,
        Elimination order,
        Workers workers,
        Progress progress) {
    /** Returns the number of units of the whole model. */
    int units() {
        return order.groups();
    }

    /** Returns the number of units of the smallest model. */
    int fewest() {
        return order.fewest();
    }

    /** Returns the units that the model of a size keeps, ascending. */
    int[] kept(int count) {
        return order.kept(count);
    }

    /** Returns the model with a number of units, whose weights are fitted to the rows of the path. */
    KernelModel model(int count) {
        return pruning.keep(order.kept(count), statistics, rows, workers, progress);
    }

    /** Returns sizes to measure: all units, then smaller by 1/√2 each, down to the smallest model or a given size. */
    List<Integer> sizes(int smallest) {
        List<Integer> sizes = new ArrayList<>();
        int last = Math.max(fewest(), smallest);
        int size = units();
        for (int i = 1; size > last; i++) {
            sizes.add(size);
            size = Math.min(size - 1, (int) Math.rint(units() / Math.pow(2, i / 2.0)));
        }
        sizes.add(last);
        return sizes;
    }
}
