package org.bochner.numeric.function;

/**
 * The error function, erf(x) = (2/√π) ∫₀ˣ exp(−t²) dt, by Taylor series around multiples of 1/8.
 *
 * <p>Accuracy: within 4e-16. It uses only arithmetic and {@code StrictMath}, so that every platform gives equal bits.
 * Cost: 11 multiplications and additions.
 */
public final class Erf {
    /** Distances between the centres of series. */
    private static final int PER_UNIT = 8;

    /** erf(6) is 1 in float64. */
    private static final int END = 6;

    /** Coefficients per centre. At a distance of at most 1/16, the first term left out is below 1e-17. */
    private static final int TERMS = 12;

    /** Levels of the continued fraction, which has converged for x ≥ 2. */
    private static final int FRACTIONS = 200;

    private static final double[] SERIES = series();

    private Erf() {}

    /** Returns erf(x); NaN for NaN. */
    public static double of(double x) {
        double size = Math.abs(x);
        if (!(size < END)) {
            return Double.isNaN(x) ? x : Math.signum(x);
        }
        int centre = (int) (PER_UNIT * size + 0.5);
        double t = size - (double) centre / PER_UNIT;
        int first = centre * TERMS;
        double sum = SERIES[first + TERMS - 1];
        for (int n = first + TERMS - 2; n >= first; n--) {
            sum = sum * t + SERIES[n];
        }
        return x < 0 ? -sum : sum;
    }

    /** Returns the probability that a standard Gaussian number is below x, within 4e-16. */
    public static double gaussianProbability(double x) {
        return 0.5 * (1 + of(x * Math.sqrt(0.5)));
    }

    private static double[] series() {
        double[] series = new double[(PER_UNIT * END + 1) * TERMS];
        for (int centre = 0; centre <= PER_UNIT * END; centre++) {
            double x = (double) centre / PER_UNIT;
            int first = centre * TERMS;
            double before = 0;
            double slope = 2 / Math.sqrt(Math.PI) * StrictMath.exp(-x * x);
            series[first] = atCentre(x, slope);
            // The derivative g has g′ = −2x·g, so its coefficients have (n + 1)·gₙ₊₁ = −2(x·gₙ + gₙ₋₁).
            for (int n = 0; n < TERMS - 1; n++) {
                series[first + n + 1] = slope / (n + 1);
                double next = -2 * (x * slope + before) / (n + 1);
                before = slope;
                slope = next;
            }
        }
        return series;
    }

    /**
     * Returns erf(x) = erf′(x)·Σ 2ⁿ x^(2n+1) / (2n+1)!!, whose terms are all positive; for larger x, 1 − erf(x) by its
     * continued fraction, because the sum of many terms has a larger rounding error.
     */
    private static double atCentre(double x, double slope) {
        if (x >= 2) {
            double fraction = x;
            for (int n = FRACTIONS; n > 0; n--) {
                fraction = x + n / (2 * fraction);
            }
            return 1 - slope / (2 * fraction);
        }
        double term = x;
        double sum = 0;
        for (int n = 1; sum + term > sum; n++) {
            sum += term;
            term *= 2 * x * x / (2 * n + 1);
        }
        return slope * sum;
    }
}
