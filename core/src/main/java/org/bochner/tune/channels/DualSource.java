package org.bochner.tune.channels;

import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearModel;
import org.bochner.numeric.Workers;

/** Rows, sorted by fold, with their inner products in each channel: the data of {@link DualRows}. Threads: safe. */
public interface DualSource {
    /** Returns the number of rows. */
    int rows();

    int folds();

    /** Returns the first row of a fold; for the number of folds, the number of rows. */
    int start(int fold);

    Labels labels();

    /** Returns the row weights, times the factors of classes, in a new array. */
    double[] rowWeights();

    /** Returns a target of all rows: numbers, or indices of classes. */
    double[] targets(int target);

    /**
     * Returns √wᵢ√wⱼ (zᵢ − z̄)·(zⱼ − z̄) of all pairs of rows in a channel, n×n, in a new array; z̄ is the mean of all rows.
     */
    double[] products(int channel, Workers workers);

    /**
     * Returns the functions ȳ + Σⱼ dⱼ·Σᵢ aᵢ·zᵢⱼ·(z − z̄).
     *
     * @param kernelWeights d, one number per channel
     * @param coefficients a, n×outputs, row-major
     * @param shares the shares of the rows in the mean z̄
     * @param targetMeans ȳ, one number per output
     */
    LinearModel model(
            double[] kernelWeights, double[] coefficients, double[] shares, double[] targetMeans, Workers workers);
}
