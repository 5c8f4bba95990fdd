package org.bochner.tune.exact;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.Labels;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.landmark.LandmarkRows;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;
import org.bochner.numeric.optimise.Vectors;
import org.bochner.tune.channels.DualSource;

/**
 * Rows whose inner products are the values of one kernel per channel. Models are functions of the values of the weighted
 * sum of the kernels at all rows.
 */
public final class ExactChannels implements DualSource {
    private final List<Kernel> kernels;
    private final ExactFolds rows;

    /** Creates the rows of kernels, each of the columns of its channel. */
    public ExactChannels(List<Kernel> kernels, ExactFolds rows) {
        this.kernels = kernels;
        this.rows = rows;
    }

    /** Returns the bytes of the rows, of one matrix per channel and of a number of solutions at a time. */
    public static double bytesNeeded(long rows, int channels, int columns, int outputs, int solutions) {
        return 8.0 * rows * rows * (channels + solutions)
                + 24.0 * rows * columns
                + 8.0 * rows * outputs * (4 + solutions * (3.0 * channels + 4));
    }

    @Override
    public int rows() {
        return rows.count();
    }

    @Override
    public int folds() {
        return rows.folds();
    }

    @Override
    public int start(int fold) {
        return rows.start(fold);
    }

    @Override
    public Labels labels() {
        return rows.labels();
    }

    @Override
    public double[] rowWeights() {
        return Arrays.stream(rows.roots()).map(root -> root * root).toArray();
    }

    @Override
    public double[] targets(int target) {
        double[] targets = new double[rows()];
        Arrays.setAll(targets, i -> rows.rows().target(i, target));
        return targets;
    }

    @Override
    public double[] products(int channel, Workers workers) {
        int n = rows();
        double[] matrix = new double[Math.multiplyExact(n, n)];
        rows.fill(kernels.get(channel), matrix, workers);
        double[] roots = rows.roots();
        double weight = Vectors.dot(roots, roots);
        double[] withRoots = new double[n];
        Blas.get().multiply(1.0, Matrix.of(matrix, n, n), roots, 0.0, withRoots);
        double ofRoots = Vectors.dot(roots, withRoots) / weight;
        Strips.each(workers, n, Strips.USUAL, (from, to) -> {
            for (int i = from; i < to; i++) {
                double own = (withRoots[i] - ofRoots * roots[i]) / weight;
                for (int j = 0; j < n; j++) {
                    matrix[i * n + j] -= own * roots[j] + roots[i] * withRoots[j] / weight;
                }
            }
        });
        return matrix;
    }

    /** Returns functions of the values of Σⱼ dⱼkⱼ at all rows. The coefficients of each output must have the sum 0. */
    @Override
    public LinearModel model(
            double[] kernelWeights, double[] coefficients, double[] shares, double[] targetMeans, Workers workers) {
        int n = rows();
        double[] mean = new double[n];
        for (int c = 0; c < kernelWeights.length; c++) {
            double factor = kernelWeights[c];
            if (factor > 0) {
                CrossKernel cross = CrossKernel.of(kernels.get(c), rows.rows());
                Strips.each(workers, n, Strips.USUAL, (from, to) -> {
                    double[] values = new double[(to - from) * n];
                    cross.values(LandmarkRows.range(rows.rows(), from, to), values, 0, n);
                    for (int j = from; j < to; j++) {
                        mean[j] += factor * Vectors.dot(values, (j - from) * n, shares, 0, n);
                    }
                });
            }
        }
        double[] intercepts = LinearModel.uncentre(targetMeans.clone(), coefficients, mean);
        return new LinearModel(n, intercepts.length, coefficients, intercepts);
    }
}
