package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/** No scaling: rows pass through as they are. */
public record None() implements Scaling {
    @Override
    public Scaler fit(RowSource rows, Workers workers) {
        return new Through(rows.columns());
    }

    @Override
    public String toString() {
        return "none";
    }

    @Override
    public Scaler load(State state) {
        return new Through(state.count("columns"));
    }

    private static final class Through extends AbstractScaler {
        Through(int columns) {
            super(new None(), columns);
        }

        @Override
        public boolean keepsZeros() {
            return true;
        }

        @Override
        RowBlock scale(RowBlock rows, ScalingBuffer buffer) {
            return rows;
        }

        @Override
        void scale(double[] row, double[] out) {
            System.arraycopy(row, 0, out, 0, columns());
        }
    }
}
