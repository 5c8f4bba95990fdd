package org.bochner.stats;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.SparseRows;
import org.bochner.numeric.Workers;

/**
 * Collects the sparse features of all rows for {@link DualStatistics}. With fewer rows than features, the matrix of the
 * rows' inner products is smaller than the Gram matrix of the features.
 *
 * <p>Memory: 8 to 12 bytes per non-zero; {@link #bytesNeeded} includes the inner products and the solution. Threads: not
 * safe.
 */
public final class DualAccumulator {
    /** The largest size of a square matrix that fits into one array. */
    public static final int MOST_ROWS = 46_340;

    private final int features;
    private final Labels labels;
    private final RowWeights rowWeights;
    private final RowBlockBuilder kept = new RowBlockBuilder();
    private long rows;
    private boolean frozen;

    public DualAccumulator(int features, Labels labels, ClassWeights classWeights) {
        this.features = Require.atLeast("DualAccumulator", "features", features, 1);
        this.labels = labels;
        rowWeights = new RowWeights(labels, classWeights);
        kept.beginSparse(0, features, labels.targets(), true);
    }

    /** Adds a copy of the features of some rows. */
    public void add(SparseRows block) {
        Require.that(!frozen, "DualAccumulator", "nothing can be added after freeze()");
        Require.sameSize("DualAccumulator", "features", block.columns(), features);
        rows += block.rows();
        if (entries() + block.entries() > Integer.MAX_VALUE - 8) {
            throw new BochnerException("the features of " + rows + " rows have " + (entries() + block.entries())
                    + " non-zeros, and an array holds 2^31 at most; use fewer rows or features");
        }
        rowWeights.copyWeighed(block, kept);
    }

    /** Returns the number of rows added. */
    public long rows() {
        return rows;
    }

    /** Returns the number of non-zero features of the rows with a weight. */
    public long entries() {
        return ((SparseRows) kept.build()).entries();
    }

    /** Computes the inner products of the rows. Nothing can be added afterwards. */
    public DualStatistics freeze(Workers workers) {
        Require.that(!frozen, "DualAccumulator", "freeze() was called already");
        frozen = true;
        requireMatrixSize(kept.rows());
        SparseRows block = (SparseRows) kept.build();
        return new DualStatistics(labels, new SparseFeatures(block), rows, block, workers);
    }

    /** Throws if the inner products of this many rows do not fit into one array. */
    public static void requireMatrixSize(long rows) {
        if (rows > MOST_ROWS) {
            throw new BochnerException("the inner products of " + rows + " rows are more than the 2^31 numbers an array"
                    + " can hold; use " + MOST_ROWS + " rows or fewer, or a map with at most as many features");
        }
    }

    /**
     * Returns the bytes needed for collecting the rows, their inner products and a ridge solution: 12·n² for the
     * triangle of the products and the square matrix to factor, and 20 bytes per non-zero: 12 in arrays that grow by
     * half, and 8 in a copy by columns.
     */
    public static long bytesNeeded(long rows, long entries, int features, int targets, int threads) {
        double square = (double) rows * rows;
        double solve = 8 * square + 8.0 * targets * (3.0 * features + 3.0 * rows) + threads * 8.0 * 192 * rows;
        return (long) (4 * square + 20.0 * entries + solve);
    }
}
