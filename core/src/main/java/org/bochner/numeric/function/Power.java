package org.bochner.numeric.function;

import java.util.Arrays;
import org.bochner.numeric.optimise.Vectors;

/**
 * Powers {@code x^p} of float32 values of every magnitude, for 0 &lt; p ≤ 2. With x = 2ᵉ·m, the power is 2^(p·e), from
 * a table, times a polynomial in m.
 *
 * <p>Accuracy: 6e-7 relative; results this close to the largest float may become infinite. 0 gives 0. Cost: 2 ns per
 * value; {@code Math.pow} takes 20 ns.
 */
public final class Power {
    /**
     * The largest exponent. For larger ones the range of m^p is so wide that a float32 polynomial loses digits where it
     * is small.
     */
    static final double LARGEST_EXPONENT = 2;

    // m = CENTRE + RADIUS·z with |z| ≤ 1. m^p is smooth except at 0, three radii away, so its Chebyshev coefficients
    // fall by a factor of 3 + √8 = 5.8 each; the dropped ones are below 1e-8.
    private static final double CENTRE = 0.75 * Math.sqrt(2);
    private static final double RADIUS = 0.25 * Math.sqrt(2);
    private static final int TERMS = 11;

    private final float[] rootOfScale;
    private final float[] coefficients;

    Power(double p) {
        // The square root, multiplied twice, because 2^(p·e) may be infinite where x^p is not.
        rootOfScale = Exponents.table(e -> e == Exponents.OF_ZERO ? 0 : StrictMath.pow(2, p * e / 2));
        coefficients = interpolate(p);
    }

    /** Computes {@code to[i] ← x[from + i]^p}; mantissas and scales are overwritten. */
    void apply(float[] x, int from, int size, float[] to, float[] mantissas, float[] scales) {
        Exponents.split(x, from, size, rootOfScale, scales, mantissas);
        centre(mantissas, size, (float) CENTRE, (float) (1 / RADIUS));
        Arrays.fill(to, 0, size, coefficients[TERMS - 1]);
        for (int k = TERMS - 2; k >= 0; k--) {
            multiplyAdd(to, mantissas, size, coefficients[k]);
        }
        scale(to, scales, size);
    }

    private static void centre(float[] a, int size, float centre, float factor) {
        for (int i = 0; i < size; i++) {
            a[i] = (a[i] - centre) * factor;
        }
    }

    private static void multiplyAdd(float[] a, float[] z, int size, float constant) {
        for (int i = 0; i < size; i++) {
            a[i] = a[i] * z[i] + constant;
        }
    }

    private static void scale(float[] a, float[] roots, int size) {
        for (int i = 0; i < size; i++) {
            float root = roots[i];
            a[i] = a[i] * root * root;
        }
    }

    /** Returns the polynomial in z, lowest power first, that equals m^p at the Chebyshev points. */
    private static float[] interpolate(double p) {
        double[] sum = new double[TERMS];
        double[] older = new double[TERMS];
        double[] newer = new double[TERMS];
        newer[0] = 1;
        for (int k = 0; k < TERMS; k++) {
            double coefficient = chebyshevCoefficient(p, k);
            // T₁ = z, and Tₖ₊₁ = 2z·Tₖ − Tₖ₋₁.
            double[] next = new double[TERMS];
            for (int j = 0; j < TERMS; j++) {
                sum[j] += coefficient * newer[j];
                next[j] = (j == 0 ? 0 : (k == 0 ? 1 : 2) * newer[j - 1]) - older[j];
            }
            older = newer;
            newer = next;
        }
        return Vectors.rounded(sum, TERMS);
    }

    private static double chebyshevCoefficient(double p, int k) {
        double sum = 0;
        for (int j = 0; j < TERMS; j++) {
            double angle = Math.PI * (j + 0.5) / TERMS;
            sum += StrictMath.pow(CENTRE + RADIUS * StrictMath.cos(angle), p) * StrictMath.cos(k * angle);
        }
        return (k == 0 ? 1 : 2) * sum / TERMS;
    }
}
