package org.bochner.scale;

import org.bochner.base.Require;
import org.bochner.base.Spelling;

/** Divides every value by one number, such as grey levels by 255, in float32. Sparse rows stay sparse. */
record Divide(double by) implements FixedScaling {
    public Divide {
        Require.positive("divide", "by", by);
        Require.that(
                (float) by > 0 && (float) by < Float.POSITIVE_INFINITY,
                "divide: by must lie in the range of float32, got " + by);
    }

    @Override
    public void scale(float[] values, int from, int to) {
        float divisor = (float) by;
        for (int i = from; i < to; i++) {
            values[i] /= divisor;
        }
    }

    @Override
    public double unscaled(double scaled) {
        return scaled * by;
    }

    @Override
    public String toString() {
        return "divide(by=" + Spelling.print(by) + ")";
    }
}
