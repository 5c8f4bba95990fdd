package org.bochner.kernel.gram;

import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;

/**
 * The gradient of a function f of the squared distance s = Σₗ ((xₗ − hₗ)/σₗ)²: ∂f/∂hₗ = 2f′(s)·(hₗ − xₗ)/σₗ².
 */
final class DistanceGradient implements CrossGradient {
    private final ShiftInvariantKernel kernel;

    DistanceGradient(ShiftInvariantKernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
        Scaled scaled = new Scaled(x, h);
        SquaredDistances.euclidean(scaled.x, scaled.h, out);
        Rows.apply(out, kernel.ofScaledSquare().orElseThrow());
    }

    @Override
    public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
        Scaled scaled = new Scaled(x, h);
        Matrix<double[]> weights = SquaredDistances.weighted(scaled.x, scaled.h, kernel.slopeByScaledSquare(), c);
        double[] sums = Rows.sums(weights.transposed());
        Matrix<double[]> products = Rows.zeros(h.rows(), h.columns());
        Blas.get().multiply(1, weights.transposed(), scaled.x, 0, products);
        Rows.each(out, (at, j, column) -> {
            int k = j * products.stride() + column;
            double inner = sums[j] * scaled.h.values()[k] - products.values()[k];
            out.values()[at] += 2 * inner * scaled.rates[column];
        });
    }

    /** Rows in units of the length-scales, less the mean of h, so that differences of long rows do not cancel. */
    private final class Scaled {
        final double[] rates;
        final Matrix<double[]> x;
        final Matrix<double[]> h;

        Scaled(Matrix<double[]> x, Matrix<double[]> h) {
            int columns = h.columns();
            rates = new double[columns];
            double[] mean = new double[columns];
            for (int l = 0; l < columns; l++) {
                rates[l] = 1 / kernel.sigma().at(l);
            }
            Rows.each(h, (at, j, column) -> mean[column] += h.values()[at] / h.rows());
            this.x = scaled(x, mean);
            this.h = scaled(h, mean);
        }

        private Matrix<double[]> scaled(Matrix<double[]> rows, double[] mean) {
            Matrix<double[]> scaled = Rows.zeros(rows.rows(), rows.columns());
            for (int i = 0; i < rows.rows(); i++) {
                int from = rows.offset() + i * rows.stride();
                for (int l = 0; l < mean.length; l++) {
                    scaled.values()[i * mean.length + l] = (rows.values()[from + l] - mean[l]) * rates[l];
                }
            }
            return scaled;
        }
    }
}
