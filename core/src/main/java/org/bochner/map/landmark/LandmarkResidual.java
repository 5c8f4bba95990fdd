package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossGradient;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.NotPositiveDefiniteException;
import org.bochner.numeric.matrix.Strips;
import org.jspecify.annotations.Nullable;

/**
 * The part of kernel values that landmarks h₁, …, h_D do not explain, R = Σᵢ k(xᵢ, xᵢ) − kᵢᵀK⁻¹kᵢ, and its gradient with
 * respect to the landmarks. kᵢ holds the values k(xᵢ, hⱼ), and K those between landmarks, with a ridge on its diagonal.
 *
 * <p>With aᵢ = K⁻¹kᵢ and B = Σᵢ aᵢaᵢᵀ, the gradient with respect to hⱼ is
 *
 * <pre>2·Σₗ Bₗⱼ·∂k(hₗ, hⱼ)/∂hⱼ − 2·Σᵢ aᵢⱼ·∂k(xᵢ, hⱼ)/∂hⱼ,</pre>
 *
 * where the derivatives are those with respect to the second row.
 *
 * <p>Cost of a gradient for n rows: n·D kernel values with their derivatives, 3·n·D² and D³/3 operations. Memory:
 * 8·(2·n·D + 3·D²) bytes.
 *
 * <p>Threads: safe; immutable. The number of threads does not change the result.
 */
final class LandmarkResidual {
    /** Landmarks, or rows, that one task works on. */
    private static final int STRIP = 64;

    /** Rows whose derivatives are added together. */
    private static final int TILE = 128;

    /** The first ridge, relative to the mean of K's diagonal. */
    private static final double RIDGE = 1e-8;

    /** The end of the ridges that are tried if K is not positive definite. */
    private static final double RIDGE_END = 1;

    private final CrossGradient cross;
    private final int columns;
    private final double ridge;
    private final Workers workers;

    /** Prepares a kernel of rows with a number of columns. */
    LandmarkResidual(Kernel kernel, int columns, Workers workers) {
        this(kernel, columns, RIDGE, workers);
    }

    /** Prepares a kernel with a given first ridge, relative to the mean of K's diagonal. */
    LandmarkResidual(Kernel kernel, int columns, double ridge, Workers workers) {
        cross = CrossGradient.of(kernel)
                .orElseThrow(() -> new BochnerException(
                        "landmarks: no gradients are known of " + kernel + ", so landmarks cannot be learned",
                        Remedy.advice("use by=k-means or by=k-medoids")));
        this.columns = columns;
        this.ridge = ridge;
        this.workers = workers;
    }

    /** Returns the bytes of a gradient for some rows and landmarks, on a number of threads. */
    static double bytes(int rows, int count, int columns, int threads) {
        return 8 * (2.0 * rows * count + 3.0 * count * count + 2.0 * (TILE + STRIP) * columns * threads);
    }

    /**
     * Computes the gradient.
     *
     * @param x the rows, one after the other
     * @param h the landmarks, one after the other
     * @param out receives one derivative per value of h
     * @return R less Σᵢ k(xᵢ, xᵢ), which does not depend on the landmarks
     */
    double gradient(double[] x, int rows, double[] h, int count, double[] out) {
        double[] k = new double[Math.multiplyExact(count, count)];
        values(h, count, h, count, k);
        Matrix<double[]> factor = Matrix.of(factor(k, count), count, count);
        double[] a = new double[Math.multiplyExact(rows, count)];
        values(x, rows, h, count, a);
        double[] explained = new double[rows];
        Strips.each(workers, rows, STRIP, (from, to) -> {
            Matrix<double[]> strip = Matrix.of(a, from * count, to - from, count, count);
            Blas.get().solveUpperOnRight(factor, strip);
            for (int i = from; i < to; i++) {
                for (int j = 0; j < count; j++) {
                    explained[i] += a[i * count + j] * a[i * count + j];
                }
            }
            Blas.get().solveUpperOnRight(factor.transposed(), strip);
        });
        // K has done its work; 2B takes its place.
        Strips.each(
                workers,
                count,
                STRIP,
                (from, to) -> Blas.get()
                        .multiply(
                                2,
                                Matrix.of(a, rows, count).transposed(),
                                Matrix.of(a, from, rows, to - from, count),
                                0,
                                Matrix.of(k, from, count, to - from, count)));
        for (int at = 0; at < a.length; at++) {
            a[at] *= -2;
        }
        Arrays.fill(out, 0, count * columns, 0);
        Strips.each(workers, count, STRIP, (from, to) -> {
            Matrix<double[]> landmarks = Matrix.of(h, from * columns, to - from, columns, columns);
            Matrix<double[]> sums = Matrix.of(out, from * columns, to - from, columns, columns);
            addTiles(h, count, landmarks, k, from, count, sums);
            addTiles(x, rows, landmarks, a, from, count, sums);
        });
        double sum = 0;
        for (double value : explained) {
            sum -= value;
        }
        return sum;
    }

    /** Adds the gradients of weighted values, some rows at a time, because their copies take memory. */
    private void addTiles(
            double[] x,
            int rows,
            Matrix<double[]> landmarks,
            double[] c,
            int first,
            int stride,
            Matrix<double[]> sums) {
        for (int from = 0; from < rows; from += TILE) {
            int height = Math.min(TILE, rows - from);
            cross.add(
                    Matrix.of(x, from * columns, height, columns, columns),
                    landmarks,
                    Matrix.of(c, first + from * stride, height, landmarks.rows(), stride),
                    sums);
        }
    }

    /** Writes the values between rows and landmarks, a strip of rows at a time. */
    private void values(double[] x, int rows, double[] h, int count, double[] out) {
        Strips.each(
                workers,
                rows,
                STRIP,
                (from, to) -> cross.values(
                        Matrix.of(x, from * columns, to - from, columns, columns),
                        Matrix.of(h, count, columns),
                        Matrix.of(out, from * count, to - from, count, count)));
    }

    /** Returns the Cholesky factor of K and the smallest ridge of a few that makes it positive definite. */
    private double[] factor(double[] k, int count) {
        double mean = 0;
        for (int j = 0; j < count; j++) {
            mean += k[j * (count + 1)] / count;
        }
        for (double share = ridge; share <= RIDGE_END; share = Math.max(RIDGE, 10 * share)) {
            double[] factor = factored(k, count, share * mean);
            if (factor != null) {
                return factor;
            }
        }
        throw new BochnerException("landmarks: the kernel values between the " + count
                + " landmarks are not positive definite; use fewer landmarks");
    }

    private double @Nullable [] factored(double[] k, int count, double added) {
        double[] factor = k.clone();
        for (int j = 0; j < count; j++) {
            factor[j * (count + 1)] += added;
        }
        try {
            Cholesky.factor(factor, count, workers);
            return factor;
        } catch (NotPositiveDefiniteException e) {
            return null;
        }
    }
}
