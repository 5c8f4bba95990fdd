package org.bochner.tune.channels;

import java.util.Arrays;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.OutputCoding;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.stats.GramStatistics;

/**
 * The statistics of the square loss on some rows: both triangles of the centred scatter H of the features, the
 * products c with the targets, the targets' squares, and the means. Targets of classes are ±1, with one output per
 * class, or one output for two classes.
 *
 * <p>Memory: D² numbers, which every {@link #load} overwrites. Threads: not safe.
 */
public final class ChannelStatistics {
    private final int features;
    private final OutputCoding outputs;
    private final double[] scatter;
    private final double[] cross;
    private final double[] squares;
    private final double[] targetMean;
    private double[] mean;
    private double weight;

    public ChannelStatistics(GramStatistics like) {
        features = like.features();
        outputs = OutputCoding.of(like.labels());
        scatter = new double[Math.multiplyExact(features, features)];
        cross = new double[Math.multiplyExact(features, outputs.count())];
        squares = new double[outputs.count()];
        targetMean = new double[outputs.count()];
        mean = new double[features];
    }

    /** Loads the sums over the rows of some statistics. */
    public void load(GramStatistics rows) {
        rows.copyScatter(0, scatter);
        mean = rows.mean();
        weight = rows.totalRowWeight();
        for (int o = 0; o < outputs.count(); o++) {
            loadTarget(o, rows);
        }
        mirror();
    }

    private void loadTarget(int output, GramStatistics all) {
        int target = outputs.target(output);
        double[] products = all.cross(target);
        for (int j = 0; j < features; j++) {
            cross[j * outputs.count() + output] = outputs.scale() * products[j];
        }
        squares[output] = outputs.scale() * outputs.scale() * all.targetScatter(target);
        targetMean[output] = targetMean(all, output);
    }

    /**
     * Copies the upper triangle to the lower one, in tiles, because columns of large matrices are far apart in memory.
     */
    private void mirror() {
        int tile = 64;
        for (int top = 0; top < features; top += tile) {
            for (int left = 0; left <= top; left += tile) {
                for (int i = top; i < Math.min(features, top + tile); i++) {
                    for (int j = left; j < Math.min(i, left + tile); j++) {
                        scatter[i * features + j] = scatter[j * features + i];
                    }
                }
            }
        }
    }

    private double targetMean(GramStatistics statistics, int output) {
        return outputs.mean(statistics.targetMean(outputs.target(output)));
    }

    int features() {
        return features;
    }

    int outputs() {
        return outputs.count();
    }

    public double totalRowWeight() {
        return weight;
    }

    /** H, all of it, row-major; shared. */
    public double[] scatter() {
        return scatter;
    }

    /** c, D×outputs, row-major; shared. */
    public double[] cross() {
        return cross;
    }

    /** Returns Σ w (y − ȳ)² over all outputs: twice the objective of a constant prediction. */
    public double totalSquares() {
        return Arrays.stream(squares).sum();
    }

    /** Returns the model with given weights of centred features, D×outputs, row-major. */
    LinearModel model(double[] weights) {
        int count = outputs.count();
        double[] intercepts = targetMean.clone();
        for (int j = 0; j < features; j++) {
            for (int o = 0; o < count; o++) {
                intercepts[o] -= mean[j] * weights[j * count + o];
            }
        }
        return new LinearModel(features, count, weights, intercepts);
    }

    /**
     * Returns the mean of half the squared residuals of a model on the rows of some statistics, averaged over the
     * outputs.
     *
     * @param scratch D² numbers that are overwritten
     */
    double loss(GramStatistics rows, LinearModel model, double[] scratch) {
        int count = outputs.count();
        rows.copyScatter(0, scratch);
        double[] weights = model.weights();
        double[] products = new double[weights.length];
        // Entries below the diagonal are 0: wᵀHw = 2wᵀUw − Σ diag·w².
        Blas.get().multiply(Matrix.of(scratch, features, features), Matrix.of(weights, features, count), products);
        double[] rowMean = rows.mean();
        double sum = 0;
        for (int o = 0; o < count; o++) {
            double[] own = rows.cross(outputs.target(o));
            double residuals = outputs.scale() * outputs.scale() * rows.targetScatter(outputs.target(o));
            double shift = model.intercept(o) - targetMean(rows, o);
            for (int j = 0; j < features; j++) {
                double w = weights[j * count + o];
                residuals += w
                        * (2 * products[j * count + o]
                                - scratch[j * (features + 1)] * w
                                - 2 * outputs.scale() * own[j]);
                shift += w * rowMean[j];
            }
            sum += Math.max(0, residuals) + rows.totalRowWeight() * shift * shift;
        }
        return sum / (2 * rows.totalRowWeight() * count);
    }
}
