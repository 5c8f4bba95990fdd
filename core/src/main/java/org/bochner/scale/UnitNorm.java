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
    public AbstractScaler scaler(int columns) {
        boolean squared = norm == 2;
        return new AbstractScaler(this, columns) {
            @Override
            void scaleRow(float[] values, int start) {
                normalise(values, start, start + columns);
            }

            @Override
            void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
                normalise(values, start, end);
            }

            private void normalise(float[] values, int from, int to) {
                double sum = 0;
                for (int i = from; i < to; i++) {
                    sum += squared ? (double) values[i] * values[i] : Math.abs(values[i]);
                }
                double length = length(sum);
                for (int i = from; i < to; i++) {
                    values[i] = (float) (values[i] / length);
                }
            }

            @Override
            void scaleRow(double[] values, int start) {
                int end = start + columns;
                // Float64 values may be beyond the range of float32, and their squares would overflow or vanish:
                // divides by
                // the largest value first.
                double largest = 0;
                for (int j = start; j < end; j++) {
                    largest = Math.max(largest, Math.abs(values[j]));
                }
                largest = largest == 0 ? 1 : largest;
                double sum = 0;
                for (int j = start; j < end; j++) {
                    double part = values[j] / largest;
                    sum += squared ? part * part : Math.abs(part);
                }
                double length = length(sum);
                for (int j = start; j < end; j++) {
                    values[j] = values[j] / largest / length;
                }
            }
        };
    }

    /** Returns the norm of a row from its sum of squares or absolute values; 1 for a row of zeros. */
    private double length(double sum) {
        return sum == 0 ? 1 : norm == 2 ? Math.sqrt(sum) : sum;
    }

    @Override
    public boolean normalises() {
        return true;
    }

    @Override
    public String toString() {
        return "unit-l" + norm;
    }
}
