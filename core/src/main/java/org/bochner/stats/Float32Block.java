package org.bochner.stats;

import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;

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

    private void reserve(int rowCount) {
        rows = rowCount;
        if (z.length < (long) rows * features) {
            z = new float[Math.multiplyExact(rows, features)];
        }
    }

    @Override
    public void fill(FeatureMap map, RowBlock block) {
        reserve(block.rows());
        map.apply(block, z, 0, features);
        FiniteFeatures.require(block, z, features);
    }

    @Override
    void put(int rowCount, double[] values) {
        reserve(rowCount);
        Vectors.round(values, 0, z, 0, rowCount * features);
    }

    @Override
    public void fill(int rowCount, double[] coefficients, WeightMatrix weights) {
        reserve(rowCount);
        int outputs = weights.outputs();
        float[] rounded = Vectors.rounded(coefficients, rowCount * outputs);
        Matrix<float[]> transposed =
                Matrix.of(weights.float32(), features, outputs).transposed();
        Blas.get().multiply(Matrix.of(rounded, rowCount, outputs), transposed, z);
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
        Blas.get().multiply(matrix(from, count), Matrix.of(weights.float32(), features, outputs), product);
        widen(product, 0, out, product.length);
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
        Matrix<double[]> all = Matrix.of(weights.float64(), features, outputs);
        int tile = Math.min(rows, SCORED_ROWS);
        if (wide.length < tile * features) {
            wide = new double[Math.multiplyExact(tile, features)];
        }
        for (int from = 0; from < rows; from += tile) {
            int count = Math.min(tile, rows - from);
            widen(z, from * features, wide, count * features);
            Matrix<double[]> part = Matrix.of(out, from * outputs, count, outputs, outputs);
            Blas.get().multiply(1.0, Matrix.of(wide, count, features), all, 0.0, part);
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
        float[] rounded = Vectors.rounded(coefficients, count * outputs);
        float[] product = new float[features * outputs];
        Matrix<float[]> rows = matrix(from, count).transposed();
        Blas.get().multiply(rows, Matrix.of(rounded, count, outputs), product);
        for (int j = 0; j < product.length; j++) {
            sum[j] += product[j];
        }
    }

    @Override
    void gram(int from, int to, double[] out) {
        int count = to - from;
        Matrix<float[]> rows = matrix(from, count);
        float[] product = new float[count * count];
        Blas.get().multiply(rows, rows.transposed(), product);
        widen(product, 0, out, product.length);
    }

    private Matrix<float[]> matrix(int from, int count) {
        return Matrix.of(z, from * features, count, features, features);
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
    void addRow(int row, double weight, double[] to, int at) {
        addRow(z, row * features, features, weight, to, at);
    }

    @Override
    void addPart(int row, int first, int count, double weight, double[] to, int at) {
        addRow(z, row * features + first, count, weight, to, at);
    }

    // A static method on plain indices, which vectorises.
    private static void addRow(float[] z, int start, int count, double weight, double[] to, int at) {
        for (int j = 0; j < count; j++) {
            to[at + j] += weight * z[start + j];
        }
    }

    @Override
    void round(double[] shift, GramSum sum) {
        sum.shift32 = Vectors.rounded(shift, features);
        widen(sum.shift32, 0, shift, features);
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
        Blas.get()
                .gram(1f, Matrix.of(z, rows, features), anew ? 0f : 1f, Matrix.of(sum.products32, features, features));
    }
}
