package org.bochner.stats;

import java.util.Arrays;
import org.bochner.data.SparseRows;

/**
 * The features of some rows, dense or sparse, with targets and weights, as iterative learners read them. Dense tiles
 * are small enough to stay in cache while they are used.
 *
 * <p>Threads: safe to read. A tile is valid until the method that received it returns.
 */
public abstract sealed class FeatureTile {
    private final RowTargets targets;
    private final int from;
    private final int rows;

    private FeatureTile(RowTargets targets, int from, int rows) {
        this.targets = targets;
        this.from = from;
        this.rows = rows;
    }

    static FeatureTile of(FeatureBlock block, RowTargets targets, int from, int to) {
        return new Dense(block, targets, from, to);
    }

    static FeatureTile of(SparseRows block, RowTargets targets, int from, int to) {
        return new Sparse(block, targets, from, to);
    }

    final RowTargets targets() {
        return targets;
    }

    public final int rows() {
        return rows;
    }

    /** Returns the index, from 0, of the first row in its source. */
    public final long firstRow() {
        return targets.firstRow() + from;
    }

    /** Returns target t of a row: a number, or the index of its class. */
    public final double target(int row, int t) {
        return targets.target(from + row, t);
    }

    /** Returns the weight of a row: its own weight times the factor of its class. */
    public final double rowWeight(int row) {
        return targets.rowWeight(from + row);
    }

    /** Computes the scores: out (rows×outputs) ← features·weights. */
    public abstract void multiply(WeightMatrix weights, double[] out);

    /** Adds Zᵀ·coefficients to the sum (D×outputs); the coefficients are rows×outputs. */
    public abstract void addTransposed(double[] coefficients, int outputs, double[] sum);

    /** Adds Zᵀ·coefficients to weights. */
    public abstract void addTransposed(double[] coefficients, WeightMatrix weights);

    /** Computes the inner products of the rows: out (rows×rows) ← Z·Zᵀ. */
    public abstract void gram(double[] out);

    /** Returns a tile of the rows {@code from} to {@code to} (exclusive). */
    public abstract FeatureTile part(int from, int to);

    /** Returns this tile with row numbers that start {@code others} later. */
    abstract FeatureTile after(long others);

    /** Returns the inner product of one row with D weights, in float64. */
    public abstract double dot(int row, double[] weights);

    /** Adds factor · the features of one row to {@code to}, in float64. */
    public abstract void addRow(int row, double factor, double[] to);

    /** Returns the sum of a row's squared features. */
    public abstract double squaredNorm(int row);

    /**
     * Returns Σ w |z − centre|² over the rows and adds Σ w (z − centre) to the sums.
     *
     * @param weights one per row
     * @param centre D numbers
     * @param sums D numbers
     */
    abstract double addDeviations(double[] weights, double[] centre, double[] sums);

    private static final class Dense extends FeatureTile {
        private final FeatureBlock block;
        private final int from;
        private final int to;

        Dense(FeatureBlock block, RowTargets targets, int from, int to) {
            super(targets, from, to - from);
            this.block = block;
            this.from = from;
            this.to = to;
        }

        @Override
        FeatureTile after(long others) {
            return new Dense(block, targets().after(others), from, to);
        }

        @Override
        public void multiply(WeightMatrix weights, double[] out) {
            block.multiply(from, to, weights, out);
        }

        @Override
        public void addTransposed(double[] coefficients, int outputs, double[] sum) {
            block.addTransposed(from, to, coefficients, outputs, sum);
        }

        @Override
        public void addTransposed(double[] coefficients, WeightMatrix weights) {
            addTransposed(coefficients, weights.outputs(), weights.float64());
            weights.round();
        }

        @Override
        public void gram(double[] out) {
            block.gram(from, to, out);
        }

        @Override
        public FeatureTile part(int first, int last) {
            return new Dense(block, targets(), from + first, from + last);
        }

        @Override
        public double dot(int row, double[] weights) {
            return block.dot(from + row, weights);
        }

        @Override
        public void addRow(int row, double factor, double[] to) {
            block.addRow(from + row, factor, to, 0);
        }

        @Override
        public double squaredNorm(int row) {
            return block.squaredNorm(from + row);
        }

        @Override
        double addDeviations(double[] weights, double[] centre, double[] sums) {
            double squares = 0;
            for (int i = 0; i < rows(); i++) {
                squares += weights[i] > 0 ? block.addDeviations(from + i, weights[i], centre, sums) : 0;
            }
            return squares;
        }
    }

    private static final class Sparse extends FeatureTile {
        private final SparseRows block;
        private final int[] indices;
        private final float[] values;
        private final int from;

        Sparse(SparseRows block, RowTargets targets, int from, int to) {
            super(targets, from, to - from);
            this.block = block;
            indices = block.indices();
            values = block.values();
            this.from = from;
        }

        private int start(int row) {
            return block.starts()[from + row];
        }

        @Override
        FeatureTile after(long others) {
            return new Sparse(block, targets().after(others), from, from + rows());
        }

        @Override
        public void multiply(WeightMatrix weights, double[] out) {
            int outputs = weights.outputs();
            Arrays.fill(out, 0, rows() * outputs, 0);
            for (int i = 0; i < rows(); i++) {
                if (outputs == 1) {
                    out[i] = dot(i, weights.float64());
                } else {
                    double[] w = weights.float64();
                    multiply(values, indices, start(i), start(i + 1), w, outputs, out, i * outputs);
                }
            }
        }

        // Loops over entries are static methods on local arrays: fields would be read again in every step.

        private static void multiply(
                float[] values,
                int[] indices,
                int start,
                int end,
                double[] weights,
                int outputs,
                double[] out,
                int to) {
            for (int e = start; e < end; e++) {
                double value = values[e];
                int at = indices[e] * outputs;
                for (int o = 0; o < outputs; o++) {
                    out[to + o] += value * weights[at + o];
                }
            }
        }

        @Override
        public void addTransposed(double[] coefficients, int outputs, double[] sum) {
            for (int i = 0; i < rows(); i++) {
                if (outputs == 1) {
                    addRow(i, coefficients[i], sum);
                } else {
                    addTransposed(values, indices, start(i), start(i + 1), coefficients, i * outputs, outputs, sum);
                }
            }
        }

        private static void addTransposed(
                float[] values,
                int[] indices,
                int start,
                int end,
                double[] coefficients,
                int from,
                int outputs,
                double[] sum) {
            for (int e = start; e < end; e++) {
                double value = values[e];
                int at = indices[e] * outputs;
                for (int o = 0; o < outputs; o++) {
                    sum[at + o] += value * coefficients[from + o];
                }
            }
        }

        @Override
        public void addTransposed(double[] coefficients, WeightMatrix weights) {
            addTransposed(coefficients, weights.outputs(), weights.float64());
            for (int e = start(0); e < start(rows()); e++) {
                weights.round(indices[e]);
            }
        }

        @Override
        public void gram(double[] out) {
            double[] wide = new double[block.columns()];
            for (int i = 0; i < rows(); i++) {
                addRow(i, 1, wide);
                for (int j = i; j < rows(); j++) {
                    out[i * rows() + j] = dot(j, wide);
                    out[j * rows() + i] = out[i * rows() + j];
                }
                addRow(i, -1, wide);
            }
        }

        @Override
        public FeatureTile part(int first, int last) {
            return new Sparse(block, targets(), from + first, from + last);
        }

        @Override
        public double dot(int row, double[] weights) {
            return dot(values, indices, start(row), start(row + 1), weights);
        }

        private static double dot(float[] values, int[] indices, int start, int end, double[] weights) {
            double sum = 0;
            for (int e = start; e < end; e++) {
                sum += values[e] * weights[indices[e]];
            }
            return sum;
        }

        @Override
        public void addRow(int row, double factor, double[] to) {
            addRow(values, indices, start(row), start(row + 1), factor, to);
        }

        private static void addRow(float[] values, int[] indices, int start, int end, double factor, double[] to) {
            for (int e = start; e < end; e++) {
                to[indices[e]] += factor * values[e];
            }
        }

        @Override
        public double squaredNorm(int row) {
            double sum = 0;
            for (int e = start(row); e < start(row + 1); e++) {
                sum += (double) values[e] * values[e];
            }
            return sum;
        }

        /** Adds the distances of entries that are not stored, which are 0, from the centre column by column. */
        @Override
        double addDeviations(double[] weights, double[] centre, double[] sums) {
            double[] stored = new double[centre.length];
            double squares = 0;
            double all = 0;
            for (int i = 0; i < rows(); i++) {
                double w = weights[i];
                all += w;
                for (int e = start(i); w > 0 && e < start(i + 1); e++) {
                    int j = indices[e];
                    double apart = values[e] - centre[j];
                    squares += w * apart * apart;
                    sums[j] += w * apart;
                    stored[j] += w;
                }
            }
            for (int j = 0; j < centre.length; j++) {
                double absent = Math.max(0, all - stored[j]);
                squares += absent * centre[j] * centre[j];
                sums[j] -= absent * centre[j];
            }
            return squares;
        }
    }
}
