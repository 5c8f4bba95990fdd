package org.bochner.tune.channels;

import java.util.Arrays;

/** The weights of kernels in ℓp-norm multiple kernel learning, p > 1, in closed form (Kloft et al., 2011, JMLR 12). */
public final class PNormWeights {
    /** Kernels are not lost to rounding: below this part of the largest weight they count as having it. */
    private static final double LEAST = 1e-12;

    private PNormWeights() {}

    /**
     * {@code dⱼ = |wⱼ|^(2/(p+1)) / (Σₖ |wₖ|^(2p/(p+1)))^(1/p)}: of all d with Σ dᵖ = 1 those with the least
     * {@code Σⱼ |wⱼ|²/dⱼ}.
     */
    public static double[] of(double p, double[] norms) {
        double largest = Arrays.stream(norms).max().orElse(0);
        double[] weights = new double[norms.length];
        double sum = 0;
        for (int j = 0; j < weights.length; j++) {
            // By the largest, so that no power overflows; the same for all where there is nothing to go by.
            double relative = largest > 0 ? norms[j] / largest : 1;
            weights[j] = Math.max(LEAST, StrictMath.pow(relative, 2 / (p + 1)));
            sum += StrictMath.pow(weights[j], p);
        }
        double factor = StrictMath.pow(sum, -1 / p);
        for (int j = 0; j < weights.length; j++) {
            weights[j] *= factor;
        }
        return weights;
    }

    /** The largest difference, relative to the largest weight. */
    static double change(double[] from, double[] to) {
        double most = 0;
        double largest = 0;
        for (int j = 0; j < from.length; j++) {
            most = Math.max(most, Math.abs(to[j] - from[j]));
            largest = Math.max(largest, to[j]);
        }
        return most / largest;
    }
}
