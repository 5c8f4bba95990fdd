package org.bochner.stats;

import org.bochner.data.Labels;

/**
 * The statistics that a pass over the rows gives to a learner. {@link GramStatistics} hold inner products of features;
 * {@link DualStatistics} keep the sparse features and are used if features outnumber rows.
 *
 * <p>Targets are those of the {@link Labels}; each class is one indicator target, 1 for its rows and 0 for all others.
 */
public abstract sealed class Statistics permits GramStatistics, DualStatistics {
    /** The shared moments, which must not be changed. */
    final Moments moments;

    private final Labels labels;

    Statistics(Labels labels, Moments moments) {
        this.labels = labels;
        this.moments = moments;
    }

    /** Returns the number of targets that labels have in statistics: one per class, or one per number. */
    public static int targets(Labels labels) {
        return labels instanceof Labels.Classes classes ? classes.names().size() : labels.targets();
    }

    public final Labels labels() {
        return labels;
    }

    /** Returns D, the number of features. */
    public final int features() {
        return moments.features;
    }

    /** Returns the order of the matrix that a learner factors: D, or the number of rows. */
    public abstract int matrixSize();

    public final int targets() {
        return moments.targets;
    }

    /** Returns the number of rows read. */
    public final long rows() {
        return moments.rows;
    }

    /** Returns the number of rows with a weight above 0. */
    public final long weighedRows() {
        return moments.weighedRows;
    }

    /** Returns the sum of the row weights, each 1 by default. */
    public final double totalRowWeight() {
        return moments.weight;
    }

    /** Returns the weighted mean of the features in a new array. */
    public final double[] mean() {
        return moments.mean.clone();
    }

    /** Returns the weighted mean of a target; for a class, its share of the weight. */
    public final double targetMean(int target) {
        return moments.targetMean[target];
    }

    /** Returns Σ w (y − ȳ)² of a target. */
    public final double targetScatter(int target) {
        return moments.targetScatter[target];
    }

    /** Returns Σ w |z − z̄|², the trace of the scatter. */
    public abstract double scatterTrace();

    /** Returns the median of Σ w (z − z̄)² over the features that vary; the mean over all features if it is not known. */
    public double medianScatter() {
        return scatterTrace() / features();
    }
}
