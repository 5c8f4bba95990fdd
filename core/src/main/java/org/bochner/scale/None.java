package org.bochner.scale;

import org.bochner.data.RowBlock;

/** No scaling: rows stay as they are. */
record None() implements FixedScaling {
    @Override
    public AbstractScaler scaler(int columns) {
        return new AbstractScaler(this, columns) {
            @Override
            RowBlock scale(RowBlock rows, ScalingBuffer buffer) {
                return rows.plain();
            }

            @Override
            void scaleRow(float[] values, int start) {}

            @Override
            void scaleRow(double[] values, int start) {}

            @Override
            void scaleEntries(float[] values, int[] indices, int first, int start, int end) {}
        };
    }

    @Override
    public String toString() {
        return "none";
    }
}
