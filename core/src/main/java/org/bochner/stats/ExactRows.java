package org.bochner.stats;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.columns.Domain;
import org.bochner.map.landmark.LandmarkRows;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.fit.ScaledRows;

/**
 * The scaled rows of a source, in memory, with their targets and weights: the data of exact kernel machines. Rows of
 * weight 0 are left out.
 *
 * <p>Memory: {@link #bytes}. Threads: safe; immutable.
 */
public final class ExactRows {
    private final RowBlock rows;
    private final Labels labels;
    private final double[] weights;
    private final double[] targets;
    private final long[] groups;
    private final long read;

    private ExactRows(RowBlock rows, Labels labels, double[] weights, double[] targets, long[] groups, long read) {
        this.rows = rows;
        this.labels = labels;
        this.weights = weights;
        this.targets = targets;
        this.groups = groups;
        this.read = read;
    }

    /**
     * Returns the bytes that rows take while they are read and prepared for kernel values.
     *
     * @param values the number of stored values: all of dense rows, the non-zeros of sparse rows
     */
    public static double bytes(long rows, double values, boolean sparse) {
        // Growing arrays, a copy of their size, and the prepared values.
        return (sparse ? 36.0 : 24.0) * values + 64.0 * rows;
    }

    /**
     * Reads all rows.
     *
     * @throws RowException if a row lies outside the kernel's domain
     * @throws org.bochner.base.memory.MemoryException if the rows exceed the memory
     */
    public static ExactRows load(RowSource source, Scaler scaler, Kernel kernel, ClassWeights classWeights) {
        UnaryOperator<RowBlock> scaling = scaler.forBlocks();
        RowWeights weighing = new RowWeights(source.labels(), classWeights);
        RowBlockBuilder all = new RowBlockBuilder();
        double[] weights = new double[FeaturePass.TILE_ROWS];
        long[] groups = new long[FeaturePass.TILE_ROWS];
        long read = 0;
        long stored = 0;
        try (RowCursor cursor = source.open()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            while (cursor.next(builder, FeaturePass.TILE_ROWS)) {
                RowBlock scaled = scaling.apply(builder.build()).plain();
                Domain.check(kernel, scaled);
                FiniteFeatures.requireMappable(scaled);
                boolean sparse = scaled instanceof SparseRows;
                if (read == 0) {
                    begin(all, sparse, scaled);
                }
                stored += sparse ? ((SparseRows) scaled).entries() : (long) scaled.rows() * scaled.columns();
                requireMemory(source, all.rows() + scaled.rows(), (double) stored, sparse);
                weights = grown(weights, all.rows() + scaled.rows());
                groups = grown(groups, all.rows() + scaled.rows());
                for (int i = 0; i < scaled.rows(); i++) {
                    double weight = weighing.weight(scaled, i);
                    if (weight > 0) {
                        weights[all.rows()] = weight;
                        groups[all.rows()] = scaled.group(i);
                        all.addRow(scaled, i);
                    }
                }
                read += scaled.rows();
            }
        } catch (RowException e) {
            throw ScaledRows.located(source, e, scaler.scaling());
        }
        if (all.rows() == 0) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a row weight above 0");
        }
        RowBlock block = all.build();
        int n = block.rows();
        int width = block.targets();
        double[] targets = new double[n * width];
        Arrays.setAll(targets, k -> block.target(k / width, k % width));
        return new ExactRows(
                compact(block), source.labels(), Arrays.copyOf(weights, n), targets, Arrays.copyOf(groups, n), read);
    }

    /** Returns a copy without spare memory: sparse if less than a third of the values is not zero. */
    private static RowBlock compact(RowBlock block) {
        int n = block.rows();
        double[] row = new double[block.columns()];
        int[] starts = new int[n + 1];
        for (int i = 0; i < n && block instanceof DenseRows; i++) {
            block.copyRow(i, row);
            starts[i + 1] =
                    starts[i] + (int) Arrays.stream(row).filter(x -> x != 0).count();
        }
        if (block instanceof SparseRows || 3L * starts[n] >= (long) n * block.columns()) {
            return LandmarkRows.range(block, 0, n);
        }
        int[] indices = new int[starts[n]];
        float[] values = new float[starts[n]];
        int entry = 0;
        for (int i = 0; i < n; i++) {
            block.copyRow(i, row);
            for (int l = 0; l < row.length; l++) {
                if (row[l] != 0) {
                    indices[entry] = l;
                    values[entry++] = (float) row[l];
                }
            }
        }
        return SparseRows.of(n, block.columns(), starts, indices, values);
    }

    private static void begin(RowBlockBuilder all, boolean sparse, RowBlock like) {
        if (sparse) {
            all.beginSparse(0, like.columns(), like.targets(), false);
        } else {
            all.beginDense(0, like.columns(), like.targets(), false);
        }
    }

    private static double[] grown(double[] values, int needed) {
        return needed <= values.length ? values : Arrays.copyOf(values, Math.max(needed, 2 * values.length));
    }

    private static long[] grown(long[] values, int needed) {
        return needed <= values.length ? values : Arrays.copyOf(values, Math.max(needed, 2 * values.length));
    }

    private static void requireMemory(RowSource source, long rows, double values, boolean sparse) {
        requireMemory(source.name(), rows, bytes(rows, values, sparse));
    }

    /** Throws if an exact machine of a number of rows exceeds the memory. */
    public static void requireMemory(String name, long rows, double bytes) {
        MemoryBudget.whole()
                .require(
                        bytes,
                        name + ": an exact machine of " + rows + " rows",
                        "use the map landmarks(2000), whose memory does not grow with the rows",
                        "use a random sample of the rows");
    }

    /** Returns the rows in a block of their own, which must not be changed. */
    public RowBlock rows() {
        return rows;
    }

    /** Returns the number of rows with a weight. */
    public int count() {
        return weights.length;
    }

    /** Returns the number of rows read. */
    public long read() {
        return read;
    }

    public Labels labels() {
        return labels;
    }

    /** Returns the weight of row i, including the factor of its class. */
    public double weight(int i) {
        return weights[i];
    }

    /** Returns the sum of the row weights. */
    public double totalWeight() {
        return Arrays.stream(weights).sum();
    }

    /** Returns target t of row i: a number, or the index of a class. */
    public double target(int i, int t) {
        return targets[i * (targets.length / weights.length) + t];
    }

    /** Returns the statistics of kernel ridge regression; computes all kernel values between the rows. */
    public DualStatistics statistics(Kernel kernel, Workers workers) {
        return new DualStatistics(
                labels, new KernelRows(kernel, rows), read, weights.clone(), targets.clone(), groups.clone(), workers);
    }
}
