package org.bochner.tune;

import java.util.Locale;
import org.bochner.base.BochnerException;
import org.bochner.numeric.Precision;
import org.bochner.stats.GramAccumulator;

/** Whether statistics of folds fit into this process, asked before they are made. */
final class StatisticsMemory {
    /** The share of the process's memory that may be asked for. */
    private static final double SHARE = 0.95;

    private StatisticsMemory() {}

    /**
     * The bytes that a criterion with its derivatives takes: matrices of all folds, of all rows, of those without a fold,
     * a factor and a copy; and for every thread the products of a block and derivatives by frequencies.
     */
    static long bytes(Criterion criterion, int features, int columns, int threads, Precision precision) {
        // In doubles, because D² may overflow; the cast keeps to the largest long.
        double square = (double) features * features;
        double leverages = criterion.kind() == CriterionKind.LEAVE_ONE_OUT ? 8 * square : 0;
        double worker = precision.bytes() * (square + 2.0 * GramAccumulator.TILE_ROWS * features)
                + 12.0 * columns * features
                + leverages;
        return (long) (8 * square * (criterion.foldCount() + 4) + threads * worker);
    }

    /** Fails where something needs more than the process may use. */
    static void require(long needed, String what) {
        long allowed = Runtime.getRuntime().maxMemory();
        if (needed > SHARE * allowed) {
            throw new BochnerException(String.format(
                    Locale.ROOT,
                    "%s need %.2f GB of memory, and this process may use %.2f GB; take fewer features, folds or threads, or"
                            + " give the JVM more memory (-Xmx, which BOCHNER_OPTS passes on)",
                    what,
                    needed * 1e-9,
                    allowed * 1e-9));
        }
    }
}
