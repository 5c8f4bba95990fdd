package org.bochner.numeric.function;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the features of values keep, whichever they are. */
interface ValueFeaturesContract {
    /** Half a unit in the last place of float32, relative to the number. */
    double ROUNDING = 0x1p-24;

    /** Those under test. */
    ValueFeatures features();

    /** How far feature k of x in float32 may be from that in float64, relative to x^(degree/2). */
    double bound(int k, float x);

    /** Every magnitude from the least float to the largest, and numbers close to 1. */
    static float[] valuesOfAllSizes() {
        SplittableRandom random = new SplittableRandom(1);
        float[] values = new float[278 * 40];
        for (int i = 0; i < values.length; i++) {
            int exponent = i / 40 - 149;
            values[i] = (float) Math.scalb(1 + (i % 4 == 0 ? 0 : random.nextDouble(0.99)), exponent);
        }
        // The largest exponent leaves the range of floats.
        for (int i = values.length - 40; i < values.length; i++) {
            values[i] = 1 + (i - values.length + 20) * 0x1p-23f;
        }
        values[0] = Float.MAX_VALUE;
        values[1] = Math.nextDown(Float.MIN_NORMAL);
        return values;
    }

    /** A degree above 2 would make infinite features of the largest values. */
    @Test
    default void float32IsNearFloat64AtEveryMagnitude() {
        float[] values = valuesOfAllSizes();
        int width = features().featuresPerColumn();
        float[] got = new float[values.length * width];
        features().apply(values, 0, values.length, got, 0);
        double[] exact = new double[width];
        for (int i = 0; i < values.length; i++) {
            features().apply(values[i], exact, 0);
            double magnitude = StrictMath.pow(values[i], features().degree() / 2);
            for (int k = 0; k < width; k++) {
                // The bound has one rounding of x^(degree/2), which at other degrees than 1 and 2 is good to 6e-7.
                double power = features().degree() == 1 ? 0 : 6e-7 * Math.abs(exact[k]);
                // Numbers below the least normal one are rounded to multiples of the least, in two or three steps.
                double bound = bound(k, values[i]) * magnitude + power + 4 * Float.MIN_VALUE;
                assertEquals(exact[k], got[i * width + k], bound, "feature " + k + " of " + values[i]);
            }
        }
    }

    @Test
    default void zeroHasZeroFeaturesWithoutSign() {
        int width = features().featuresPerColumn();
        double[] single = new double[width];
        Arrays.fill(single, 9);
        features().apply(0, single, 0);
        assertArrayEquals(new double[width], single);
        float[] several = new float[3 * width];
        Arrays.fill(several, 9);
        features().apply(new float[] {0, 2, 0}, 0, 3, several, 0);
        assertArrayEquals(new float[width], Arrays.copyOfRange(several, 0, width));
        assertArrayEquals(new float[width], Arrays.copyOfRange(several, 2 * width, 3 * width));
    }

    /** Long runs are vectorised once compiled, single values are not: the bits must agree, for any length and offset. */
    @Test
    default void aValueDependsNeitherOnItsPlaceNorOnItsNeighbours() {
        int width = features().featuresPerColumn();
        float[] values = valuesOfAllSizes();
        float[] single = new float[width];
        for (int count : new int[] {0, 1, 3, 7, 511, 512, 513, 1023, 1025, values.length - 5}) {
            for (int from : new int[] {0, 1, 5}) {
                float[] out = new float[3 + (count + 1) * width];
                Arrays.fill(out, 9);
                features().apply(values, from, count, out, 3);
                for (int i = 0; i < count; i += count > 2000 ? 37 : 1) {
                    features().apply(values, from + i, 1, single, 0);
                    int at = 3 + i * width;
                    assertArrayEquals(single, Arrays.copyOfRange(out, at, at + width));
                }
                assertArrayEquals(new float[] {9, 9, 9}, Arrays.copyOf(out, 3));
                for (int j = 3 + count * width; j < out.length; j++) {
                    assertEquals(9, out[j]);
                }
            }
        }
    }

    @Test
    default void valuesAreOnlyRead() {
        float[] values = {0, 1, 2, 1e-40f, 3e38f};
        float[] before = values.clone();
        features()
                .apply(
                        values,
                        0,
                        values.length,
                        new float[values.length * features().featuresPerColumn()],
                        0);
        assertArrayEquals(before, values);
    }

    @Test
    default void float64WritesOnlyItsFeatures() {
        int width = features().featuresPerColumn();
        double[] out = new double[width + 4];
        Arrays.fill(out, 9);
        features().apply(0.3, out, 2);
        double[] alone = new double[width];
        features().apply(0.3, alone, 0);
        assertArrayEquals(alone, Arrays.copyOfRange(out, 2, 2 + width));
        assertArrayEquals(new double[] {9, 9}, Arrays.copyOf(out, 2));
        assertArrayEquals(new double[] {9, 9}, Arrays.copyOfRange(out, 2 + width, 4 + width));
    }
}
