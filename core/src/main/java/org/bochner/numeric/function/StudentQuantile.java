package org.bochner.numeric.function;

import org.apache.commons.numbers.gamma.RegularizedBeta;
import org.bochner.base.Require;

/** Quantiles of Student's t distribution. */
public final class StudentQuantile {
    /**
     * More degrees of freedom count as this many. The quantile then exceeds the exact one by at most (z² + 1)/4 millionths, for
     * the quantile z of the normal distribution.
     */
    private static final double MOST_DEGREES = 1e6;

    private static final int BISECTIONS = 200;

    private StudentQuantile() {}

    /**
     * Returns the number t with P(|T| ≤ t) = level, where T has Student's t distribution.
     *
     * @param level between 0 and 1
     * @param degrees the degrees of freedom, at least 1
     */
    public static double central(double level, double degrees) {
        Require.between("StudentQuantile", "level", level, 0, 1);
        Require.that(degrees >= 1, "StudentQuantile", "needs at least 1 degree of freedom, got " + degrees);
        double nu = Math.min(degrees, MOST_DEGREES);
        double low = 0;
        double high = 1;
        while (outside(high, nu) > 1 - level && high < Double.MAX_VALUE / 2) {
            low = high;
            high *= 2;
        }
        for (int i = 0; i < BISECTIONS && low < high; i++) {
            double middle = (low + high) / 2;
            if (middle <= low || middle >= high) {
                break;
            }
            if (outside(middle, nu) > 1 - level) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** Returns P(|T| > t). */
    private static double outside(double t, double nu) {
        return RegularizedBeta.value(nu / (nu + t * t), nu / 2, 0.5);
    }
}
