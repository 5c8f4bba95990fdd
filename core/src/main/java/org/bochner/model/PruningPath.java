package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.RowSource;
import org.bochner.learn.ridge.Elimination;
import org.bochner.numeric.Workers;
import org.bochner.stats.GramStatistics;

/**
 * A model in all sizes: what {@link Pruning} leaves of it, each size within the next larger one.
 *
 * <p>Memory: the statistics, D² numbers, are kept. Threads: safe; immutable.
 */
final class PruningPath {
    private final Pruning pruning;
    private final RowSource rows;
    private final GramStatistics statistics;
    private final Elimination order;
    private final Workers workers;

    PruningPath(Pruning pruning, RowSource rows, GramStatistics statistics, Elimination order, Workers workers) {
        this.pruning = pruning;
        this.rows = rows;
        this.statistics = statistics;
        this.order = order;
        this.workers = workers;
    }

    /** How many units the whole model has. */
    int units() {
        return order.groups();
    }

    /** How many the smallest model has. */
    int fewest() {
        return order.fewest();
    }

    /** Which units the model of that size keeps, ascending. */
    int[] kept(int count) {
        return order.kept(count);
    }

    /** The model with so many units, its weights found anew on the rows of the path; of all units too. */
    KernelModel model(int count) {
        return pruning.keep(order.kept(count), statistics, rows, workers);
    }

    /** Some sizes to look at: all units, and then 1/√2 of them each time, down to the smallest model or to a size. */
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
