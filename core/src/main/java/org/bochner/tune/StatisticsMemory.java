package org.bochner.tune;

import org.bochner.base.memory.MemoryBudget;
import org.bochner.numeric.Precision;
import org.bochner.stats.FeaturePass;
import org.bochner.tune.scales.CriterionKind;

/** Whether statistics of folds fit into this process, asked before they are made. */
final class StatisticsMemory {
    private StatisticsMemory() {}

    /**
     * The bytes that a criterion with its derivatives takes: matrices of all folds, of all rows, of those without a fold,
     * a factor and a copy; and for every thread the products of a block and derivatives by frequencies.
     */
    static long bytes(Criterion criterion, int features, int columns, int threads, Precision precision) {
        // In doubles, because D² may overflow; the cast keeps to the largest long.
        double square = (double) features * features;
        double leverages = criterion.kind() == CriterionKind.LEAVE_ONE_OUT ? 8 * square : 0;
        double worker = precision.bytes() * (square + 2.0 * FeaturePass.TILE_ROWS * features)
                + 12.0 * columns * features
                + leverages;
        return (long) (8 * square * (criterion.foldCount() + 4) + threads * worker);
    }

    /** Fails where something needs more than the process may use. */
    static void require(long needed, String what) {
        MemoryBudget.whole().require(needed, what, "take fewer features, folds or threads");
    }
}
