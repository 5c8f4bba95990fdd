package org.bochner.kernel.gram;

import java.util.function.DoubleUnaryOperator;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;

/**
 * Derivatives of weighted sums of values of a shift-invariant kernel by the scales 1/σₗ of the columns. Rows are in
 * units of the length-scales. Matrices hold one row after the other, with any stride, and are not transposed.
 *
 * <p>Accuracy: functions of the Euclidean distance lose digits if rows are much longer than their differences, so rows
 * should be centred.
 *
 * <p>Cost: two matrix products for functions of the Euclidean distance; otherwise one slope of the kernel per pair.
 *
 * <p>Threads: safe; immutable.
 */
public interface ScaleGradient {
    /** Adds the derivatives of Σᵢⱼ cᵢⱼ·k(xᵢ, hⱼ) by log(1/σₗ), one per column. */
    void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, double[] sums);

    /** Returns the gradient of a kernel, whatever its length-scales are. */
    static ScaleGradient of(ShiftInvariantKernel kernel) {
        ShiftInvariantKernel unit = kernel.withSigma(Bandwidth.of(1));
        return unit.ofScaledSquare().isPresent() ? new OfDistance(unit.slopeByScaledSquare()) : new OfOffset(unit);
    }

    /**
     * The gradient of a function f of s = |xᵢ − hⱼ|². Its derivatives are 2wᵢⱼ·(xᵢₗ − hⱼₗ)² with wᵢⱼ = cᵢⱼ·f′(s), and
     * their sum is that of the squares of both rows and of one product of matrices.
     */
    record OfDistance(DoubleUnaryOperator bySquare) implements ScaleGradient {
        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, double[] sums) {
            Matrix<double[]> weights = SquaredDistances.weighted(x, h, bySquare, c);
            addSquares(Rows.sums(weights), x, sums);
            addSquares(Rows.sums(weights.transposed()), h, sums);
            Matrix<double[]> products = Rows.zeros(h.rows(), h.columns());
            Blas.get().multiply(1, weights.transposed(), x, 0, products);
            for (int j = 0; j < h.rows(); j++) {
                addProducts(
                        -4, products.values(), j * products.stride(), h.values(), h.offset() + j * h.stride(), sums);
            }
        }

        private static void addSquares(double[] weights, Matrix<double[]> rows, double[] sums) {
            for (int i = 0; i < weights.length; i++) {
                int from = rows.offset() + i * rows.stride();
                addProducts(2 * weights[i], rows.values(), from, rows.values(), from, sums);
            }
        }

        /** Adds factor·aₗ·bₗ. */
        private static void addProducts(double factor, double[] a, int fromA, double[] b, int fromB, double[] sums) {
            for (int l = 0; l < sums.length; l++) {
                sums[l] += factor * a[fromA + l] * b[fromB + l];
            }
        }
    }

    /** The gradient of a function of x − h. */
    record OfOffset(ShiftInvariantKernel kernel) implements ScaleGradient {
        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, double[] sums) {
            double[] delta = new double[sums.length];
            double[] slope = new double[sums.length];
            for (int i = 0; i < x.rows(); i++) {
                int ofX = x.offset() + i * x.stride();
                for (int j = 0; j < h.rows(); j++) {
                    int ofH = h.offset() + j * h.stride();
                    for (int l = 0; l < sums.length; l++) {
                        delta[l] = x.values()[ofX + l] - h.values()[ofH + l];
                    }
                    kernel.slope(delta, slope);
                    double weight = c.values()[c.offset() + i * c.stride() + j];
                    for (int l = 0; l < sums.length; l++) {
                        sums[l] += weight * delta[l] * slope[l];
                    }
                }
            }
        }
    }
}
