package org.bochner.tune.channels;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;

/**
 * Ridge regression with a weight dⱼ per channel: the minimum over w of
 *
 * <pre>  Σ (f(z) − y)²/2 + l2/2·Σⱼ |wⱼ|²/dⱼ,</pre>
 *
 * without the channels of weight 0. With features multiplied by √dⱼ it is plain ridge regression; only the features
 * of the other channels enter the matrix that is factored.
 *
 * <p>With {@code u = Zᵀ(y − f)/l2}, wⱼ = dⱼ·uⱼ. The minimum divided by l2, as a function of d, has the derivatives
 * {@code −|uⱼ|²/2}, and its second derivatives follow from the same factor: see {@link #curvature}.
 *
 * <p>Cost: D³/3 for the D features with weights, and 2·D²·outputs.
 */
public final class ChannelRidge {
    private final ChannelStatistics sums;
    private final ChannelFeatures channels;
    private final double l2;
    private final double[] roots;
    private final int[] active;
    private final int matrixSize;
    private final Workers workers;
    private final Cholesky factor;
    private final double[] weights;
    private final double[] slopes;

    /**
     * Solves the problem.
     *
     * @param kernelWeights dⱼ, at least 0
     * @param scratch D² numbers; they hold the factor until the next solution
     * @throws org.bochner.numeric.matrix.NotPositiveDefiniteException where l2 is too small for the precision
     */
    ChannelRidge(
            ChannelStatistics sums,
            ChannelFeatures channels,
            double l2,
            double[] kernelWeights,
            double[] scratch,
            Workers workers) {
        this.sums = sums;
        this.channels = channels;
        this.l2 = l2;
        this.workers = workers;
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
        int features = sums.features();
        int row = 0;
        for (int a : active) {
            for (int i = channels.start(a); i < channels.end(a); i++, row++) {
                int column = 0;
                for (int b : active) {
                    if (b >= a) {
                        int from = b == a ? i : channels.start(b);
                        int to = row * matrixSize + column + from - channels.start(b);
                        copy(i * features + from, channels.end(b) - from, roots[a] * roots[b], matrix, to);
                    }
                    column += channels.size(b);
                }
                matrix[row * (matrixSize + 1)] += l2;
            }
        }
    }

    private void copy(int from, int count, double by, double[] matrix, int to) {
        double[] scatter = sums.scatter();
        for (int j = 0; j < count; j++) {
            matrix[to + j] = by * scatter[from + j];
        }
    }

    /** w = S(SHS + l2·I)⁻¹Sc, and 0 for channels without weight. */
    private double[] solve() {
        int outputs = sums.outputs();
        double[] right = scaled(sums.cross(), outputs);
        factor.solve(right, outputs, workers);
        double[] solution = new double[sums.cross().length];
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

    /** u = (c − Hw)/l2. */
    private double[] slopes() {
        int outputs = sums.outputs();
        double[] u = sums.cross().clone();
        for (int a : active) {
            multiply(a, weights, -1, u, 0, outputs);
        }
        for (int i = 0; i < u.length; i++) {
            u[i] /= l2;
        }
        return u;
    }

    /** to += by · the columns of H of one channel times its rows of a D×outputs matrix. */
    private void multiply(int channel, double[] of, double by, double[] to, int offset, int stride) {
        int features = sums.features();
        int outputs = sums.outputs();
        int start = channels.start(channel);
        int size = channels.size(channel);
        Matrix<double[]> columns = Matrix.of(sums.scatter(), start, features, size, features);
        Matrix<double[]> rows = Matrix.of(of, start * outputs, size, outputs, outputs);
        Blas.get().multiply(by, columns, rows, 1.0, Matrix.of(to, offset, features, outputs, stride));
    }

    /** The weights of the centred features, D×outputs, row-major; shared. */
    double[] weights() {
        return weights;
    }

    /** |uⱼ|² over all outputs. */
    double squaredSlope(int channel) {
        return channels.dot(channel, sums.outputs(), slopes, slopes);
    }

    /** Returns |wⱼ| over all outputs, for each channel. */
    double[] norms() {
        return channels.norms(weights, sums.outputs());
    }

    /** The minimum divided by l2: with r = y − f it is yᵀr/(2·l2). */
    double value() {
        return (sums.totalSquares() - Vectors.dot(weights, sums.cross())) / (2 * l2);
    }

    /**
     * The second derivatives of {@link #value} by the kernel weights of some channels, row-major: with
     * {@code tⱼ = H₍:,ⱼ₎uⱼ} and B the matrix that was factored,
     * {@code (uⱼᵀHⱼₖuₖ − (Stⱼ)ᵀB⁻¹(Stₖ))/l2}, summed over the outputs. Cost: 2·D²·outputs·channels.
     */
    double[] curvature(int... of) {
        int outputs = sums.outputs();
        int columns = of.length * outputs;
        double[] products = new double[Math.multiplyExact(sums.features(), columns)];
        for (int k = 0; k < of.length; k++) {
            multiply(of[k], slopes, 1, products, k * outputs, columns);
        }
        double[] left = scaled(products, columns);
        double[] right = left.clone();
        factor.solve(right, columns, workers);
        double[] curvature = new double[of.length * of.length];
        for (int j = 0; j < of.length; j++) {
            for (int k = j; k < of.length; k++) {
                double sum = 0;
                for (int i = channels.start(of[j]); i < channels.end(of[j]); i++) {
                    for (int o = 0; o < outputs; o++) {
                        sum += slopes[i * outputs + o] * products[i * columns + k * outputs + o];
                    }
                }
                for (int row = 0; row < matrixSize; row++) {
                    for (int o = 0; o < outputs; o++) {
                        sum -= left[row * columns + j * outputs + o] * right[row * columns + k * outputs + o];
                    }
                }
                curvature[j * of.length + k] = sum / l2;
                curvature[k * of.length + j] = sum / l2;
            }
        }
        return curvature;
    }
}
