package org.bochner.stats;

import org.bochner.numeric.Workers;

/**
 * The rows of a ridge regression in its dual form, as vectors zᵢ whose inner products are known: sparse features, or
 * points of the space of a kernel. The functions that are learned are linear in some features of a row: those of the
 * map, or the kernel values k(x, xⱼ) at all rows.
 */
sealed interface DualRows permits SparseFeatures, KernelRows {
    int rows();

    /** Returns the number of features of the learned functions. */
    int features();

    /** Returns zᵢ·zⱼ in the layout of {@link Triangle}, in a new array. */
    double[] products(Workers workers);

    /**
     * Returns the mean of the features of the learned functions over the rows.
     *
     * @param shares the shares of the rows in the total weight
     * @param products the inner products
     */
    double[] mean(double[] shares, double[] products, Workers workers);

    /** Returns zᵢ·z̄ for all rows. */
    double[] withMean(double[] mean);

    /** Returns the weights of the features for the vector Σ aᵢzᵢ, features×outputs, for coefficients n×outputs. */
    double[] combine(double[] coefficients, int outputs);
}
