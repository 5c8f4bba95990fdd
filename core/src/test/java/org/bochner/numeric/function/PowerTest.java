package org.bochner.numeric.function;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PowerTest {
    /**
     * The polynomial: eleven terms leave 1e-8; |z| ≤ 1 has two roundings; Horner's rule two a term of sums that shrink
     * threefold, so three of the value at z = 1 together, at most twice the value itself at z = −1 for p ≤ 1 (2^p), four
     * times for p = 2, though there the terms are few. The scale has two roundings of its own and two products. Together
     * below ten roundings, 6e-7.
     */
    @Test
    void isNearTheExactPowerAtEveryMagnitude() {
        float[] x = ValueFeaturesContract.valuesOfAllSizes();
        float[] got = new float[x.length];
        for (double p : new double[] {0.01, 0.25, 1.0 / 3, 0.5, 0.75, 1, 1.3, 2}) {
            new Power(p).apply(x, 0, x.length, got, new float[x.length], new float[x.length]);
            for (int i = 0; i < x.length; i++) {
                double exact = StrictMath.pow(x[i], p);
                if (exact <= Float.MAX_VALUE) {
                    // Below the least normal number two roundings are to multiples of the least.
                    assertEquals(exact, got[i], 6e-7 * exact + 2 * Float.MIN_VALUE, x[i] + " to the power " + p);
                }
            }
        }
    }

    @Test
    void zeroGivesZero() {
        float[] got = {9, 9};
        new Power(0.3).apply(new float[] {0, 1}, 0, 2, got, new float[2], new float[2]);
        assertEquals(0f, got[0]);
        assertEquals(1, got[1], 6e-7);
    }

    @Test
    void powersNearTheLargestFloatAreFinite() {
        float[] got = new float[1];
        new Power(1).apply(new float[] {Float.MAX_VALUE / 2}, 0, 1, got, new float[1], new float[1]);
        assertEquals(Float.MAX_VALUE / 2, got[0], 6e-7 * Float.MAX_VALUE);
    }
}
