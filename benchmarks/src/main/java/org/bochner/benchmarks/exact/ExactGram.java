package org.bochner.benchmarks.exact;

import org.bochner.kernel.Kernel;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;

/**
 * The kernel matrix of all pairs of rows, and sums of its derivatives, by strips of rows: nothing of n² numbers is held but
 * the matrix itself. Sums are taken strip by strip in order, so that they do not depend on the number of threads.
 */
final class ExactGram {
    /** Rows of a strip. */
    private static final int STRIP = 128;

    /** What a function's derivatives by the entries of the matrix are: a symmetric matrix. */
    @FunctionalInterface
    interface Cotangent {
        /** Writes its rows from (inclusive) to (exclusive), columns 0, …, to−1, one row after the other. */
        void strip(int from, int to, double[] out);
    }

    private final KernelScales kernel;
    private final int columns;
    private final double[][] prepared;
    private final Workers workers;

    ExactGram(KernelScales kernel, ExactRows rows, Workers workers) {
        this.kernel = kernel;
        this.columns = rows.columns();
        this.workers = workers;
        this.prepared = new double[rows.count()][];
        for (int i = 0; i < prepared.length; i++) {
            prepared[i] = rows.prepared(i, kernel::prepared);
        }
        if (kernel.gaussian()) {
            centre();
        }
    }

    /** Differences stay; squares that they are computed from get small. */
    private void centre() {
        double[] means = new double[columns];
        for (double[] row : prepared) {
            for (int l = 0; l < columns; l++) {
                means[l] += row[l] / prepared.length;
            }
        }
        for (double[] row : prepared) {
            for (int l = 0; l < columns; l++) {
                row[l] -= means[l];
            }
        }
    }

    int size() {
        return prepared.length;
    }

    /** Writes the matrix, both triangles. */
    void fill(double[] scales, double[] matrix) {
        double[][] scaled = scaled(scales);
        double[] flat = kernel.gaussian() ? flat(scaled) : new double[0];
        eachStrip((strip, from, to) -> {
            if (kernel.gaussian()) {
                fillGaussian(flat, from, to, matrix);
            } else {
                KernelScales.Unit unit = kernel.unit(scales);
                fillPairs(unit, scaled, from, to, matrix);
            }
        });
    }

    /** The matrix of any kernel. */
    static double[] of(Kernel kernel, ExactRows rows, Workers workers) {
        int n = rows.count();
        double[] matrix = new double[n * n];
        double[][] values = rows.rows();
        workers.each(n, k -> {
            int i = n - 1 - k;
            for (int j = 0; j <= i; j++) {
                double value = kernel.value(values[i], values[j]);
                matrix[i * n + j] = value;
                matrix[j * n + i] = value;
            }
        });
        return matrix;
    }

    private double[][] scaled(double[] scales) {
        KernelScales.Unit unit = kernel.unit(scales);
        double[][] scaled = new double[size()][];
        for (int i = 0; i < scaled.length; i++) {
            scaled[i] = prepared[i].clone();
            unit.scale(scaled[i]);
        }
        return scaled;
    }

    private double[] flat(double[][] rows) {
        double[] flat = new double[rows.length * columns];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, flat, i * columns, columns);
        }
        return flat;
    }

    private void fillPairs(KernelScales.Unit unit, double[][] rows, int from, int to, double[] matrix) {
        int n = size();
        for (int i = from; i < to; i++) {
            for (int j = 0; j <= i; j++) {
                double value = unit.value(rows[i], rows[j]);
                matrix[i * n + j] = value;
                matrix[j * n + i] = value;
            }
        }
    }

    private void fillGaussian(double[] flat, int from, int to, double[] matrix) {
        int n = size();
        double[] squares = new double[to];
        for (int i = 0; i < to; i++) {
            for (int at = i * columns; at < (i + 1) * columns; at++) {
                squares[i] += flat[at] * flat[at];
            }
        }
        double[] products = new double[(to - from) * to];
        Blas.get()
                .multiply(
                        Matrix.of(flat, from * columns, to - from, columns, columns),
                        Matrix.of(flat, to, columns).transposed(),
                        products);
        for (int i = from; i < to; i++) {
            for (int j = 0; j < i; j++) {
                double square = squares[i] + squares[j] - 2 * products[(i - from) * to + j];
                double value = Math.exp(-0.5 * Math.max(0, square));
                matrix[i * n + j] = value;
                matrix[j * n + i] = value;
            }
            matrix[i * n + i] = 1;
        }
    }

    /**
     * The derivatives by the logarithms of the scales of a function whose derivatives by the matrix are given: Σ over
     * all pairs of cotangent·dk.
     *
     * @param matrix of which only what lies below the diagonal is read
     */
    double[] contract(double[] scales, double[] matrix, Cotangent cotangent) {
        double[][] scaled = scaled(scales);
        double[] flat = kernel.gaussian() ? flat(scaled) : new double[0];
        double[][] parts = new double[strips()][columns];
        eachStrip((strip, from, to) -> {
            double[] weights = new double[(to - from) * to];
            cotangent.strip(from, to, weights);
            if (kernel.gaussian()) {
                contractGaussian(flat, from, to, matrix, weights, parts[strip]);
            } else {
                contractPairs(kernel.unit(scales), scaled, from, to, weights, parts[strip]);
            }
        });
        double[] byColumn = new double[columns];
        for (double[] part : parts) {
            for (int l = 0; l < columns; l++) {
                // Every pair counts twice, and the diagonal is constant.
                byColumn[l] += 2 * part[l];
            }
        }
        return kernel.byScale(byColumn);
    }

    private static void contractPairs(
            KernelScales.Unit unit, double[][] rows, int from, int to, double[] weights, double[] sums) {
        for (int i = from; i < to; i++) {
            for (int j = 0; j < i; j++) {
                unit.addSlope(weights[(i - from) * to + j], rows[i], rows[j], sums);
            }
        }
    }

    /**
     * Σ over i in the strip and all j before i of −wᵢⱼ(xᵢₗ − xⱼₗ)², w the product of cotangent and kernel, by
     * {@code Σᵢ rᵢxᵢₗ² + Σⱼ cⱼxⱼₗ² − 2Σᵢ xᵢₗ(WX)ᵢₗ} with the sums r of the rows and c of the columns of W.
     */
    private void contractGaussian(double[] flat, int from, int to, double[] matrix, double[] weights, double[] sums) {
        int n = size();
        double[] byRow = new double[to];
        for (int i = from; i < to; i++) {
            for (int j = 0; j < to; j++) {
                int at = (i - from) * to + j;
                weights[at] = j < i ? weights[at] * matrix[i * n + j] : 0;
                byRow[i] += weights[at];
                byRow[j] += weights[at];
            }
        }
        double[] products = new double[(to - from) * columns];
        Blas.get().multiply(Matrix.of(weights, to - from, to), Matrix.of(flat, to, columns), products);
        for (int i = 0; i < to; i++) {
            for (int l = 0; l < columns; l++) {
                double x = flat[i * columns + l];
                sums[l] -= byRow[i] * x * x;
                if (i >= from) {
                    sums[l] += 2 * x * products[(i - from) * columns + l];
                }
            }
        }
    }

    private int strips() {
        return (size() + STRIP - 1) / STRIP;
    }

    @FunctionalInterface
    private interface StripTask {
        void run(int strip, int from, int to);
    }

    /** The last strips are the longest; taking them first keeps the threads busy to the end. */
    private void eachStrip(StripTask task) {
        int strips = strips();
        workers.each(strips, s -> {
            int strip = strips - 1 - s;
            task.run(strip, strip * STRIP, Math.min(size(), (strip + 1) * STRIP));
        });
    }
}
