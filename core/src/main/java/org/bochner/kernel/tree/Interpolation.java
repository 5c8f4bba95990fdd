package org.bochner.kernel.tree;

import java.util.Arrays;

/**
 * Interpolation at p Chebyshev points of an interval, t·cos((2m + 1)π/2p) about its middle for half its length t.
 *
 * <p>A function of x and y on two intervals of half lengths a and b is interpolated in both. For exp(−(x−y)²/2) the
 * error of one interpolation is at most max|∂ᵖ|·tᵖ/(p!·2ᵖ⁻¹), where the derivative is at most 1.0866·√(p!) (Cramér's
 * bound of the Hermite functions). The second multiplies the error of the first by at most the Lebesgue constant,
 * 1 + (2/π)·log p.
 */
final class Interpolation {
    /** The most points per column. */
    static final int MOST_POINTS = 48;

    private static final double CRAMER = 1.0866;

    /** The Lebesgue constant of the most points. */
    private static final double LEBESGUE = 1 + 2 / Math.PI * Math.log(MOST_POINTS);

    private static final double[][] POINTS = new double[MOST_POINTS + 1][];
    private static final double[][] FACTORS = new double[MOST_POINTS + 1][];

    static {
        for (int p = 1; p <= MOST_POINTS; p++) {
            POINTS[p] = new double[p];
            FACTORS[p] = new double[p];
            for (int m = 0; m < p; m++) {
                double angle = (2 * m + 1) * Math.PI / (2 * p);
                POINTS[p][m] = Math.cos(angle);
                FACTORS[p][m] = (m % 2 == 0 ? 1 : -1) * Math.sin(angle);
            }
        }
    }

    private Interpolation() {}

    /** Returns point m of p on an interval. */
    static double point(double middle, double half, int p, int m) {
        return middle + half * POINTS[p][m];
    }

    /** Writes the Lagrange polynomials of all points of an interval at x, by the barycentric formula. */
    static void basis(double x, double middle, double half, int p, double[] out) {
        double[] points = POINTS[p];
        double[] factors = FACTORS[p];
        double sum = 0;
        for (int m = 0; m < p; m++) {
            double difference = x - (middle + half * points[m]);
            if (difference == 0) {
                Arrays.fill(out, 0, p, 0);
                out[m] = 1;
                return;
            }
            out[m] = factors[m] / difference;
            sum += out[m];
        }
        for (int m = 0; m < p; m++) {
            out[m] /= sum;
        }
    }

    /** Returns a bound of the error of exp(−(x−y)²/2) if x and y are interpolated, each with at most half this error. */
    static double error(double half, int p) {
        double error = 4 * CRAMER * LEBESGUE;
        for (int k = 1; k <= p; k++) {
            error *= half / (2 * Math.sqrt(k));
        }
        return error;
    }

    /** Returns the fewest points with an error of at most a number; more than {@link #MOST_POINTS} if there are none. */
    static int points(double half, double error) {
        int p = 1;
        while (p <= MOST_POINTS && error(half, p) > error) {
            p++;
        }
        return p;
    }
}
