package org.bochner.stats;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;

/**
 * The statistics of ridge regression in its primal form, which determine the solution for every penalty and target
 * without the rows.
 *
 * <p>The features are those of the map, or the whitened features if the map's {@linkplain #penalty penalty} is not
 * plain.
 *
 * <p>Threads: safe; immutable.
 */
public final class GramStatistics extends Statistics {
    private final double[] scatter;
    private final Penalty penalty;
    private final boolean diagonal;

    GramStatistics(Labels labels, Moments moments, double[] scatter, Penalty penalty) {
        this(labels, moments, scatter, penalty, false);
    }

    /** Creates statistics; {@code diagonal} says that the scatter has zeros outside its diagonal. */
    GramStatistics(Labels labels, Moments moments, double[] scatter, Penalty penalty, boolean diagonal) {
        super(labels, moments);
        this.diagonal = diagonal;
        this.scatter = scatter;
        this.penalty = penalty;
    }

    /** Returns the penalty that whitened the features; weights for them must be unwhitened with it. */
    public Penalty penalty() {
        return penalty;
    }

    /** Returns true if the scatter is diagonal, as that of principal components is. */
    public boolean diagonal() {
        return diagonal;
    }

    @Override
    public int matrixSize() {
        return features();
    }

    /** Returns the D values Σ w (y − ȳ)(z − z̄) of a target. */
    public double[] cross(int target) {
        return Arrays.copyOfRange(moments.cross, target * moments.features, (target + 1) * moments.features);
    }

    /** Returns entry (i, j) of the scatter Σ w (z − z̄)(z − z̄)ᵀ. */
    public double scatter(int i, int j) {
        return scatter[Math.min(i, j) * moments.features + Math.max(i, j)];
    }

    /**
     * Returns the statistics of some of the features, as a pass with only these features would give them. These
     * statistics must be those of features that are not whitened.
     *
     * @param kept the features, ascending
     * @param penalty the penalty of the {@linkplain org.bochner.map.FeatureMap#restrict restricted} map
     */
    public GramStatistics restrict(int[] kept, Penalty penalty) {
        Require.that(this.penalty.plain(), "GramStatistics", "features must be selected before they are whitened");
        GramStatistics some = sample(kept);
        if (penalty.plain()) {
            return some;
        }
        some.moments.whiten(penalty);
        GramAccumulator.whitenScatter(some.scatter, kept.length, penalty);
        return new GramStatistics(labels(), some.moments, some.scatter, penalty);
    }

    /**
     * Returns the statistics of some of these features, whitened or not, with the plain penalty.
     *
     * @param kept the features, ascending
     */
    GramStatistics sample(int... kept) {
        int features = kept.length;
        Moments left = moments.forFeatures(features);
        for (int j = 0; j < features; j++) {
            left.mean[j] = moments.mean[kept[j]];
            for (int t = 0; t < moments.targets; t++) {
                left.cross[t * features + j] = moments.cross[t * moments.features + kept[j]];
            }
        }
        double[] block = new double[features * features];
        copyScatter(0, kept, block);
        return new GramStatistics(labels(), left, block, Penalty.PLAIN);
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
        Moments left = moments.without(part.moments);
        double[] rest = new double[scatter.length];
        copyScatterWithout(part, left, 0, rest);
        return new GramStatistics(labels(), left, rest, penalty);
    }

    /** Returns the statistics of the rows outside a part without their scatter. */
    GramStatistics momentsWithout(GramStatistics part) {
        return new GramStatistics(labels(), moments.without(part.moments), new double[0], penalty);
    }

    /**
     * Writes the scatter of the rows outside a part, plus lambda on the diagonal, as an upper triangle.
     *
     * @param left the moments of the rows outside the part
     */
    void copyScatterWithout(GramStatistics part, Moments left, double lambda, double[] to) {
        int features = moments.features;
        double factor = left.weight * part.moments.weight / moments.weight;
        double[] delta = Vectors.difference(part.moments.mean, left.mean);
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
        int features = moments.features;
        double[] product = new double[weights.length];
        // The scatter is zero below its diagonal: this is the product with the upper triangle.
        Blas.get().multiply(Matrix.of(scatter, features, features), Matrix.of(weights, features, outputs), product);
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

    /** Returns the scatter, D×D, row-major, with zeros below the diagonal. The array is shared and must not be changed. */
    public double[] upperScatter() {
        return scatter;
    }

    /**
     * Adds factor · the columns {@code from} to {@code to} (exclusive) of the scatter, times the same rows of a
     * D×outputs matrix, to a D×outputs part of another matrix.
     *
     * @param offset the index of the part's first number
     * @param stride the distance between the part's rows
     */
    public void addColumns(
            int from, int to, double factor, double[] of, int outputs, double[] sum, int offset, int stride) {
        int features = moments.features;
        int size = to - from;
        Blas blas = Blas.get();
        Matrix<double[]> rows = Matrix.of(of, from * outputs, size, outputs, outputs);
        Matrix<double[]> above = Matrix.of(scatter, from, from, size, features);
        blas.multiply(factor, above, rows, 1.0, Matrix.of(sum, offset, from, outputs, stride));
        // The upper triangle, its transpose, and less the diagonal, which both have.
        Matrix<double[]> upper = Matrix.of(scatter, from * (features + 1), size, size, features);
        Matrix<double[]> own = Matrix.of(sum, offset + from * stride, size, outputs, stride);
        blas.multiply(factor, upper, rows, 1.0, own);
        blas.multiply(factor, upper.transposed(), rows, 1.0, own);
        for (int j = from; j < to; j++) {
            Vectors.add(-factor * scatter[j * (features + 1)], of, j * outputs, sum, offset + j * stride, outputs);
        }
        Matrix<double[]> right = Matrix.of(scatter, from * features + to, size, features - to, features);
        Matrix<double[]> below = Matrix.of(sum, offset + to * stride, features - to, outputs, stride);
        blas.multiply(factor, right.transposed(), rows, 1.0, below);
    }

    @Override
    public double scatterTrace() {
        double trace = 0;
        for (int j = 0; j < moments.features; j++) {
            trace += scatter[j * (moments.features + 1)];
        }
        return trace;
    }

    @Override
    public double medianScatter() {
        double[] entries = IntStream.range(0, moments.features)
                .mapToDouble(j -> scatter[j * (moments.features + 1)])
                .filter(entry -> entry > 0)
                .sorted()
                .toArray();
        return entries.length == 0 ? 0 : entries[entries.length / 2];
    }

    /** Writes the scatter, plus lambda on the diagonal, into the upper triangle of a row-major D×D matrix. */
    public void copyScatter(double lambda, double[] to) {
        System.arraycopy(scatter, 0, to, 0, scatter.length);
        for (int j = 0; j < moments.features; j++) {
            to[j * (moments.features + 1)] += lambda;
        }
    }

    /** Writes both triangles of the scatter into a row-major D×D matrix. */
    public void copyWholeScatter(double[] to) {
        int n = moments.features;
        System.arraycopy(scatter, 0, to, 0, scatter.length);
        // In tiles, because the entries of a column are far apart in memory.
        int tile = 64;
        for (int top = 0; top < n; top += tile) {
            for (int left = 0; left <= top; left += tile) {
                for (int i = top; i < Math.min(n, top + tile); i++) {
                    for (int j = left; j < Math.min(i, left + tile); j++) {
                        to[i * n + j] = to[j * n + i];
                    }
                }
            }
        }
    }

    /** Writes the scatter of k features, given ascending, plus lambda on the diagonal, as an upper k×k triangle. */
    public void copyScatter(double lambda, int[] kept, double[] to) {
        int k = kept.length;
        for (int i = 0; i < k; i++) {
            int row = kept[i] * moments.features;
            for (int j = i; j < k; j++) {
                to[i * k + j] = scatter[row + kept[j]];
            }
            to[i * k + i] += lambda;
        }
    }
}
