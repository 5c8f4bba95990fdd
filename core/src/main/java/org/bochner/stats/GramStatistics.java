package org.bochner.stats;

import org.bochner.data.Labels;

/**
 * What a pass over the rows leaves: enough for ridge regression at every penalty, on every target, without the rows.
 *
 * <p>Targets are as {@link Labels} say; classes appear as one indicator (1 for its rows, 0 for the others) each.
 *
 * <p>Threads: safe; immutable.
 */
public final class GramStatistics {
    private final Labels labels;
    private final Moments total;
    private final double[] scatter;

    GramStatistics(Labels labels, Moments total, double[] scatter) {
        this.labels = labels;
        this.total = total;
        this.scatter = scatter;
    }

    public Labels labels() {
        return labels;
    }

    public int features() {
        return total.features;
    }

    public int targets() {
        return total.targets;
    }

    public long rows() {
        return total.rows;
    }

    /** Rows whose weight is not 0: those that were learned from. */
    public long weighedRows() {
        return total.weighedRows;
    }

    /** Sum of the rows' weights; their number where they have none. */
    public double weight() {
        return total.weight;
    }

    /** Weighted mean of the features. */
    public double[] mean() {
        return total.mean.clone();
    }

    /** Weighted mean of a target; for a class, its share of the weight. */
    public double targetMean(int target) {
        return total.targetMean[target];
    }

    /** Σ w (y − ȳ)² of a target. */
    public double targetScatter(int target) {
        return total.targetScatter[target];
    }

    /** Σ w (y − ȳ)(z − z̄): D values. */
    public double[] cross(int target) {
        double[] row = new double[total.features];
        System.arraycopy(total.cross, target * total.features, row, 0, row.length);
        return row;
    }

    /** Entry (i, j) of the scatter Σ w (z − z̄)(z − z̄)ᵀ. */
    public double scatter(int i, int j) {
        return scatter[Math.min(i, j) * total.features + Math.max(i, j)];
    }

    /** The sum of the scatter's diagonal. */
    public double scatterTrace() {
        double trace = 0;
        for (int j = 0; j < total.features; j++) {
            trace += scatter[j * (total.features + 1)];
        }
        return trace;
    }

    /** Writes the scatter plus lambda on the diagonal, upper triangle of a row-major D×D matrix, to an array. */
    public void copyScatter(double lambda, double[] to) {
        System.arraycopy(scatter, 0, to, 0, scatter.length);
        for (int j = 0; j < total.features; j++) {
            to[j * (total.features + 1)] += lambda;
        }
    }
}
