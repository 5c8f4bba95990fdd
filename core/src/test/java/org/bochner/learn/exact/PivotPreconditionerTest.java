package org.bochner.learn.exact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.bochner.data.DenseRows;
import org.bochner.kernel.Kernels;
import org.bochner.map.landmark.IncompleteCholesky;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class PivotPreconditionerTest {
    /** (RGGᵀR + D)·solve(v) = v; the condition number is below 1e4, so the error is below 1e-11. */
    @Test
    void solvesTheSystemOfThePivots() {
        int n = 60;
        double lambda = 0.1;
        RandomStream stream = new Seed(3).stream();
        float[] values = new float[2 * n];
        double[] roots = new double[n];
        double[] vector = new double[n];
        for (int i = 0; i < n; i++) {
            values[2 * i] = (float) stream.nextGaussian();
            values[2 * i + 1] = (float) stream.nextGaussian();
            roots[i] = 0.5 + i % 3;
            vector[i] = stream.nextGaussian();
        }
        IncompleteCholesky pivots = IncompleteCholesky.random(
                Kernels.gaussian(1), DenseRows.of(n, 2, values), 15, 1e-10, new Seed(1), new Workers(1));
        double[] solved = new double[n];
        new PivotPreconditioner(pivots, roots, lambda, new Workers(1)).solve(vector, 1, solved);
        Matrix<double[]> rows = pivots.rows(0, n);
        double[] product = new double[n];
        for (int i = 0; i < n; i++) {
            product[i] = (lambda + roots[i] * roots[i] * pivots.residual()[i]) * solved[i];
            for (int j = 0; j < n; j++) {
                double dot = 0;
                for (int k = 0; k < pivots.rank(); k++) {
                    dot += rows.values()[rows.offset() + i * rows.stride() + k]
                            * rows.values()[rows.offset() + j * rows.stride() + k];
                }
                product[i] += roots[i] * dot * roots[j] * solved[j];
            }
        }
        assertArrayEquals(vector, product, 1e-11);
    }
}
