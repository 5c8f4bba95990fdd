package org.bochner.stats;

import org.bochner.data.Labels;
import org.bochner.map.Penalty;

/**
 * What a pass over the rows leaves: enough for ridge regression at every penalty, on every target, without the rows.
 *
 * <p>The features are those that the map wrote, or, where its {@linkplain #penalty penalty} is not plain, the whitened
 * ones.
 *
 * <p>Threads: safe; immutable.
 */
public final class GramStatistics implements Statistics {
    private final Labels labels;
    private final Moments total;
    private final double[] scatter;
    private final Penalty penalty;

    GramStatistics(Labels labels, Moments total, double[] scatter, Penalty penalty) {
        this.labels = labels;
        this.total = total;
        this.scatter = scatter;
        this.penalty = penalty;
    }

    /** What the features were whitened by; weights found for them are to be unwhitened by it. */
    public Penalty penalty() {
        return penalty;
    }

    @Override
    public Labels labels() {
        return labels;
    }

    @Override
    public int features() {
        return total.features;
    }

    @Override
    public int order() {
        return total.features;
    }

    @Override
    public int targets() {
        return total.targets;
    }

    @Override
    public long rows() {
        return total.rows;
    }

    @Override
    public long weighedRows() {
        return total.weighedRows;
    }

    @Override
    public double weight() {
        return total.weight;
    }

    @Override
    public double[] mean() {
        return total.mean.clone();
    }

    @Override
    public double targetMean(int target) {
        return total.targetMean[target];
    }

    @Override
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

    @Override
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
