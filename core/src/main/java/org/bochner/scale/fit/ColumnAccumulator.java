package org.bochner.scale.fit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.bochner.base.DataException;
import org.bochner.base.Require;
import org.bochner.base.binary.Numbers;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.numeric.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Accumulates the weighted mean, the variance, the smallest and the largest value of each column from blocks of rows.
 * Two accumulators merge to that of all their rows.
 *
 * <p>All sums are float64. Deviations are taken from the mean of their block, and means and deviations merge by the
 * formula of Chan, Golub and LeVeque (1983): with δ = μ₂ − μ₁ and W = W₁ + W₂,
 *
 * <pre>
 *   μ = μ₁ + δ·W₂/W,   S = S₁ + S₂ + δ²·W₁·W₂/W
 * </pre>
 *
 * so a large mean costs no precision. Rows of weight 0 do not count, not even for the smallest value. Columns that are
 * sketched have quantiles too.
 *
 * <p>Cost: a few operations per value, or per non-zero of sparse blocks, plus a few per column and block. Memory: 4
 * numbers per column, and up to 35 kB per sketched column with more than 2,048 different values.
 *
 * <p>Threads: not safe.
 */
public final class ColumnAccumulator {
    // Enough values in a block to keep a worker busy for a millisecond, few enough for the cache.
    private static final int BLOCK_VALUES = 1 << 18;
    private static final int MOST_ROWS = 4096;

    private final int columns;
    private double totalRowWeight;
    private final double[] mean;
    private final double[] squares;
    private final double[] smallest;
    private final double[] largest;
    /** One sketch per sketched column, null for others; empty if no column is sketched. */
    private final @Nullable QuantileSketch[] sketches;

    /** Creates an accumulator without quantiles. */
    public ColumnAccumulator(int columns) {
        this(columns, new BitSet());
    }

    /**
     * Creates an accumulator.
     *
     * @param sketched the columns that need quantiles
     */
    public ColumnAccumulator(int columns, BitSet sketched) {
        this.columns = Require.atLeast("ColumnAccumulator", "columns", columns, 0);
        mean = new double[columns];
        squares = new double[columns];
        smallest = new double[columns];
        largest = new double[columns];
        sketches = new QuantileSketch[sketched.isEmpty() ? 0 : columns];
        sketched.stream().forEach(j -> sketches[j] = new QuantileSketch());
        clear();
    }

    /**
     * Reads a source once. The size of blocks depends only on the number of columns, and blocks merge in order:
     * the result does not depend on the number of threads.
     *
     * @param sketched the columns that need quantiles
     */
    public static ColumnAccumulator of(RowSource source, BitSet sketched, Workers workers) {
        ColumnAccumulator total = new ColumnTask(source.columns(), sketched).over(source, workers);
        if (!(total.totalRowWeight > 0)) {
            throw DataException.in(source.name(), "no rows, or none with a row weight above 0, to fit a scaling to");
        }
        for (int j = 0; j < total.columns; j++) {
            if (!(Math.abs(total.mean[j]) < Double.POSITIVE_INFINITY)) {
                throw DataException.in(source.name(), "column " + j + " (from 0) holds a value that is not finite");
            }
        }
        return total;
    }

    /** Reads the rows of a part, of which there may be none. */
    static ColumnAccumulator read(RowSource source, BitSet sketched, Workers workers) {
        int columns = source.columns();
        int blockRows = source.sparse() ? MOST_ROWS : Math.max(1, Math.min(MOST_ROWS, BLOCK_VALUES / (columns + 1)));
        requireMemory(source.sparse(), sketched.cardinality(), blockRows, workers.threads(), MemoryBudget.whole());
        ColumnAccumulator total = new ColumnAccumulator(columns, sketched);
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    RowBlockBuilder::new,
                    block -> cursor.next(block, blockRows),
                    () -> new ColumnAccumulator(columns, sketched),
                    (block, own) -> own.set(block.build()),
                    (block, own) -> total.merge(own));
        }
        return total;
    }

    /**
     * Fails if there is too little memory for the sketches of all rows and of a block per thread. Most columns of sparse rows have
     * few different values, so only the least size of their sketches is counted.
     */
    static void requireMemory(boolean sparse, int sketched, int blockRows, int threads, MemoryBudget budget) {
        double total = QuantileSketch.bytesNeeded(sparse ? 1 : QuantileSketch.MOST_EXACT);
        double block = QuantileSketch.bytesNeeded(sparse ? 1 : blockRows);
        budget.require(
                sketched * (total + threads * block),
                "quantiles of " + sketched + " columns",
                sparse
                        ? "use standard(uncentred), which needs no quantiles"
                        : "use standard, which needs no quantiles");
    }

    /** Removes all rows. */
    public void clear() {
        totalRowWeight = 0;
        Arrays.fill(mean, 0);
        Arrays.fill(squares, 0);
        Arrays.fill(smallest, Double.POSITIVE_INFINITY);
        Arrays.fill(largest, Double.NEGATIVE_INFINITY);
        for (QuantileSketch sketch : sketches) {
            if (sketch != null) {
                sketch.clear();
            }
        }
    }

    /** Replaces the statistics by those of one block. */
    public void set(RowBlock rows) {
        Require.sameSize("ColumnAccumulator", "columns", rows.columns(), columns);
        clear();
        for (int i = 0; i < rows.rows(); i++) {
            totalRowWeight += rows.rowWeight(i);
        }
        if (totalRowWeight == 0) {
            return;
        }
        if (rows instanceof SparseRows sparse) {
            setSparse(sparse);
        } else {
            setDense((DenseRows) rows);
        }
    }

    private void setDense(DenseRows rows) {
        float[] values = rows.values();
        double[] from = rows.origin();
        double[] origin = from == null ? new double[columns] : from;
        for (int i = 0; i < rows.rows(); i++) {
            double w = rows.rowWeight(i);
            int start = rows.offset() + i * rows.stride();
            for (int j = 0; w > 0 && j < columns; j++) {
                double value = values[start + j] + origin[j];
                mean[j] += w * value;
                smallest[j] = Math.min(smallest[j], value);
                largest[j] = Math.max(largest[j], value);
            }
        }
        for (int j = 0; j < columns; j++) {
            mean[j] /= totalRowWeight;
        }
        for (int i = 0; i < rows.rows(); i++) {
            double w = rows.rowWeight(i);
            int start = rows.offset() + i * rows.stride();
            for (int j = 0; w > 0 && j < columns; j++) {
                double deviation = values[start + j] + origin[j] - mean[j];
                squares[j] += w * (deviation * deviation);
            }
        }
        long[] sorted = new long[sketches.length == 0 ? 0 : rows.rows()];
        for (int j = 0; j < sketches.length; j++) {
            QuantileSketch sketch = sketches[j];
            if (sketch == null) {
                continue;
            }
            for (int i = 0; i < sorted.length; i++) {
                sorted[i] = sortable(values[rows.offset() + i * rows.stride() + j], i);
            }
            Arrays.sort(sorted);
            for (long entry : sorted) {
                int i = (int) entry;
                sketch.append(values[rows.offset() + i * rows.stride() + j] + origin[j] + 0.0, rows.rowWeight(i));
            }
            sketch.bound();
        }
    }

    /** Returns a number in whose order floats ascend, with an index in its lower half. */
    private static long sortable(float value, int index) {
        int bits = Float.floatToIntBits(value + 0f);
        return ((long) (bits ^ ((bits >> 31) & Integer.MAX_VALUE)) << 32) | index;
    }

    /** Sketches the columns of sparse rows: the entries of each column in ascending order, with its zeros between. */
    private void sketch(SparseRows rows, double[] presentWeight, int[] presentRows, int counted) {
        int[] next = new int[columns + 1];
        int entries = rows.starts()[rows.rows()];
        for (int e = 0; e < entries; e++) {
            next[rows.indices()[e] + 1]++;
        }
        for (int j = 0; j < columns; j++) {
            next[j + 1] += next[j];
        }
        int[] firsts = next.clone();
        long[] sorted = new long[entries];
        int[] rowOf = new int[entries];
        for (int i = 0; i < rows.rows(); i++) {
            for (int e = rows.starts()[i]; e < rows.starts()[i + 1]; e++) {
                sorted[next[rows.indices()[e]]++] = sortable(rows.values()[e], e);
                rowOf[e] = i;
            }
        }
        for (int j = 0; j < columns; j++) {
            QuantileSketch sketch = sketches[j];
            if (sketch == null) {
                continue;
            }
            Arrays.sort(sorted, firsts[j], firsts[j + 1]);
            double zeros = presentRows[j] < counted ? Math.max(0, totalRowWeight - presentWeight[j]) : 0;
            for (int k = firsts[j]; k < firsts[j + 1]; k++) {
                int e = (int) sorted[k];
                if (rows.values()[e] >= 0 && zeros > 0) {
                    sketch.append(0, zeros);
                    zeros = 0;
                }
                sketch.append(rows.values()[e] + 0.0, rows.rowWeight(rowOf[e]));
            }
            sketch.append(0, zeros);
            sketch.bound();
        }
    }

    private void setSparse(SparseRows rows) {
        double[] presentWeight = new double[columns];
        int[] presentRows = new int[columns];
        int counted = 0;
        int[] indices = rows.indices();
        float[] values = rows.values();
        for (int i = 0; i < rows.rows(); i++) {
            double w = rows.rowWeight(i);
            counted += w > 0 ? 1 : 0;
            for (int e = rows.starts()[i]; w > 0 && e < rows.starts()[i + 1]; e++) {
                int j = indices[e];
                mean[j] += w * values[e];
                presentWeight[j] += w;
                presentRows[j]++;
                smallest[j] = Math.min(smallest[j], values[e]);
                largest[j] = Math.max(largest[j], values[e]);
            }
        }
        for (int j = 0; j < columns; j++) {
            mean[j] /= totalRowWeight;
        }
        for (int i = 0; i < rows.rows(); i++) {
            double w = rows.rowWeight(i);
            for (int e = rows.starts()[i]; w > 0 && e < rows.starts()[i + 1]; e++) {
                double deviation = values[e] - mean[indices[e]];
                squares[indices[e]] += w * (deviation * deviation);
            }
        }
        // Entries that are not stored are zeros.
        for (int j = 0; j < columns; j++) {
            if (presentRows[j] < counted) {
                squares[j] += Math.max(0, totalRowWeight - presentWeight[j]) * (mean[j] * mean[j]);
                smallest[j] = Math.min(smallest[j], 0);
                largest[j] = Math.max(largest[j], 0);
            }
        }
        if (sketches.length > 0) {
            sketch(rows, presentWeight, presentRows, counted);
        }
    }

    /** Adds the rows of another accumulator, which is not changed. */
    public void merge(ColumnAccumulator other) {
        Require.sameSize("ColumnAccumulator", "columns", other.columns, columns);
        if (other.totalRowWeight == 0) {
            return;
        }
        double total = totalRowWeight + other.totalRowWeight;
        for (int j = 0; j < columns; j++) {
            double delta = other.mean[j] - mean[j];
            mean[j] += delta * (other.totalRowWeight / total);
            squares[j] += other.squares[j] + delta * delta * (totalRowWeight * (other.totalRowWeight / total));
            smallest[j] = Math.min(smallest[j], other.smallest[j]);
            largest[j] = Math.max(largest[j], other.largest[j]);
        }
        for (int j = 0; j < sketches.length; j++) {
            QuantileSketch sketch = sketches[j];
            QuantileSketch added = other.sketches[j];
            if (sketch != null && added != null) {
                sketch.merge(added);
            }
        }
        totalRowWeight = total;
    }

    /** Writes the statistics as bytes, which {@link #read(DataInput)} reads. */
    void write(DataOutput to) throws IOException {
        to.writeDouble(totalRowWeight);
        for (double[] values : List.of(mean, squares, smallest, largest)) {
            Numbers.write(values, to);
        }
        for (QuantileSketch sketch : sketches) {
            if (sketch != null) {
                sketch.write(to);
            }
        }
    }

    /** Replaces the statistics by written ones of equal columns. */
    void read(DataInput from) throws IOException {
        totalRowWeight = from.readDouble();
        for (double[] values : List.of(mean, squares, smallest, largest)) {
            System.arraycopy(Numbers.readDoubles(from), 0, values, 0, columns);
        }
        for (QuantileSketch sketch : sketches) {
            if (sketch != null) {
                sketch.read(from);
            }
        }
    }

    public int columns() {
        return columns;
    }

    /** Returns the sum of the row weights, which is the number of rows if they have no weights. */
    public double totalRowWeight() {
        return totalRowWeight;
    }

    public double mean(int column) {
        return mean[column];
    }

    /** Returns the mean squared deviation from the mean: the variance of the rows, not an estimate for a population. */
    public double variance(int column) {
        return squares[column] / totalRowWeight;
    }

    /**
     * Returns a quantile of a sketched column: exact up to 2,048 different values.
     *
     * @param level between 0 and 1
     */
    public double quantile(int column, double level) {
        return sketch(column).quantile(level);
    }

    /** Returns the distribution function of a sketched column at a number of its values, at most {@code most}, about. */
    public QuantileSketch.Levels levels(int column, int most) {
        return sketch(column).levels(most);
    }

    private QuantileSketch sketch(int column) {
        return Objects.requireNonNull(sketches[column], "the column was not sketched");
    }

    public double smallest(int column) {
        return smallest[column];
    }

    public double largest(int column) {
        return largest[column];
    }
}
