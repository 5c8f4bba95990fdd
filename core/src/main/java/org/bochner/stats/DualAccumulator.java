package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.SparseRows;
import org.bochner.numeric.Workers;

/**
 * Collects the sparse features of all rows for {@link DualStatistics}. With fewer rows than features, the matrix of the
 * rows' inner products is smaller than the Gram matrix of the features.
 *
 * <p>Memory: 8 bytes per non-zero; {@link #bytesNeeded} includes the inner products and the solution. Threads: not
 * safe.
 */
public final class DualAccumulator {
    /** The largest size of a square matrix that fits into one array. */
    static final int MOST_ROWS = 46_340;

    private final int features;
    private final Labels labels;
    private final RowWeights rowWeights;
    private final List<Part> parts = new ArrayList<>();
    private long rows;
    private long entries;
    private int kept;
    private boolean frozen;

    public DualAccumulator(int features, Labels labels, ClassWeights classWeights) {
        this.features = Require.atLeast("DualAccumulator", "features", features, 1);
        this.labels = labels;
        rowWeights = new RowWeights(labels, classWeights);
    }

    /** A copy of some rows without those of weight 0. */
    private static final class Part {
        final int[] starts;
        final int[] indices;
        final float[] values;
        final double[] weights;
        final double[] targets;
        final long[] groups;
        int rows;

        Part(SparseRows block, RowWeights rowWeights) {
            int targetCount = block.targets();
            starts = new int[block.rows() + 1];
            indices = new int[block.entries()];
            values = new float[block.entries()];
            weights = new double[block.rows()];
            targets = new double[block.rows() * targetCount];
            groups = new long[block.rows()];
            for (int i = 0; i < block.rows(); i++) {
                double weight = rowWeights.weight(block, i);
                if (weight == 0) {
                    continue;
                }
                int start = block.starts()[i];
                int length = block.starts()[i + 1] - start;
                System.arraycopy(block.indices(), start, indices, entries(), length);
                System.arraycopy(block.values(), start, values, entries(), length);
                for (int t = 0; t < targetCount; t++) {
                    targets[rows * targetCount + t] = block.target(i, t);
                }
                groups[rows] = block.group(i);
                weights[rows] = weight;
                starts[rows + 1] = entries() + length;
                rows++;
            }
        }

        int entries() {
            return starts[rows];
        }
    }

    /** Adds a copy of the features of some rows. */
    public void add(SparseRows block) {
        Require.that(!frozen, "DualAccumulator", "nothing can be added after freeze()");
        Require.sameSize("DualAccumulator", "features", block.columns(), features);
        Part part = new Part(block, rowWeights);
        rows += block.rows();
        kept = Math.addExact(kept, part.rows);
        entries += part.entries();
        parts.add(part);
    }

    /** Returns the number of rows added. */
    public long rows() {
        return rows;
    }

    /** Returns the number of non-zero features of the rows with a weight. */
    public long entries() {
        return entries;
    }

    /** Computes the inner products of the rows. Nothing can be added afterwards. */
    public DualStatistics freeze(Workers workers) {
        Require.that(!frozen, "DualAccumulator", "freeze() was called already");
        frozen = true;
        requireMatrixSize(kept);
        if (entries > Integer.MAX_VALUE - 8) {
            throw new BochnerException("the features of " + rows + " rows have " + entries
                    + " non-zeros, and an array holds 2^31 at most; use fewer rows or features");
        }
        int targetCount = labels.targets();
        int[] starts = new int[kept + 1];
        int[] indices = new int[(int) entries];
        float[] values = new float[(int) entries];
        double[] weights = new double[kept];
        double[] targets = new double[Math.multiplyExact(kept, targetCount)];
        long[] groups = new long[kept];
        int row = 0;
        int end = 0;
        for (Part part : parts) {
            System.arraycopy(part.indices, 0, indices, end, part.entries());
            System.arraycopy(part.values, 0, values, end, part.entries());
            System.arraycopy(part.weights, 0, weights, row, part.rows);
            System.arraycopy(part.targets, 0, targets, row * targetCount, part.rows * targetCount);
            System.arraycopy(part.groups, 0, groups, row, part.rows);
            for (int i = 0; i < part.rows; i++) {
                starts[row + i + 1] = end + part.starts[i + 1];
            }
            row += part.rows;
            end += part.entries();
        }
        parts.clear();
        SparseFeatures sparse = new SparseFeatures(kept, features, starts, indices, values);
        return new DualStatistics(labels, new SparseDualRows(sparse), rows, weights, targets, groups, workers);
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
     * triangle of the products and the square matrix to factor, and 16 bytes per non-zero, which are held twice.
     */
    public static long bytesNeeded(long rows, long entries, int features, int targets, int threads) {
        double square = (double) rows * rows;
        double solve = 8 * square + 8.0 * targets * (3.0 * features + 3.0 * rows) + threads * 8.0 * 192 * rows;
        return (long) (4 * square + 16.0 * entries + solve);
    }
}
