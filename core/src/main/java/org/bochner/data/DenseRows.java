package org.bochner.data;

import java.util.Arrays;
import org.bochner.base.Require;
import org.jspecify.annotations.Nullable;

/**
 * A block of dense rows. Value (i, j) is {@code values()[offset() + i * stride() + j]}, plus {@code origin()[j]} if the
 * block has an {@linkplain #origin origin}.
 */
public final class DenseRows extends LabelledRows {
    private final float[] values;
    private final int offset;
    private final int stride;
    private final double @Nullable [] origin;

    DenseRows(
            long firstRow,
            int rows,
            int columns,
            float[] values,
            int offset,
            int stride,
            RowLabels labels,
            double @Nullable [] origin) {
        super(firstRow, rows, columns, labels);
        this.values = values;
        this.offset = offset;
        this.stride = stride;
        this.origin = origin;
    }

    /** Creates a block without targets on a row-major array, which is not copied. */
    public static DenseRows of(int rows, int columns, float[] values) {
        Require.that(
                values.length >= (long) rows * columns,
                "DenseRows: " + rows + " x " + columns + " values are needed, got " + values.length);
        return new DenseRows(0, rows, columns, values, 0, columns, RowLabels.NONE, null);
    }

    /**
     * Creates a block of one row without targets. The origin is subtracted before the values are rounded to float32.
     *
     * @param origin one number per column, not copied; null if all are 0
     */
    public static DenseRows of(double[] row, double @Nullable [] origin) {
        float[] values = new float[row.length];
        if (origin != null) {
            Require.sameSize("DenseRows", "numbers in the origin", origin.length, row.length);
        }
        for (int j = 0; j < row.length; j++) {
            values[j] = (float) (origin == null ? row[j] : row[j] - origin[j]);
        }
        return new DenseRows(0, 1, row.length, values, 0, row.length, RowLabels.NONE, origin);
    }

    /** Returns a dense block with the targets and weights of another one and new values. The array is not copied. */
    public static DenseRows like(RowBlock original, int columns, float[] values) {
        RowLabels labels = ((LabelledRows) original).labels;
        return new DenseRows(original.firstRow(), original.rows(), columns, values, 0, columns, labels, null);
    }

    @Override
    DenseRows withLabels(RowLabels other) {
        return new DenseRows(firstRow, rows, columns, values, offset, stride, other, origin);
    }

    /**
     * Returns the number per column that must be added to the values; null if all are 0. Columns far from 0 compared
     * with their spread, such as timestamps, keep their resolution in float32 this way. The array is shared and must
     * not be changed.
     */
    public double @Nullable [] origin() {
        return origin;
    }

    @Override
    public DenseRows plain() {
        if (origin == null) {
            return this;
        }
        float[] numbers = new float[Math.multiplyExact(rows, columns)];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                numbers[i * columns + j] = (float) (values[offset + i * stride + j] + origin[j]);
            }
        }
        return like(this, columns, numbers);
    }

    /** Returns the shared array, which must not be changed. */
    public float[] values() {
        return values;
    }

    public int offset() {
        return offset;
    }

    public int stride() {
        return stride;
    }

    @Override
    public void copyRow(int row, double[] to) {
        int start = offset + row * stride;
        for (int j = 0; j < columns; j++) {
            to[j] = origin == null ? values[start + j] : values[start + j] + origin[j];
        }
    }

    /** Returns the rows from (inclusive) to (exclusive) without targets. The values are shared. */
    public DenseRows values(int from, int to) {
        return new DenseRows(
                firstRow + from, to - from, columns, values, offset + from * stride, stride, RowLabels.NONE, origin);
    }

    @Override
    public DenseRows columns(int from, int to) {
        double[] part = origin == null ? null : Arrays.copyOfRange(origin, from, to);
        return new DenseRows(firstRow, rows, to - from, values, offset + from, stride, labels, part);
    }
}
