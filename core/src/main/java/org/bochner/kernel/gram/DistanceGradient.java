package org.bochner.kernel.gram;

import java.util.function.DoubleUnaryOperator;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;

/**
 * The gradient of a function f of the squared distance s = Σₗ ((xₗ − hₗ)/σₗ)²: ∂f/∂hₗ = 2f′(s)·(hₗ − xₗ)/σₗ².
 */
final class DistanceGradient implements CrossGradient {
    private final Bandwidth sigma;
    private final DoubleUnaryOperator function;
    /** The kernel of one column at unit length-scale, whose derivative at √s is 2√s·f′(s). */
    private final ShiftInvariantKernel profile;

    DistanceGradient(ShiftInvariantKernel kernel) {
        sigma = kernel.sigma();
        function = kernel.ofScaledSquare().orElseThrow();
        profile = kernel.withSigma(Bandwidth.of(1));
    }

    @Override
    public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
        Scaled scaled = new Scaled(x, h);
        scaled.squares(out);
        Rows.each(out, (at, i, j) -> out.values()[at] = function.applyAsDouble(out.values()[at]));
    }

    @Override
    public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
        Scaled scaled = new Scaled(x, h);
        Matrix<double[]> weights = Rows.zeros(x.rows(), h.rows());
        scaled.squares(weights);
        double[] sums = new double[h.rows()];
        double[] offset = new double[1];
        double[] slope = new double[1];
        Rows.each(weights, (at, i, j) -> {
            offset[0] = Math.sqrt(weights.values()[at]);
            profile.slope(offset, slope);
            // Equal rows have no direction, whatever the slope.
            double bySquare = offset[0] == 0 ? 0 : slope[0] / (2 * offset[0]);
            double weight = 2 * c.values()[c.offset() + i * c.stride() + j] * bySquare;
            weights.values()[at] = weight;
            sums[j] += weight;
        });
        // Σᵢ wᵢⱼ·(hⱼ − xᵢ), in units of the length-scales.
        Matrix<double[]> inner = Rows.mapped(scaled.h, (value, column) -> value);
        Rows.each(inner, (at, j, column) -> inner.values()[at] *= sums[j]);
        Blas.get().multiply(-1, weights.transposed(), scaled.x, 1, inner);
        Rows.each(
                out,
                (at, j, column) ->
                        out.values()[at] += inner.values()[j * inner.stride() + column] * scaled.rates[column]);
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
                rates[l] = 1 / sigma.at(l);
            }
            Rows.each(h, (at, j, column) -> mean[column] += h.values()[at] / h.rows());
            this.x = Rows.mapped(x, (value, column) -> (value - mean[column]) * rates[column]);
            this.h = Rows.mapped(h, (value, column) -> (value - mean[column]) * rates[column]);
        }

        /** Writes the squared distances. */
        void squares(Matrix<double[]> out) {
            Blas.get().multiply(-2, x, h.transposed(), 0, out);
            double[] ofX = Rows.squares(x);
            double[] ofH = Rows.squares(h);
            Rows.each(out, (at, i, j) -> out.values()[at] = Math.max(0, out.values()[at] + ofX[i] + ofH[j]));
        }
    }
}
