package org.bochner.tune.channels;

import java.util.Arrays;

/** The kernel weights of ℓp-norm multiple kernel learning, p > 1, in closed form (Kloft et al., 2011, JMLR 12). */
public final class PNormWeights {
    /** The smallest weight, relative to the largest one: no kernel is lost to rounding. */
    private static final double LEAST = 1e-12;

    private PNormWeights() {}

    /**
     * Returns {@code dⱼ = |wⱼ|^(2/(p+1)) / (Σₖ |wₖ|^(2p/(p+1)))^(1/p)}, which minimises {@code Σⱼ |wⱼ|²/dⱼ} over all
     * d with Σ dᵖ = 1.
     */
    public static double[] of(double p, double[] norms) {
        double largest = Arrays.stream(norms).max().orElse(0);
        double[] weights = new double[norms.length];
        double sum = 0;
        for (int j = 0; j < weights.length; j++) {
            // Divided by the largest norm, so that no power overflows; equal if all norms are 0.
            double relative = largest > 0 ? norms[j] / largest : 1;
            weights[j] = Math.max(LEAST, StrictMath.pow(relative, 2 / (p + 1)));
            sum += StrictMath.pow(weights[j], p);
        }
        double factor = StrictMath.pow(sum, -1 / p);
        return Arrays.stream(weights).map(weight -> weight * factor).toArray();
    }

    /** Returns equal weights whose p-norm is 1; p may be infinite. */
    static double[] equal(double p, int count) {
        double[] weights = new double[count];
        Arrays.fill(weights, StrictMath.pow(count, -1 / p));
        return weights;
    }

    /** Returns the largest difference, relative to the largest weight. */
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
