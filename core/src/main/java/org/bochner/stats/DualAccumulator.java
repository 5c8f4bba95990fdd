package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.data.SparseRows;
import org.bochner.numeric.Workers;

/**
 * Keeps the sparse features of all rows, for {@link DualStatistics}: where rows are fewer than features, their inner
 * products are a smaller matrix than that of the features.
 *
 * <p>Memory: 8 bytes a non-zero, and {@link #bytesNeeded} for what follows. Threads: not safe.
 */
public final class DualAccumulator {
    /** A square matrix of more has no array. */
    private static final int MOST_ROWS = 46_340;

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

    /** A copy of some rows, those of weight 0 left out. */
    private static final class Part {
        final int rows;
        final int[] starts;
        final int[] indices;
        final float[] values;
        final double[] weights;
        final double[] targets;
        final long[] groups;

        Part(SparseRows block, RowWeights rowWeights) {
            int targetCount = block.targets();
            int[] newStarts = new int[block.rows() + 1];
            int[] newIndices = new int[block.entries()];
            float[] newValues = new float[block.entries()];
            double[] newWeights = new double[block.rows()];
            double[] newTargets = new double[block.rows() * targetCount];
            long[] newGroups = new long[block.rows()];
            int count = 0;
            int end = 0;
            for (int i = 0; i < block.rows(); i++) {
                double weight = rowWeights.weight(block, i);
                if (weight == 0) {
                    continue;
                }
                int start = block.starts()[i];
                int length = block.starts()[i + 1] - start;
                System.arraycopy(block.indices(), start, newIndices, end, length);
                System.arraycopy(block.values(), start, newValues, end, length);
                for (int t = 0; t < targetCount; t++) {
                    newTargets[count * targetCount + t] = block.target(i, t);
                }
                newGroups[count] = block.group(i);
                newWeights[count++] = weight;
                end += length;
                newStarts[count] = end;
            }
            rows = count;
            starts = newStarts;
            indices = newIndices;
            values = newValues;
            weights = newWeights;
            targets = newTargets;
            groups = newGroups;
        }

        int entries() {
            return starts[rows];
        }
    }

    /** Adds the features of some rows, which are copied. */
    public void add(SparseRows block) {
        Require.that(!frozen, "DualAccumulator", "nothing can be added after freeze()");
        Require.sameSize("DualAccumulator", "features", block.columns(), features);
        Part part = new Part(block, rowWeights);
        rows += block.rows();
        kept = Math.addExact(kept, part.rows);
        entries += part.entries();
        parts.add(part);
    }

    /** How many rows were added. */
    public long rows() {
        return rows;
    }

    /** How many non-zeros they have. */
    public long entries() {
        return entries;
    }

    /** The inner products of the rows added. They are the only ones: nothing can be added afterwards. */
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
        SparseFeatures sparse = new SparseFeatures(features, starts, indices, values);
        return new DualStatistics(labels, sparse, rows, weights, targets, groups, workers);
    }

    /** Fails where the inner products of so many rows are more than an array holds. */
    public static void requireMatrixSize(long rows) {
        if (rows > MOST_ROWS) {
            throw new BochnerException("the inner products of " + rows + " rows are more than the 2^31 numbers an array"
                    + " can hold; use " + MOST_ROWS + " rows or fewer, or a map with at most as many features");
        }
    }

    /**
     * Bytes that collecting so many rows with so many non-zeros, their inner products and a ridge solution need: the
     * products' triangle and a square to factor, 12·n², and the non-zeros twice, 16 bytes each.
     */
    public static long bytesNeeded(long rows, long entries, int features, int targets, int threads) {
        double square = (double) rows * rows;
        double solve = 8 * square + 8.0 * targets * (3.0 * features + 3.0 * rows) + threads * 8.0 * 192 * rows;
        return (long) (4 * square + 16.0 * entries + solve);
    }
}
