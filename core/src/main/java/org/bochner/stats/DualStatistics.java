package org.bochner.stats;

import java.util.Arrays;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.Vectors;

/**
 * The statistics of ridge regression in its dual form: all rows, as sparse features or as points of the space of a
 * kernel, and their inner products. The weights are a linear combination of the rows, and the matrix to factor is n×n
 * instead of D×D. The solution with features equals that of {@link GramStatistics}.
 *
 * <p>Rows are centred and multiplied by the square root of their weight; rows of weight 0 are left out. Products are
 * computed in float64, with an error of a few 2⁻⁵³·(|zᵢ|·|zⱼ| + |z̄|²). Sparse features are 0 in most rows, their
 * mean is small, and centring after multiplying loses no accuracy; kernel values have the error of float64.
 *
 * <p>Memory: 4·n² bytes, and 8 bytes per non-zero of the rows. Threads: safe; immutable.
 */
public final class DualStatistics extends Statistics {
    private final DualRows rows;
    private final double[] roots;
    private final RowBlock block;
    /** √w (y − ȳ): n values per target. */
    private final double[] centredTargets;

    private final double[] products;

    /** Creates statistics of a number of rows read; the block contains those with a weight, with targets and groups. */
    DualStatistics(Labels labels, DualRows rows, long read, RowBlock block, Workers workers) {
        super(labels, Moments.withoutProducts(rows.features(), targets(labels)));
        this.rows = rows;
        this.block = block;
        int n = block.rows();
        moments.rows = read;
        moments.weighedRows = n;
        roots = new double[n];
        for (int i = 0; i < n; i++) {
            roots[i] = Math.sqrt(block.rowWeight(i));
            moments.weight += block.rowWeight(i);
        }
        centredTargets = new double[Math.multiplyExact(targets(), n)];
        for (int t = 0; t < targets(); t++) {
            centreTarget(t);
        }
        products = rows.products(workers);
        double[] shares = new double[n];
        Arrays.setAll(shares, this::share);
        System.arraycopy(rows.mean(shares, products, workers), 0, moments.mean, 0, moments.mean.length);
        centreProducts(shares, workers);
    }

    private void centreTarget(int t) {
        int n = matrixSize();
        for (int i = 0; i < n; i++) {
            double target = labels() instanceof Labels.Classes ? (block.target(i, 0) == t ? 1 : 0) : block.target(i, t);
            centredTargets[t * n + i] = target;
            moments.targetMean[t] += block.rowWeight(i) * target / moments.weight;
        }
        for (int i = 0; i < n; i++) {
            double centred = roots[i] * (centredTargets[t * n + i] - moments.targetMean[t]);
            centredTargets[t * n + i] = centred;
            moments.targetScatter[t] += centred * centred;
        }
    }

    /** Replaces zᵢ·zⱼ by √wᵢ√wⱼ (zᵢ − z̄)·(zⱼ − z̄). */
    private void centreProducts(double[] shares, Workers workers) {
        int n = matrixSize();
        double[] withMean = rows.withMean(moments.mean);
        double ofMean = Vectors.dot(shares, withMean);
        workers.each(n, i -> {
            int start = Triangle.start(i, n) - i;
            for (int j = i; j < n; j++) {
                products[start + j] = roots[i] * roots[j] * (products[start + j] - withMean[i] - withMean[j] + ofMean);
            }
        });
    }

    @Override
    public int matrixSize() {
        return rows.rows();
    }

    @Override
    public double scatterTrace() {
        double trace = 0;
        for (int i = 0; i < matrixSize(); i++) {
            trace += products[Triangle.start(i, matrixSize())];
        }
        return trace;
    }

    /** Returns the n values √w (y − ȳ) of a target. */
    public double[] centredTarget(int target) {
        return Arrays.copyOfRange(centredTargets, target * matrixSize(), (target + 1) * matrixSize());
    }

    /** Returns the {@linkplain org.bochner.data.RowBlock#group group} of row i among the rows with a weight. */
    public long group(int i) {
        return block.group(i);
    }

    /** Returns the square root of the weight of row i. */
    public double root(int i) {
        return roots[i];
    }

    /** Returns the share of row i in the weight of all rows. */
    public double share(int i) {
        return roots[i] * roots[i] / moments.weight;
    }

    /**
     * Writes the products √wᵢ√wⱼ (zᵢ − z̄)·(zⱼ − z̄), plus lambda on the diagonal, into the upper triangle of a row-major
     * n×n matrix. Indices count only rows with a weight.
     */
    public void copyProducts(double lambda, double[] to) {
        int n = matrixSize();
        for (int i = 0; i < n; i++) {
            System.arraycopy(products, Triangle.start(i, n), to, i * n + i, n - i);
            to[i * n + i] += lambda;
        }
    }

    /**
     * Writes the products of row {@code chosen[i]} with the chosen rows from {@code chosen[i]} on; the chosen rows ascend.
     */
    public void copyProducts(int[] chosen, int i, double[] to, int at) {
        int row = Triangle.start(chosen[i], matrixSize()) - chosen[i];
        for (int j = i; j < chosen.length; j++) {
            to[at + j - i] = products[row + chosen[j]];
        }
    }

    /** Returns the products of some rows, ascending, with all rows, times X, n×columns; row-major. */
    public double[] times(int[] chosen, double[] x, int columns, Workers workers) {
        return Triangle.times(products, matrixSize(), chosen, x, columns, workers);
    }

    /**
     * Returns the weights of the features for the vector Σᵢ aᵢ √wᵢ (zᵢ − z̄), features×outputs, for coefficients a in
     * n×outputs; both row-major.
     */
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
        for (int i = 0; i < n; i++) {
            for (int o = 0; o < outputs; o++) {
                weighted[i * outputs + o] -= sums[o] * share(i);
            }
        }
        return rows.combine(weighted, outputs);
    }
}
