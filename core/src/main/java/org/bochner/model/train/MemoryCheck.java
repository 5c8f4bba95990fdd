package org.bochner.model.train;

import java.util.function.IntToDoubleFunction;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.GramAccumulator;

/**
 * Checks before a fit that its features fit into memory.
 *
 * @param map the map, whose own memory counts
 * @param columns the number of columns of the rows
 * @param targets the number of targets of the rows
 */
public record MemoryCheck(MapRecipe map, int columns, int targets, Workers workers) {
    /**
     * Returns the bytes that statistics of the features and a ridge solution take; throws if they exceed the memory.
     *
     * @param otherwise the memory of another way of learning, in parentheses after a space, or empty
     */
    public long requireStatistics(int features, Precision used, String otherwise) {
        IntToDoubleFunction bytes = fewer ->
                GramAccumulator.bytes(fewer, targets, workers.threads(), used) + map.bytesNeeded(columns, fewer);
        require(features, bytes, otherwise, ", or ridge(solver=cg)");
        return (long) bytes.applyAsDouble(features);
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
        require(features, bytes, " for their mapping", "");
    }

    private static void require(int features, IntToDoubleFunction bytes, String aside, String otherLearner) {
        double needed = bytes.applyAsDouble(features);
        MemoryBudget budget = MemoryBudget.whole();
        if (!budget.holds(needed)) {
            int most = budget.mostBelow(features, bytes) / 2 * 2;
            budget.require(
                    needed,
                    features + " features" + aside,
                    most < 2
                            ? "use another map, because the rows have many columns"
                            : "use at most " + most + " features" + otherLearner);
        }
    }
}
