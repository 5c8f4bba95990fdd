package org.bochner.scale;

import org.bochner.data.RowBlock;

/** No scaling: rows stay as they are. */
record None() implements FixedScaling {
    @Override
    public void scale(float[] values, int from, int to) {}

    @Override
    public AbstractScaler scaler(int columns) {
        return new FixedScaler(this, columns) {
            @Override
            RowBlock scale(RowBlock rows, ScalingBuffer buffer) {
                return rows.plain();
            }
        };
    }

    @Override
    public double unscaled(double scaled) {
        return scaled;
    }

    @Override
    public String toString() {
        return "none";
    }
}
