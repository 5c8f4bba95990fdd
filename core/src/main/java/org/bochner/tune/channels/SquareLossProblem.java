package org.bochner.tune.channels;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.learn.ridge.Ridge;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Multiple kernel learning with the square loss, from the statistics of each fold: it takes one pass over the rows
 * for all penalties, folds and kernel weights.
 *
 * <p>Memory: folds + 3 matrices of D² numbers. Threads: not safe; factorisations are parallel.
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

    private final ChannelNorm norm;
    private final ChannelFeatures channels;
    private final List<GramStatistics> folds;
    private final GramStatistics all;
    private final double smallest;
    private final Workers workers;
    private final ChannelStatistics sums;
    private final double[] scratch;
    /** The last kernel weights of all rows, from which the next solutions start. */
    private double @Nullable [] last;

    /** Creates a problem. The totals must not be used afterwards. */
    public SquareLossProblem(
            ChannelNorm norm,
            ChannelFeatures channels,
            List<GramAccumulator> totals,
            Labels labels,
            Precision precision,
            Workers workers) {
        this.norm = norm;
        this.channels = channels;
        this.workers = workers;
        GramAccumulator whole = new GramAccumulator(channels.features(), labels);
        totals.forEach(whole::combine);
        folds = totals.stream().map(GramAccumulator::freeze).toList();
        all = whole.freeze();
        smallest = Ridge.smallestLambda(all, precision);
        sums = new ChannelStatistics(all);
        scratch = new double[sums.scatter().length];
    }

    /** Returns the bytes of the statistics and of a solution. */
    public static long bytesNeeded(int features, int folds, int targets, int threads, Precision precision) {
        // In doubles, because D² may overflow; the cast keeps to the largest long.
        double matrices = 8.0 * (folds + 3) * features * features;
        return (long) (matrices
                + threads * (double) precision.bytes() * features * (features + FeaturePass.TILE_ROWS)
                + 64.0 * targets * features);
    }

    public GramStatistics all() {
        return all;
    }

    @Override
    public ChannelNorm norm() {
        return norm;
    }

    @Override
    public int folds() {
        return folds.size();
    }

    @Override
    public double totalRowWeight(int fold) {
        return folds.get(fold).totalRowWeight();
    }

    @Override
    public double shareWithout(int fold, int ofClass) {
        GramStatistics part = folds.get(fold);
        double others =
                all.totalRowWeight() * all.targetMean(ofClass) - part.totalRowWeight() * part.targetMean(ofClass);
        return others / (all.totalRowWeight() - part.totalRowWeight());
    }

    /**
     * For block-ℓ1 max |cⱼ|, at which the first channel gets a weight; else ten times the mean of the scatter's
     * diagonal.
     */
    @Override
    public double start() {
        if (!norm.leavesOut()) {
            return 10 * all.scatterTrace() / all.features();
        }
        sums.load(all);
        return Arrays.stream(channels.norms(sums.cross(), sums.outputs())).max().orElse(0);
    }

    /** Returns the mean of half the squared residuals, averaged over the outputs. */
    @Override
    public double loss(int fold, LinearModel model) {
        GramStatistics rows = folds.get(fold);
        OutputMoments targets = OutputMoments.of(rows);
        double[] weights = model.weights();
        int outputs = model.outputs();
        double[] shifts = new double[outputs];
        Arrays.setAll(shifts, o -> targets.means()[o] - model.intercept(o));
        LinearModel.uncentre(shifts, weights, rows.mean());
        double squares = rows.quadratic(weights, outputs)
                - 2 * Vectors.dot(weights, targets.cross())
                + Arrays.stream(targets.squares()).sum();
        double sum = Math.max(0, squares) + rows.totalRowWeight() * Vectors.dot(shifts, shifts);
        return sum / (2 * rows.totalRowWeight() * outputs);
    }

    /** Loads the rows of all folds but one, or of all; returns their share of the row weight. */
    private double load(int fold) {
        sums.load(fold < folds.size() ? all.without(folds.get(fold)) : all);
        return sums.totalRowWeight() / all.totalRowWeight();
    }

    @Override
    public @Nullable LinearModel relaxed(int fold, ChannelSolution solution, double l2) {
        double own = load(fold) * l2;
        if (isTooFine(own, solution)) {
            return null;
        }
        try {
            return sums.model(ridge(own, solution.kernelWeights()).weights());
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

    @Override
    public @Nullable ChannelSolution solve(int fold, double penalty) {
        double l2 = load(fold) * l2(penalty);
        boolean whole = fold == folds.size();
        try {
            ChannelSolution solution = solution(l2, whole);
            last = whole ? solution.kernelWeights() : last;
            return isTooFine(l2, solution) ? null : solution;
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }

    private ChannelSolution solution(double l2, boolean whole) {
        if (norm.averages()) {
            return average(l2);
        }
        double tolerance = whole ? EXACT : COMPARED;
        return norm.leavesOut()
                ? block(l2, last == null ? new double[channels.count()] : last, tolerance)
                : powers(l2, last == null ? PNormWeights.equal(norm.p(), channels.count()) : last, tolerance);
    }

    private ChannelRidge ridge(double l2, double[] weights) {
        return new ChannelRidge(sums, channels, l2, weights, scratch, workers);
    }

    private ChannelSolution block(double l2, double[] start, double tolerance) {
        BlockNewton newton = new BlockNewton(weights -> ridge(l2, weights), start);
        double residual = newton.run(tolerance);
        return solution(
                newton.solution(),
                // They are |wⱼ|/√2, because the derivatives are 0 there.
                newton.kernelWeights(),
                l2 * newton.value(),
                residual,
                residual <= Math.max(tolerance, ROUNDING));
    }

    private ChannelSolution average(double l2) {
        double[] weights = PNormWeights.equal(Double.POSITIVE_INFINITY, channels.count());
        ChannelRidge solution = ridge(l2, weights);
        return solution(solution, weights, l2 * solution.value(), 0, true);
    }

    /** Alternates between the weights of features and those of kernels; both have a closed form. */
    private ChannelSolution powers(double l2, double[] start, double tolerance) {
        double[] weights = start;
        for (int round = 1; ; round++) {
            ChannelRidge solution = ridge(l2, weights);
            double[] next = PNormWeights.of(norm.p(), solution.norms());
            double change = PNormWeights.change(weights, next);
            if (change <= Math.max(tolerance, ROUNDING) || round == ALTERNATIONS) {
                return solution(solution, weights, l2 * solution.value(), change, round < ALTERNATIONS);
            }
            weights = next;
        }
    }

    private ChannelSolution solution(
            ChannelRidge ridge, double[] kernelWeights, double objective, double residual, boolean converged) {
        return new ChannelSolution(
                sums.model(ridge.weights()), kernelWeights, ridge.norms(), objective, residual, converged);
    }
}
