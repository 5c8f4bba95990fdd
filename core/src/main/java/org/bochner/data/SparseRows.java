package org.bochner.data;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.Require;

/**
 * A block of sparse rows in compressed form: the non-zeros of row i are entries {@code starts()[i]} to
 * {@code starts()[i + 1]} (exclusive) of {@code indices()} and {@code values()}, with indices ascending.
 */
public final class SparseRows implements RowBlock {
    private final long firstRow;
    private final int rows;
    private final int columns;
    private final int[] starts;
    private final int[] indices;
    private final float[] values;
    private final RowLabels labels;

    SparseRows(long firstRow, int rows, int columns, int[] starts, int[] indices, float[] values, RowLabels labels) {
        this.firstRow = firstRow;
        this.rows = rows;
        this.columns = columns;
        this.starts = starts;
        this.indices = indices;
        this.values = values;
        this.labels = labels;
    }

    /** A block without targets over the caller's arrays, which are not copied. */
    public static SparseRows of(int rows, int columns, int[] starts, int[] indices, float[] values) {
        Require.that(starts.length > rows, "SparseRows", "starts must hold rows + 1 values");
        return new SparseRows(0, rows, columns, starts, indices, values, RowLabels.NONE);
    }

    /** The same rows, targets and weights with other columns: what a feature map returns. The arrays are not copied. */
    public static SparseRows like(RowBlock original, int columns, int[] starts, int[] indices, float[] values) {
        RowLabels labels = original instanceof DenseRows dense ? dense.labels() : ((SparseRows) original).labels;
        return new SparseRows(original.firstRow(), original.rows(), columns, starts, indices, values, labels);
    }

    /** The same pattern, targets and weights with other values: what a scaling returns. The array is not copied. */
    public SparseRows withValues(float[] scaled) {
        return new SparseRows(firstRow, rows, columns, starts, indices, scaled, labels);
    }

    SparseRows withLabels(RowLabels other) {
        return new SparseRows(firstRow, rows, columns, starts, indices, values, other);
    }

    /** The shared array; not to be changed. */
    public int[] starts() {
        return starts;
    }

    /** The shared array; not to be changed. */
    public int[] indices() {
        return indices;
    }

    /** The shared array; not to be changed. */
    public float[] values() {
        return values;
    }

    /** How many entries the rows hold together. */
    public int entries() {
        return starts[rows] - starts[0];
    }

    RowLabels labels() {
        return labels;
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
    public int targets() {
        return labels.targetCount();
    }

    @Override
    public double target(int row, int j) {
        return labels.target(row, j);
    }

    @Override
    public double rowWeight(int row) {
        return labels.rowWeight(row);
    }

    @Override
    public boolean hasRowWeights() {
        return labels.hasRowWeights();
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
        Arrays.fill(to, 0, columns, 0);
        for (int e = starts[row]; e < starts[row + 1]; e++) {
            to[indices[e]] = values[e];
        }
    }

    @Override
    public SparseRows plain() {
        return this;
    }

    /** Writes some rows in full width, row-major, to an array. */
    public void copyDense(int fromRow, int toRow, float[] to) {
        Arrays.fill(to, 0, (toRow - fromRow) * columns, 0);
        for (int i = fromRow; i < toRow; i++) {
            int start = (i - fromRow) * columns;
            for (int e = starts[i]; e < starts[i + 1]; e++) {
                to[start + indices[e]] = values[e];
            }
        }
    }

    @Override
    public SparseRows columns(int from, int to) {
        int[] newStarts = new int[rows + 1];
        int kept = 0;
        for (int e = starts[0]; e < starts[rows]; e++) {
            kept += indices[e] >= from && indices[e] < to ? 1 : 0;
        }
        int[] newIndices = new int[kept];
        float[] newValues = new float[kept];
        int next = 0;
        for (int i = 0; i < rows; i++) {
            newStarts[i] = next;
            for (int e = starts[i]; e < starts[i + 1]; e++) {
                if (indices[e] >= from && indices[e] < to) {
                    newIndices[next] = indices[e] - from;
                    newValues[next++] = values[e];
                }
            }
        }
        newStarts[rows] = next;
        return new SparseRows(firstRow, rows, to - from, newStarts, newIndices, newValues, labels);
    }
}
