package org.bochner.tune.channels;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.jspecify.annotations.Nullable;

/**
 * Multiple kernel learning with the square loss: a few ridge regressions per penalty, on all rows and without each
 * fold, from {@linkplain RidgeRows sums or inner products} that one pass over the rows gives.
 *
 * <p>Kernel weights start where the last two penalties lead: those of all rows on a power of λ or a line in 1/λ, whichever
 * is less, because weights that have just become positive grow slower than a power. Those without a fold follow those
 * of all rows, in the ratio of the last penalty. One Newton step is left without a fold, and two or three on all rows.
 *
 * <p>Memory: that of the rows, and one matrix per fold that is solved at a time. Threads: not safe; folds are solved in
 * parallel, and factorisations are parallel if there are more threads than folds.
 */
public final class SquareLossProblem implements ChannelProblem {
    /** The largest number of alternations between weights and kernel weights; convergence is slow for p near 1. */
    private static final int ALTERNATIONS = 200;

    /**
     * The tolerance of kernel weights: on all rows, and in cross-validation. On mfeat, with 200 features per channel,
     * the losses of cross-validation change by at most 1e-5, a sixtieth of their standard error.
     */
    private static final double EXACT = 1e-7;

    private static final double COMPARED = 1e-3;

    /** Rounding of the factor ends some runs a little early, which has no visible effect on a model. */
    private static final double ROUNDING = 1e-5;

    /** The largest factor by which a kernel weight is assumed to change from one penalty to the next. */
    private static final double MOST_CHANGE = 4;

    private final ChannelNorm norm;
    private final RidgeRows rows;
    private final Workers workers;
    private final Deque<double[]> scratch = new ArrayDeque<>();
    private final double smallest;
    /** The kernel weights of all rows at the last two penalties, the last one first, and these penalties. */
    private final double[][] last;

    private final double[] lastPenalties = new double[2];
    /** The last kernel weights without each fold, divided by those of all rows; empty before the first solution. */
    private final double[][] foldRatios;

    /** Creates a problem that solves as many folds at a time as there are threads. */
    public SquareLossProblem(ChannelNorm norm, RidgeRows rows, Workers workers) {
        this(norm, rows, Math.min(workers.threads(), rows.folds()), workers);
    }

    /**
     * Creates a problem.
     *
     * @param together the number of folds that are solved at a time
     */
    public SquareLossProblem(ChannelNorm norm, RidgeRows rows, int together, Workers workers) {
        this.norm = norm;
        this.rows = rows;
        this.workers = workers;
        smallest = rows.smallestLambda();
        for (int i = 0; i < together; i++) {
            scratch.add(new double[rows.scratchSize()]);
        }
        last = new double[2][0];
        foldRatios = new double[rows.folds()][0];
    }

    @Override
    public ChannelNorm norm() {
        return norm;
    }

    @Override
    public ChannelFeatures channels() {
        return rows.channels();
    }

    @Override
    public int folds() {
        return rows.folds();
    }

    @Override
    public double totalRowWeight(int fold) {
        return rows.totalRowWeight(fold);
    }

    @Override
    public double shareWithout(int fold, int ofClass) {
        return rows.shareWithout(fold, ofClass);
    }

    /**
     * For block-ℓ1 max |cⱼ|, at which the first channel gets a weight; else ten times the mean of the scatter's
     * diagonal.
     */
    @Override
    public double start() {
        return norm.leavesOut()
                ? rows.largestCross()
                : 10 * rows.scatterTrace() / channels().features();
    }

    /** Returns l2 of the rows outside of a fold, given that of all rows. */
    private double own(int fold, double l2) {
        double all = rows.totalRowWeight(folds());
        return fold == folds() ? l2 : l2 * (all - rows.totalRowWeight(fold)) / all;
    }

    @Override
    public @Nullable ChannelSolution solve(int fold, double penalty) {
        return alone(memory -> solve(fold, penalty, memory, workers));
    }

    @Override
    public @Nullable ChannelFit relaxed(int fold, ChannelSolution solution, double l2) {
        return alone(memory -> relaxed(fold, solution, l2, memory, workers));
    }

    @Override
    public void continueFrom(ChannelSolution other) {
        last[0] = other.kernelWeights();
        last[1] = new double[0];
    }

    private interface Task<T> {
        @Nullable
        T run(double[] memory);
    }

    private <T> @Nullable T alone(Task<T> task) {
        return task.run(scratch.element());
    }

    @Override
    public @Nullable List<ChannelSolution> solveFolds(double penalty) {
        return each((fold, memory, threads) -> solve(fold, penalty, memory, threads));
    }

    @Override
    public @Nullable List<Double> relaxedLosses(List<ChannelSolution> solutions, double l2) {
        return each((fold, memory, threads) -> {
            ChannelFit fit = relaxed(fold, solutions.get(fold), l2, memory, threads);
            return fit == null ? null : fit.loss();
        });
    }

    private interface FoldTask<T> {
        @Nullable
        T run(int fold, double[] memory, Workers threads);
    }

    /** Runs a task for each fold, some at a time; returns null if one of the results is null. */
    private <T> @Nullable List<T> each(FoldTask<T> task) {
        Object[] results = new Object[folds()];
        Workers inner = new Workers(Math.max(1, workers.threads() / scratch.size()));
        new Workers(scratch.size()).each(folds(), fold -> {
            double[] memory;
            synchronized (scratch) {
                memory = scratch.remove();
            }
            results[fold] = task.run(fold, memory, inner);
            synchronized (scratch) {
                scratch.add(memory);
            }
        });
        if (Arrays.stream(results).anyMatch(Objects::isNull)) {
            return null;
        }
        @SuppressWarnings("unchecked") // The task's results, none of which is null.
        IntFunction<T> typed = fold -> (T) results[fold];
        return IntStream.range(0, folds()).mapToObj(typed).toList();
    }

    private @Nullable ChannelFit relaxed(
            int fold, ChannelSolution solution, double l2, double[] memory, Workers threads) {
        double own = own(fold, l2);
        if (isTooFine(own, solution)) {
            return null;
        }
        try {
            return rows.solve(fold, own, solution.kernelWeights(), memory, threads)
                    .fit();
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }

    /**
     * Returns true if the precision is too low for the penalty on the features of the kernel with the largest weight.
     */
    private boolean isTooFine(double l2, ChannelSolution solution) {
        return l2 < smallest * Arrays.stream(solution.kernelWeights()).max().orElse(0);
    }

    private @Nullable ChannelSolution solve(int fold, double penalty, double[] memory, Workers threads) {
        double l2 = own(fold, l2(penalty));
        boolean whole = fold == folds();
        try {
            Function<double[], ChannelRidge> ridge = weights -> rows.solve(fold, l2, weights, memory, threads);
            double[] start = norm.leavesOut() ? (whole ? ahead(penalty) : beside(fold)) : last[0];
            ChannelSolution solution = solution(l2, ridge, start, whole);
            if (whole) {
                last[1] = last[0];
                lastPenalties[1] = lastPenalties[0];
                last[0] = solution.kernelWeights();
                lastPenalties[0] = penalty;
            } else {
                foldRatios[fold] = ratios(solution.kernelWeights());
            }
            return isTooFine(l2, solution) ? null : solution;
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }

    /** Returns the kernel weights of all rows that the last two solutions lead to; empty before the first one. */
    private double[] ahead(double penalty) {
        double[] start = last[0].clone();
        double power = Math.log(penalty / lastPenalties[0]) / Math.log(lastPenalties[0] / lastPenalties[1]);
        double line = (1 / penalty - 1 / lastPenalties[0]) / (1 / lastPenalties[0] - 1 / lastPenalties[1]);
        // Further away, no guess is better than the last solution.
        for (int c = 0; c < start.length && last[1].length > 0 && Math.abs(power) <= 2; c++) {
            if (start[c] > 0 && last[1][c] > 0) {
                double ratio = last[0][c] / last[1][c];
                start[c] *= limited(Math.min(StrictMath.pow(ratio, power), 1 + (1 - 1 / ratio) * line));
            }
        }
        return start;
    }

    private static double limited(double factor) {
        return Math.max(1 / MOST_CHANGE, Math.min(MOST_CHANGE, factor));
    }

    /** Returns the kernel weights without a fold that those of all rows lead to; empty if there are none. */
    private double[] beside(int fold) {
        double[] start = last[0].clone();
        for (int c = 0; c < start.length && foldRatios[fold].length > 0; c++) {
            start[c] *= foldRatios[fold][c];
        }
        return start;
    }

    /** Returns kernel weights divided by those of all rows; 1 where one of them is 0. */
    private double[] ratios(double[] kernelWeights) {
        double[] ratios = new double[kernelWeights.length];
        for (int c = 0; c < ratios.length; c++) {
            boolean both = last[0].length > 0 && kernelWeights[c] > 0 && last[0][c] > 0;
            ratios[c] = both ? limited(kernelWeights[c] / last[0][c]) : 1;
        }
        return ratios;
    }

    private ChannelSolution solution(double l2, Function<double[], ChannelRidge> ridge, double[] start, boolean whole) {
        double tolerance = whole ? EXACT : COMPARED;
        int count = channels().count();
        if (norm.averages()) {
            double[] weights = PNormWeights.equal(Double.POSITIVE_INFINITY, count);
            ChannelRidge solution = ridge.apply(weights);
            return solution(solution, weights, l2 * solution.value(), 0, true);
        }
        if (norm.leavesOut()) {
            return block(l2, ridge, start.length == 0 ? new double[count] : start, tolerance);
        }
        return powers(l2, ridge, start.length == 0 ? PNormWeights.equal(norm.p(), count) : start, tolerance);
    }

    private static ChannelSolution block(
            double l2, Function<double[], ChannelRidge> ridge, double[] start, double tolerance) {
        BlockNewton newton = new BlockNewton(ridge, start);
        double residual = newton.run(tolerance);
        return solution(
                newton.solution(),
                // They are |wⱼ|/√2, because the derivatives are 0 there.
                newton.kernelWeights(),
                l2 * newton.value(),
                residual,
                residual <= Math.max(tolerance, ROUNDING));
    }

    /** Alternates between the weights of features and those of kernels; both have a closed form. */
    private ChannelSolution powers(
            double l2, Function<double[], ChannelRidge> ridge, double[] start, double tolerance) {
        double[] weights = start;
        for (int round = 1; ; round++) {
            ChannelRidge solution = ridge.apply(weights);
            double[] next = PNormWeights.of(norm.p(), solution.norms());
            double change = PNormWeights.change(weights, next);
            if (change <= Math.max(tolerance, ROUNDING) || round == ALTERNATIONS) {
                return solution(solution, weights, l2 * solution.value(), change, round < ALTERNATIONS);
            }
            weights = next;
        }
    }

    private static ChannelSolution solution(
            ChannelRidge ridge, double[] kernelWeights, double objective, double residual, boolean converged) {
        return new ChannelSolution(ridge.fit(), kernelWeights, ridge.norms(), objective, residual, converged);
    }
}
