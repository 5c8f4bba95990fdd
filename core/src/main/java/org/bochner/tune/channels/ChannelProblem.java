package org.bochner.tune.channels;

import org.bochner.learn.linear.LinearModel;
import org.jspecify.annotations.Nullable;

/**
 * The weights of channels to be found at one strength of the penalty after another, from the strongest down: at each on the
 * rows of all folds first, then on those of all but one. Solutions begin at those before them.
 */
public interface ChannelProblem {
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
    ChannelSolution solve(int fold, double strength);

    /** l2 of the problem with given kernel weights whose solution the mixture at a strength is. */
    double l2(double strength);

    /**
     * The linear functions with the kernel weights of a mixture, but another l2, on the same rows; null where that is below
     * what the precision allows. As strengths are, l2 is that of all rows.
     */
    @Nullable
    LinearModel relaxed(int fold, ChannelSolution mixture, double l2);

    /** The mean loss, averaged over the outputs, on the rows of a fold. */
    double loss(int fold, LinearModel model);
}
