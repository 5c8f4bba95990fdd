package org.bochner.stats;

import org.bochner.data.Labels;
import org.bochner.numeric.Workers;

/**
 * The inner products of all rows, and their sparse features: what ridge regression needs in the dual, where the weights
 * are a combination of the rows and the matrix to factor is n×n instead of D×D. It gives the same solution.
 *
 * <p>Rows are centred and multiplied by the square roots of their weights; those of weight 0 are left out. The products
 * are those of the features in float64, with an error of a few 2⁻⁵³·(|zᵢ|·|zⱼ| + |z̄|²): sparse features are 0 in most
 * rows, so that their mean is small and centring afterwards loses nothing.
 *
 * <p>Memory: 4·n² bytes and 8 for each non-zero. Threads: safe; immutable.
 */
public final class DualStatistics implements Statistics {
    private final Labels labels;
    private final SparseFeatures features;
    private final long rows;
    private final double weight;
    private final double[] roots;
    private final long[] groups;
    private final double[] mean;
    private final int targets;
    private final double[] targetMean;
    private final double[] targetScatter;
    /** √w (y − ȳ), a row of n values a target. */
    private final double[] centredTargets;

    private final double[] products;

    /** The arrays become the object's. */
    DualStatistics(
            Labels labels,
            SparseFeatures features,
            long rows,
            double[] weights,
            double[] given,
            long[] groups,
            Workers workers) {
        this.labels = labels;
        this.groups = groups;
        this.features = features;
        this.rows = rows;
        int n = weights.length;
        roots = new double[n];
        double total = 0;
        for (int i = 0; i < n; i++) {
            roots[i] = Math.sqrt(weights[i]);
            total += weights[i];
        }
        weight = total;
        mean = features.multiplyTransposed(weights, 1);
        for (int j = 0; j < mean.length && n > 0; j++) {
            mean[j] /= weight;
        }
        targets = Moments.targets(labels);
        targetMean = new double[targets];
        targetScatter = new double[targets];
        centredTargets = new double[Math.multiplyExact(targets, n)];
        for (int t = 0; t < targets; t++) {
            centreTarget(t, weights, given);
        }
        products = features.products(workers);
        centreProducts(workers);
    }

    private void centreTarget(int t, double[] weights, double[] given) {
        int n = weights.length;
        for (int i = 0; i < n; i++) {
            double target = labels instanceof Labels.Classes ? (given[i] == t ? 1 : 0) : given[i * targets + t];
            centredTargets[t * n + i] = target;
            targetMean[t] += weights[i] * target / weight;
        }
        for (int i = 0; i < n; i++) {
            double centred = roots[i] * (centredTargets[t * n + i] - targetMean[t]);
            centredTargets[t * n + i] = centred;
            targetScatter[t] += centred * centred;
        }
    }

    /** zᵢ·zⱼ becomes √wᵢ√wⱼ (zᵢ − z̄)·(zⱼ − z̄). */
    private void centreProducts(Workers workers) {
        int n = matrixSize();
        double[] withMean = features.multiply(mean);
        double squared = 0;
        for (double m : mean) {
            squared += m * m;
        }
        double ofMean = squared;
        workers.each(n, i -> {
            int start = Triangle.start(i, n) - i;
            for (int j = i; j < n; j++) {
                products[start + j] = roots[i] * roots[j] * (products[start + j] - withMean[i] - withMean[j] + ofMean);
            }
        });
    }

    @Override
    public Labels labels() {
        return labels;
    }

    @Override
    public int features() {
        return features.features();
    }

    @Override
    public int matrixSize() {
        return features.rows();
    }

    @Override
    public int targets() {
        return targets;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public long weighedRows() {
        return features.rows();
    }

    @Override
    public double totalRowWeight() {
        return weight;
    }

    @Override
    public double[] mean() {
        return mean.clone();
    }

    @Override
    public double targetMean(int target) {
        return targetMean[target];
    }

    @Override
    public double targetScatter(int target) {
        return targetScatter[target];
    }

    @Override
    public double scatterTrace() {
        double trace = 0;
        for (int i = 0; i < matrixSize(); i++) {
            trace += products[Triangle.start(i, matrixSize())];
        }
        return trace;
    }

    /** √w (y − ȳ) of a target: n values. */
    public double[] centredTarget(int target) {
        double[] row = new double[matrixSize()];
        System.arraycopy(centredTargets, target * row.length, row, 0, row.length);
        return row;
    }

    /** The {@linkplain org.bochner.data.RowBlock#group group} of row i, counted without those of weight 0. */
    public long group(int i) {
        return groups[i];
    }

    /** The square root of the weight of row i. */
    public double root(int i) {
        return roots[i];
    }

    /** The share of row i in the weight of all rows. */
    public double share(int i) {
        return roots[i] * roots[i] / weight;
    }

    /** The inner product √wᵢ√wⱼ (zᵢ − z̄)·(zⱼ − z̄) of two rows, counted without those of weight 0. */
    public double product(int i, int j) {
        int first = Math.min(i, j);
        return products[Triangle.start(first, matrixSize()) + Math.max(i, j) - first];
    }

    /** Writes the products plus lambda on the diagonal, upper triangle of a row-major n×n matrix, to an array. */
    public void copyProducts(double lambda, double[] to) {
        int n = matrixSize();
        for (int i = 0; i < n; i++) {
            System.arraycopy(products, Triangle.start(i, n), to, i * n + i, n - i);
            to[i * n + i] += lambda;
        }
    }

    /** The combinations Σᵢ aᵢ √wᵢ (zᵢ − z̄) of the rows: D×outputs, of coefficients in n×outputs, both row-major. */
    public double[] combine(double[] coefficients, int outputs) {
        int n = matrixSize();
        double[] weighted = new double[n * outputs];
        double[] sums = new double[outputs];
        for (int i = 0; i < n; i++) {
            for (int o = 0; o < outputs; o++) {
                weighted[i * outputs + o] = roots[i] * coefficients[i * outputs + o];
                sums[o] += weighted[i * outputs + o];
            }
        }
        double[] combined = features.multiplyTransposed(weighted, outputs);
        for (int j = 0; j < mean.length; j++) {
            for (int o = 0; o < outputs; o++) {
                combined[j * outputs + o] -= sums[o] * mean[j];
            }
        }
        return combined;
    }
}
