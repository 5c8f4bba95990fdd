package org.bochner.numeric;

import java.util.function.IntToDoubleFunction;

/**
 * A multiple of the logarithm of float32 values of every magnitude: with x = 2ᵉ·m and 1/√2 ≤ m &lt; √2, it is
 * {@code f(e) + factor·log m}, where f, a table, may have dropped whole turns, or added a constant.
 *
 * <p>Accuracy: to rounding f(e) and the sum, and 1.1e-7·factor. 0 is taken for 2⁻²⁰⁴. The loop over exponents takes 1.1 ns
 * a value, as it is not vectorised; the other 0.2 ns.
 */
final class ScaledLog {
    private static final int LEAST_EXPONENT = -204;
    private static final int LARGEST_EXPONENT = 128;
    private static final int MANTISSA_BITS = 52;

    // Less than half a unit in the last place, in float64, of the least float, 2⁻¹⁴⁹: only 0 becomes another number.
    private static final double LEAST = 0x1p-204;

    // 1/√2, where the mantissas begin: around 1, so that their logarithm is small where x is near 1.
    private static final long LEAST_MANTISSA = 0x3fe6a09e667f3bccL;

    // log m = 2·artanh(s) for s = (m − 1)/(m + 1), |s| < 0.1716; artanh(s)/s = 1 + C1·s² + C2·s⁴ + C3·s⁶, fitted for
    // the
    // least error, 8e-10.
    private static final double C1 = 0.33333388;
    private static final double C2 = 0.19988771;
    private static final double C3 = 0.14935864;

    private final float[] ofExponent = new float[LARGEST_EXPONENT - LEAST_EXPONENT + 1];
    private final float k0;
    private final float k1;
    private final float k2;
    private final float k3;

    ScaledLog(double factor, IntToDoubleFunction ofExponent) {
        for (int e = LEAST_EXPONENT; e <= LARGEST_EXPONENT; e++) {
            this.ofExponent[e - LEAST_EXPONENT] = (float) ofExponent.applyAsDouble(e);
        }
        k0 = (float) (2 * factor);
        k1 = (float) (2 * factor * C1);
        k2 = (float) (2 * factor * C2);
        k3 = (float) (2 * factor * C3);
    }

    /** {@code to[i] ← f(e) + factor·log m} of {@code x[from + i]}; mantissas is overwritten. */
    void apply(float[] x, int from, int size, float[] to, float[] mantissas) {
        split(x, from, size, ofExponent, to, mantissas);
        addLog(to, mantissas, size, k0, k1, k2, k3);
    }

    /** By way of float64, where no float is subnormal, so that all are split alike. Mantissas come back exactly. */
    private static void split(float[] x, int from, int size, float[] ofExponent, float[] to, float[] mantissas) {
        for (int i = 0; i < size; i++) {
            long bits = Double.doubleToRawLongBits(x[from + i] + LEAST);
            long exponent = (bits - LEAST_MANTISSA) >> MANTISSA_BITS;
            to[i] = ofExponent[(int) exponent - LEAST_EXPONENT];
            mantissas[i] = (float) Double.longBitsToDouble(bits - (exponent << MANTISSA_BITS));
        }
    }

    private static void addLog(float[] to, float[] mantissas, int size, float k0, float k1, float k2, float k3) {
        for (int i = 0; i < size; i++) {
            float less = mantissas[i] - 1;
            float s = less / (less + 2);
            float z = s * s;
            to[i] = to[i] + s * (k0 + z * (k1 + z * (k2 + z * k3)));
        }
    }
}
