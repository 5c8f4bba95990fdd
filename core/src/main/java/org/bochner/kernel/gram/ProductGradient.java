package org.bochner.kernel.gram;

import org.bochner.kernel.DotProductKernel;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;

/** The gradient of a function f of p = x·h, |x|² and s = |h|²: ∂f/∂h = (∂f/∂p)·x + 2(∂f/∂s)·h. */
record ProductGradient(DotProductKernel kernel) implements CrossGradient {
    @Override
    public void values(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
        double[] ofX = Rows.squares(x);
        double[] ofH = Rows.squares(h);
        Blas.get().multiply(1, x, h.transposed(), 0, out);
        Rows.each(out, (at, i, j) -> out.values()[at] = kernel.of(out.values()[at], ofX[i], ofH[j]));
    }

    @Override
    public void add(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> c, Matrix<double[]> out) {
        double[] ofX = Rows.squares(x);
        double[] ofH = Rows.squares(h);
        Matrix<double[]> weights = Rows.zeros(x.rows(), h.rows());
        Blas.get().multiply(1, x, h.transposed(), 0, weights);
        double[] sums = new double[h.rows()];
        double[] slopes = new double[2];
        Rows.each(weights, (at, i, j) -> {
            kernel.slopes(weights.values()[at], ofX[i], ofH[j], slopes);
            double factor = c.values()[c.offset() + i * c.stride() + j];
            weights.values()[at] = factor * slopes[0];
            sums[j] += 2 * factor * slopes[1];
        });
        Blas.get().multiply(1, weights.transposed(), x, 1, out);
        Rows.each(
                out, (at, j, column) -> out.values()[at] += sums[j] * h.values()[h.offset() + j * h.stride() + column]);
    }
}
