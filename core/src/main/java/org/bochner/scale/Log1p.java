package org.bochner.scale;

/**
 * Replaces every value x by sign(x)·log(1 + |x|), in float64. Long tails become short on both sides of 0, and values near 0
 * hardly change. Sparse rows stay sparse.
 */
record Log1p() implements FixedScaling {
    @Override
    public void scale(float[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            values[i] = (float) Math.copySign(StrictMath.log1p(Math.abs(values[i])), values[i]);
        }
    }

    @Override
    public double unscaled(double scaled) {
        return Math.copySign(StrictMath.expm1(Math.abs(scaled)), scaled);
    }

    @Override
    public String toString() {
        return "log1p";
    }
}
