package org.bochner.scale;

import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;

/**
 * A shift and a factor for each column, (xⱼ − shiftⱼ)·factorⱼ: what {@code standard} and {@code min-max} are once
 * fitted. Computed in float64, because a mean far from 0 would swallow the deviations in float32.
 */
final class ColumnScaler extends AbstractScaler {
    private final double[] shift;
    private final double[] factor;
    private final boolean keepsZeros;

    /** The arrays become the scaler's. */
    ColumnScaler(Scaling scaling, double[] shift, double[] factor) {
        super(scaling, shift.length);
        this.shift = shift;
        this.factor = factor;
        boolean keeps = true;
        for (int j = 0; j < shift.length; j++) {
            keeps &= shift[j] == 0 || factor[j] == 0;
        }
        keepsZeros = keeps;
    }

    static Scaler load(Scaling scaling, State state) {
        int columns = state.count("columns");
        return new ColumnScaler(scaling, state.array("shift", columns), state.array("factor", columns));
    }

    @Override
    public State state() {
        return super.state().with("shift", shift).with("factor", factor);
    }

    @Override
    public boolean keepsZeros() {
        return keepsZeros;
    }

    @Override
    RowBlock scale(RowBlock rows, ScalingBuffer buffer) {
        if (rows instanceof SparseRows sparse) {
            return keepsZeros ? scaleEntries(sparse, buffer) : scaleAsDense(sparse, buffer);
        }
        float[] values = copyRows((DenseRows) rows, buffer);
        scaleAll(values, rows.rows());
        return DenseRows.like(rows, columns(), values);
    }

    private SparseRows scaleEntries(SparseRows rows, ScalingBuffer buffer) {
        int end = rows.starts()[rows.rows()];
        int[] indices = rows.indices();
        float[] values = buffer.copyOf(rows.values(), end);
        for (int e = rows.starts()[0]; e < end; e++) {
            int j = indices[e];
            values[e] = (float) ((values[e] - shift[j]) * factor[j]);
        }
        return rows.withValues(values);
    }

    private DenseRows scaleAsDense(SparseRows rows, ScalingBuffer buffer) {
        long needed = (long) rows.rows() * columns();
        if (needed > Integer.MAX_VALUE - 8) {
            throw new BochnerException(scaling() + ": " + rows.rows() + " sparse rows of " + columns()
                    + " columns do not fit in memory as dense ones; take fewer rows at a time, or standard(uncentred)");
        }
        float[] values = buffer.atLeast((int) needed);
        rows.copyDense(0, rows.rows(), values);
        scaleAll(values, rows.rows());
        return DenseRows.like(rows, columns(), values);
    }

    private void scaleAll(float[] values, int rows) {
        for (int i = 0; i < rows; i++) {
            int start = i * columns();
            for (int j = 0; j < shift.length; j++) {
                values[start + j] = (float) ((values[start + j] - shift[j]) * factor[j]);
            }
        }
    }

    @Override
    void scale(double[] row, double[] out) {
        for (int j = 0; j < shift.length; j++) {
            out[j] = (row[j] - shift[j]) * factor[j];
        }
    }
}
