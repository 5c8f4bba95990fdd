package org.bochner.stats;

import org.bochner.data.Labels;

/**
 * What a pass over the rows leaves for a learner: {@link GramStatistics}, which forget the rows, or
 * {@link DualStatistics}, which keep their sparse features because that is smaller.
 *
 * <p>Targets are as {@link Labels} say; classes appear as one indicator (1 for its rows, 0 for the others) each.
 */
public sealed interface Statistics permits GramStatistics, DualStatistics {
    Labels labels();

    /** D, the number of features. */
    int features();

    /** Returns the size of the matrix that a learner factors: D, or the number of rows. */
    int matrixSize();

    int targets();

    /** How many rows were read. */
    long rows();

    /** Rows whose weight is not 0: those that were learned from. */
    long weighedRows();

    /** Sum of the rows' weights; their number where they have none. */
    double totalRowWeight();

    /** Weighted mean of the features. */
    double[] mean();

    /** Weighted mean of a target; for a class, its share of the weight. */
    double targetMean(int target);

    /** Σ w (y − ȳ)² of a target. */
    double targetScatter(int target);

    /** Σ w |z − z̄|², the trace of the scatter. */
    double scatterTrace();
}
