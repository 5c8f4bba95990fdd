package org.bochner.stats;

import java.util.Arrays;
import org.bochner.numeric.Workers;

/** Rows of sparse features. */
record SparseDualRows(SparseFeatures sparse) implements DualRows {
    @Override
    public int rows() {
        return sparse.rows();
    }

    @Override
    public int features() {
        return sparse.features();
    }

    @Override
    public double[] products(Workers workers) {
        return sparse.products(workers);
    }

    @Override
    public double[] mean(double[] shares, double[] products) {
        return sparse.multiplyTransposed(shares, 1);
    }

    @Override
    public double[] withMean(double[] mean) {
        double[] with = new double[rows()];
        Arrays.setAll(with, i -> sparse.dot(i, mean));
        return with;
    }

    @Override
    public double[] combine(double[] coefficients, int outputs) {
        return sparse.multiplyTransposed(coefficients, outputs);
    }
}
