package org.bochner.kernel.gram;

import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.numeric.matrix.Matrix;

/** Gradients of kernels that are evaluated pair by pair. */
final class PairGradients {
    private PairGradients() {}

    /** Writes the values of a kernel, pair by pair. */
    private static void write(Kernel kernel, Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
        double[][] fixed = Rows.rows(h);
        for (int i = 0; i < x.rows(); i++) {
            double[] row = Rows.row(x, i);
            for (int j = 0; j < h.rows(); j++) {
                out.values()[out.offset() + i * out.stride() + j] = kernel.value(row, fixed[j]);
            }
        }
    }

    /** The gradient of a function of x − h. */
    record OfOffset(ShiftInvariantKernel kernel) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            write(kernel, x, h, out);
        }

        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
            int columns = h.columns();
            double[] delta = new double[columns];
            double[] slope = new double[columns];
            for (int i = 0; i < x.rows(); i++) {
                int row = x.offset() + i * x.stride();
                for (int j = 0; j < h.rows(); j++) {
                    int at = h.offset() + j * h.stride();
                    for (int l = 0; l < columns; l++) {
                        delta[l] = x.values()[row + l] - h.values()[at + l];
                    }
                    kernel.slope(delta, slope);
                    double factor = c.values()[c.offset() + i * c.stride() + j];
                    int to = out.offset() + j * out.stride();
                    for (int l = 0; l < columns; l++) {
                        out.values()[to + l] -= factor * slope[l];
                    }
                }
            }
        }
    }

    /** The gradient of a sum over the columns. */
    record OfColumns(AdditiveKernel kernel) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            write(kernel, x, h, out);
        }

        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
            addSlopes(kernel, 1, x, h, c, out);
        }
    }

    /** Adds a multiple of the gradient of an additive kernel. Zeros of x add nothing, because κ(0, h) = 0. */
    private static void addSlopes(
            AdditiveKernel kernel,
            double multiple,
            Matrix<double[]> x,
            Matrix<double[]> h,
            Matrix<double[]> c,
            Matrix<double[]> out) {
        for (int i = 0; i < x.rows(); i++) {
            int row = x.offset() + i * x.stride();
            for (int j = 0; j < h.rows(); j++) {
                double factor = multiple * c.values()[c.offset() + i * c.stride() + j];
                int at = h.offset() + j * h.stride();
                int to = out.offset() + j * out.stride();
                for (int l = 0; l < h.columns(); l++) {
                    double value = x.values()[row + l];
                    if (value != 0) {
                        out.values()[to + l] += factor * kernel.slope(value, h.values()[at + l]);
                    }
                }
            }
        }
    }

    /** The gradient of a function of D² = Σₗ κ(xₗ, xₗ) + κ(hₗ, hₗ) − 2κ(xₗ, hₗ), where κ(h, h) = h^degree. */
    record OfColumnDistance(RadialKernel kernel) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            write(kernel, x, h, out);
        }

        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
            HomogeneousKernel additive = kernel.additive();
            double[][] fixed = Rows.rows(h);
            Matrix<double[]> weights = Rows.zeros(x.rows(), h.rows());
            double[] sums = new double[h.rows()];
            for (int i = 0; i < x.rows(); i++) {
                double[] row = Rows.row(x, i);
                for (int j = 0; j < h.rows(); j++) {
                    double slope = kernel.slopeAtSquaredDistance(additive.squaredDistance(row, fixed[j]));
                    double weight = c.values()[c.offset() + i * c.stride() + j] * slope;
                    weights.values()[i * h.rows() + j] = weight;
                    sums[j] += weight;
                }
            }
            addSlopes(additive, -2, x, h, weights, out);
            double degree = additive.degree();
            Rows.each(out, (at, j, column) -> {
                double value = fixed[j][column];
                double ofSquare = degree == 1 ? 1 : value == 0 ? 0 : degree * Math.pow(value, degree - 1);
                out.values()[at] += sums[j] * ofSquare;
            });
        }
    }
}
