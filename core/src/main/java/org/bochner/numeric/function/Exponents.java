package org.bochner.numeric.function;

import java.util.function.IntToDoubleFunction;

/**
 * Splits values of every magnitude as x = 2ᵉ·m with 1/√2 ≤ m &lt; √2, around 1. In float32 a table holds the values of
 * a function of e, and 0 is replaced by {@link #OF_ZERO 2⁻²⁰⁴}.
 */
public final class Exponents {
    /** The exponent of 0, which no other float has. */
    static final int OF_ZERO = -204;

    private static final int LARGEST = 128;
    private static final int MANTISSA_BITS = 52;

    // Less than half a unit in the last place, in float64, of the smallest float, 2⁻¹⁴⁹: adding it changes 0 only.
    private static final double LEAST = 0x1p-204;

    // The bits of 1/√2, the smallest mantissa.
    private static final long LEAST_MANTISSA = 0x3fe6a09e667f3bccL;

    // The factor 2⁵⁴ makes subnormal numbers normal.
    private static final double NORMALISING_FACTOR = 0x1p54;
    private static final int NORMALISING_EXPONENT = 54;

    private Exponents() {}

    /** Returns e of a positive float64. */
    static int exponent(double x) {
        return x < Double.MIN_NORMAL
                ? (int) normalExponent(x * NORMALISING_FACTOR) - NORMALISING_EXPONENT
                : (int) normalExponent(x);
    }

    private static long normalExponent(double x) {
        return (Double.doubleToRawLongBits(x) - LEAST_MANTISSA) >> MANTISSA_BITS;
    }

    /** Returns m of a positive float64. */
    static double mantissa(double x) {
        double normal = x < Double.MIN_NORMAL ? x * NORMALISING_FACTOR : x;
        return Double.longBitsToDouble(Double.doubleToRawLongBits(normal) - (normalExponent(normal) << MANTISSA_BITS));
    }

    /** Returns the table of a function of e for {@link #split}. */
    static float[] table(IntToDoubleFunction function) {
        float[] table = new float[LARGEST - OF_ZERO + 1];
        for (int e = OF_ZERO; e <= LARGEST; e++) {
            table[e - OF_ZERO] = (float) function.applyAsDouble(e);
        }
        return table;
    }

    /**
     * Computes the function's value and m for each {@code x[from + i]}. The computation is in float64, where no float
     * is subnormal; mantissas are exact. The loop is not vectorised: 1.1 ns per value.
     */
    static void split(float[] x, int from, int size, float[] table, float[] values, float[] mantissas) {
        for (int i = 0; i < size; i++) {
            long bits = Double.doubleToRawLongBits(x[from + i] + LEAST);
            long exponent = (bits - LEAST_MANTISSA) >> MANTISSA_BITS;
            values[i] = table[(int) exponent - OF_ZERO];
            mantissas[i] = (float) Double.longBitsToDouble(bits - (exponent << MANTISSA_BITS));
        }
    }
}
