package org.bochner.tune.exact;

import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;

/**
 * The derivatives of a criterion of the leverages. With G = A⁻¹, E = PG, the derivatives u by the coefficients α and −c
 * by t = λGᵢᵢ − ŝᵢ², the derivative by K is −(REu)(Rα)ᵀ + FFᵀ with F = RE·diag(√(λc)).
 */
final class Leverages {
    private final ExactPart all;
    private final ExactPart.Fit fit;
    private final double lambda;
    private final double[] matrix;
    private final Workers workers;
    private double[] adjoint = {};
    private double penaltySlope;

    /**
     * Creates the derivatives.
     *
     * @param matrix n×n, overwritten by F
     */
    Leverages(ExactPart all, ExactPart.Fit fit, double lambda, double[] matrix, Workers workers) {
        this.all = all;
        this.fit = fit;
        this.lambda = lambda;
        this.matrix = matrix;
        this.workers = workers;
    }

    /**
     * Computes the derivatives.
     *
     * @param direct u, n×outputs
     * @param pulls c, minus the derivative of the criterion by t, one per row
     */
    Leverages differentiate(double[] direct, double[] alpha, double[] pulls) {
        int n = all.size;
        int outputs = direct.length / n;
        double[] own = direct.clone();
        all.project(own);
        fit.cholesky().solve(own, outputs, workers);
        all.project(own);
        penaltySlope = -lambda * Vectors.dot(own, alpha);
        adjoint = all.scattered(own, -1);
        invert();
        double[] byRow = new double[n];
        double[] roots = new double[n];
        for (int i = 0; i < n; i++) {
            roots[i] = Math.sqrt(lambda * pulls[i]);
        }
        double length = Math.sqrt(all.weight);
        Strips.each(workers, n, Strips.USUAL, (from, to) -> {
            for (int i = from; i < to; i++) {
                int row = i * n;
                double squares = Vectors.dot(matrix, row, matrix, row, n);
                byRow[i] = pulls[i] * (matrix[row + i] - lambda * squares);
                double unit = all.unit[i];
                for (int j = 0; j < n; j++) {
                    double projected = matrix[row + j] - unit * all.unit[j] / lambda;
                    matrix[row + j] = unit * length * projected * roots[j];
                }
            }
        });
        for (double slope : byRow) {
            penaltySlope -= lambda * slope;
        }
        return this;
    }

    /** Writes G = U⁻¹U⁻ᵀ. */
    private void invert() {
        int n = all.size;
        double[] root = fit.cholesky().inverseFactor(workers);
        int strips = (n + Strips.USUAL - 1) / Strips.USUAL;
        // The first strips have the longest inner products, and the last ones the most columns.
        workers.each(strips, s -> {
            int from = s * Strips.USUAL;
            int to = Math.min(n, from + Strips.USUAL);
            Blas.get()
                    .multiply(
                            1.0,
                            Matrix.of(root, from * n + from, to - from, n - from, n),
                            Matrix.of(root, from, to, n - from, n).transposed(),
                            0.0,
                            Matrix.of(matrix, from * n, to - from, to, n));
        });
        Strips.each(workers, n, Strips.USUAL, (from, to) -> {
            for (int i = from; i < to; i++) {
                for (int j = i + 1; j < n; j++) {
                    matrix[i * n + j] = matrix[j * n + i];
                }
            }
        });
    }

    /** Returns −REu, n×outputs. */
    double[] adjoint() {
        return adjoint;
    }

    /** Returns the derivative by log λ, without that of a factor λ² of the criterion. */
    double penaltySlope() {
        return penaltySlope;
    }
}
