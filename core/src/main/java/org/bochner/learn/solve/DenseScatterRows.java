package org.bochner.learn.solve;

import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;

/** Sampled rows as a dense matrix in float32. */
final class DenseScatterRows implements ScatterRows {
    /** Rows and columns of the parts of A that are converted to float64: half a megabyte, which stays in cache. */
    private static final int STRIP = 128;

    private static final int PANEL = 512;

    private final int size;
    private final int features;
    private final Workers workers;
    /** A, s×D, row-major. */
    private final float[] rows;

    DenseScatterRows(float[] rows, int size, int features, Workers workers) {
        this.rows = rows;
        this.size = size;
        this.features = features;
        this.workers = workers;
    }

    /** Computes products in float32 per panel of columns, summed in float64. */
    @Override
    public double[] products() {
        double[] sums = new double[Math.multiplyExact(size, size)];
        Strips.each(workers, size, STRIP, (first, end) -> {
            int height = end - first;
            int columns = size - first;
            float[] part = new float[height * columns];
            for (int from = 0; from < features; from += PANEL) {
                int depth = Math.min(PANEL, features - from);
                int start = first * features + from;
                Matrix<float[]> left = Matrix.of(rows, start, height, depth, features);
                Matrix<float[]> right = Matrix.of(rows, start, columns, depth, features);
                Blas.get().multiply(left, right.transposed(), part);
                for (int i = 0; i < height; i++) {
                    int to = (first + i) * size + first;
                    for (int j = i; j < columns; j++) {
                        sums[to + j] += part[i * columns + j];
                    }
                }
            }
        });
        return sums;
    }

    @Override
    public void multiply(double[] in, int outputs, double[] small) {
        Strips.each(workers, size, STRIP, (first, end) -> multiplyStrip(first, end - first, in, outputs, small));
    }

    @Override
    public void finish(double[] in, double[] small, int outputs, double shift, double[] out) {
        Strips.each(
                workers, features, PANEL, (from, end) -> finishPanel(from, end - from, small, in, outputs, shift, out));
    }

    /** Computes a strip of rows of A·in. */
    private void multiplyStrip(int first, int height, double[] in, int outputs, double[] small) {
        int to = first * outputs;
        double[] part = new double[STRIP * PANEL];
        Blas blas = Blas.get();
        for (int from = 0; from < features; from += PANEL) {
            int columns = Math.min(PANEL, features - from);
            int at = from * outputs;
            copyPart(first, height, from, columns, part);
            Matrix<double[]> right = Matrix.of(in, at, columns, outputs, outputs);
            Matrix<double[]> strip = Matrix.of(small, to, height, outputs, outputs);
            blas.multiply(1.0, Matrix.of(part, height, columns), right, 1.0, strip);
        }
    }

    /** Computes a panel of rows of (in − Aᵀ·small)/μ. */
    private void finishPanel(
            int from, int columns, double[] small, double[] in, int outputs, double shift, double[] out) {
        int to = from * outputs;
        double[] part = new double[STRIP * PANEL];
        Blas blas = Blas.get();
        System.arraycopy(in, to, out, to, columns * outputs);
        for (int first = 0; first < size; first += STRIP) {
            int height = Math.min(STRIP, size - first);
            int at = first * outputs;
            copyPart(first, height, from, columns, part);
            Matrix<double[]> right = Matrix.of(small, at, height, outputs, outputs);
            Matrix<double[]> panel = Matrix.of(out, to, columns, outputs, outputs);
            blas.multiply(-1.0, Matrix.of(part, height, columns).transposed(), right, 1.0, panel);
        }
        for (int i = to; i < to + columns * outputs; i++) {
            out[i] /= shift;
        }
    }

    private void copyPart(int first, int height, int from, int columns, double[] part) {
        for (int i = 0; i < height; i++) {
            int start = (first + i) * features + from;
            for (int j = 0; j < columns; j++) {
                part[i * columns + j] = rows[start + j];
            }
        }
    }
}
