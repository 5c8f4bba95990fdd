package org.bochner.stats;

import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.map.landmark.LandmarkRows;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Strips;

/** Rows whose inner products are kernel values; the features of the learned functions are the values k(x, xⱼ). */
record KernelRows(Kernel kernel, RowBlock block) implements DualRows {
    /** Rows whose values are computed together. */
    private static final int STRIP = 64;

    @Override
    public int rows() {
        return block.rows();
    }

    @Override
    public int features() {
        return block.rows();
    }

    @Override
    public double[] products(Workers workers) {
        int n = rows();
        double[] products = new double[Triangle.length(n)];
        CrossKernel cross = CrossKernel.of(kernel, block);
        Strips.each(workers, n, STRIP, (from, to) -> {
            double[] values = new double[(to - from) * n];
            cross.values(LandmarkRows.range(block, from, to), values, 0, n);
            for (int i = from; i < to; i++) {
                System.arraycopy(values, (i - from) * n + i, products, Triangle.start(i, n), n - i);
            }
        });
        return products;
    }

    @Override
    public double[] mean(double[] shares, double[] products) {
        int n = rows();
        double[] mean = new double[n];
        for (int i = 0; i < n; i++) {
            int start = Triangle.start(i, n) - i;
            mean[i] += shares[i] * products[start + i];
            for (int j = i + 1; j < n; j++) {
                mean[i] += shares[j] * products[start + j];
                mean[j] += shares[i] * products[start + j];
            }
        }
        return mean;
    }

    @Override
    public double[] withMean(double[] mean) {
        return mean;
    }

    @Override
    public double[] combine(double[] coefficients, int outputs) {
        return coefficients.clone();
    }
}
