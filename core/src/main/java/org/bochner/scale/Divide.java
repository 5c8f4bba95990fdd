package org.bochner.scale;

import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.numeric.Workers;

/** Every value divided by the same number, as grey levels by 255; in float32. Sparse rows stay sparse. */
public record Divide(double by) implements Scaling {
    public Divide {
        Require.positive("divide", "by", by);
        Require.that(
                (float) by > 0 && (float) by < Float.POSITIVE_INFINITY,
                "divide",
                "by must lie in the range of float32, got " + by);
    }

    @Override
    public Scaler fit(RowSource rows, Workers workers) {
        return new Divider(this, rows.columns());
    }

    @Override
    public String toString() {
        return "divide(by=" + Spelling.print(by) + ")";
    }

    @Override
    public Scaler load(State state) {
        return new Divider(this, state.count("columns"));
    }

    private static final class Divider extends AbstractScaler {
        private final double by;

        Divider(Divide scaling, int columns) {
            super(scaling, columns);
            this.by = scaling.by;
        }

        @Override
        public boolean keepsZeros() {
            return true;
        }

        @Override
        RowBlock scale(RowBlock rows, ScalingBuffer buffer) {
            if (rows instanceof SparseRows sparse) {
                int end = sparse.starts()[sparse.rows()];
                float[] values = buffer.copyOf(sparse.values(), end);
                divide(values, sparse.starts()[0], end, (float) by);
                return sparse.withValues(values);
            }
            float[] values = copyRows((DenseRows) rows, buffer);
            divide(values, 0, rows.rows() * columns(), (float) by);
            return DenseRows.like(rows, columns(), values);
        }

        /** A loop of its own, so that the compiler vectorises it. */
        private static void divide(float[] values, int from, int to, float by) {
            for (int i = from; i < to; i++) {
                values[i] /= by;
            }
        }

        @Override
        void scale(double[] row, double[] out) {
            for (int j = 0; j < columns(); j++) {
                out[j] = row[j] / by;
            }
        }
    }
}
