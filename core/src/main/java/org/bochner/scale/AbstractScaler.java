package org.bochner.scale;

import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.jspecify.annotations.Nullable;

/**
 * What all scalers share: their recipe, their width, the checks against it, and the walk over the rows of a block. A
 * scaler itself only changes single rows in place, which may be parts of longer ones.
 */
abstract non-sealed class AbstractScaler implements Scaler {
    /** Sparse rows wider than this are not made dense: a block of a few thousand would take gigabytes. */
    private static final int WIDEST_DENSE = 1 << 17;

    private final Scaling scaling;
    private final int columns;

    AbstractScaler(Scaling scaling, int columns) {
        this.scaling = scaling;
        this.columns = columns;
    }

    /** Fails where a scaler would make very wide sparse rows dense. */
    static void requireNarrowIfDense(Scaler scaler, RowSource rows) {
        if (rows.sparse() && !scaler.keepsZeros() && rows.columns() > WIDEST_DENSE) {
            throw DataException.in(
                    rows.name(),
                    scaler + " would make sparse rows of " + rows.columns() + " columns dense, "
                            + rows.columns() * 4L / 1024
                            + " kB a row; use standard(uncentred), unit-l1 or unit-l2, which keep zeros");
        }
    }

    @Override
    public final int columns() {
        return columns;
    }

    @Override
    public final Scaling scaling() {
        return scaling;
    }

    @Override
    public final RowBlock apply(RowBlock rows, ScalingBuffer buffer) {
        Require.sameSize(scaling.toString(), "columns", rows.columns(), columns);
        return scale(rows, buffer);
    }

    @Override
    public final void apply(double[] row, double[] out) {
        Require.that(
                row.length >= columns && out.length >= columns,
                scaling.toString(),
                "a row has " + columns + " values; the arrays hold " + row.length + " and " + out.length);
        System.arraycopy(row, 0, out, 0, columns);
        scaleRow(out, 0);
    }

    @Override
    public boolean keepsResolution(int column, double origin) {
        return false;
    }

    @Override
    public double @Nullable [] origin() {
        return null;
    }

    @Override
    public State state() {
        return State.of("scaler").with("scaling", scaling.toString()).with("columns", columns);
    }

    /**
     * The scaler for rows whose values are relative to an origin.
     *
     * @param origin one number per column of this scaler
     */
    abstract AbstractScaler relativeTo(double[] origin);

    /** Scales a row in place: the values from the start on, as many as there are columns. */
    abstract void scaleRow(float[] values, int start);

    /** The same in float64. */
    abstract void scaleRow(double[] values, int start);

    /**
     * Scales a sparse row in place: the entries from start (inclusive) to end (exclusive), of the columns
     * {@code indices[e] - first}. Asked only of scalers that keep zeros.
     */
    abstract void scaleEntries(float[] values, int[] indices, int first, int start, int end);

    RowBlock scale(RowBlock rows, ScalingBuffer buffer) {
        if (rows instanceof SparseRows sparse && keepsZeros()) {
            int[] starts = sparse.starts();
            float[] values = buffer.copyOf(sparse.values(), starts[sparse.rows()]);
            for (int i = 0; i < sparse.rows(); i++) {
                scaleEntries(values, sparse.indices(), 0, starts[i], starts[i + 1]);
            }
            return sparse.withValues(values);
        }
        float[] values =
                rows instanceof SparseRows sparse ? fillRows(sparse, buffer) : copyRows((DenseRows) rows, buffer);
        double[] origin = rows instanceof DenseRows dense ? dense.origin() : null;
        AbstractScaler scaler = origin == null ? this : relativeTo(origin);
        for (int i = 0; i < rows.rows(); i++) {
            scaler.scaleRow(values, i * columns);
        }
        return DenseRows.like(rows, columns, values);
    }

    /** The rows of a dense block, close together in the buffer. */
    private static float[] copyRows(DenseRows rows, ScalingBuffer buffer) {
        int columns = rows.columns();
        float[] values = buffer.atLeast(Math.multiplyExact(rows.rows(), columns));
        for (int i = 0; i < rows.rows(); i++) {
            System.arraycopy(rows.values(), rows.offset() + i * rows.stride(), values, i * columns, columns);
        }
        return values;
    }

    /** The rows of a sparse block, with their zeros, in the buffer. */
    private float[] fillRows(SparseRows rows, ScalingBuffer buffer) {
        long needed = (long) rows.rows() * columns;
        if (needed > Integer.MAX_VALUE - 8) {
            throw new BochnerException(scaling + ": " + rows.rows() + " sparse rows of " + columns
                    + " columns do not fit in memory as dense ones; take fewer rows at a time, or standard(uncentred)");
        }
        float[] values = buffer.atLeast((int) needed);
        rows.copyDense(0, rows.rows(), values);
        return values;
    }

    /** The spelling of its recipe, which training records and reports show. */
    @Override
    public final String toString() {
        return scaling.toString();
    }
}
