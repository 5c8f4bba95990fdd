package org.bochner.kernel.gram;

import org.bochner.kernel.HomogeneousKernel;
import org.bochner.numeric.matrix.Matrix;

/** Computes squared distances D² = Σₗ κ(xₗ, xₗ) + κ(yₗ, yₗ) − 2κ(xₗ, yₗ) of homogeneous kernels between rows. */
public final class SquaredDistances {
    private SquaredDistances() {}

    /**
     * Writes the squared distance of row i of x and row j of h to row i, column j of {@code out}. All values must lie in
     * the kernel's domain, and no matrix may be transposed.
     */
    public static void of(HomogeneousKernel kernel, Matrix<double[]> x, Matrix<double[]> h, Matrix<double[]> out) {
        ColumnTerms terms = ColumnTerms.of(kernel);
        Rows.each(
                out,
                (at, i, j) -> out.values()[at] = terms.distance(
                        x.values(), x.offset() + i * x.stride(), h.values(), h.offset() + j * h.stride(), h.columns()));
    }
}
