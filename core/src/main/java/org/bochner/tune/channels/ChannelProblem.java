package org.bochner.tune.channels;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Multiple kernel learning on rows in folds, at one penalty after another, from the largest down. At each penalty it
 * is solved first on all rows, then without each fold. Each solution starts from an earlier one.
 */
public interface ChannelProblem {
    ChannelNorm norm();

    ChannelFeatures channels();

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
    ChannelFit relaxed(int fold, ChannelSolution solution, double l2);

    /**
     * Solves the problem without each fold.
     *
     * @return null if the penalty is too small for the precision of the features
     */
    default @Nullable List<ChannelSolution> solveFolds(double penalty) {
        List<ChannelSolution> solutions = new ArrayList<>();
        for (int fold = 0; fold < folds(); fold++) {
            ChannelSolution solution = solve(fold, penalty);
            if (solution == null) {
                return null;
            }
            solutions.add(solution);
        }
        return solutions;
    }

    /**
     * Trains models with the kernel weights of the solutions without each fold, but another l2; returns their losses on
     * the folds.
     *
     * @return null if l2 is too small for the precision of the features
     */
    default @Nullable List<Double> relaxedLosses(List<ChannelSolution> solutions, double l2) {
        List<Double> losses = new ArrayList<>();
        for (int fold = 0; fold < folds(); fold++) {
            ChannelFit fit = relaxed(fold, solutions.get(fold), l2);
            if (fit == null) {
                return null;
            }
            losses.add(fit.loss());
        }
        return losses;
    }

    /** Starts the next solutions from one on all rows, for example of a problem with slightly different features. */
    default void continueFrom(ChannelSolution other) {}

    /**
     * Returns the final solution on all rows at the chosen penalty, to which all later calls refer.
     *
     * @param given the solution that {@link #solve} returned at the penalty
     */
    default ChannelSolution settle(double penalty, ChannelSolution given) {
        return given;
    }

    /**
     * Returns the factors by which the length-scales of the channels at the last solution differ from the initial ones;
     * empty if the scales are fixed.
     */
    default List<Double> scaleFactors() {
        return List.of();
    }

    /** Returns the number of features of the channels with a positive kernel weight. */
    default int activeFeatures(ChannelSolution solution) {
        return IntStream.range(0, channels().count())
                .filter(c -> solution.kernelWeights()[c] > 0)
                .map(channels()::size)
                .sum();
    }

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
