package org.bochner.tune.channels;

import org.bochner.numeric.Workers;

/**
 * The rows of a problem with the square loss, from which ridge regression with a weight per channel is solved on all
 * rows or without a fold. The number of folds stands for all rows.
 *
 * <p>Threads: safe.
 */
public interface RidgeRows {
    ChannelFeatures channels();

    int folds();

    /** Returns the number of rows that were read. */
    long rowsRead();

    /** Returns the weight of the rows of a fold, or of all rows. */
    double totalRowWeight(int fold);

    /** Returns the share of a class among the rows outside of a fold. */
    double shareWithout(int fold, int ofClass);

    /** Returns Σ w |z − z̄|² over all rows. */
    double scatterTrace();

    /** Returns the smallest ridge penalty for which the sums over all rows are accurate enough. */
    double smallestLambda();

    /** Returns the largest norm over the channels of c, the products of all rows' features with the targets. */
    double largestCross();

    /** Returns the number of numbers of working memory that one solution needs. */
    int scratchSize();

    /**
     * Solves ridge regression with weights.
     *
     * @param fold the fold that is left out
     * @param kernelWeights dⱼ, at least 0
     * @param scratch holds the factor until the next solution
     * @throws org.bochner.numeric.matrix.NotPositiveDefiniteException if l2 is too small for the precision
     */
    ChannelRidge solve(int fold, double l2, double[] kernelWeights, double[] scratch, Workers workers);
}
