package org.bochner.tune;

import org.jspecify.annotations.Nullable;

/**
 * The weights of channels to be found at one strength of the penalty after another, from the strongest down, on the rows of
 * all folds and on those of all but one. Each solution begins where the one before ended, so that strengths have to come in
 * their order.
 */
interface FoldedProblem {
    /** How many folds there are. */
    int folds();

    /** What strengths begin below. */
    double start();

    /** What a strength is multiplied by to come to the next. */
    double ratio();

    /** The weight of the rows of a fold. */
    double weight(int fold);

    /** The share of a class among the rows outside of a fold. */
    double shareWithout(int fold, int ofClass);

    /**
     * The solution on all rows but those of a fold, or on all where the fold is {@link #folds}; null where the strength is
     * below what the precision of the features allows. Sums of losses over fewer rows stand against a penalty that is as
     * much smaller.
     */
    @Nullable
    Mixture solve(int fold, double strength);

    /** The mean loss, averaged over the outputs, on the rows of a fold. */
    double loss(int fold, Mixture mixture);
}
