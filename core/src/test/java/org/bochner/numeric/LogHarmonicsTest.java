package org.bochner.numeric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Map;
import org.bochner.GoldenTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LogHarmonicsTest {
    private static final double[] AMPLITUDES = {0.8, 0.6, 0.4, 0.2};

    private static LogHarmonics harmonics(double spacing, double degree, int... harmonics) {
        return new LogHarmonics(spacing, harmonics, Arrays.copyOf(AMPLITUDES, harmonics.length), degree);
    }

    /**
     * The angle, in radians: 2π·(2⁻²⁶ + 2⁻²⁵) for rounding the exponent's share, at most ½ turn, and the sum, below one
     * turn, and 1.1e-7·L for the mantissa's share. The cosine and the sine: 1.1e-7 each, √2 times that together. A
     * rotation: three roundings of products that are at most 1 together, twice, 2√2 roundings. All this once a harmonic;
     * in the end magnitude, amplitude and two products, four roundings.
     */
    private abstract static class Contract implements ValueFeaturesContract {
        private final double spacing;
        private final int[] harmonics;
        private final LogHarmonics features;

        Contract(double spacing, double degree, int... harmonics) {
            this.spacing = spacing;
            this.harmonics = harmonics;
            features = harmonics(spacing, degree, harmonics);
        }

        @Override
        public ValueFeatures features() {
            return features;
        }

        @Override
        public double bound(int k, float x) {
            double angle = 2 * Math.PI * (0x1p-26 + 0x1p-25) + 1.1e-7 * spacing;
            double each = angle + Math.sqrt(2) * 1.1e-7 + 2 * Math.sqrt(2) * ROUNDING;
            int index = (k + 1) / 2;
            return AMPLITUDES[index] * (harmonics[index] * each + 4 * ROUNDING);
        }
    }

    @Nested
    class OfOrderOne extends Contract {
        OfOrderOne() {
            super(0.8, 1, 0, 1);
        }
    }

    @Nested
    class OfOrderThreeWithAWideSpacing extends Contract {
        OfOrderThreeWithAWideSpacing() {
            super(6.28, 1, 0, 1, 2, 3);
        }
    }

    @Nested
    class WithGapsBetweenHarmonics extends Contract {
        WithGapsBetweenHarmonics() {
            super(0.5, 1, 0, 2, 3, 9);
        }
    }

    @Nested
    class OfDegreeOneHalf extends Contract {
        OfDegreeOneHalf() {
            super(0.8, 0.5, 0, 1, 2);
        }
    }

    @Nested
    class OfDegreeTwo extends Contract {
        OfDegreeTwo() {
            super(0.8, 2, 0, 1, 2);
        }
    }

    @Nested
    class OfTheConstantAlone extends Contract {
        OfTheConstantAlone() {
            super(0.8, 1, 0);
        }
    }

    /**
     * The angle in turns: the exponent's share to 2⁻⁵⁴ and its sum to 2⁻⁵³; the mantissa's, below one turn, to four
     * roundings, 2⁻⁵¹ with that of the product with the harmonic; times 2π that is 4e-15 a harmonic. The cosine, the root
     * and the product with it add 6e-16.
     */
    @Test
    void float64MatchesReferenceValuesAtEveryMagnitude() {
        for (Map<String, String> row : GoldenTable.read("log_harmonics.csv")) {
            double x = Double.parseDouble(row.get("x"));
            int harmonic = Integer.parseInt(row.get("harmonic"));
            LogHarmonics features = new LogHarmonics(
                    Double.parseDouble(row.get("spacing")), new int[] {0, harmonic}, new double[] {0.5, 1}, 1);
            double[] out = new double[3];
            features.apply(x, out, 0);
            double root = Math.sqrt(x);
            double bound = root * (4e-15 * harmonic + 6e-16) + 2 * Double.MIN_VALUE;
            assertEquals(0.5 * root, out[0], 0.5 * root * 0x1p-52, () -> "constant of " + row);
            assertEquals(root * Double.parseDouble(row.get("cos")), out[1], bound, () -> "cosine of " + row);
            assertEquals(root * Double.parseDouble(row.get("sin")), out[2], bound, () -> "sine of " + row);
        }
    }

    /** Where the exponent changes, the table and the polynomial change together: what they make must not jump. */
    @Test
    void featuresOfNeighbouringFloatsAreNeighbours() {
        float[] values = new float[2000];
        float first = (float) Math.sqrt(0.5);
        for (int i = 0; i < values.length; i++) {
            values[i] = first + (i - 1000) * Math.ulp(first);
        }
        LogHarmonics features = harmonics(1, 1, 0, 1);
        float[] out = new float[3 * values.length];
        features.apply(values, 0, values.length, out, 0);
        for (int i = 1; i < values.length; i++) {
            // A step of one unit turns by 1.7e-7 radians at most; two angles differ by the bound of each at most.
            assertEquals(out[3 * i - 2], out[3 * i + 1], 2e-6);
            assertEquals(out[3 * i - 1], out[3 * i + 2], 2e-6);
        }
    }

    @Test
    void oneHasTheAmplitudesForFeatures() {
        float[] out = new float[7];
        harmonics(0.7, 1, 0, 1, 2, 3).apply(new float[] {1}, 0, 1, out, 0);
        assertArrayEquals(new float[] {0.8f, 0.6f, 0, 0.4f, 0, 0.2f, 0}, out);
    }

    @Test
    void laterChangesOfTheArgumentsChangeNothing() {
        int[] harmonics = {0, 1};
        double[] amplitudes = {0.8, 0.6};
        LogHarmonics features = new LogHarmonics(0.7, harmonics, amplitudes, 1);
        harmonics[1] = 5;
        amplitudes[1] = 5;
        float[] out = new float[3];
        features.apply(new float[] {1}, 0, 1, out, 0);
        assertArrayEquals(new float[] {0.8f, 0.6f, 0}, out);
    }

    @Test
    void rejectsHarmonicsThatDoNotRiseFromZero() {
        double[] two = {1, 1};
        assertThrows(IllegalArgumentException.class, () -> new LogHarmonics(1, new int[0], new double[0], 1));
        assertThrows(IllegalArgumentException.class, () -> new LogHarmonics(1, new int[] {1, 2}, two, 1));
        assertThrows(IllegalArgumentException.class, () -> new LogHarmonics(1, new int[] {0, 0}, two, 1));
        IllegalArgumentException error =
                assertThrows(IllegalArgumentException.class, () -> new LogHarmonics(1, new int[] {0, -3}, two, 1));
        assertEquals("LogHarmonics: harmonic 1 must be at least 1, got -3", error.getMessage());
    }

    @Test
    void rejectsNumbersThatAreNotPositive() {
        int[] harmonics = {0, 1};
        double[] two = {1, 1};
        assertThrows(IllegalArgumentException.class, () -> new LogHarmonics(Double.NaN, harmonics, two, 1));
        assertThrows(IllegalArgumentException.class, () -> new LogHarmonics(1, harmonics, two, 0));
        assertThrows(
                IllegalArgumentException.class, () -> new LogHarmonics(1, harmonics, new double[] {1, Double.NaN}, 1));
        assertThrows(IllegalArgumentException.class, () -> new LogHarmonics(1, harmonics, new double[] {1}, 1));
    }
}
