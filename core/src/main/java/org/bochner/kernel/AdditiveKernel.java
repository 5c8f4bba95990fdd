package org.bochner.kernel;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.row.RowException;

/**
 * A kernel that is a sum over the columns, k(x, y) = Σₗ κ(xₗ, yₗ): its feature map is the map of κ, column by column. A
 * column in which a row is zero adds nothing, κ(0, y) = 0, so sparse rows have sparse features.
 */
public non-sealed interface AdditiveKernel extends Kernel {
    /** Returns κ(x, y), the contribution of one column. */
    double scalar(double x, double y);

    /**
     * Returns the derivative of κ(x, y) with respect to y. It is always finite: near 0, where the derivative may be
     * infinite, it is that at a small share of x.
     *
     * <p>The default takes a difference over about 1e-5 of the larger value, with an error of about 1e-10 of κ divided
     * by that value where κ is smooth. Kernels with known derivatives override it.
     */
    default double slope(double x, double y) {
        double step = 6e-6 * Math.max(Math.abs(x), Math.abs(y));
        if (step == 0) {
            return 0;
        }
        // Values of histograms end at 0.
        double low = !takesAnyValue() && y < step ? y : y - step;
        double high = y + step;
        return (scalar(x, high) - scalar(x, low)) / (high - low);
    }

    @Override
    default double value(double[] x, double[] y) {
        Require.sameSize("kernel", "columns of the second row", y.length, x.length);
        double sum = 0;
        for (int l = 0; l < x.length; l++) {
            try {
                sum += scalar(x[l], y[l]);
            } catch (BochnerException e) {
                throw RowException.at(l, e);
            }
        }
        return sum;
    }
}
