package org.bochner.tune.channels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.learn.ridge.Ridge;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;

/**
 * Rows as sums of products of their features, over all rows and without each fold: one pass over any number of rows.
 *
 * <p>Memory: folds + 1 matrices of D² numbers, and one per solution.
 */
public final class PrimalRows implements RidgeRows {
    private final ChannelFeatures channels;
    private final double smallest;
    /** The moments of each fold's rows. */
    private final List<GramStatistics> parts;
    /** The statistics without each fold, then those of all rows. */
    private final List<GramStatistics> rests = new ArrayList<>();

    private final List<OutputMoments> targets;

    /** Creates rows from the totals of each fold, which must not be used afterwards. */
    public PrimalRows(ChannelFeatures channels, List<GramAccumulator> totals, Labels labels, Precision precision) {
        this.channels = channels;
        GramAccumulator whole = new GramAccumulator(channels.features(), labels);
        totals.forEach(whole::combine);
        GramStatistics all = whole.freeze();
        parts = totals.stream().map(GramAccumulator::moments).toList();
        totals.forEach(part -> rests.add(part.freezeRest(all)));
        rests.add(all);
        targets = rests.stream().map(OutputMoments::of).toList();
        smallest = Ridge.smallestLambda(all, precision);
    }

    /** Returns the bytes of the sums, of the pass that makes them, and of a number of solutions at a time. */
    public static long bytesNeeded(
            int features, int folds, int targets, int threads, Precision precision, int solutions) {
        // In doubles, because D² may overflow; the cast keeps to the largest long.
        double matrices = 8.0 * (folds + 1 + solutions) * features * features;
        return (long) (matrices
                + threads * (double) precision.bytes() * features * (features + FeaturePass.TILE_ROWS)
                + 64.0 * targets * features);
    }

    @Override
    public ChannelFeatures channels() {
        return channels;
    }

    @Override
    public int folds() {
        return parts.size();
    }

    @Override
    public long rowsRead() {
        return all().rows();
    }

    /** Returns the statistics of all rows. */
    public GramStatistics all() {
        return rests.get(folds());
    }

    @Override
    public double totalRowWeight(int fold) {
        return fold == folds() ? all().totalRowWeight() : parts.get(fold).totalRowWeight();
    }

    @Override
    public double shareWithout(int fold, int ofClass) {
        return rests.get(fold).targetMean(ofClass);
    }

    @Override
    public double scatterTrace() {
        return all().scatterTrace();
    }

    @Override
    public double smallestLambda() {
        return smallest;
    }

    @Override
    public double largestCross() {
        double[] cross = targets.get(folds()).cross();
        return Arrays.stream(channels.norms(cross, outputs())).max().orElse(0);
    }

    private int outputs() {
        return targets.get(folds()).means().length;
    }

    @Override
    public int scratchSize() {
        return Math.multiplyExact(channels.features(), channels.features());
    }

    @Override
    public ChannelRidge solve(int fold, double l2, double[] kernelWeights, double[] scratch, Workers workers) {
        return new PrimalRidge(this, fold, l2, kernelWeights, scratch, workers);
    }

    GramStatistics rest(int fold) {
        return rests.get(fold);
    }

    OutputMoments targets(int fold) {
        return targets.get(fold);
    }

    /** Returns the model with given weights of centred features, D×outputs, row-major. */
    LinearModel model(int fold, double[] weights) {
        double[] means = targets.get(fold).means().clone();
        double[] intercepts =
                LinearModel.uncentre(means, weights, rests.get(fold).mean());
        return new LinearModel(channels.features(), outputs(), weights, intercepts);
    }

    /**
     * Returns the mean of half the squared residuals on the rows of a fold, averaged over the outputs.
     *
     * @param weights weights of centred features, learned without the fold
     * @param quadratic wᵀHw with the scatter H of the rows outside of the fold
     */
    double loss(int fold, double[] weights, double quadratic) {
        GramStatistics part = parts.get(fold);
        GramStatistics rest = rests.get(fold);
        OutputMoments own = OutputMoments.of(part);
        int outputs = outputs();
        double[] means = targets.get(fold).means();
        double[] towards = Vectors.difference(part.mean(), rest.mean());
        // Minus (z̄ of the fold − z̄ of the others)·w for each output.
        double[] moved = LinearModel.uncentre(new double[outputs], weights, towards);
        double factor = part.totalRowWeight() * rest.totalRowWeight() / all().totalRowWeight();
        double squares = all().quadratic(weights, outputs) - quadratic - factor * Vectors.dot(moved, moved);
        double within = squares
                - 2 * Vectors.dot(weights, own.cross())
                + Arrays.stream(own.squares()).sum();
        double sum = Math.max(0, within);
        for (int o = 0; o < outputs; o++) {
            double residual = own.means()[o] - means[o] + moved[o];
            sum += part.totalRowWeight() * residual * residual;
        }
        return sum / (2 * part.totalRowWeight() * outputs);
    }
}
