package org.bochner.stats;

import org.bochner.data.SparseRows;

/**
 * The features of some rows, dense or sparse, with their targets and weights: what learners that go over the rows again
 * and again see of them. Dense tiles are small enough to stay in cache while they are used.
 *
 * <p>Threads: safe to read. A tile is valid until the method that it was handed to returns.
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

    public final int rows() {
        return rows;
    }

    /** Index, from 0, of the first row in its source. */
    public final long firstRow() {
        return targets.firstRow() + from;
    }

    /** Target number t of a row: a value, or the index of its class. */
    public final double target(int row, int t) {
        return targets.target(from + row, t);
    }

    /** What a row counts for: its own weight times that of its class. */
    public final double weight(int row) {
        return targets.weight(from + row);
    }

    /** Scores: out (rows×outputs) ← features·weights. */
    public abstract void multiply(WeightMatrix weights, double[] out);

    /** sum (D×outputs) += Zᵀ·coefficients, of which there are rows×outputs. */
    public abstract void addTransposed(double[] coefficients, int outputs, double[] sum);

    /** The inner product of one row with D weights, in float64. */
    public abstract double dot(int row, double[] weights);

    /** to += factor · the features of one row, in float64. */
    public abstract void addRow(int row, double factor, double[] to);

    /** The sum of a row's squared features. */
    public abstract double squaredNorm(int row);

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
        public void multiply(WeightMatrix weights, double[] out) {
            block.multiply(from, to, weights, out);
        }

        @Override
        public void addTransposed(double[] coefficients, int outputs, double[] sum) {
            block.addTransposed(from, to, coefficients, outputs, sum);
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
            double sum = 0;
            for (int j = 0; j < block.features(); j++) {
                double z = block.get(from + row, j);
                sum += z * z;
            }
            return sum;
        }
    }

    private static final class Sparse extends FeatureTile {
        private final SparseRows block;
        private final int from;

        Sparse(SparseRows block, RowTargets targets, int from, int to) {
            super(targets, from, to - from);
            this.block = block;
            this.from = from;
        }

        @Override
        public void multiply(WeightMatrix weights, double[] out) {
            int outputs = weights.outputs();
            double[] w = weights.float64();
            for (int i = 0; i < rows(); i++) {
                for (int o = 0; o < outputs; o++) {
                    out[i * outputs + o] = 0;
                }
                for (int e = start(i); e < start(i + 1); e++) {
                    double value = block.values()[e];
                    int at = block.indices()[e] * outputs;
                    for (int o = 0; o < outputs; o++) {
                        out[i * outputs + o] += value * w[at + o];
                    }
                }
            }
        }

        private int start(int row) {
            return block.starts()[from + row];
        }

        @Override
        public void addTransposed(double[] coefficients, int outputs, double[] sum) {
            for (int i = 0; i < rows(); i++) {
                for (int e = start(i); e < start(i + 1); e++) {
                    double value = block.values()[e];
                    int at = block.indices()[e] * outputs;
                    for (int o = 0; o < outputs; o++) {
                        sum[at + o] += value * coefficients[i * outputs + o];
                    }
                }
            }
        }

        @Override
        public double dot(int row, double[] weights) {
            double sum = 0;
            for (int e = start(row); e < start(row + 1); e++) {
                sum += block.values()[e] * weights[block.indices()[e]];
            }
            return sum;
        }

        @Override
        public void addRow(int row, double factor, double[] to) {
            for (int e = start(row); e < start(row + 1); e++) {
                to[block.indices()[e]] += factor * block.values()[e];
            }
        }

        @Override
        public double squaredNorm(int row) {
            double sum = 0;
            for (int e = start(row); e < start(row + 1); e++) {
                sum += (double) block.values()[e] * block.values()[e];
            }
            return sum;
        }
    }
}
