package org.bochner.numeric.function;

import java.util.function.IntToDoubleFunction;

/**
 * A multiple of the logarithm of float32 values of every magnitude. With x = 2ᵉ·m and 1/√2 ≤ m &lt; √2, it is {@code
 * f(e) + factor·log m}, where the table f may drop whole turns or add a constant.
 *
 * <p>Accuracy: the rounding of f(e) and of the sum, plus 1.1e-7·factor. 0 has the logarithm of {@link
 * Exponents#OF_ZERO}. Cost: 1.3 ns per value.
 */
public final class ScaledLog {
    // log m = 2·artanh(s) for s = (m − 1)/(m + 1), |s| < 0.1716; artanh(s)/s = 1 + C1·s² + C2·s⁴ + C3·s⁶, fitted for
    // the least error, 8e-10.
    private static final double C1 = 0.33333388;
    private static final double C2 = 0.19988771;
    private static final double C3 = 0.14935864;

    private final float[] ofExponent;
    private final float k0;
    private final float k1;
    private final float k2;
    private final float k3;

    ScaledLog(double factor, IntToDoubleFunction ofExponent) {
        this.ofExponent = Exponents.table(ofExponent);
        k0 = (float) (2 * factor);
        k1 = (float) (2 * factor * C1);
        k2 = (float) (2 * factor * C2);
        k3 = (float) (2 * factor * C3);
    }

    /** Computes {@code to[i] ← f(e) + factor·log m} of {@code x[from + i]}; mantissas is overwritten. */
    void apply(float[] x, int from, int size, float[] to, float[] mantissas) {
        Exponents.split(x, from, size, ofExponent, to, mantissas);
        addLog(to, mantissas, size, k0, k1, k2, k3);
    }

    private static void addLog(float[] to, float[] mantissas, int size, float k0, float k1, float k2, float k3) {
        for (int i = 0; i < size; i++) {
            float less = mantissas[i] - 1;
            float s = less / (less + 2);
            float z = s * s;
            to[i] = to[i] + s * (k0 + z * (k1 + z * (k2 + z * k3)));
        }
    }

    /** Computes {@code m[i] ← log m[i]} for 1/√2 ≤ m &lt; √2, to 4.2 roundings of its size, which are 9e-8. */
    static void ofMantissas(float[] m, int size) {
        for (int i = 0; i < size; i++) {
            float less = m[i] - 1;
            float s = less / (less + 2);
            float z = s * s;
            m[i] = s * (2 + z * (2 * (float) C1 + z * (2 * (float) C2 + z * (2 * (float) C3))));
        }
    }

    /** Returns log m for 1/√2 ≤ m &lt; √2, to 3.2 roundings of its size. */
    static double ofMantissa(double m) {
        double less = m - 1;
        double s = less / (less + 2);
        double z = s * s;
        double w = z * z;
        // The series of artanh(s)/s, whose next term is below 1e-18, in two halves that the processor computes in
        // parallel.
        double odd = 1.0 / 3 + w * (1.0 / 7 + w * (1.0 / 11 + w * (1.0 / 15 + w * (1.0 / 19))));
        double even = 1.0 / 5 + w * (1.0 / 9 + w * (1.0 / 13 + w * (1.0 / 17 + w * (1.0 / 21))));
        return 2 * s + 2 * s * (z * (odd + z * even));
    }
}
