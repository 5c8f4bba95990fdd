package org.bochner.scale;

import org.bochner.data.RowBlock;

/** No scaling: rows pass through as they are. */
public record None() implements FixedScaling {
    @Override
    public Scaler scaler(int columns) {
        return new Through(columns);
    }

    @Override
    public String toString() {
        return "none";
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
            return rows.plain();
        }

        @Override
        AbstractScaler relativeTo(double[] origin) {
            return new FromOrigin(this, origin);
        }

        @Override
        void scaleRow(float[] values, int start) {}

        @Override
        void scaleRow(double[] values, int start) {}

        @Override
        void scaleEntries(float[] values, int[] indices, int first, int start, int end) {}
    }
}
