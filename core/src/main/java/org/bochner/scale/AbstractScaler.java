package org.bochner.scale;

import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;

/** What all scalers share: their recipe, their width, and the checks against it. */
abstract class AbstractScaler implements Scaler {
    private final Scaling scaling;
    private final int columns;

    AbstractScaler(Scaling scaling, int columns) {
        this.scaling = scaling;
        this.columns = columns;
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
        scale(row, out);
    }

    @Override
    public State state() {
        return State.of("scaler").with("scaling", scaling.toString()).with("columns", columns);
    }

    abstract RowBlock scale(RowBlock rows, ScalingBuffer buffer);

    abstract void scale(double[] row, double[] out);

    /** The spelling of its recipe, which provenance and reports show. */
    @Override
    public final String toString() {
        return scaling.toString();
    }

    /** The rows of a dense block, close together in the buffer. */
    static float[] copyRows(DenseRows rows, ScalingBuffer buffer) {
        int columns = rows.columns();
        float[] values = buffer.atLeast(Math.multiplyExact(rows.rows(), columns));
        for (int i = 0; i < rows.rows(); i++) {
            System.arraycopy(rows.values(), rows.offset() + i * rows.stride(), values, i * columns, columns);
        }
        return values;
    }
}
