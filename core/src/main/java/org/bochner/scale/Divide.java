package org.bochner.scale;

import org.bochner.base.Require;
import org.bochner.base.Spelling;

/** Divides every value by one number, such as grey levels by 255, in float32. Sparse rows stay sparse. */
record Divide(double by) implements FixedScaling {
    public Divide {
        Require.positive("divide", "by", by);
        Require.that(
                (float) by > 0 && (float) by < Float.POSITIVE_INFINITY,
                "divide",
                "by must lie in the range of float32, got " + by);
    }

    @Override
    public AbstractScaler scaler(int columns) {
        return new AbstractScaler(this, columns) {
            @Override
            void scaleRow(float[] values, int start) {
                divide(values, start, start + columns, (float) by);
            }

            @Override
            void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
                divide(values, start, end, (float) by);
            }

            @Override
            void scaleRow(double[] values, int start) {
                for (int j = start; j < start + columns; j++) {
                    values[j] /= by;
                }
            }
        };
    }

    /** Divides values; a separate loop, so that the compiler vectorises it. */
    private static void divide(float[] values, int from, int to, float by) {
        for (int i = from; i < to; i++) {
            values[i] /= by;
        }
    }

    @Override
    public String toString() {
        return "divide(by=" + Spelling.print(by) + ")";
    }
}
