package org.bochner.kernel.columns;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.bochner.base.binary.Numbers;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.RowSample.Interval;

/**
 * The lowest, the smallest positive and the highest value of every column, over all rows shown. Zeros count whether
 * sparse rows store them or not.
 */
public final class ColumnRanges {
    private final float[] lowest;
    private final float[] positive;
    private final float[] highest;

    /** The number of stored values per column; in the other rows the value is zero. */
    private final long[] seen;

    private long rows;

    private ColumnRanges(float[] lowest, float[] positive, float[] highest, long[] seen, long rows) {
        this.lowest = lowest;
        this.positive = positive;
        this.highest = highest;
        this.seen = seen;
        this.rows = rows;
    }

    public static ColumnRanges unknown(int columns) {
        return new ColumnRanges(
                filled(columns, Float.POSITIVE_INFINITY),
                filled(columns, Float.POSITIVE_INFINITY),
                filled(columns, Float.NEGATIVE_INFINITY),
                new long[columns],
                0);
    }

    private static float[] filled(int columns, float value) {
        float[] values = new float[columns];
        Arrays.fill(values, value);
        return values;
    }

    public void add(RowBlock block) {
        rows += block.rows();
        if (block instanceof SparseRows sparse) {
            int end = sparse.starts()[sparse.rows()];
            for (int e = sparse.starts()[0]; e < end; e++) {
                add(sparse.indices()[e], sparse.values()[e]);
                seen[sparse.indices()[e]]++;
            }
            return;
        }
        DenseRows dense = (DenseRows) block;
        for (int i = 0; i < dense.rows(); i++) {
            int start = dense.offset() + i * dense.stride();
            for (int l = 0; l < highest.length; l++) {
                add(l, dense.values()[start + l]);
            }
        }
        for (int l = 0; l < seen.length; l++) {
            seen[l] += dense.rows();
        }
    }

    private void add(int column, float value) {
        if (value > highest[column]) {
            highest[column] = value;
        }
        if (value < lowest[column]) {
            lowest[column] = value;
        }
        if (value > 0 && value < positive[column]) {
            positive[column] = value;
        }
    }

    /** Adds the rows of other ranges of equal columns. */
    public void merge(ColumnRanges other) {
        rows += other.rows;
        for (int l = 0; l < seen.length; l++) {
            lowest[l] = Math.min(lowest[l], other.lowest[l]);
            positive[l] = Math.min(positive[l], other.positive[l]);
            highest[l] = Math.max(highest[l], other.highest[l]);
            seen[l] += other.seen[l];
        }
    }

    public void write(DataOutput to) throws IOException {
        Numbers.write(lowest, to);
        Numbers.write(positive, to);
        Numbers.write(highest, to);
        Numbers.write(seen, to);
        to.writeLong(rows);
    }

    public static ColumnRanges read(DataInput from) throws IOException {
        return new ColumnRanges(
                Numbers.readFloats(from),
                Numbers.readFloats(from),
                Numbers.readFloats(from),
                Numbers.readLongs(from),
                from.readLong());
    }

    /** Returns the range of the positive values of some columns; 0:0 if there are none. */
    public Interval of(int from, int to) {
        float low = Float.POSITIVE_INFINITY;
        float high = 0;
        for (int l = from; l < to; l++) {
            low = Math.min(low, positive[l]);
            high = Math.max(high, highest[l]);
        }
        return high > 0 ? new Interval(low, high) : new Interval(0, 0);
    }

    /** Returns the interval of all values of a column; empty if there are no rows. */
    public Optional<Interval> of(int column) {
        if (rows == 0) {
            return Optional.empty();
        }
        boolean zeros = seen[column] < rows;
        return Optional.of(new Interval(
                zeros ? Math.min(0, lowest[column]) : lowest[column],
                zeros ? Math.max(0, highest[column]) : highest[column]));
    }

    public ColumnRanges columns(int from, int to) {
        return new ColumnRanges(
                Arrays.copyOfRange(lowest, from, to),
                Arrays.copyOfRange(positive, from, to),
                Arrays.copyOfRange(highest, from, to),
                Arrays.copyOfRange(seen, from, to),
                rows);
    }

    public ColumnRanges copy() {
        return columns(0, highest.length);
    }
}
