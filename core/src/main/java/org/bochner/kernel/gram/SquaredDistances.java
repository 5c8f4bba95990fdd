package org.bochner.kernel.gram;

import java.util.function.DoubleUnaryOperator;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;

/** Computes squared distances between rows, and functions of them. No matrix may be transposed. */
public final class SquaredDistances {
    private SquaredDistances() {}

    /**
     * Writes D² = Σₗ κ(xₗ, xₗ) + κ(hₗ, hₗ) − 2κ(xₗ, hₗ) of row i of x and row j of h to row i, column j of {@code out}. All
     * values must lie in the domain of the homogeneous kernel.
     */
    public static void of(HomogeneousKernel kernel, Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
        ColumnTerms terms = ColumnTerms.of(kernel);
        Rows.each(
                out,
                (at, i, j) -> out.values()[at] = terms.distance(
                        x.values(), x.offset() + i * x.stride(), h.values(), h.offset() + j * h.stride(), h.columns()));
    }

    /** Writes |xᵢ − hⱼ|², from an inner product; the error is that of |xᵢ|² + |hⱼ|². */
    static void euclidean(Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
        Blas.get().multiply(-2, x, h.transposed(), 0, out);
        double[] ofX = Rows.squares(x);
        double[] ofH = Rows.squares(h);
        for (int i = 0; i < x.rows(); i++) {
            addSquares(ofX[i], ofH, out.values(), out.offset() + i * out.stride());
        }
    }

    private static void addSquares(double ofX, double[] ofH, double[] out, int at) {
        for (int j = 0; j < ofH.length; j++) {
            out[at + j] = Math.max(0, out[at + j] + ofX + ofH[j]);
        }
    }

    /** Returns cᵢⱼ·f(|xᵢ − hⱼ|²). */
    static Matrix<double[]> weighted(
            Matrix<double[]> x, Matrix<double[]> h, DoubleUnaryOperator f, Matrix<double[]> c) {
        Matrix<double[]> values = Rows.zeros(x.rows(), h.rows());
        euclidean(x, h, values);
        Rows.apply(values, f);
        Rows.multiply(values, c);
        return values;
    }
}
