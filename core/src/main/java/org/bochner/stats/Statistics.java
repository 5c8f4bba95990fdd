package org.bochner.stats;

import org.bochner.data.Labels;

/**
 * The statistics that a pass over the rows gives to a learner: {@link GramStatistics}, without the rows, or {@link
 * DualStatistics}, with the sparse features of the rows where these are smaller.
 *
 * <p>Targets are those of the {@link Labels}; each class is one indicator target, 1 for its rows and 0 for all others.
 */
public sealed interface Statistics permits GramStatistics, DualStatistics {
    Labels labels();

    /** Returns the number of targets that labels have in statistics: one per class, or one per number. */
    static int targets(Labels labels) {
        return labels instanceof Labels.Classes classes ? classes.names().size() : labels.targets();
    }

    /** Returns D, the number of features. */
    int features();

    /** Returns the order of the matrix that a learner factors: D, or the number of rows. */
    int matrixSize();

    int targets();

    /** Returns the number of rows read. */
    long rows();

    /** Returns the number of rows with a weight above 0. */
    long weighedRows();

    /** Returns the sum of the row weights, each 1 by default. */
    double totalRowWeight();

    /** Returns the weighted mean of the features. */
    double[] mean();

    /** Returns the weighted mean of a target; for a class, its share of the weight. */
    double targetMean(int target);

    /** Returns Σ w (y − ȳ)² of a target. */
    double targetScatter(int target);

    /** Returns Σ w |z − z̄|², the trace of the scatter. */
    double scatterTrace();
}
