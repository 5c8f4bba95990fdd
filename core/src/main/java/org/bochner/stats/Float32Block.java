package org.bochner.stats;

import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.numeric.matrix.Blas;

/** A block of mapped rows in float32. */
final class Float32Block extends FeatureBlock {
    float[] z = new float[0];
    /** Rows converted to float64 at a time, few enough for the cache. */
    private static final int SCORED_ROWS = 32;

    private double[] wide = new double[0];

    Float32Block(int features) {
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
        multiply(false, true, rowCount, features, outputs, rounded, 0, outputs, weights.float32(), 0, 0f, z, 0);
    }

    @Override
    public void addTo(MapGradient gradient, RowBlock block, FeatureBlock cotangents) {
        gradient.add(block, z, ((Float32Block) cotangents).z, 0, features);
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
            multiply(false, false, count, outputs, features, z, at, features, weights.float32(), 0, 0f, product, 0);
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
            multiply(true, false, features, outputs, count, z, at, features, rounded, 0, 0f, product, 0);
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
        multiply(false, true, count, count, features, z, at, features, z, at, 0f, product, 0);
        for (int i = 0; i < product.length; i++) {
            out[i] = product[i];
        }
    }

    @Override
    double dot(int row, double[] w) {
        return dot(z, row * features, features, w);
    }

    private static double dot(float[] z, int start, int count, double[] w) {
        // Four sums: a single chain of dependent additions takes four times as long.
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

    // A static method on plain indices, which vectorises.
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

    /**
     * Computes c ← a·b + beta·c for two matrices or their transposes; b and c are stored without gaps between rows.
     */
    private static void multiply(
            boolean transposeA,
            boolean transposeB,
            int m,
            int n,
            int k,
            float[] a,
            int fromA,
            int strideA,
            float[] b,
            int fromB,
            float beta,
            float[] c,
            int fromC) {
        int strideB = transposeB ? k : n;
        Blas.get().gemm(transposeA, transposeB, m, n, k, 1f, a, fromA, strideA, b, fromB, strideB, beta, c, fromC, n);
    }
}
