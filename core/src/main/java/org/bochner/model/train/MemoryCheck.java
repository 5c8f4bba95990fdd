package org.bochner.model.train;

import java.util.OptionalLong;
import java.util.function.IntToDoubleFunction;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.learn.solve.Formulation;
import org.bochner.learn.solve.PenaltyChoice;
import org.bochner.map.MapRecipe;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.DualAccumulator;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.GramAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * Checks before a fit that its features fit into memory.
 *
 * @param map the map, whose own memory counts
 * @param columns the number of columns of the rows
 * @param targets the number of targets of the rows
 * @param folded true if folds choose the penalty
 */
public record MemoryCheck(MapRecipe map, int columns, int targets, boolean folded, Workers workers) {
    /** The number of parts of the rows with which a penalty can be chosen: a held-out fold and the others. */
    public static final int FEWEST_FOLDS = 2;

    /** The advice if the features of a fit do not fit into memory. */
    static final String FEWER_FEATURES = "use fewer features";

    /** Folds of the cross-validation that chooses the penalty of ridge regression. */
    static final int PENALTY_FOLDS = 5;

    /**
     * Up to this many features, every fold is held out, if the memory suffices; with more, only one fold is, because
     * even a few penalties on five folds would take longer than a pass over a hundred thousand rows.
     */
    private static final int MOST_FOLDED_FEATURES = 8192;

    /** Creates a check for a learner. */
    public static MemoryCheck of(TrainingSettings settings, int columns, int targets, Workers workers) {
        boolean folded = Formulation.of(settings.learner).penaltyChoice() == PenaltyChoice.CROSS_VALIDATION;
        return new MemoryCheck(settings.map, columns, targets, folded, workers);
    }

    /** Returns the number rounded down to two digits, and to an even number: columns take some memory too. */
    private static int rounded(int features) {
        int unit = 2;
        while (features / unit >= 100) {
            unit = unit == 2 ? 10 : 10 * unit;
        }
        return features / unit * unit;
    }

    /**
     * Returns the bytes that statistics of the features and a ridge solution take; throws if they exceed the memory.
     *
     * @param dualRows the number of rows, if the learner could work with their inner products instead
     */
    public long requireStatistics(int features, Precision used, OptionalLong dualRows) {
        double needed = statistics(features, used);
        // Choosing the penalty by folds takes more, and may need float64.
        IntToDoubleFunction enough =
                fewer -> folded ? folds(fewer, FEWEST_FOLDS, Precision.FLOAT64) : statistics(fewer, used);
        String aside = dualRows.isEmpty() ? "" : inDual(dualRows.getAsLong(), features);
        require(features, needed, enough, aside, ", or ridge(solver=cg)");
        return (long) needed;
    }

    private String inDual(long rows, int features) {
        long bytes = DualAccumulator.bytesNeeded(rows, 0, features, targets, workers.threads());
        return " (the inner products of the " + rows + " rows would need " + MemoryBudget.print((double) bytes) + ")";
    }

    /**
     * Returns the bytes that statistics of folds take, from which the penalty is chosen; throws if they exceed the
     * memory.
     */
    public long requireFolds(int features, int folds, Precision used) {
        double needed = folds(features, folds, used);
        IntToDoubleFunction enough = fewer -> folds(fewer, FEWEST_FOLDS, Precision.FLOAT64);
        require(features, needed, enough, " with the folds that choose the penalty", "");
        return (long) needed;
    }

    /** Returns why statistics cannot be summed, with folds if they choose the penalty; null if they can. */
    @Nullable
    String obstacle(int features, Precision used, MemoryBudget budget) {
        if (features > DualAccumulator.MOST_ROWS) {
            return "the Gram matrix of " + features + " features has more than the 2^31 numbers an array can hold";
        }
        double needed = folded ? folds(features, FEWEST_FOLDS, used) : statistics(features, used);
        String what = "the Gram matrix of " + features + " features";
        return budget.holds(needed) ? null : budget.compared(what, needed);
    }

    /** Returns the bytes that statistics of the features and a ridge solution take. */
    private double statistics(int features, Precision used) {
        return GramAccumulator.bytes(features, targets, workers.threads(), used) + map.bytesNeeded(columns, features);
    }

    /**
     * Returns the number of parts of the rows that choose the penalty: all folds if there are not too many features and
     * the memory suffices, even in float64; else a held-out fold and the others.
     */
    int penaltyParts(int features, MemoryBudget budget) {
        boolean all =
                features <= MOST_FOLDED_FEATURES && budget.holds(folds(features, PENALTY_FOLDS, Precision.FLOAT64));
        return all ? PENALTY_FOLDS : FEWEST_FOLDS;
    }

    /**
     * Returns the bytes that statistics of folds take: one matrix per fold and one for their sum. The vectors of the landmarks
     * that are left out with the folds take less than two more.
     */
    public double folds(int features, int folds, Precision used) {
        double matrices = folds + 1.0 + (map instanceof LandmarkRecipe ? 2 : 0);
        return statistics(features, used) + matrices * 8 * features * features;
    }

    /** Throws if a learner that reads the rows several times has too little memory to map them. */
    public void requireMapping(int features, Precision used) {
        requireMapping(
                features,
                fewer -> FeatureStore.bytesNeeded(fewer, workers.threads(), used) + map.bytesNeeded(columns, fewer));
    }

    /**
     * Throws if mapping takes too much memory.
     *
     * @param bytes the bytes that a number of features takes
     */
    public static void requireMapping(int features, IntToDoubleFunction bytes) {
        require(features, bytes.applyAsDouble(features), bytes, " for their mapping", "");
    }

    /**
     * Throws if features exceed the memory.
     *
     * @param enough the bytes with which a number of features is sure to be learned
     */
    private static void require(
            int features, double needed, IntToDoubleFunction enough, String aside, String otherLearner) {
        MemoryBudget budget = MemoryBudget.whole();
        if (!budget.holds(needed)) {
            int most = rounded(budget.mostBelow(features, enough));
            String remedy = most < 2
                    ? "use another map, because the rows have many columns"
                    : "use at most " + most + " features" + otherLearner;
            double all = Math.max(needed, enough.applyAsDouble(features));
            budget.require(needed, all, features + " features" + aside, remedy);
        }
    }
}
