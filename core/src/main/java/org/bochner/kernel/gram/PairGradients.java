package org.bochner.kernel.gram;

import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.numeric.matrix.Matrix;

/** Gradients of kernels that are evaluated pair by pair. */
final class PairGradients {
    private PairGradients() {}

    /** The gradient of a function of x − h. */
    record OfOffset(ShiftInvariantKernel kernel) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            double[][] fixed = Rows.rows(h);
            for (int i = 0; i < x.rows(); i++) {
                double[] row = Rows.row(x, i);
                for (int j = 0; j < h.rows(); j++) {
                    out.values()[out.offset() + i * out.stride() + j] = kernel.value(row, fixed[j]);
                }
            }
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
    record OfColumns(ColumnTerms terms) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            Rows.each(
                    out,
                    (at, i, j) -> out.values()[at] = terms.sum(
                            x.values(),
                            x.offset() + i * x.stride(),
                            h.values(),
                            h.offset() + j * h.stride(),
                            h.columns()));
        }

        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
            addSlopes(terms, 1, x, h, c, out);
        }
    }

    /** Adds a multiple of the gradient of an additive kernel. */
    private static void addSlopes(
            ColumnTerms terms,
            double multiple,
            Matrix<double[]> x,
            Matrix<double[]> h,
            Matrix<double[]> c,
            Matrix<double[]> out) {
        Rows.each(
                c,
                (at, i, j) -> terms.addSlopes(
                        multiple * c.values()[at],
                        x.values(),
                        x.offset() + i * x.stride(),
                        h.values(),
                        h.offset() + j * h.stride(),
                        out.values(),
                        out.offset() + j * out.stride(),
                        h.columns()));
    }

    /** The gradient of a function of D² = Σₗ κ(xₗ, xₗ) + κ(hₗ, hₗ) − 2κ(xₗ, hₗ), where κ(h, h) = h^degree. */
    record OfColumnDistance(RadialKernel kernel, ColumnTerms terms) implements CrossGradient {
        @Override
        public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
            SquaredDistances.of(kernel.additive(), x, h, out);
            Rows.apply(out, kernel::atSquaredDistance);
        }

        @Override
        public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
            Matrix<double[]> weights = Rows.zeros(x.rows(), h.rows());
            SquaredDistances.of(kernel.additive(), x, h, weights);
            double[] sums = new double[h.rows()];
            Rows.each(weights, (at, i, j) -> {
                double slope = kernel.slopeAtSquaredDistance(weights.values()[at]);
                weights.values()[at] = c.values()[c.offset() + i * c.stride() + j] * slope;
                sums[j] += weights.values()[at];
            });
            addSlopes(terms, -2, x, h, weights, out);
            double degree = kernel.additive().degree();
            Rows.each(out, (at, j, column) -> {
                double value = h.values()[h.offset() + j * h.stride() + column];
                double ofSquare = degree == 1 ? 1 : value == 0 ? 0 : degree * Math.pow(value, degree - 1);
                out.values()[at] += sums[j] * ofSquare;
            });
        }
    }
}
