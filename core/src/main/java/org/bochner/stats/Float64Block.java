package org.bochner.stats;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.optimise.Vectors;

/** A block of mapped rows in float64. */
final class Float64Block extends FeatureBlock {
    private double[] z = new double[0];

    Float64Block(int features) {
        super(features);
    }

    private void reserve(int rowCount) {
        rows = rowCount;
        if (z.length < (long) rows * features) {
            z = new double[Math.multiplyExact(rows, features)];
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
        System.arraycopy(values, 0, z, 0, rowCount * features);
    }

    @Override
    public void fill(int rowCount, double[] coefficients, WeightMatrix weights) {
        reserve(rowCount);
        int outputs = weights.outputs();
        Matrix<double[]> transposed =
                Matrix.of(weights.float64(), features, outputs).transposed();
        Blas.get().multiply(Matrix.of(coefficients, rowCount, outputs), transposed, z);
    }

    @Override
    public float[] float32() {
        return Vectors.rounded(z, rows * features);
    }

    @Override
    public void addTo(MapGradient gradient, RowBlock block, FeatureBlock cotangents) {
        gradient.add(block, z, ((Float64Block) cotangents).z, 0, features);
    }

    @Override
    void multiply(int from, int to, WeightMatrix weights, double[] out) {
        int outputs = weights.outputs();
        int count = to - from;
        Arrays.fill(out, 0, count * outputs, 0);
        Blas.get().multiply(matrix(from, count), Matrix.of(weights.float64(), features, outputs), out);
    }

    @Override
    public void score(WeightMatrix weights, double[] out) {
        multiply(0, rows, weights, out);
    }

    @Override
    void addTransposed(int from, int to, double[] coefficients, int outputs, double[] sum) {
        Matrix<double[]> rows = matrix(from, to - from).transposed();
        if (outputs == 1) {
            Blas.get().multiply(1.0, rows, coefficients, 1.0, sum);
            return;
        }
        Matrix<double[]> sums = Matrix.of(sum, features, outputs);
        Blas.get().multiply(1.0, rows, Matrix.of(coefficients, to - from, outputs), 1.0, sums);
    }

    @Override
    void gram(int from, int to, double[] out) {
        Matrix<double[]> rows = matrix(from, to - from);
        Blas.get().multiply(rows, rows.transposed(), out);
    }

    private Matrix<double[]> matrix(int from, int count) {
        return Matrix.of(z, from * features, count, features, features);
    }

    @Override
    double dot(int row, double[] w) {
        return Vectors.dot(z, row * features, w, 0, features);
    }

    @Override
    void addRow(int row, double weight, double[] to, int at) {
        Vectors.add(weight, z, row * features, to, at, features);
    }

    @Override
    void addPart(int row, int first, int count, double weight, double[] to, int at) {
        Vectors.add(weight, z, row * features + first, to, at, count);
    }

    @Override
    void round(double[] shift, GramSum sum) {
        sum.shift64 = shift.clone();
    }

    @Override
    void subtract(int row, GramSum sum) {
        Vectors.add(-1, sum.shift64, 0, z, row * features, features);
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
        Matrix<double[]> products = Matrix.of(sum.products64, features, features);
        Blas.get().gram(1.0, matrix(0, rows), anew ? 0.0 : 1.0, products);
    }
}
