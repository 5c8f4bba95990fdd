package org.bochner.tune;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.Labels;
import org.bochner.learn.Ridge;
import org.bochner.numeric.NotPositiveDefiniteException;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The square loss, from the statistics of every fold: no strength, fold or weight of a kernel takes another pass over the
 * rows.
 *
 * <p>Memory: folds + 3 matrices of D² numbers. Threads: not safe; factorisations are parallel.
 */
final class SquareFolds implements FoldedProblem {
    /** Alternations between weights and kernel weights, which become slow as p comes near 1. */
    private static final int ALTERNATIONS = 200;

    private final ChannelNorm norm;
    private final ChannelFeatures channels;
    private final List<GramStatistics> folds;
    private final GramStatistics all;
    private final double smallest;
    private final Workers workers;
    private final ChannelSums sums;
    private final double[] scratch;
    /** Where the next solution of each fold, and of all rows, begins. */
    private final double[][] starts;

    /** A problem; the totals become its own. */
    SquareFolds(
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
        sums = new ChannelSums(all);
        scratch = new double[sums.scatter().length];
        starts = new double[folds.size() + 1][];
    }

    /** Bytes that the statistics, and solutions from them, take. */
    static long bytesNeeded(int features, int folds, int targets, int threads, Precision precision) {
        // In doubles, because D² may overflow; the cast keeps to the largest long.
        double matrices = 8.0 * (folds + 3) * features * features;
        return (long) (matrices
                + threads * (double) precision.bytes() * features * (features + GramAccumulator.TILE_ROWS)
                + 64.0 * targets * features);
    }

    GramStatistics all() {
        return all;
    }

    @Override
    public int folds() {
        return folds.size();
    }

    @Override
    public double weight(int fold) {
        return folds.get(fold).weight();
    }

    @Override
    public double shareWithout(int fold, int ofClass) {
        GramStatistics part = folds.get(fold);
        double others = all.weight() * all.targetMean(ofClass) - part.weight() * part.targetMean(ofClass);
        return others / (all.weight() - part.weight());
    }

    /** Of block-ℓ1 where the first channel comes in, max |cⱼ|; of others ten times the mean of the scatter's diagonal. */
    @Override
    public double start() {
        if (!norm.leavesOut()) {
            return 10 * all.scatterTrace() / all.features();
        }
        sums.load(all, null, scratch);
        double most = 0;
        for (int c = 0; c < channels.count(); c++) {
            double sum = 0;
            for (int i = channels.start(c) * sums.outputs(); i < channels.end(c) * sums.outputs(); i++) {
                sum += sums.cross()[i] * sums.cross()[i];
            }
            most = Math.max(most, Math.sqrt(sum));
        }
        return most;
    }

    @Override
    public double ratio() {
        return StrictMath.pow(10, norm.leavesOut() ? -0.25 : -0.5);
    }

    @Override
    public double loss(int fold, Mixture mixture) {
        return sums.loss(folds.get(fold), mixture.model(), scratch);
    }

    @Override
    public @Nullable Mixture solve(int fold, double strength) {
        sums.load(all, fold < folds.size() ? folds.get(fold) : null, scratch);
        double l2 = strength * sums.weight() / all.weight() / (norm.leavesOut() ? Math.sqrt(2) : 1);
        double[] start = starts[fold];
        try {
            Mixture mixture = norm.leavesOut()
                    ? block(l2, start == null ? new double[channels.count()] : start)
                    : norm.averages()
                            ? average(l2)
                            : powers(l2, start == null ? even() : start, fold < folds.size() ? 1e-3 : 1e-6);
            double largest = 0;
            double[] weights = new double[channels.count()];
            for (int c = 0; c < weights.length; c++) {
                weights[c] = mixture.weight(c);
                largest = Math.max(largest, weights[c]);
            }
            starts[fold] = weights;
            return l2 < smallest * largest ? null : mixture;
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }

    private ChannelRidge ridge(double l2, double[] weights) {
        return new ChannelRidge(sums, channels, l2, weights, scratch, workers);
    }

    private Mixture block(double l2, double[] start) {
        BlockNewton newton = new BlockNewton(weights -> ridge(l2, weights), start);
        double residual = newton.run();
        return mixture(
                newton.solution(),
                // |wⱼ|/√2, which they are where the derivatives are 0.
                newton.weights(),
                l2 * newton.value(),
                residual,
                BlockNewton.converged(residual));
    }

    private Mixture average(double l2) {
        double[] weights = new double[channels.count()];
        Arrays.fill(weights, 1);
        ChannelRidge solution = ridge(l2, weights);
        return mixture(solution, weights, l2 * solution.value(), 0, true);
    }

    /** Weights of the same size whose p-norm is 1. */
    private double[] even() {
        double[] weights = new double[channels.count()];
        Arrays.fill(weights, StrictMath.pow(weights.length, -1 / norm.p()));
        return weights;
    }

    /** Alternates between the weights of features and those of kernels, both of which have a closed form. */
    private Mixture powers(double l2, double[] start, double tolerance) {
        double[] weights = start;
        for (int round = 1; ; round++) {
            ChannelRidge solution = ridge(l2, weights);
            double[] norms = new double[weights.length];
            Arrays.setAll(norms, solution::norm);
            double[] next = PowerWeights.of(norm.p(), norms);
            double change = PowerWeights.change(weights, next);
            if (change <= tolerance || round == ALTERNATIONS) {
                return mixture(solution, weights, l2 * solution.value(), change, change <= tolerance);
            }
            weights = next;
        }
    }

    private Mixture mixture(
            ChannelRidge solution, double[] weights, double objective, double residual, boolean converged) {
        double[] norms = new double[weights.length];
        Arrays.setAll(norms, solution::norm);
        return new Mixture(sums.model(solution.weights()), weights, norms, objective, residual, converged);
    }
}
