package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/** A scaling that learns a shift and a factor for each column, from statistics that one pass gathers for all of them. */
non-sealed interface ColumnScaling extends Scaling {
    /** The scaler of the columns from (inclusive) to (exclusive) of the rows that were seen. */
    Scaler scaler(ColumnAccumulator seen, int from, int to);

    @Override
    default Scaler fit(RowSource rows, Workers workers) {
        Scaler scaler = scaler(ColumnAccumulator.of(rows, workers), 0, rows.columns());
        AbstractScaler.requireNarrowIfDense(scaler, rows);
        return scaler;
    }

    @Override
    default Scaler load(State state) {
        return ColumnScaler.load(this, state);
    }
}
