package org.bochner.learn.exact;

import java.util.Arrays;
import org.bochner.map.landmark.IncompleteCholesky;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;

/**
 * The inverse of RGGᵀR + D, which is near RKR + λI: G is an incomplete Cholesky factor of K with m pivots, R has the
 * square roots of the row weights, and D has λ plus the part of the diagonal that the pivots do not explain.
 *
 * <p>Cost: n·m² operations per penalty, and 4·n·m per vector. Memory: 8·m² bytes beside the factor, for each of a few
 * parts of the rows. Threads: not safe; results do not depend on the number of threads.
 */
final class PivotPreconditioner {
    /** Parts of the rows; a constant, because results must not depend on the number of threads. */
    private static final int PARTS = 8;

    private static final int STRIP = 512;

    private final IncompleteCholesky pivots;
    private final int rank;
    private final double[] roots;
    private final Workers workers;
    private final double[] diagonal;
    private final Cholesky inner;

    /**
     * Factors the preconditioner of a penalty.
     *
     * @param roots the square roots of the row weights, which are not copied
     */
    PivotPreconditioner(IncompleteCholesky pivots, double[] roots, double lambda, Workers workers) {
        this.pivots = pivots;
        this.roots = roots;
        this.workers = workers;
        rank = pivots.rank();
        diagonal = new double[roots.length];
        Arrays.setAll(diagonal, i -> lambda + roots[i] * roots[i] * pivots.residual()[i]);
        double[][] sums = new double[PARTS][];
        workers.each(PARTS, part -> sums[part] = gram(part));
        double[] total = sums[0];
        for (int part = 1; part < PARTS; part++) {
            Vectors.add(1, sums[part], total);
        }
        for (int k = 0; k < rank; k++) {
            total[k * rank + k] += 1;
        }
        inner = Cholesky.factor(total, rank, workers);
    }

    static double bytes(int rank) {
        return 8.0 * rank * rank * PARTS;
    }

    private int first(int part) {
        return (int) ((long) part * roots.length / PARTS);
    }

    /** Returns GᵀR·D⁻¹·RG over a part of the rows, in the upper triangle. */
    private double[] gram(int part) {
        double[] sum = new double[rank * rank];
        double[] scaled = new double[STRIP * rank];
        for (int from = first(part); from < first(part + 1); from += STRIP) {
            int to = Math.min(first(part + 1), from + STRIP);
            Matrix<double[]> rows = pivots.rows(from, to);
            for (int i = from; i < to; i++) {
                double factor = roots[i] / Math.sqrt(diagonal[i]);
                for (int k = 0; k < rank; k++) {
                    scaled[(i - from) * rank + k] =
                            factor * rows.values()[rows.offset() + (i - from) * rows.stride() + k];
                }
            }
            Blas.get().gram(1, Matrix.of(scaled, to - from, rank), 1, Matrix.of(sum, rank, rank));
        }
        return sum;
    }

    /** Solves for vectors, n×count, row-major. */
    void solve(double[] vectors, int count, double[] out) {
        double[][] sums = new double[PARTS][rank * count];
        workers.each(PARTS, part -> {
            double[] scaled = new double[STRIP * count];
            for (int from = first(part); from < first(part + 1); from += STRIP) {
                int to = Math.min(first(part + 1), from + STRIP);
                for (int k = from * count; k < to * count; k++) {
                    scaled[k - from * count] = roots[k / count] / diagonal[k / count] * vectors[k];
                }
                Blas.get()
                        .multiply(
                                1,
                                pivots.rows(from, to).transposed(),
                                Matrix.of(scaled, to - from, count),
                                1,
                                Matrix.of(sums[part], rank, count));
            }
        });
        double[] total = sums[0];
        for (int part = 1; part < PARTS; part++) {
            Vectors.add(1, sums[part], total);
        }
        inner.solve(total, count);
        workers.each(PARTS, part -> {
            double[] explained = new double[STRIP * count];
            for (int from = first(part); from < first(part + 1); from += STRIP) {
                int to = Math.min(first(part + 1), from + STRIP);
                Blas.get()
                        .multiply(
                                1,
                                pivots.rows(from, to),
                                Matrix.of(total, rank, count),
                                0,
                                Matrix.of(explained, to - from, count));
                for (int k = from * count; k < to * count; k++) {
                    out[k] = (vectors[k] - roots[k / count] * explained[k - from * count]) / diagonal[k / count];
                }
            }
        });
    }
}
