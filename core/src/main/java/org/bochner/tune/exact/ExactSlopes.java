package org.bochner.tune.exact;

import java.util.ArrayList;
import java.util.List;
import org.bochner.map.landmark.KernelScales;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;

/**
 * Derivatives with respect to the scales of a kernel of a function whose derivative by the kernel values is C = Σ uβᵀ +
 * FFᵀ. Strips of columns of C are computed and contracted with the derivatives of the kernel, in parallel.
 */
final class ExactSlopes {
    private final ExactFolds rows;
    private final UnmappedKernel kernel;
    private final Workers workers;
    private final List<double[]> lefts = new ArrayList<>();
    private final List<double[]> rights = new ArrayList<>();
    private double[] square = {};

    ExactSlopes(ExactFolds rows, UnmappedKernel kernel, Workers workers) {
        this.rows = rows;
        this.kernel = kernel;
        this.workers = workers;
    }

    /** Adds uβᵀ, summed over the outputs; both n×outputs. */
    void add(double[] u, double[] beta) {
        lefts.add(u);
        rights.add(beta);
    }

    /** Adds FFᵀ; F is n×n. */
    void addSquare(double[] f) {
        square = f;
    }

    /** Returns the derivatives by the scales. */
    double[] values() {
        int n = rows.count();
        KernelScales scales = kernel.scales();
        KernelScales.Slopes slopes = scales.slopes(rows.dense());
        int strips = (n + Strips.USUAL - 1) / Strips.USUAL;
        double[][] sums = new double[strips][scales.count()];
        workers.each(strips, s -> {
            int from = s * Strips.USUAL;
            int to = Math.min(n, from + Strips.USUAL);
            slopes.add(from, to, strip(from, to), sums[s], 0);
        });
        double[] total = new double[scales.count()];
        for (double[] sum : sums) {
            Vectors.add(1, sum, 0, total, 0, total.length);
        }
        return total;
    }

    /** Returns the columns from … to−1 of the symmetric part of C, n×(to − from). */
    private double[] strip(int from, int to) {
        int n = rows.count();
        int width = rows.outputs();
        int count = to - from;
        double[] strip = new double[n * count];
        Matrix<double[]> out = Matrix.of(strip, n, count);
        Blas blas = Blas.get();
        if (square.length > 0) {
            blas.multiply(
                    1.0,
                    Matrix.of(square, n, n),
                    Matrix.of(square, from * n, count, n, n).transposed(),
                    0.0,
                    out);
        }
        for (int k = 0; k < lefts.size(); k++) {
            addHalf(lefts.get(k), rights.get(k), from, count, width, out);
            addHalf(rights.get(k), lefts.get(k), from, count, width, out);
        }
        return strip;
    }

    private void addHalf(double[] left, double[] right, int from, int count, int width, Matrix<double[]> out) {
        Blas.get()
                .multiply(
                        0.5,
                        Matrix.of(left, rows.count(), width),
                        Matrix.of(right, from * width, count, width, width).transposed(),
                        1.0,
                        out);
    }
}
