package org.bochner.scale.fit;

import java.util.Arrays;
import org.bochner.base.DataException;
import org.bochner.base.Require;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.numeric.Workers;

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
 * so a large mean costs no precision. Rows of weight 0 do not count, not even for the smallest value.
 *
 * <p>Cost: a few operations per value, or per non-zero of sparse blocks, plus a few per column and block. Memory: 4
 * numbers per column.
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

    public ColumnAccumulator(int columns) {
        this.columns = Require.atLeast("ColumnAccumulator", "columns", columns, 0);
        mean = new double[columns];
        squares = new double[columns];
        smallest = new double[columns];
        largest = new double[columns];
        clear();
    }

    /**
     * Reads a source once. The size of blocks depends only on the number of columns, and blocks merge in order:
     * the result does not depend on the number of threads.
     */
    public static ColumnAccumulator of(RowSource source, Workers workers) {
        int columns = source.columns();
        int blockRows = source.sparse() ? MOST_ROWS : Math.max(1, Math.min(MOST_ROWS, BLOCK_VALUES / (columns + 1)));
        ColumnAccumulator total = new ColumnAccumulator(columns);
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    RowBlockBuilder::new,
                    block -> cursor.next(block, blockRows),
                    () -> new ColumnAccumulator(columns),
                    (block, own) -> own.set(block.build()),
                    (block, own) -> total.merge(own));
        }
        if (!(total.totalRowWeight > 0)) {
            throw DataException.in(source.name(), "no rows, or none with a row weight above 0, to fit a scaling to");
        }
        for (int j = 0; j < columns; j++) {
            if (!(Math.abs(total.mean[j]) < Double.POSITIVE_INFINITY)) {
                throw DataException.in(source.name(), "column " + j + " (from 0) holds a value that is not finite");
            }
        }
        return total;
    }

    /** Removes all rows. */
    public void clear() {
        totalRowWeight = 0;
        Arrays.fill(mean, 0);
        Arrays.fill(squares, 0);
        Arrays.fill(smallest, Double.POSITIVE_INFINITY);
        Arrays.fill(largest, Double.NEGATIVE_INFINITY);
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
        totalRowWeight = total;
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

    public double smallest(int column) {
        return smallest[column];
    }

    public double largest(int column) {
        return largest[column];
    }
}
