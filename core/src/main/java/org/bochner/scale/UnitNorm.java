package org.bochner.scale;

import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.numeric.Workers;

/**
 * Every row divided by its own norm: Σ|xⱼ| for {@code unit-l1}, √Σxⱼ² for {@code unit-l2}. A row of zeros stays as it
 * is. Nothing is learned from the data, and sparse rows stay sparse.
 *
 * <p>Norms are summed in float64, where the square of no float32 overflows or vanishes.
 */
public record UnitNorm(int order) implements Scaling {
    public UnitNorm {
        Require.that(order == 1 || order == 2, "unit norm", "order must be 1 or 2, got " + order);
    }

    @Override
    public Scaler fit(RowSource rows, Workers workers) {
        return new Normaliser(this, rows.columns());
    }

    @Override
    public String toString() {
        return "unit-l" + order;
    }

    @Override
    public Scaler load(State state) {
        return new Normaliser(this, state.count("columns"));
    }

    private static final class Normaliser extends AbstractScaler {
        private final boolean squared;

        Normaliser(UnitNorm scaling, int columns) {
            super(scaling, columns);
            squared = scaling.order == 2;
        }

        @Override
        public boolean keepsZeros() {
            return true;
        }

        @Override
        RowBlock scale(RowBlock rows, ScalingBuffer buffer) {
            if (rows instanceof SparseRows sparse) {
                int[] starts = sparse.starts();
                float[] values = buffer.copyOf(sparse.values(), starts[sparse.rows()]);
                for (int i = 0; i < sparse.rows(); i++) {
                    normalise(values, starts[i], starts[i + 1]);
                }
                return sparse.withValues(values);
            }
            float[] values = copyRows((DenseRows) rows, buffer);
            for (int i = 0; i < rows.rows(); i++) {
                normalise(values, i * columns(), (i + 1) * columns());
            }
            return DenseRows.like(rows, columns(), values);
        }

        private void normalise(float[] values, int from, int to) {
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += squared ? (double) values[i] * values[i] : Math.abs(values[i]);
            }
            double norm = norm(sum);
            for (int i = from; i < to; i++) {
                values[i] = (float) (values[i] / norm);
            }
        }

        @Override
        void scale(double[] row, double[] out) {
            // Values beyond the range of float32 may come here, whose squares would overflow or vanish: the largest one
            // is divided out first.
            double largest = 0;
            for (int j = 0; j < columns(); j++) {
                largest = Math.max(largest, Math.abs(row[j]));
            }
            largest = largest == 0 ? 1 : largest;
            double sum = 0;
            for (int j = 0; j < columns(); j++) {
                double part = row[j] / largest;
                sum += squared ? part * part : Math.abs(part);
            }
            double norm = norm(sum);
            for (int j = 0; j < columns(); j++) {
                out[j] = row[j] / largest / norm;
            }
        }

        private double norm(double sum) {
            if (sum == 0) {
                return 1;
            }
            return squared ? Math.sqrt(sum) : sum;
        }
    }
}
