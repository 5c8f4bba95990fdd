package org.bochner.kernel;

import org.bochner.base.Require;

/**
 * A kernel that depends only on the inner product and the lengths of two rows, and is therefore invariant to rotations.
 */
public non-sealed interface DotProductKernel extends Kernel {
    /**
     * Returns the value for two rows.
     *
     * @param product x·y
     * @param squareX |x|²
     * @param squareY |y|²
     */
    double of(double product, double squareX, double squareY);

    @Override
    default double value(double[] x, double[] y) {
        Require.sameSize("kernel", "columns of the second row", y.length, x.length);
        double product = 0;
        double squareX = 0;
        double squareY = 0;
        for (int l = 0; l < x.length; l++) {
            product += x[l] * y[l];
            squareX += x[l] * x[l];
            squareY += y[l] * y[l];
        }
        return of(product, squareX, squareY);
    }
}
