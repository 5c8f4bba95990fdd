package org.bochner.map;

import java.util.Locale;

/** The two series 2xy/(x + y) = Σₖ cₖ(x)·cₖ(y) of the χ² kernel. */
enum Series {
    /**
     * c₀ = 2x/(x + 1), c₁ = −(√2/π) log x · c₀ and k·cₖ = (−1)ᵏ·(2/π) log x · cₖ₋₁ + (k − 2)·cₖ₋₂. After m terms the error is of
     * the order √(xy)/m.
     *
     * <p>Reference: Li and others, Chebyshev approximations to the histogram χ² kernel, 2012, equation 12.
     */
    CHEBYSHEV {
        @Override
        void terms(double x, int count, double factor, double[] out, int at) {
            double first = factor * 2 / (1 + 1 / x);
            double log = Math.log(x);
            out[at] = first;
            if (count > 1) {
                out[at + 1] = -Math.sqrt(2) / Math.PI * log * first;
            }
            double a = 2 / Math.PI * log;
            for (int k = 2; k < count; k++) {
                double sign = k % 2 == 0 ? 1 : -1;
                out[at + k] = (sign * a * out[at + k - 1] + (k - 2) * out[at + k - 2]) / k;
            }
        }
    },
    /**
     * cₖ = 2x/(x + 1) · ((x − 1)/(x + 1))ᵏ. After m terms the error is the kernel's value times (qₓ·q_y)^m with
     * q = (x − 1)/(x + 1): small around 1, and for ratios to 1 that are not too large.
     */
    DIRECT {
        @Override
        void terms(double x, int count, double factor, double[] out, int at) {
            double term = factor * 2 / (1 + 1 / x);
            // (x − 1)/(x + 1), whose numerator is exact near 1 and which is finite for all x.
            double q = x < 1 ? (x - 1) / (x + 1) : (1 - 1 / x) / (1 + 1 / x);
            for (int k = 0; k < count; k++) {
                out[at + k] = term;
                term *= q;
            }
        }
    };

    /** Writes factor·c₀(x), …, factor·cₘ₋₁(x) for a positive x. */
    abstract void terms(double x, int count, double factor, double[] out, int at);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
