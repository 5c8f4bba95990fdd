package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/** A scaling that learns nothing from the rows. */
non-sealed interface FixedScaling extends Scaling {
    /** Scales one row in place: all values of a dense row, or the entries of a sparse one, which stay where they are. */
    void scale(float[] values, int from, int to);

    /** Returns the value that a scaled value stands for; NaN if it depends on the rest of the row too. */
    double unscaled(double scaled);

    /** Returns the scaler of rows with this number of columns. */
    default AbstractScaler scaler(int columns) {
        return new FixedScaler(this, columns);
    }

    @Override
    default Scaler fit(RowSource rows, Workers workers) {
        return scaler(rows.columns());
    }

    @Override
    default Scaler load(State state) {
        return scaler(state.count("columns"));
    }
}
