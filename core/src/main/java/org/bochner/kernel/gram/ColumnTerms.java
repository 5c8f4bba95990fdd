package org.bochner.kernel.gram;

import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.additive.Chi2;

/** Sums over the columns of two rows, and their derivatives, of an additive kernel. Values must lie in its domain. */
interface ColumnTerms {
    /** Returns the sums of a kernel, which are fast for the usual χ² kernel. */
    static ColumnTerms of(AdditiveKernel kernel) {
        return kernel.equals(new Chi2(1)) ? new OfChi2() : new OfKernel(kernel);
    }

    /** Returns Σₗ κ(xₗ, yₗ) for rows that start at two indices. */
    double sum(double[] x, int fromX, double[] y, int fromY, int columns);

    /** Returns Σₗ κ(xₗ, xₗ) + κ(yₗ, yₗ) − 2κ(xₗ, yₗ) for rows that start at two indices. */
    double distance(double[] x, int fromX, double[] y, int fromY, int columns);

    /** Adds a multiple of the derivatives of κ(xₗ, yₗ) with respect to yₗ to sums that start at an index. */
    void addSlopes(double factor, double[] x, int fromX, double[] y, int fromY, double[] out, int at, int columns);

    /** The terms of any kernel; of the distance, any homogeneous kernel. */
    record OfKernel(AdditiveKernel kernel) implements ColumnTerms {
        @Override
        public double sum(double[] x, int fromX, double[] y, int fromY, int columns) {
            double sum = 0;
            for (int l = 0; l < columns; l++) {
                sum += kernel.scalar(x[fromX + l], y[fromY + l]);
            }
            return sum;
        }

        @Override
        public double distance(double[] x, int fromX, double[] y, int fromY, int columns) {
            HomogeneousKernel homogeneous = (HomogeneousKernel) kernel;
            double sum = 0;
            for (int l = 0; l < columns; l++) {
                sum += homogeneous.squaredDistance(x[fromX + l], y[fromY + l]);
            }
            return sum;
        }

        @Override
        public void addSlopes(
                double factor, double[] x, int fromX, double[] y, int fromY, double[] out, int at, int columns) {
            for (int l = 0; l < columns; l++) {
                // Zeros of x add nothing, because κ(0, y) = 0.
                if (x[fromX + l] != 0) {
                    out[at + l] += factor * kernel.slope(x[fromX + l], y[fromY + l]);
                }
            }
        }
    }

    /**
     * The terms 2xy/(x + y), where 0/0 counts as 0: {@link #TINY} is added to the denominator. Rounding removes it from sums
     * above 1e-291.
     */
    record OfChi2() implements ColumnTerms {
        private static final double TINY = Double.MIN_NORMAL;

        @Override
        public double sum(double[] x, int fromX, double[] y, int fromY, int columns) {
            double sum = 0;
            for (int l = 0; l < columns; l++) {
                double a = x[fromX + l];
                double b = y[fromY + l];
                sum += a * b / (a + b + TINY);
            }
            return 2 * sum;
        }

        @Override
        public double distance(double[] x, int fromX, double[] y, int fromY, int columns) {
            double sum = 0;
            for (int l = 0; l < columns; l++) {
                double a = x[fromX + l];
                double b = y[fromY + l];
                sum += (a - b) * (a - b) / (a + b + TINY);
            }
            return sum;
        }

        @Override
        public void addSlopes(
                double factor, double[] x, int fromX, double[] y, int fromY, double[] out, int at, int columns) {
            double twice = 2 * factor;
            for (int l = 0; l < columns; l++) {
                double share = x[fromX + l] / (x[fromX + l] + y[fromY + l] + TINY);
                out[at + l] += twice * share * share;
            }
        }
    }
}
