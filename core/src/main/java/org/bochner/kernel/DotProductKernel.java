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

    /**
     * Computes the derivatives with respect to {@code product} and to {@code squareY}. Where they are infinite, as for
     * parallel rows of some kernels, they count as 0.
     *
     * <p>The default takes central differences over about 1e-5 of the lengths. Kernels with known derivatives override
     * it.
     *
     * @param out receives the two derivatives
     */
    default void slopes(double product, double squareX, double squareY, double[] out) {
        double step = 6e-6 * Math.sqrt(squareX * squareY);
        out[0] = step == 0
                ? 0
                : (of(product + step, squareX, squareY) - of(product - step, squareX, squareY)) / (2 * step);
        step = 6e-6 * squareY;
        out[1] = step == 0
                ? 0
                : (of(product, squareX, squareY + step) - of(product, squareX, squareY - step)) / (2 * step);
    }

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
