package org.bochner.tune.scales;

import org.bochner.numeric.Precision;

/** A criterion of ridge regression at one map, which can be evaluated at several penalties. */
public interface PenaltyProblem {
    /**
     * Evaluates the criterion at a penalty.
     *
     * @throws org.bochner.numeric.matrix.NotPositiveDefiniteException if the penalty is too small
     */
    CriterionResult evaluate(double lambda);

    /** Returns the penalty that ridge regression on all rows chooses. */
    double usualPenalty(Precision precision);

    /** Returns a penalty above which none needs to be tried. */
    double largestPenalty();
}
