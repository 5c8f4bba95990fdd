package org.bochner.tune.channels;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.learn.linear.OutputMoments;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.stats.GramStatistics;

/**
 * Ridge regression with a weight per channel, from sums of products of features. Only the features of channels with a
 * weight enter the matrix that is factored.
 *
 * <p>Cost: D³/3 for the D features with weights, and 2·D²·outputs.
 */
final class PrimalRidge implements ChannelRidge {
    private static final int STRIP = 64;

    private final PrimalRows rows;
    private final int fold;
    private final GramStatistics sums;
    private final OutputMoments targets;
    private final ChannelFeatures channels;
    private final int outputs;
    private final double l2;
    private final double[] kernelWeights;
    private final double[] roots;
    private final int[] active;
    private final int matrixSize;
    private final Workers workers;
    private final Cholesky factor;
    private final double[] weights;
    private final double[] slopes;

    PrimalRidge(PrimalRows rows, int fold, double l2, double[] kernelWeights, double[] scratch, Workers workers) {
        this.rows = rows;
        this.fold = fold;
        this.l2 = l2;
        this.workers = workers;
        this.kernelWeights = kernelWeights;
        sums = rows.rest(fold);
        targets = rows.targets(fold);
        channels = rows.channels();
        outputs = targets.means().length;
        roots = Arrays.stream(kernelWeights).map(Math::sqrt).toArray();
        active = IntStream.range(0, roots.length).filter(c -> roots[c] > 0).toArray();
        matrixSize = IntStream.of(active).map(channels::size).sum();
        fill(scratch);
        factor = Cholesky.factor(scratch, matrixSize, workers);
        weights = solve();
        slopes = slopes();
    }

    /** The upper triangle of SHS + l2·I for the features with weights, S = diag(√d). */
    private void fill(double[] matrix) {
        int features = channels.features();
        double[] scatter = sums.upperScatter();
        int[] firstRows = new int[active.length + 1];
        for (int k = 0; k < active.length; k++) {
            firstRows[k + 1] = firstRows[k] + channels.size(active[k]);
        }
        for (int k = 0; k < active.length; k++) {
            int a = k;
            int start = channels.start(active[k]);
            Strips.each(workers, channels.size(active[k]), STRIP, (from, to) -> {
                for (int i = from; i < to; i++) {
                    int row = firstRows[a] + i;
                    for (int b = a; b < active.length; b++) {
                        int first = b == a ? i : 0;
                        int read = (start + i) * features + channels.start(active[b]);
                        int write = row * matrixSize + firstRows[b];
                        double by = roots[active[a]] * roots[active[b]];
                        copy(scatter, read + first, by, matrix, write + first, channels.size(active[b]) - first);
                    }
                    matrix[row * (matrixSize + 1)] += l2;
                }
            });
        }
    }

    private static void copy(double[] from, int read, double by, double[] to, int write, int count) {
        for (int j = 0; j < count; j++) {
            to[write + j] = by * from[read + j];
        }
    }

    /** w = S(SHS + l2·I)⁻¹Sc, and 0 for channels without weight. */
    private double[] solve() {
        double[] right = scaled(targets.cross(), outputs);
        factor.solve(right, outputs, workers);
        double[] solution = new double[targets.cross().length];
        int row = 0;
        for (int a : active) {
            for (int i = channels.start(a); i < channels.end(a); i++, row++) {
                for (int o = 0; o < outputs; o++) {
                    solution[i * outputs + o] = roots[a] * right[row * outputs + o];
                }
            }
        }
        return solution;
    }

    /** The rows of features with weights, multiplied by √d. */
    private double[] scaled(double[] of, int columns) {
        double[] scaled = new double[matrixSize * columns];
        int row = 0;
        for (int a : active) {
            for (int i = channels.start(a); i < channels.end(a); i++, row++) {
                for (int k = 0; k < columns; k++) {
                    scaled[row * columns + k] = roots[a] * of[i * columns + k];
                }
            }
        }
        return scaled;
    }

    /** u = (c − Hw)/l2, which is w/d for the channels with weights. */
    private double[] slopes() {
        double[] u = weights.clone();
        if (active.length < channels.count()) {
            double[] products = targets.cross().clone();
            for (int a : active) {
                sums.addColumns(channels.start(a), channels.end(a), -1, weights, outputs, products, 0, outputs);
            }
            for (int i = 0; i < u.length; i++) {
                u[i] = products[i] / l2;
            }
        }
        for (int a : active) {
            for (int i = channels.start(a) * outputs; i < channels.end(a) * outputs; i++) {
                u[i] = weights[i] / kernelWeights[a];
            }
        }
        return u;
    }

    @Override
    public double squaredSlope(int channel) {
        return channels.dot(channel, outputs, slopes, slopes);
    }

    @Override
    public double[] norms() {
        return channels.norms(weights, outputs);
    }

    /** With r = y − f it is yᵀr/(2·l2). */
    @Override
    public double value() {
        return (Arrays.stream(targets.squares()).sum() - Vectors.dot(weights, targets.cross())) / (2 * l2);
    }

    @Override
    public ChannelFit fit() {
        double loss = Double.NaN;
        if (fold < rows.folds()) {
            // (H + l2/d)w = c.
            double quadratic = Vectors.dot(weights, targets.cross());
            for (int a : active) {
                quadratic -= l2 / kernelWeights[a] * channels.dot(a, outputs, weights, weights);
            }
            loss = rows.loss(fold, weights, quadratic);
        }
        return new ChannelFit(loss, () -> rows.model(fold, weights));
    }

    /**
     * With {@code tⱼ = H₍:,ⱼ₎uⱼ} and B the matrix that was factored, {@code (uⱼᵀHⱼₖuₖ − (Stⱼ)ᵀB⁻¹(Stₖ))/l2}, summed
     * over the outputs. Cost: 2·D²·outputs·channels.
     */
    @Override
    public double[] curvature(int... of) {
        int columns = of.length * outputs;
        double[] products = new double[Math.multiplyExact(channels.features(), columns)];
        workers.each(
                of.length,
                k -> sums.addColumns(
                        channels.start(of[k]),
                        channels.end(of[k]),
                        1,
                        slopes,
                        outputs,
                        products,
                        k * outputs,
                        columns));
        double[] left = scaled(products, columns);
        double[] right = left.clone();
        factor.solve(right, columns, workers);
        double[] curvature = new double[of.length * of.length];
        for (int j = 0; j < of.length; j++) {
            for (int k = j; k < of.length; k++) {
                double sum = 0;
                for (int i = channels.start(of[j]); i < channels.end(of[j]); i++) {
                    sum += Vectors.dot(slopes, i * outputs, products, i * columns + k * outputs, outputs);
                }
                for (int row = 0; row < matrixSize; row++) {
                    int at = row * columns;
                    sum -= Vectors.dot(left, at + j * outputs, right, at + k * outputs, outputs);
                }
                curvature[j * of.length + k] = sum / l2;
                curvature[k * of.length + j] = sum / l2;
            }
        }
        return curvature;
    }
}
