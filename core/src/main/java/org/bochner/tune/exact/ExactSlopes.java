package org.bochner.tune.exact;

import java.util.ArrayList;
import java.util.List;
import org.bochner.map.landmark.KernelScales;
import org.bochner.map.landmark.UnmappedKernel;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;

/**
 * Derivatives with respect to the scales of a kernel of a function whose derivative by the kernel values is C = Σ uβᵀ +
 * FFᵀ. Blocks of C are computed and contracted with the derivatives of the kernel, in parallel. The kernel is symmetric, so
 * only the symmetric part of C counts, and of this the blocks on and below the diagonal.
 */
final class ExactSlopes {
    /** Rows and columns of a block, which stays in the processor's cache. */
    private static final int BLOCK = 128;

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
        int strips = (n + BLOCK - 1) / BLOCK;
        double[][] sums = new double[strips][scales.count()];
        workers.each(strips, s -> {
            int column = s * BLOCK;
            for (int row = column; row < n; row += BLOCK) {
                slopes.add(row, column, block(row, column), sums[s], 0);
            }
        });
        double[] total = new double[scales.count()];
        for (double[] sum : sums) {
            Vectors.add(1, sum, 0, total, 0, total.length);
        }
        return total;
    }

    /** Returns a block of the symmetric part of C, twice if the block above the diagonal is equal to it. */
    private Matrix<double[]> block(int row, int column) {
        int n = rows.count();
        int height = Math.min(BLOCK, n - row);
        int width = Math.min(BLOCK, n - column);
        Matrix<double[]> block = Matrix.of(new double[height * width], height, width);
        double factor = row == column ? 1 : 2;
        if (square.length > 0) {
            Matrix<double[]> left = Matrix.of(square, row * n, height, n, n);
            Matrix<double[]> right = Matrix.of(square, column * n, width, n, n);
            Blas.get().multiply(factor, left, right.transposed(), 0.0, block);
        }
        for (int k = 0; k < lefts.size(); k++) {
            addProduct(factor / 2, lefts.get(k), row, rights.get(k), column, block);
            addProduct(factor / 2, rights.get(k), row, lefts.get(k), column, block);
        }
        if (row == column) {
            clearDiagonal(block);
        }
        return block;
    }

    private void addProduct(double factor, double[] left, int row, double[] right, int column, Matrix<double[]> block) {
        int outputs = rows.outputs();
        Matrix<double[]> ofRows = Matrix.of(left, row * outputs, block.rows(), outputs, outputs);
        Matrix<double[]> ofColumns = Matrix.of(right, column * outputs, block.columns(), outputs, outputs);
        Blas.get().multiply(factor, ofRows, ofColumns.transposed(), 1.0, block);
    }

    /** Scales change no value k(x, x), but steep kernels have a large slope at a distance that rounding makes. */
    private static void clearDiagonal(Matrix<double[]> block) {
        for (int i = 0; i < block.rows(); i++) {
            block.values()[i * (block.stride() + 1)] = 0;
        }
    }
}
