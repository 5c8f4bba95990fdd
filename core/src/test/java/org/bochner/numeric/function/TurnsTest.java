package org.bochner.numeric.function;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TurnsTest {
    /** The bounds that the Javadoc states. */
    private static final double FLOAT_BOUND = 1.1e-7;

    private static final double DOUBLE_BOUND = 2.2e-16;

    private static double error(double got, BigDecimal exact) {
        return new BigDecimal(got).subtract(exact).abs().doubleValue();
    }

    @Nested
    class InFloat32 {
        /** Random bits below the exponent: every magnitude from 2⁻⁴⁰ to the largest float, both signs. */
        private float[] anglesOfAllSizes() {
            SplittableRandom random = new SplittableRandom(1);
            int each = 1 << 13;
            float[] angles = new float[168 * each];
            for (int i = 0; i < angles.length; i++) {
                int exponent = i / each - 40;
                angles[i] = (random.nextBoolean() ? 1 : -1) * Math.scalb(1 + random.nextFloat(), exponent);
            }
            return angles;
        }

        /** In float64 the reduction is exact and Math.cos is good to 1e-16, which vanishes beside the bound. */
        @Test
        void cosineErrsLessThanItsBoundAtEverySize() {
            float[] angles = anglesOfAllSizes();
            float[] results = angles.clone();
            Turns.cos(results, 0, results.length, 1);
            for (int i = 0; i < angles.length; i++) {
                double t = angles[i] - Math.rint(angles[i]);
                assertEquals(Math.cos(2 * Math.PI * t), results[i], FLOAT_BOUND, () -> "cosine of " + t + " turns");
            }
        }

        @Test
        void sineErrsLessThanItsBoundAtEverySize() {
            float[] angles = anglesOfAllSizes();
            float[] results = angles.clone();
            Turns.sin(results, 0, results.length, 1);
            for (int i = 0; i < angles.length; i++) {
                double t = angles[i] - Math.rint(angles[i]);
                assertEquals(Math.sin(2 * Math.PI * t), results[i], FLOAT_BOUND, () -> "sine of " + t + " turns");
            }
        }

        /** Three units in the last place, 3·2⁻²³. */
        @Test
        void sineOfSmallAnglesKeepsItsLeadingDigits() {
            for (float t = 0.1f; t > 1e-30f; t *= 0.7f) {
                float[] a = {t};
                Turns.sin(a, 0, 1, 1);
                double exact = Math.sin(2 * Math.PI * t);
                assertEquals(exact, a[0], exact * 0x3p-23);
            }
        }

        @Test
        void quarterTurnsAreExactHoweverMany() {
            for (float whole : new float[] {0, 1, -1, 7, 1000, 0x1p20f, -0x1p20f}) {
                float[] cosines = {whole, whole + 0.25f, whole + 0.5f, whole + 0.75f};
                float[] sines = cosines.clone();
                Turns.cos(cosines, 0, 4, 1);
                Turns.sin(sines, 0, 4, 1);
                for (int i = 0; i < 4; i++) {
                    assertEquals(new float[] {1, 0, -1, 0}[i], cosines[i] + 0f, "cosine " + i + " beyond " + whole);
                    assertEquals(new float[] {0, 1, 0, -1}[i], sines[i] + 0f, "sine " + i + " beyond " + whole);
                }
            }
        }

        /** From 2²² on floats are multiples of ½, and from 2²³ on whole: the rounding constants must cope with both. */
        @Test
        void halfTurnsBetweenTheLastFractionsAreNotLost() {
            float[] a = {0x1p22f, 0x1p22f + 0.5f, 0x1p22f + 1, 0x1p23f - 0.5f, 0x1p23f, 0x1p23f + 1, 0x1p45f, 0x1p127f};
            Turns.cos(a, 0, a.length, 1);
            assertArrayEquals(new float[] {1, -1, 1, -1, 1, 1, 1, 1}, a);
        }

        @Test
        void resultsNeverLeaveTheUnitInterval() {
            float[] cosines = anglesOfAllSizes();
            float[] sines = cosines.clone();
            Turns.cos(cosines, 0, cosines.length, 1);
            Turns.sin(sines, 0, sines.length, 1);
            for (int i = 0; i < cosines.length; i++) {
                assertTrue(Math.abs(cosines[i]) <= 1 && Math.abs(sines[i]) <= 1);
            }
        }

        @Test
        void whatIsNotFiniteGivesNaN() {
            float[] a = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
            float[] b = a.clone();
            Turns.cos(a, 0, 3, 1);
            Turns.sin(b, 0, 3, 1);
            for (int i = 0; i < 3; i++) {
                assertTrue(Float.isNaN(a[i]) && Float.isNaN(b[i]));
            }
        }

        @Test
        void onlyTheRangeIsTouchedAndTheFactorIsOneRounding() {
            float[] a = {0.1f, 0.2f, 0.3f, 0.4f};
            float[] plain = a.clone();
            Turns.cos(plain, 1, 3, 1);
            Turns.cos(a, 1, 3, 0.7f);
            assertArrayEquals(new float[] {0.1f, 0.7f * plain[1], 0.7f * plain[2], 0.4f}, a);
        }

        /** Whole turns are dropped once for both, so the values must be those of the two functions for any float. */
        @Test
        void cosSinEqualsBothFunctionsForAnyBits() {
            int count = 1 << 20;
            SplittableRandom random = new SplittableRandom(11);
            float[] both = new float[2 * count];
            for (int i = 0; i < count; i++) {
                both[i] = Float.intBitsToFloat(random.nextInt());
            }
            float[] cosines = Arrays.copyOf(both, count);
            float[] sines = Arrays.copyOf(both, count);
            Turns.cosSin(both, 0, count, 0.5f);
            Turns.cos(cosines, 0, count, 0.5f);
            Turns.sin(sines, 0, count, 0.5f);
            for (int i = 0; i < count; i++) {
                // Adding 0 makes -0 and 0 the same.
                assertEquals(cosines[i] + 0f, both[i] + 0f);
                assertEquals(sines[i] + 0f, both[count + i] + 0f);
            }
        }

        @Test
        void cosSinIsCosineThenSine() {
            float[] angles = {9, 0.1f, -0.3f, 17.7f};
            float[] cosines = angles.clone();
            float[] sines = angles.clone();
            Turns.cos(cosines, 1, 4, 0.5f);
            Turns.sin(sines, 1, 4, 0.5f);
            float[] both = {9, 0.1f, -0.3f, 17.7f, 0, 0, 0, 9};
            Turns.cosSin(both, 1, 3, 0.5f);
            assertArrayEquals(
                    new float[] {9, cosines[1], cosines[2], cosines[3], sines[1], sines[2], sines[3], 9}, both);
            float[] first = {0.1f, -0.3f, 9};
            float[] second = {0, 0, 9};
            Turns.cosSin(first, second, 2);
            assertArrayEquals(new float[] {2 * cosines[1], 2 * cosines[2], 9}, first);
            assertArrayEquals(new float[] {2 * sines[1], 2 * sines[2], 9}, second);
        }

        /** Long ranges run vectorised after compilation, single values do not: the bits must agree. */
        @Test
        void aValueDoesNotDependOnItsNeighbours() {
            float[] angles = anglesOfAllSizes();
            float[] together = angles.clone();
            Turns.cos(together, 0, together.length, 1);
            for (int i = 0; i < angles.length; i += 997) {
                Turns.cos(angles, i, i + 1, 1);
                assertEquals(together[i], angles[i]);
            }
        }
    }

    @Nested
    class InFloat64 {
        private double[] anglesOfAllSizes() {
            SplittableRandom random = new SplittableRandom(3);
            double[] angles = new double[8000];
            for (int i = 0; i < angles.length; i++) {
                int exponent = i < 6000 ? i % 60 - 30 : random.nextInt(30, 1024);
                angles[i] = (random.nextBoolean() ? 1 : -1) * Math.scalb(1 + random.nextDouble(), exponent);
            }
            return angles;
        }

        @Test
        void cosineErrsLessThanItsBoundAtEverySize() {
            double[] angles = anglesOfAllSizes();
            double[] results = angles.clone();
            Turns.cos(results, 0, results.length, 1);
            for (int i = 0; i < angles.length; i++) {
                double error = error(results[i], ExactTrigonometry.cosOfTurns(new BigDecimal(angles[i])));
                assertEquals(0, error, DOUBLE_BOUND, "cosine of " + angles[i] + " turns");
                assertTrue(Math.abs(results[i]) <= 1);
            }
        }

        @Test
        void sineErrsLessThanItsBoundAtEverySize() {
            double[] angles = anglesOfAllSizes();
            double[] results = angles.clone();
            Turns.sin(results, 0, results.length, 1);
            for (int i = 0; i < angles.length; i++) {
                double error = error(results[i], ExactTrigonometry.sinOfTurns(new BigDecimal(angles[i])));
                assertEquals(0, error, DOUBLE_BOUND, "sine of " + angles[i] + " turns");
                assertTrue(Math.abs(results[i]) <= 1);
            }
        }

        /** Three units in the last place, 3·2⁻⁵². */
        @Test
        void sineOfSmallAnglesKeepsItsLeadingDigits() {
            for (double t = 0.1; t > 1e-300; t *= 0.1) {
                double[] a = {t};
                Turns.sin(a, 0, 1, 1);
                double exact = Math.sin(2 * Math.PI * t);
                assertEquals(exact, a[0], exact * 0x3p-52);
            }
        }

        @Test
        void quarterTurnsAreExactHoweverMany() {
            for (double whole : new double[] {0, 1, -3, 1e6, 0x1p50, -0x1p50}) {
                double[] cosines = {whole, whole + 0.25, whole + 0.5, whole + 0.75};
                double[] sines = cosines.clone();
                Turns.cos(cosines, 0, 4, 1);
                Turns.sin(sines, 0, 4, 1);
                for (int i = 0; i < 4; i++) {
                    assertEquals(new double[] {1, 0, -1, 0}[i], cosines[i] + 0.0);
                    assertEquals(new double[] {0, 1, 0, -1}[i], sines[i] + 0.0);
                }
            }
        }

        @Test
        void whatIsNotFiniteGivesNaN() {
            double[] a = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
            double[] b = a.clone();
            Turns.cos(a, 0, 3, 1);
            Turns.sin(b, 0, 3, 1);
            for (int i = 0; i < 3; i++) {
                assertTrue(Double.isNaN(a[i]) && Double.isNaN(b[i]));
            }
        }

        @Test
        void cosSinIsCosineThenSine() {
            double[] cosines = {0.1, -0.3, 17.7};
            double[] sines = cosines.clone();
            double[] both = {0.1, -0.3, 17.7, 0, 0, 0};
            Turns.cos(cosines, 0, 3, 0.5);
            Turns.sin(sines, 0, 3, 0.5);
            Turns.cosSin(both, 0, 3, 0.5);
            assertArrayEquals(new double[] {cosines[0], cosines[1], cosines[2], sines[0], sines[1], sines[2]}, both);
            double[] one = {9, 0, 0, 9};
            Turns.cosSin(17.7, 0.5, one, 1);
            assertArrayEquals(new double[] {9, cosines[2], sines[2], 9}, one);
        }
    }

    @Nested
    class FromFloat64ToFloat32 {
        /** In float32 the angle itself would be off by 2²⁰·2⁻²⁴ turns; reduced first it is off by 2⁻²⁶ at most. */
        @Test
        void largeAnglesKeepTheirPhase() {
            double[] turns = {9, 0x1p20 + 0.1, -0x1p20 - 0.3, 1e15 + 0.25};
            float[] out = new float[4];
            Turns.reduce(turns, 1, out, 0, 3);
            assertEquals(0.1, out[0], 3e-8 + Math.ulp(0x1p20));
            assertEquals(-0.3, out[1], 3e-8 + Math.ulp(0x1p20));
            assertEquals(0.25f, out[2]);
            assertEquals(0, out[3]);
        }
    }
}
