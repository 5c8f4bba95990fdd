package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/** A scaling that learns nothing from the rows. */
non-sealed interface FixedScaling extends Scaling {
    /** The scaler of rows of this width. */
    Scaler scaler(int columns);

    @Override
    default Scaler fit(RowSource rows, Workers workers) {
        return scaler(rows.columns());
    }

    @Override
    default Scaler load(State state) {
        return scaler(state.count("columns"));
    }
}
