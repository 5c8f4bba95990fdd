package org.bochner.tune.channels;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.ridge.Ridge;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.tune.ChannelNorm;
import org.jspecify.annotations.Nullable;

/**
 * The square loss, from the statistics of every fold: no strength, fold or weight of a kernel takes another pass over the
 * rows.
 *
 * <p>Memory: folds + 3 matrices of D² numbers. Threads: not safe; factorisations are parallel.
 */
public final class SquareLossProblem implements ChannelProblem {
    /** Alternations between weights and kernel weights, which become slow as p comes near 1. */
    private static final int ALTERNATIONS = 200;

    /**
     * How exact kernel weights are: on all rows, and where they are only compared. On mfeat, with 200 features a channel,
     * losses of cross-validation change by 1e-5 at most, a sixtieth of their standard error.
     */
    private static final double EXACT = 1e-7;

    private static final double COMPARED = 1e-3;

    /** Rounding of the factor ends some runs a little early, far below what a model shows. */
    private static final double ROUNDING = 1e-5;

    private final ChannelNorm norm;
    private final ChannelFeatures channels;
    private final List<GramStatistics> folds;
    private final GramStatistics all;
    private final double smallest;
    private final Workers workers;
    private final ChannelStatistics sums;
    private final double[] scratch;
    /** The last kernel weights of all rows: where their next solution begins, and those of the folds at one strength. */
    private double @Nullable [] last;

    /** A problem; the totals become its own. */
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

    /** Bytes that the statistics, and solutions from them, take. */
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
        sums.load(all);
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
    public double loss(int fold, LinearModel model) {
        return sums.loss(folds.get(fold), model, scratch);
    }

    @Override
    public double l2(double strength) {
        return norm.leavesOut() ? strength / Math.sqrt(2) : strength;
    }

    /** Takes the rows of all folds but one, or of all, and says by how much they weigh less. */
    private double load(int fold) {
        sums.load(fold < folds.size() ? all.without(folds.get(fold)) : all);
        return sums.weight() / all.weight();
    }

    @Override
    public @Nullable LinearModel relaxed(int fold, ChannelSolution mixture, double l2) {
        double own = load(fold) * l2;
        if (isTooFine(own, mixture)) {
            return null;
        }
        try {
            return sums.model(ridge(own, mixture.weights()).weights());
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }

    /** Whether the penalty on the features of the heaviest kernel is below what their precision allows. */
    private boolean isTooFine(double l2, ChannelSolution mixture) {
        return l2 < smallest * Arrays.stream(mixture.weights()).max().orElse(0);
    }

    @Override
    public @Nullable ChannelSolution solve(int fold, double strength) {
        double l2 = load(fold) * l2(strength);
        boolean whole = fold == folds.size();
        try {
            ChannelSolution mixture = mixture(l2, whole);
            last = whole ? mixture.weights() : last;
            return isTooFine(l2, mixture) ? null : mixture;
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }

    private ChannelSolution mixture(double l2, boolean whole) {
        if (norm.averages()) {
            return average(l2);
        }
        double tolerance = whole ? EXACT : COMPARED;
        return norm.leavesOut()
                ? block(l2, last == null ? new double[channels.count()] : last, tolerance)
                : powers(l2, last == null ? even() : last, tolerance);
    }

    private ChannelRidge ridge(double l2, double[] weights) {
        return new ChannelRidge(sums, channels, l2, weights, scratch, workers);
    }

    private ChannelSolution block(double l2, double[] start, double tolerance) {
        BlockNewton newton = new BlockNewton(weights -> ridge(l2, weights), start);
        double residual = newton.run(tolerance);
        return mixture(
                newton.solution(),
                // |wⱼ|/√2, which they are where the derivatives are 0.
                newton.weights(),
                l2 * newton.value(),
                residual,
                residual <= Math.max(tolerance, ROUNDING));
    }

    private ChannelSolution average(double l2) {
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
    private ChannelSolution powers(double l2, double[] start, double tolerance) {
        double[] weights = start;
        for (int round = 1; ; round++) {
            ChannelRidge solution = ridge(l2, weights);
            double[] norms = new double[weights.length];
            Arrays.setAll(norms, solution::norm);
            double[] next = PNormWeights.of(norm.p(), norms);
            double change = PNormWeights.change(weights, next);
            if (change <= Math.max(tolerance, ROUNDING) || round == ALTERNATIONS) {
                return mixture(solution, weights, l2 * solution.value(), change, round < ALTERNATIONS);
            }
            weights = next;
        }
    }

    private ChannelSolution mixture(
            ChannelRidge solution, double[] weights, double objective, double residual, boolean converged) {
        double[] norms = new double[weights.length];
        Arrays.setAll(norms, solution::norm);
        return new ChannelSolution(sums.model(solution.weights()), weights, norms, objective, residual, converged);
    }
}
