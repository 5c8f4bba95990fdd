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
