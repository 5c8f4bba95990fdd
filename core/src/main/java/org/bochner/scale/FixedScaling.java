package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/** A scaling that learns nothing from the rows. */
non-sealed interface FixedScaling extends Scaling {
    /** Returns the scaler of rows with this number of columns. */
    AbstractScaler scaler(int columns);

    @Override
    default Scaler fit(RowSource rows, Workers workers) {
        return scaler(rows.columns());
    }

    @Override
    default Scaler load(State state) {
        return scaler(state.count("columns"));
    }
}
