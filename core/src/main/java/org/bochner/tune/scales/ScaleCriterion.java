package org.bochner.tune.scales;

import org.bochner.map.FeatureMap;

/** A criterion of feature maps, with derivatives. Threads: not safe; each evaluation is parallel by itself. */
public interface ScaleCriterion {
    /**
     * Evaluates the criterion for a map.
     *
     * @param asked the penalty
     * @param moves true if the penalty moves with the scales: then the smallest penalty is added to {@code asked},
     *     which keeps the criterion smooth
     * @throws org.bochner.numeric.matrix.NotPositiveDefiniteException if the penalty is too small for the features
     */
    CriterionResult evaluate(FeatureMap map, double asked, boolean moves);

    /**
     * Returns the criterion of a map, to be evaluated at several penalties; only for criteria of ridge regression.
     *
     * @throws UnsupportedOperationException if the criterion is the loss of another learner
     */
    default PenaltyProblem prepare(FeatureMap map) {
        throw new UnsupportedOperationException("the criterion is not that of ridge regression");
    }

    /** Returns true if the penalty should be chosen again where a search starts, because further penalties cost little. */
    default boolean comparesPenalties() {
        return false;
    }

    /** Returns the smallest penalty that the precision allows, taken from the first evaluated map; 0 before. */
    double smallestPenalty();
}
