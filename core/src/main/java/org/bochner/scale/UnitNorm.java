package org.bochner.scale;

/**
 * Divides every row by its norm: Σ|xⱼ| for {@code unit-l1}, √Σxⱼ² for {@code unit-l2}. A row of zeros is not changed. Sparse
 * rows stay sparse.
 *
 * <p>Norms are summed in float64, where the square of no float32 overflows or vanishes.
 *
 * @param norm 1 or 2
 */
record UnitNorm(int norm) implements FixedScaling {
    @Override
    public void scale(float[] values, int from, int to) {
        boolean squared = norm == 2;
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += squared ? (double) values[i] * values[i] : Math.abs(values[i]);
        }
        double length = sum == 0 ? 1 : squared ? Math.sqrt(sum) : sum;
        for (int i = from; i < to; i++) {
            values[i] = (float) (values[i] / length);
        }
    }

    @Override
    public boolean normalises() {
        return true;
    }

    @Override
    public double unscaled(double scaled) {
        return Double.NaN;
    }

    @Override
    public String toString() {
        return "unit-l" + norm;
    }
}
