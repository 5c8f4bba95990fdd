package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.numeric.Precision;
import org.bochner.numeric.matrix.Blas;

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

    /** Rows of features in an array, which is shared: whoever changes it changes the block. */
    static FeatureBlock of(int features, int rows, float[] values) {
        Float32 block = new Float32(features);
        block.z = values;
        block.rows = rows;
        return block;
    }

    /** Replaces the content by the map of the given rows. */
    public abstract void fill(FeatureMap map, RowBlock block);

    /** Replaces the content by coefficients·weightsᵀ: so many rows, of which each has a coefficient an output. */
    public abstract void fill(int rowCount, double[] coefficients, WeightMatrix weights);

    /** Adds the rows, whose features these are, to a gradient, given the cotangents in a block of the same precision. */
    public abstract void addTo(MapGradient gradient, RowBlock block, FeatureBlock cotangents);

    /** Scores of linear functions: out (rows×outputs) ← features·weights. */
    public final void multiply(WeightMatrix weights, double[] out) {
        multiply(0, rows, weights, out);
    }

    /**
     * The same, with weights and sums in float64 whatever the precision of the features: for predictions, where large
     * weights of both signs would cancel to fewer digits than float32 has. A learner, which only needs to know where to
     * go next, has {@link #multiply}, which is faster where there are many outputs.
     */
    public abstract void score(WeightMatrix weights, double[] out);

    /** sum (D×outputs) += Zᵀ·coefficients, of which there are rows×outputs. */
    public final void addTransposed(double[] coefficients, int outputs, double[] sum) {
        addTransposed(0, rows, coefficients, outputs, sum);
    }

    /** The same for the rows from (inclusive) to (exclusive), whose scores are the first of out. */
    abstract void multiply(int from, int to, WeightMatrix weights, double[] out);

    /** sum (D×outputs) += Zᵀ·coefficients for the rows from to to, whose coefficients, a row of outputs each, are given. */
    abstract void addTransposed(int from, int to, double[] coefficients, int outputs, double[] sum);

    /** out ← Z·Zᵀ for the rows from (inclusive) to (exclusive). */
    abstract void gram(int from, int to, double[] out);

    /** Σⱼ z(row, j)·w(j). */
    abstract double dot(int row, double[] w);

    /** Σⱼ z(row, j)². */
    public abstract double squaredNorm(int row);

    /** Returns weight · Σⱼ (z(row, j) − centre(j))², and adds weight · (z(row, j) − centre(j)) to the sums. */
    abstract double addDeviations(int row, double weight, double[] centre, double[] sums);

    public int rows() {
        return rows;
    }

    public int features() {
        return features;
    }

    public abstract double get(int row, int feature);

    /** to[at + j] += weight · feature j of the row. */
    abstract void addRow(int row, double weight, double[] to, int at);

    /** Rounds numbers, in place, to this block's precision, and keeps them in the sum. */
    abstract void round(double[] shift, GramSum sum);

    /** Subtracts the shift of the sum from a row. */
    abstract void subtract(int row, GramSum sum);

    abstract void scaleRow(int row, double factor);

    /** Adds ZᵀZ to the products of a sum, or starts them again. */
    abstract void addToGram(GramSum sum, boolean anew);

    /** Returns the shared array of float32 features, rows×D; fails for a block of float64. */
    public float[] float32() {
        throw new IllegalStateException("the features are float64");
    }

    private static final class Float32 extends FeatureBlock {
        private float[] z = new float[0];
        /** Rows that are brought to float64 at a time: few enough for the cache. */
        private static final int SCORED_ROWS = 32;

        private double[] wide = new double[0];

        Float32(int features) {
            super(features);
        }

        @Override
        public float[] float32() {
            return z;
        }

        @Override
        public void fill(FeatureMap map, RowBlock block) {
            rows = block.rows();
            if (z.length < (long) rows * features) {
                z = new float[Math.multiplyExact(rows, features)];
            }
            map.apply(block, z, 0, features);
            FiniteFeatures.require(block, z, 0, features);
        }

        @Override
        public void fill(int rowCount, double[] coefficients, WeightMatrix weights) {
            rows = rowCount;
            if (z.length < (long) rows * features) {
                z = new float[Math.multiplyExact(rows, features)];
            }
            int outputs = weights.outputs();
            float[] rounded = new float[rowCount * outputs];
            for (int i = 0; i < rounded.length; i++) {
                rounded[i] = (float) coefficients[i];
            }
            Blas.get()
                    .gemm(
                            false,
                            true,
                            rowCount,
                            features,
                            outputs,
                            1f,
                            rounded,
                            0,
                            outputs,
                            weights.float32(),
                            0,
                            outputs,
                            0f,
                            z,
                            0,
                            features);
        }

        @Override
        public void addTo(MapGradient gradient, RowBlock block, FeatureBlock cotangents) {
            gradient.add(block, z, ((Float32) cotangents).z, 0, features);
        }

        @Override
        void multiply(int from, int to, WeightMatrix weights, double[] out) {
            int outputs = weights.outputs();
            int count = to - from;
            float[] product = new float[count * outputs];
            int at = from * features;
            if (outputs == 1) {
                Blas.get().gemv(false, count, features, 1f, z, at, features, weights.float32(), 0f, product);
            } else {
                Blas.get()
                        .gemm(
                                false,
                                false,
                                count,
                                outputs,
                                features,
                                1f,
                                z,
                                at,
                                features,
                                weights.float32(),
                                0,
                                outputs,
                                0f,
                                product,
                                0,
                                outputs);
            }
            for (int i = 0; i < product.length; i++) {
                out[i] = product[i];
            }
        }

        @Override
        public void score(WeightMatrix weights, double[] out) {
            int outputs = weights.outputs();
            if (outputs == 1) {
                for (int i = 0; i < rows; i++) {
                    out[i] = dot(i, weights.float64());
                }
                return;
            }
            int tile = Math.min(rows, SCORED_ROWS);
            if (wide.length < tile * features) {
                wide = new double[Math.multiplyExact(tile, features)];
            }
            for (int from = 0; from < rows; from += tile) {
                int count = Math.min(tile, rows - from);
                widen(z, from * features, wide, count * features);
                Blas.get()
                        .gemm(
                                false,
                                false,
                                count,
                                outputs,
                                features,
                                1.0,
                                wide,
                                0,
                                features,
                                weights.float64(),
                                0,
                                outputs,
                                0.0,
                                out,
                                from * outputs,
                                outputs);
            }
        }

        private static void widen(float[] z, int start, double[] to, int count) {
            for (int j = 0; j < count; j++) {
                to[j] = z[start + j];
            }
        }

        @Override
        void addTransposed(int from, int to, double[] coefficients, int outputs, double[] sum) {
            int count = to - from;
            float[] rounded = new float[count * outputs];
            for (int i = 0; i < rounded.length; i++) {
                rounded[i] = (float) coefficients[i];
            }
            float[] product = new float[features * outputs];
            int at = from * features;
            if (outputs == 1) {
                Blas.get().gemv(true, count, features, 1f, z, at, features, rounded, 0f, product);
            } else {
                Blas.get()
                        .gemm(
                                true, false, features, outputs, count, 1f, z, at, features, rounded, 0, outputs, 0f,
                                product, 0, outputs);
            }
            for (int j = 0; j < product.length; j++) {
                sum[j] += product[j];
            }
        }

        @Override
        void gram(int from, int to, double[] out) {
            int count = to - from;
            int at = from * features;
            float[] product = new float[count * count];
            Blas.get()
                    .gemm(
                            false, true, count, count, features, 1f, z, at, features, z, at, features, 0f, product, 0,
                            count);
            for (int i = 0; i < product.length; i++) {
                out[i] = product[i];
            }
        }

        @Override
        double dot(int row, double[] w) {
            return dot(z, row * features, features, w);
        }

        private static double dot(float[] z, int start, int count, double[] w) {
            // Four sums, because additions that wait for each other take four times as long.
            double a = 0;
            double b = 0;
            double c = 0;
            double d = 0;
            int j = 0;
            for (; j + 3 < count; j += 4) {
                a += z[start + j] * w[j];
                b += z[start + j + 1] * w[j + 1];
                c += z[start + j + 2] * w[j + 2];
                d += z[start + j + 3] * w[j + 3];
            }
            for (; j < count; j++) {
                a += z[start + j] * w[j];
            }
            return (a + b) + (c + d);
        }

        @Override
        public double squaredNorm(int row) {
            return squaredNorm(z, row * features, features);
        }

        @Override
        double addDeviations(int row, double weight, double[] centre, double[] sums) {
            return addDeviations(z, row * features, features, weight, centre, sums);
        }

        private static double addDeviations(
                float[] z, int start, int count, double weight, double[] centre, double[] sums) {
            double a = 0;
            double b = 0;
            int j = 0;
            for (; j + 1 < count; j += 2) {
                double first = z[start + j] - centre[j];
                double second = z[start + j + 1] - centre[j + 1];
                a += first * first;
                b += second * second;
                sums[j] += weight * first;
                sums[j + 1] += weight * second;
            }
            if (j < count) {
                double last = z[start + j] - centre[j];
                a += last * last;
                sums[j] += weight * last;
            }
            return weight * (a + b);
        }

        private static double squaredNorm(float[] z, int start, int count) {
            double a = 0;
            double b = 0;
            double c = 0;
            double d = 0;
            int j = start;
            for (; j + 3 < start + count; j += 4) {
                a += (double) z[j] * z[j];
                b += (double) z[j + 1] * z[j + 1];
                c += (double) z[j + 2] * z[j + 2];
                d += (double) z[j + 3] * z[j + 3];
            }
            for (; j < start + count; j++) {
                a += (double) z[j] * z[j];
            }
            return (a + b) + (c + d);
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
        void round(double[] shift, GramSum sum) {
            sum.shift32 = new float[features];
            for (int j = 0; j < features; j++) {
                sum.shift32[j] = (float) shift[j];
                shift[j] = sum.shift32[j];
            }
        }

        @Override
        void subtract(int row, GramSum sum) {
            subtract(z, row * features, sum.shift32);
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
        void addToGram(GramSum sum, boolean anew) {
            if (sum.products32.length == 0) {
                sum.products32 = new float[GramAccumulator.square(features)];
            }
            Blas.get().gram(features, rows, 1f, z, 0, features, anew ? 0f : 1f, sum.products32, features);
        }
    }

    private static final class Float64 extends FeatureBlock {
        private double[] z = new double[0];

        Float64(int features) {
            super(features);
        }

        @Override
        public void fill(FeatureMap map, RowBlock block) {
            rows = block.rows();
            if (z.length < (long) rows * features) {
                z = new double[Math.multiplyExact(rows, features)];
            }
            map.apply(block, z, 0, features);
            FiniteFeatures.require(block, z, 0, features);
        }

        @Override
        public void fill(int rowCount, double[] coefficients, WeightMatrix weights) {
            rows = rowCount;
            if (z.length < (long) rows * features) {
                z = new double[Math.multiplyExact(rows, features)];
            }
            int outputs = weights.outputs();
            Blas.get()
                    .gemm(
                            false,
                            true,
                            rowCount,
                            features,
                            outputs,
                            1.0,
                            coefficients,
                            0,
                            outputs,
                            weights.float64(),
                            0,
                            outputs,
                            0.0,
                            z,
                            0,
                            features);
        }

        @Override
        public void addTo(MapGradient gradient, RowBlock block, FeatureBlock cotangents) {
            gradient.add(block, z, ((Float64) cotangents).z, 0, features);
        }

        @Override
        void multiply(int from, int to, WeightMatrix weights, double[] out) {
            int outputs = weights.outputs();
            int count = to - from;
            Arrays.fill(out, 0, count * outputs, 0);
            int at = from * features;
            if (outputs == 1) {
                Blas.get().gemv(false, count, features, 1.0, z, at, features, weights.float64(), 0.0, out);
                return;
            }
            Blas.get()
                    .gemm(
                            false,
                            false,
                            count,
                            outputs,
                            features,
                            1.0,
                            z,
                            at,
                            features,
                            weights.float64(),
                            0,
                            outputs,
                            0.0,
                            out,
                            0,
                            outputs);
        }

        @Override
        public void score(WeightMatrix weights, double[] out) {
            multiply(0, rows, weights, out);
        }

        @Override
        void addTransposed(int from, int to, double[] coefficients, int outputs, double[] sum) {
            int count = to - from;
            int at = from * features;
            if (outputs == 1) {
                Blas.get().gemv(true, count, features, 1.0, z, at, features, coefficients, 1.0, sum);
                return;
            }
            Blas.get()
                    .gemm(
                            true,
                            false,
                            features,
                            outputs,
                            count,
                            1.0,
                            z,
                            at,
                            features,
                            coefficients,
                            0,
                            outputs,
                            1.0,
                            sum,
                            0,
                            outputs);
        }

        @Override
        void gram(int from, int to, double[] out) {
            int count = to - from;
            int at = from * features;
            Blas.get()
                    .gemm(
                            false, true, count, count, features, 1.0, z, at, features, z, at, features, 0.0, out, 0,
                            count);
        }

        @Override
        double dot(int row, double[] w) {
            return dot(z, row * features, features, w, 0);
        }

        @Override
        public double squaredNorm(int row) {
            return dot(z, row * features, features, z, row * features);
        }

        @Override
        double addDeviations(int row, double weight, double[] centre, double[] sums) {
            return addDeviations(z, row * features, features, weight, centre, sums);
        }

        private static double addDeviations(
                double[] z, int start, int count, double weight, double[] centre, double[] sums) {
            double a = 0;
            double b = 0;
            int j = 0;
            for (; j + 1 < count; j += 2) {
                double first = z[start + j] - centre[j];
                double second = z[start + j + 1] - centre[j + 1];
                a += first * first;
                b += second * second;
                sums[j] += weight * first;
                sums[j + 1] += weight * second;
            }
            if (j < count) {
                double last = z[start + j] - centre[j];
                a += last * last;
                sums[j] += weight * last;
            }
            return weight * (a + b);
        }

        private static double dot(double[] z, int start, int count, double[] w, int from) {
            double a = 0;
            double b = 0;
            double c = 0;
            double d = 0;
            int j = 0;
            for (; j + 3 < count; j += 4) {
                a += z[start + j] * w[from + j];
                b += z[start + j + 1] * w[from + j + 1];
                c += z[start + j + 2] * w[from + j + 2];
                d += z[start + j + 3] * w[from + j + 3];
            }
            for (; j < count; j++) {
                a += z[start + j] * w[from + j];
            }
            return (a + b) + (c + d);
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
        void round(double[] shift, GramSum sum) {
            sum.shift64 = shift.clone();
        }

        @Override
        void subtract(int row, GramSum sum) {
            subtract(z, row * features, sum.shift64);
        }

        private static void subtract(double[] z, int start, double[] shift) {
            for (int j = 0; j < shift.length; j++) {
                z[start + j] -= shift[j];
            }
        }

        @Override
        void scaleRow(int row, double factor) {
            for (int j = row * features; j < (row + 1) * features; j++) {
                z[j] *= factor;
            }
        }

        @Override
        void addToGram(GramSum sum, boolean anew) {
            if (sum.products64.length == 0) {
                sum.products64 = new double[GramAccumulator.square(features)];
            }
            Blas.get().gram(features, rows, 1.0, z, 0, features, anew ? 0.0 : 1.0, sum.products64, features);
        }
    }
}
