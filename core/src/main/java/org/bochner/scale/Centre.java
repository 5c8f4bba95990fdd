package org.bochner.scale;

import java.util.Arrays;

/**
 * Columns of mean 0, in the units they have: xⱼ − μⱼ, with the mean of the rows it is fitted to. Kernels of differences
 * x − y, such as the Gaussian, are not changed by it, and columns far from 0, such as timestamps, keep their full
 * resolution in float32.
 *
 * <p>Sparse rows become dense.
 */
public record Centre() implements ColumnScaling {
    @Override
    public Scaler scaler(ColumnAccumulator seen, int from, int to) {
        double[] shift = new double[to - from];
        double[] factor = new double[to - from];
        Arrays.fill(factor, 1);
        for (int j = from; j < to; j++) {
            shift[j - from] = seen.mean(j);
        }
        return new ColumnScaler(this, shift, factor);
    }

    @Override
    public String toString() {
        return "centre";
    }
}
