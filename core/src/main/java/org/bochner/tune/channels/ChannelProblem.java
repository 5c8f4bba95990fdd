package org.bochner.tune.channels;

import org.bochner.learn.linear.LinearModel;
import org.jspecify.annotations.Nullable;

/**
 * Multiple kernel learning on rows in folds, at one penalty after another, from the largest down. At each penalty it
 * is solved first on all rows, then without each fold. Each solution starts from an earlier one.
 */
public interface ChannelProblem {
    ChannelNorm norm();

    /** Returns the number of folds. */
    int folds();

    /** Returns a penalty that is larger than the first one to try. */
    double start();

    /** Returns the weight of the rows of a fold. */
    double totalRowWeight(int fold);

    /** Returns the share of a class among the rows outside of a fold. */
    double shareWithout(int fold, int ofClass);

    /**
     * Solves the problem on all rows but those of a fold, or on all rows if {@code fold} is {@link #folds}. The
     * penalty is that of all rows; it is scaled by the row weight of the others.
     *
     * @return null if the penalty is too small for the precision of the features
     */
    @Nullable
    ChannelSolution solve(int fold, double penalty);

    /**
     * Trains a model with the kernel weights of a solution but another l2, which is that of all rows.
     *
     * @return null if l2 is too small for the precision of the features
     */
    @Nullable
    LinearModel relaxed(int fold, ChannelSolution solution, double l2);

    /** Returns the mean loss on the rows of a fold, averaged over the outputs. */
    double loss(int fold, LinearModel model);

    /** Returns the factor from one penalty to the next. */
    default double ratio() {
        return StrictMath.pow(10, norm().leavesOut() ? -0.25 : -0.5);
    }

    /**
     * Returns the ridge penalty l2 for which ridge regression with the kernel weights of the solution gives the same
     * model: {@code λ/√2} for block-ℓ1.
     */
    default double l2(double penalty) {
        return norm().leavesOut() ? penalty / Math.sqrt(2) : penalty;
    }
}
