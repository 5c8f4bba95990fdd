package org.bochner.stats;

import java.util.stream.IntStream;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.map.landmark.KernelPairs;
import org.bochner.numeric.Workers;

/** Rows whose inner products are kernel values; the features of the learned functions are the values k(x, xⱼ). */
record KernelRows(Kernel kernel, RowBlock block) implements DualRows {
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
        KernelPairs.each(kernel, block, workers, (first, second, values) -> {
            for (int j = 0; j < values.columns(); j++) {
                int start = Triangle.start(second + j, n) - second - j;
                for (int i = first == second ? j : 0; i < values.rows(); i++) {
                    products[start + first + i] = values.values()[i * values.stride() + j];
                }
            }
        });
        return products;
    }

    @Override
    public double[] mean(double[] shares, double[] products, Workers workers) {
        int[] all = IntStream.range(0, rows()).toArray();
        return Triangle.times(products, rows(), all, shares, 1, workers);
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
