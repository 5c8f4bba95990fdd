package org.bochner.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.Labels;
import org.bochner.data.PartedRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.columns.Domain;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.fit.ScaledRows;

/**
 * The scaled rows of a source, in memory, with their targets and weights: the data of exact kernel machines. Rows of
 * weight 0 are left out.
 *
 * <p>Memory: {@link #bytes}. Threads: safe; immutable.
 *
 * @param rows the rows in a block of their own, which must not be changed; the weights include the factors of the classes
 * @param read the number of rows read
 */
public record ExactRows(RowBlock rows, Labels labels, long read) {
    private static final List<String> REMEDIES = List.of(
            "use the map landmarks(2000), whose memory does not grow with the rows", "use a random sample of the rows");

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
        PartedRows.requireReadable(source, "an exact machine");
        UnaryOperator<RowBlock> scaling = scaler.forBlocks();
        RowWeights weighing = new RowWeights(source.labels(), classWeights);
        RowBlockBuilder all = new RowBlockBuilder();
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
                    all.beginLike(scaled, true);
                }
                stored += sparse ? ((SparseRows) scaled).entries() : (long) scaled.rows() * scaled.columns();
                int rows = all.rows() + scaled.rows();
                requireMemory(source.name(), rows, bytes(rows, (double) stored, sparse));
                weighing.copyWeighed(scaled, all);
                read += scaled.rows();
            }
        } catch (RowException e) {
            throw ScaledRows.located(source, e, scaler.scaling());
        }
        if (all.rows() == 0) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a row weight above 0");
        }
        return new ExactRows(compact(all.build()), source.labels(), read);
    }

    /** Returns a copy without spare memory: sparse if less than a third of the values is not zero. */
    public static RowBlock compact(RowBlock block) {
        int n = block.rows();
        int columns = block.columns();
        if (block instanceof SparseRows sparse) {
            int entries = sparse.entries();
            return SparseRows.like(
                    block,
                    columns,
                    Arrays.copyOf(sparse.starts(), n + 1),
                    Arrays.copyOf(sparse.indices(), entries),
                    Arrays.copyOf(sparse.values(), entries));
        }
        float[] all = ((DenseRows) block).values();
        int[] starts = new int[n + 1];
        for (int i = 0; i < n; i++) {
            starts[i + 1] = starts[i];
            for (int at = i * columns; at < (i + 1) * columns; at++) {
                starts[i + 1] += all[at] != 0 ? 1 : 0;
            }
        }
        if (3L * starts[n] >= (long) n * columns) {
            return DenseRows.like(block, columns, Arrays.copyOf(all, n * columns));
        }
        int[] indices = new int[starts[n]];
        float[] values = new float[starts[n]];
        int entry = 0;
        for (int at = 0; at < n * columns; at++) {
            if (all[at] != 0) {
                indices[entry] = at % columns;
                values[entry++] = all[at];
            }
        }
        return SparseRows.like(block, columns, starts, indices, values);
    }

    /**
     * Throws if the matrix of all kernel values between a number of rows exceeds the memory, or the length of arrays.
     *
     * @param near true if a tree can find the near rows
     */
    public static void requireMatrix(String name, long rows, double bytes, boolean near) {
        List<String> remedies = new ArrayList<>();
        if (near) {
            remedies.add("use the map none(products=tree), which stores no kernel values and is fast with few columns");
            remedies.add("use the map none(threshold=1e-6), which stores the values between near rows");
        }
        remedies.addAll(REMEDIES);
        MemoryBudget.whole()
                .require(
                        bytes,
                        name + ": an exact machine of " + rows + " rows, with all kernel values between them,",
                        remedies.toArray(String[]::new));
        if (rows > DualAccumulator.MOST_ROWS) {
            throw new BochnerException(
                    name + ": the kernel values between " + rows
                            + " rows are more than the 2^31 numbers an array can hold",
                    remedies.stream().map(Remedy::advice).toArray(Remedy[]::new));
        }
    }

    /** Throws if an exact machine of a number of rows exceeds the memory. */
    public static void requireMemory(String name, long rows, double bytes) {
        MemoryBudget.whole()
                .require(bytes, name + ": an exact machine of " + rows + " rows", REMEDIES.toArray(String[]::new));
    }

    /** Returns the number of rows with a weight. */
    public int count() {
        return rows.rows();
    }

    /** Returns the sum of the row weights. */
    public double totalWeight() {
        return IntStream.range(0, count()).mapToDouble(rows::rowWeight).sum();
    }

    /** Returns the statistics of kernel ridge regression; computes all kernel values between the rows. */
    public DualStatistics statistics(Kernel kernel, Workers workers) {
        return new DualStatistics(labels, new KernelRows(kernel, rows), read, rows, workers);
    }
}
