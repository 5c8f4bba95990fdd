package org.bochner.stats;

import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.matrix.Blas;

/**
 * The statistics of ridge regression in its primal form, which determine the solution for every penalty and target
 * without the rows.
 *
 * <p>The features are those of the map, or the whitened features if the map's {@linkplain #penalty penalty} is not
 * plain.
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

    /** Returns the penalty that whitened the features; weights for them must be unwhitened with it. */
    public Penalty penalty() {
        return penalty;
    }

    /** Returns the shared moments, which must not be changed. */
    Moments moments() {
        return total;
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
    public int matrixSize() {
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
    public double totalRowWeight() {
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

    /** Returns the D values Σ w (y − ȳ)(z − z̄) of a target. */
    public double[] cross(int target) {
        double[] row = new double[total.features];
        System.arraycopy(total.cross, target * total.features, row, 0, row.length);
        return row;
    }

    /** Returns entry (i, j) of the scatter Σ w (z − z̄)(z − z̄)ᵀ. */
    public double scatter(int i, int j) {
        return scatter[Math.min(i, j) * total.features + Math.max(i, j)];
    }

    /**
     * Returns the statistics of some of the features, as a pass with only these features would give them.
     *
     * @param kept the features, ascending
     * @param penalty the penalty of the {@linkplain org.bochner.map.FeatureMap#restrict restricted} map
     */
    public GramStatistics restrict(int[] kept, Penalty penalty) {
        int features = kept.length;
        Moments left = new Moments(features, total.targets);
        left.rows = total.rows;
        left.weighedRows = total.weighedRows;
        left.weight = total.weight;
        System.arraycopy(total.targetMean, 0, left.targetMean, 0, total.targets);
        System.arraycopy(total.targetScatter, 0, left.targetScatter, 0, total.targets);
        for (int j = 0; j < features; j++) {
            left.mean[j] = total.mean[kept[j]];
            for (int t = 0; t < total.targets; t++) {
                left.cross[t * features + j] = total.cross[t * total.features + kept[j]];
            }
        }
        double[] block = new double[features * features];
        copyScatter(0, kept, block);
        return new GramStatistics(labels, left, block, penalty);
    }

    /**
     * Returns the statistics of the remaining rows after a part is removed. They equal those of a pass over the
     * remaining rows up to rounding, which is that of sums over all rows.
     *
     * @param part the statistics of some of the rows, with less than the whole weight
     */
    public GramStatistics without(GramStatistics part) {
        Require.sameSize("GramStatistics", "features", part.features(), features());
        Require.that(part.totalRowWeight() < totalRowWeight(), "GramStatistics", "nothing would be left");
        if (part.totalRowWeight() == 0) {
            return this;
        }
        Moments left = total.without(part.total);
        double[] rest = new double[scatter.length];
        copyScatterWithout(part, left, 0, rest);
        return new GramStatistics(labels, left, rest, penalty);
    }

    /**
     * Writes the scatter of the rows outside a part, plus lambda on the diagonal, as an upper triangle.
     *
     * @param left the moments of the rows outside the part
     */
    void copyScatterWithout(GramStatistics part, Moments left, double lambda, double[] to) {
        int features = total.features;
        double factor = left.weight * part.total.weight / total.weight;
        double[] delta = new double[features];
        for (int j = 0; j < features; j++) {
            delta[j] = part.total.mean[j] - left.mean[j];
        }
        for (int i = 0; i < features; i++) {
            double times = factor * delta[i];
            for (int j = i; j < features; j++) {
                int at = i * features + j;
                to[at] = scatter[at] - part.scatter[at] - times * delta[j];
            }
            to[i * (features + 1)] += lambda;
        }
    }

    /**
     * Returns {@code Σₒ wₒᵀHwₒ} with the scatter H.
     *
     * @param weights D×outputs, row-major
     */
    public double quadratic(double[] weights, int outputs) {
        int features = total.features;
        double[] product = new double[weights.length];
        // The scatter is zero below its diagonal: this is the product with the upper triangle.
        Blas.get()
                .gemm(
                        false, false, features, outputs, features, 1.0, scatter, 0, features, weights, 0, outputs, 0.0,
                        product, 0, outputs);
        double sum = 0;
        for (int j = 0; j < features; j++) {
            double diagonal = scatter[j * (features + 1)];
            for (int o = 0; o < outputs; o++) {
                double weight = weights[j * outputs + o];
                sum += weight * (2 * product[j * outputs + o] - diagonal * weight);
            }
        }
        return sum;
    }

    @Override
    public double scatterTrace() {
        double trace = 0;
        for (int j = 0; j < total.features; j++) {
            trace += scatter[j * (total.features + 1)];
        }
        return trace;
    }

    /** Writes the scatter, plus lambda on the diagonal, into the upper triangle of a row-major D×D matrix. */
    public void copyScatter(double lambda, double[] to) {
        System.arraycopy(scatter, 0, to, 0, scatter.length);
        for (int j = 0; j < total.features; j++) {
            to[j * (total.features + 1)] += lambda;
        }
    }

    /** Writes the scatter of k features, given ascending, plus lambda on the diagonal, as an upper k×k triangle. */
    public void copyScatter(double lambda, int[] kept, double[] to) {
        int k = kept.length;
        for (int i = 0; i < k; i++) {
            int row = kept[i] * total.features;
            for (int j = i; j < k; j++) {
                to[i * k + j] = scatter[row + kept[j]];
            }
            to[i * k + i] += lambda;
        }
    }
}
