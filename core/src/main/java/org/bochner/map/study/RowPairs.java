package org.bochner.map.study;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.fourier.FourierForm;
import org.bochner.random.Seed;
import org.bochner.random.law.Samplers;

/**
 * Pairs of different sampled rows, with the exact values of a kernel and of its terms. All maps of the kernel are
 * measured on them.
 */
public final class RowPairs {
    /** The most values that are read for kernels that cost all columns of the rows: a few seconds. */
    private static final long MOST_VALUES = 400_000_000;

    private final Kernel kernel;
    private final RowSample rows;
    private final int maxPairs;
    private final Seed seed;
    private final RowBlock block;
    private final List<KernelTerm> terms;
    /** Indices of the first and second row of each pair, alternating. */
    private final int[] pairs;

    private final double[] exact;
    private final double[][] termValues;
    /** By term: the means of k² at the offset of the rows, and of k at twice that offset. */
    private final double[] meanSquares;

    private final double[] meansAtTwice;

    /**
     * Evaluates the kernel on all pairs, or on {@code maxPairs} pairs drawn at random; on fewer where rows have very
     * many columns.
     */
    public RowPairs(Kernel kernel, RowSample rows, int maxPairs, Seed seed) {
        Require.atLeast("map error", "pairs", maxPairs, 1);
        if (rows.rows() < 2) {
            throw new BochnerException("map error: needs at least 2 rows, got " + rows.rows());
        }
        this.kernel = kernel;
        this.rows = rows;
        this.maxPairs = maxPairs;
        this.seed = seed;
        block = rows.block();
        terms = KernelTerm.of(kernel, rows.columns());
        boolean sparse = terms.stream().allMatch(KernelTerm::sparse);
        long affordable = sparse ? maxPairs : Math.max(1000, MOST_VALUES / (2L * terms.size() * rows.columns()));
        pairs = Samplers.pairs(seed.derive("pairs").stream(), rows.rows(), (int) Math.min(maxPairs, affordable));
        exact = new double[pairs.length / 2];
        termValues = new double[terms.size()][exact.length];
        meanSquares = new double[terms.size()];
        meansAtTwice = new double[terms.size()];
        for (int t = 0; t < terms.size(); t++) {
            KernelTerm term = terms.get(t);
            for (int p = 0; p < exact.length; p++) {
                KernelTerm.Values values = term.values(rows, first(p), second(p));
                termValues[t][p] = values.atOffset();
                exact[p] += term.factor() * values.atOffset();
                meanSquares[t] += values.atOffset() * values.atOffset() / exact.length;
                meansAtTwice[t] += values.atTwice() / exact.length;
            }
        }
    }

    /** Returns the pairs of at most a number of the rows. */
    public RowPairs within(int count) {
        return count >= rows.rows() ? this : new RowPairs(kernel, rows.thinned(count), maxPairs, seed);
    }

    public Kernel kernel() {
        return kernel;
    }

    public RowSample rows() {
        return rows;
    }

    /** Returns all rows of the sample. */
    public RowBlock block() {
        return block;
    }

    public List<KernelTerm> terms() {
        return terms;
    }

    /** Returns the number of pairs. */
    public int count() {
        return exact.length;
    }

    public int first(int p) {
        return pairs[2 * p];
    }

    public int second(int p) {
        return pairs[2 * p + 1];
    }

    /** Returns the exact value of the kernel. */
    public double exact(int p) {
        return exact[p];
    }

    /** Returns the exact value of a term, without its factor. */
    public double exact(int term, int p) {
        return termValues[term][p];
    }

    /** Returns the mean over the pairs of the variance of ⟨φ(x), φ(y)⟩, times the number of independent features. */
    public double unitVariance(int term, FourierForm form) {
        // The variance is linear in k² and in k at twice the offset.
        return form.variance(Math.sqrt(meanSquares[term]), meansAtTwice[term], 1);
    }
}
