package org.bochner.tune;

import org.bochner.data.Labels;
import org.bochner.learn.LinearModel;
import org.bochner.numeric.Blas;
import org.bochner.stats.GramStatistics;
import org.jspecify.annotations.Nullable;

/**
 * What the square loss on some rows comes to: the centred scatter H of the features, both of its triangles, its products c
 * with the targets, the targets' own squares, and the means. Classes are ±1, one output a class, of two classes one.
 *
 * <p>Memory: D² numbers, which every {@link #load} overwrites. Threads: not safe.
 */
final class ChannelSums {
    private final int features;
    private final int outputs;
    private final boolean classes;
    private final double[] scatter;
    private final double[] cross;
    private final double[] squares;
    private final double[] targetMean;
    private double[] mean;
    private double weight;

    ChannelSums(GramStatistics like) {
        features = like.features();
        classes = like.labels() instanceof Labels.Classes;
        outputs = classes && like.targets() == 2 ? 1 : like.targets();
        scatter = new double[Math.multiplyExact(features, features)];
        cross = new double[Math.multiplyExact(features, outputs)];
        squares = new double[outputs];
        targetMean = new double[outputs];
        mean = new double[features];
    }

    /**
     * Takes the sums over all rows less those of some of them, by the merge formula turned around (Chan, Golub and LeVeque,
     * 1983): what is taken away is a fraction of the whole, so that little cancels.
     *
     * @param without the rows to leave out; null for none
     * @param scratch D² numbers, which are overwritten
     */
    void load(GramStatistics all, @Nullable GramStatistics without, double[] scratch) {
        all.copyScatter(0, scatter);
        mean = all.mean();
        weight = all.weight();
        for (int o = 0; o < outputs; o++) {
            loadTarget(o, all);
        }
        if (without != null) {
            leaveOut(without, scratch);
        }
        mirror();
    }

    private void loadTarget(int output, GramStatistics all) {
        int target = target(output);
        double[] products = all.cross(target);
        for (int j = 0; j < features; j++) {
            cross[j * outputs + output] = scale() * products[j];
        }
        squares[output] = scale() * scale() * all.targetScatter(target);
        targetMean[output] = targetMean(all, output);
    }

    private void leaveOut(GramStatistics part, double[] scratch) {
        part.copyScatter(0, scratch);
        double left = weight - part.weight();
        double factor = left * part.weight() / weight;
        double[] partMean = part.mean();
        // The means of what is left, and by how much those of the part lie beside them.
        double[] offset = new double[features];
        for (int j = 0; j < features; j++) {
            double kept = (weight * mean[j] - part.weight() * partMean[j]) / left;
            offset[j] = partMean[j] - kept;
            mean[j] = kept;
        }
        for (int i = 0; i < features; i++) {
            subtract(i * features, i, features, factor * offset[i], offset, scratch);
        }
        for (int o = 0; o < outputs; o++) {
            double partTarget = targetMean(part, o);
            double kept = (weight * targetMean[o] - part.weight() * partTarget) / left;
            double difference = partTarget - kept;
            double[] products = part.cross(target(o));
            for (int j = 0; j < features; j++) {
                cross[j * outputs + o] -= scale() * products[j] + factor * difference * offset[j];
            }
            squares[o] -= scale() * scale() * part.targetScatter(target(o)) + factor * difference * difference;
            targetMean[o] = kept;
        }
        weight = left;
    }

    private void subtract(int row, int from, int to, double factor, double[] offset, double[] part) {
        for (int j = from; j < to; j++) {
            scatter[row + j] -= part[row + j] + factor * offset[j];
        }
    }

    /** Copies the upper triangle to the lower one, in tiles, because columns of large matrices are far apart in memory. */
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

    /** The target of the statistics that an output predicts: of two classes the second is +1. */
    private int target(int output) {
        return classes && outputs == 1 ? 1 : output;
    }

    /** What a target is multiplied by: an indicator t becomes 2t − 1. */
    private double scale() {
        return classes ? 2 : 1;
    }

    private double targetMean(GramStatistics statistics, int output) {
        return scale() * statistics.targetMean(target(output)) - (classes ? 1 : 0);
    }

    int features() {
        return features;
    }

    int outputs() {
        return outputs;
    }

    double weight() {
        return weight;
    }

    /** H, all of it, row-major; shared. */
    double[] scatter() {
        return scatter;
    }

    /** c, D×outputs, row-major; shared. */
    double[] cross() {
        return cross;
    }

    /** Σ over the outputs of Σ w (y − ȳ)²: twice the objective without weights. */
    double totalSquares() {
        double sum = 0;
        for (double square : squares) {
            sum += square;
        }
        return sum;
    }

    /** The linear functions with these weights of centred features, D×outputs, row-major. */
    LinearModel model(double[] weights) {
        double[] intercepts = targetMean.clone();
        for (int j = 0; j < features; j++) {
            for (int o = 0; o < outputs; o++) {
                intercepts[o] -= mean[j] * weights[j * outputs + o];
            }
        }
        return new LinearModel(features, outputs, weights, intercepts);
    }

    /**
     * The mean of half the squared residuals of linear functions on the rows of some statistics, averaged over the outputs.
     *
     * @param scratch D² numbers, which are overwritten
     */
    double loss(GramStatistics rows, LinearModel model, double[] scratch) {
        rows.copyScatter(0, scratch);
        double[] weights = model.weights();
        double[] products = new double[weights.length];
        // What lies below the diagonal is 0: wᵀHw = 2wᵀUw − Σ diag·w².
        Blas.get()
                .gemm(
                        false, false, features, outputs, features, 1.0, scratch, 0, features, weights, 0, outputs, 0.0,
                        products, 0, outputs);
        double[] rowMean = rows.mean();
        double sum = 0;
        for (int o = 0; o < outputs; o++) {
            double[] own = rows.cross(target(o));
            double residuals = scale() * scale() * rows.targetScatter(target(o));
            double shift = model.intercept(o) - targetMean(rows, o);
            for (int j = 0; j < features; j++) {
                double w = weights[j * outputs + o];
                residuals +=
                        w * (2 * products[j * outputs + o] - scratch[j * (features + 1)] * w - 2 * scale() * own[j]);
                shift += w * rowMean[j];
            }
            sum += Math.max(0, residuals) + rows.weight() * shift * shift;
        }
        return sum / (2 * rows.weight() * outputs);
    }
}
