package org.bochner.data;

import java.util.Arrays;
import org.bochner.base.Require;

/**
 * A block of sparse rows in compressed form: the non-zeros of row i are entries {@code starts()[i]} to
 * {@code starts()[i + 1]} (exclusive) of {@code indices()} and {@code values()}, with indices ascending.
 */
public final class SparseRows extends LabelledRows {
    private final int[] starts;
    private final int[] indices;
    private final float[] values;

    SparseRows(long firstRow, int rows, int columns, int[] starts, int[] indices, float[] values, RowLabels labels) {
        super(firstRow, rows, columns, labels);
        this.starts = starts;
        this.indices = indices;
        this.values = values;
    }

    /** Creates a block without targets on the caller's arrays, which are not copied. */
    public static SparseRows of(int rows, int columns, int[] starts, int[] indices, float[] values) {
        Require.that(starts.length > rows, "SparseRows", "starts must hold rows + 1 values");
        return new SparseRows(0, rows, columns, starts, indices, values, RowLabels.NONE);
    }

    /**
     * Returns a sparse block with the targets and weights of another one and new columns. The arrays are not copied.
     */
    public static SparseRows like(RowBlock original, int columns, int[] starts, int[] indices, float[] values) {
        RowLabels labels = ((LabelledRows) original).labels;
        return new SparseRows(original.firstRow(), original.rows(), columns, starts, indices, values, labels);
    }

    /** Returns a block with the same pattern, targets and weights and new values. The array is not copied. */
    public SparseRows withValues(float[] scaled) {
        return new SparseRows(firstRow, rows, columns, starts, indices, scaled, labels);
    }

    @Override
    SparseRows withLabels(RowLabels other) {
        return new SparseRows(firstRow, rows, columns, starts, indices, values, other);
    }

    /** Returns the shared array, which must not be changed. */
    public int[] starts() {
        return starts;
    }

    /** Returns the shared array, which must not be changed. */
    public int[] indices() {
        return indices;
    }

    /** Returns the shared array, which must not be changed. */
    public float[] values() {
        return values;
    }

    /** Returns the number of entries of all rows together. */
    public int entries() {
        return starts[rows] - starts[0];
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

    /** Returns the rows from (inclusive) to (exclusive) without targets, in new arrays. */
    public SparseRows values(int from, int to) {
        int[] newStarts = Arrays.copyOfRange(starts, from, to + 1);
        for (int i = 0; i < newStarts.length; i++) {
            newStarts[i] -= starts[from];
        }
        return new SparseRows(
                firstRow + from,
                to - from,
                columns,
                newStarts,
                Arrays.copyOfRange(indices, starts[from], starts[to]),
                Arrays.copyOfRange(values, starts[from], starts[to]),
                RowLabels.NONE);
    }

    /** Writes the rows from (inclusive) to (exclusive), with their zeros, to a row-major array. */
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
