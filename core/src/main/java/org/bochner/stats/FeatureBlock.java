package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Blas;
import org.bochner.numeric.Precision;

/**
 * A block of mapped rows in one of the two precisions, reused from block to block. Everything that touches features in
 * bulk is here, so that the rest is written once for both precisions.
 *
 * <p>Threads: not safe; each worker has its own.
 */
public abstract sealed class FeatureBlock {
    final int features;
    int rows;

    private FeatureBlock(int features) {
        this.features = features;
    }

    /** An empty block for D features; it grows to the rows it is given. */
    public static FeatureBlock of(Precision precision, int features) {
        Require.atLeast("FeatureBlock", "features", features, 1);
        return precision == Precision.FLOAT32 ? new Float32(features) : new Float64(features);
    }

    /** Replaces the content by the map of the given rows. */
    public abstract void fill(FeatureMap map, RowBlock block);

    /**
     * Scores of the linear functions given by D×outputs weights, row-major: out (rows×outputs) ← features·weights.
     * The weights come in both precisions; the block uses its own.
     */
    public abstract void multiply(float[] weights32, double[] weights64, int outputs, double[] out);

    public int rows() {
        return rows;
    }

    public int features() {
        return features;
    }

    public abstract double get(int row, int feature);

    /** to[at + j] += weight · feature j of the row. */
    abstract void addRow(int row, double weight, double[] to, int at);

    /** Rounds numbers, in place, to this block's precision, and keeps them for {@link #subtract}. */
    abstract void round(double[] shift);

    /** Subtracts the shift that was rounded last from a row. */
    abstract void subtract(int row);

    abstract void scaleRow(int row, double factor);

    /** Adds ZᵀZ to the Gram matrix of the block, or starts it anew. */
    abstract void addToGram(boolean anew);

    /** Row i, columns from i on, of a D×D matrix: total += gram + a·u + b·v for that part of the row. */
    abstract void mergeGram(int i, double[] total, double a, double[] u, double b, double[] v);

    private static final class Float32 extends FeatureBlock {
        private float[] z = new float[0];
        private float[] gram = new float[0];
        private final float[] shift32;

        Float32(int features) {
            super(features);
            shift32 = new float[features];
        }

        @Override
        public void fill(FeatureMap map, RowBlock block) {
            rows = block.rows();
            if (z.length < (long) rows * features) {
                z = new float[Math.multiplyExact(rows, features)];
            }
            map.apply(block, z, 0, features);
        }

        @Override
        public void multiply(float[] weights32, double[] weights64, int outputs, double[] out) {
            float[] product = new float[rows * outputs];
            Blas.get()
                    .gemm(
                            false, false, rows, outputs, features, 1f, z, 0, features, weights32, 0, outputs, 0f,
                            product, 0, outputs);
            for (int i = 0; i < product.length; i++) {
                out[i] = product[i];
            }
        }

        @Override
        public double get(int row, int feature) {
            return z[row * features + feature];
        }

        @Override
        void addRow(int row, double weight, double[] to, int at) {
            addRow(z, row * features, features, weight, to, at);
        }

        // Static, on plain indices: such loops vectorise.
        private static void addRow(float[] z, int start, int count, double weight, double[] to, int at) {
            for (int j = 0; j < count; j++) {
                to[at + j] += weight * z[start + j];
            }
        }

        @Override
        void round(double[] shift) {
            for (int j = 0; j < features; j++) {
                shift32[j] = (float) shift[j];
                shift[j] = shift32[j];
            }
        }

        @Override
        void subtract(int row) {
            subtract(z, row * features, shift32);
        }

        private static void subtract(float[] z, int start, float[] shift) {
            for (int j = 0; j < shift.length; j++) {
                z[start + j] -= shift[j];
            }
        }

        @Override
        void scaleRow(int row, double factor) {
            float factor32 = (float) factor;
            for (int j = row * features; j < (row + 1) * features; j++) {
                z[j] *= factor32;
            }
        }

        @Override
        void addToGram(boolean anew) {
            if (gram.length == 0) {
                gram = new float[GramAccumulator.square(features)];
            }
            Blas.get().gram(features, rows, 1f, z, 0, features, anew ? 0f : 1f, gram, features);
        }

        @Override
        void mergeGram(int i, double[] total, double a, double[] u, double b, double[] v) {
            int start = i * features;
            for (int j = i; j < features; j++) {
                total[start + j] += gram[start + j] + a * u[j] + b * v[j];
            }
        }
    }

    private static final class Float64 extends FeatureBlock {
        private double[] z = new double[0];
        private double[] gram = new double[0];
        private final double[] shift64;

        Float64(int features) {
            super(features);
            shift64 = new double[features];
        }

        @Override
        public void fill(FeatureMap map, RowBlock block) {
            rows = block.rows();
            if (z.length < (long) rows * features) {
                z = new double[Math.multiplyExact(rows, features)];
            }
            map.apply(block, z, 0, features);
        }

        @Override
        public void multiply(float[] weights32, double[] weights64, int outputs, double[] out) {
            Arrays.fill(out, 0, rows * outputs, 0);
            Blas.get()
                    .gemm(
                            false, false, rows, outputs, features, 1.0, z, 0, features, weights64, 0, outputs, 0.0, out,
                            0, outputs);
        }

        @Override
        public double get(int row, int feature) {
            return z[row * features + feature];
        }

        @Override
        void addRow(int row, double weight, double[] to, int at) {
            int start = row * features;
            for (int j = 0; j < features; j++) {
                to[at + j] += weight * z[start + j];
            }
        }

        @Override
        void round(double[] shift) {
            System.arraycopy(shift, 0, shift64, 0, features);
        }

        @Override
        void subtract(int row) {
            int start = row * features;
            for (int j = 0; j < features; j++) {
                z[start + j] -= shift64[j];
            }
        }

        @Override
        void scaleRow(int row, double factor) {
            for (int j = row * features; j < (row + 1) * features; j++) {
                z[j] *= factor;
            }
        }

        @Override
        void addToGram(boolean anew) {
            if (gram.length == 0) {
                gram = new double[GramAccumulator.square(features)];
            }
            Blas.get().gram(features, rows, 1.0, z, 0, features, anew ? 0.0 : 1.0, gram, features);
        }

        @Override
        void mergeGram(int i, double[] total, double a, double[] u, double b, double[] v) {
            int start = i * features;
            for (int j = i; j < features; j++) {
                total[start + j] += gram[start + j] + a * u[j] + b * v[j];
            }
        }
    }
}
