package org.bochner.data;

import java.util.List;
import org.bochner.base.Require;

/** A block of dense rows: value (i, j) is {@code values()[offset() + i * stride() + j]}. */
public final class DenseRows implements RowBlock {
    private final long firstRow;
    private final int rows;
    private final int columns;
    private final float[] values;
    private final int offset;
    private final int stride;
    private final RowLabels labels;

    DenseRows(long firstRow, int rows, int columns, float[] values, int offset, int stride, RowLabels labels) {
        this.firstRow = firstRow;
        this.rows = rows;
        this.columns = columns;
        this.values = values;
        this.offset = offset;
        this.stride = stride;
        this.labels = labels;
    }

    /** A block without targets over the caller's row-major array, which is not copied. */
    public static DenseRows of(int rows, int columns, float[] values) {
        Require.that(
                values.length >= (long) rows * columns,
                "DenseRows",
                rows + " x " + columns + " values are needed, got " + values.length);
        return new DenseRows(0, rows, columns, values, 0, columns, RowLabels.NONE);
    }

    /** The same rows, targets and weights with other values: what a scaling returns. The array is not copied. */
    public static DenseRows like(RowBlock original, int columns, float[] values) {
        RowLabels labels = original instanceof DenseRows dense ? dense.labels : ((SparseRows) original).labels();
        return new DenseRows(original.firstRow(), original.rows(), columns, values, 0, columns, labels);
    }

    RowLabels labels() {
        return labels;
    }

    DenseRows withLabels(RowLabels other) {
        return new DenseRows(firstRow, rows, columns, values, offset, stride, other);
    }

    /** The shared array; not to be changed. */
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
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public long firstRow() {
        return firstRow;
    }

    @Override
    public int targetWidth() {
        return labels.width();
    }

    @Override
    public double target(int row, int j) {
        return labels.target(row, j);
    }

    @Override
    public double weight(int row) {
        return labels.weight(row);
    }

    @Override
    public boolean weighted() {
        return labels.weighted();
    }

    @Override
    public boolean grouped() {
        return labels.grouped();
    }

    @Override
    public long group(int row) {
        return labels.group(firstRow, row);
    }

    @Override
    public List<String> carried(int row) {
        return labels.carried(row);
    }

    @Override
    public void copyRow(int row, double[] to) {
        int start = offset + row * stride;
        for (int j = 0; j < columns; j++) {
            to[j] = values[start + j];
        }
    }

    /** The values of the rows from (inclusive) to (exclusive), which are shared; without targets. */
    public DenseRows values(int from, int to) {
        return new DenseRows(
                firstRow + from, to - from, columns, values, offset + from * stride, stride, RowLabels.NONE);
    }

    @Override
    public DenseRows columns(int from, int to) {
        return new DenseRows(firstRow, rows, to - from, values, offset + from, stride, labels);
    }
}
