package org.bochner.numeric.function;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.bochner.GoldenTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LogCosinesTest {
    private static final double[] AMPLITUDES = {0.8, 0.6, 0.4, 0.2};

    private static LogCosines cosines(double degree, double... frequencies) {
        return new LogCosines(frequencies, Arrays.copyOf(AMPLITUDES, frequencies.length), degree);
    }

    private static double[] multiples(double spacing, int... harmonics) {
        return Arrays.stream(harmonics).mapToDouble(h -> h * spacing).toArray();
    }

    /** Which frequency feature k is of. */
    private static int frequency(double[] frequencies, int k) {
        return frequencies[0] == 0 ? (k + 1) / 2 : k / 2;
    }

    /**
     * Of the frequencies 0, L, 2L, …, up to L = 2π. The angle, in radians: 2π·(2⁻²⁶ + 2⁻²⁵) for rounding the exponent's
     * share, at most ½ turn, and the sum, below one turn, and 1.1e-7·L for the mantissa's share. The cosine and the sine:
     * 1.1e-7 each, √2 times that together. A rotation: three roundings of products that are at most 1 together, twice, 2√2
     * roundings. All this once a harmonic; in the end magnitude, amplitude and two products, four roundings.
     */
    private abstract static class Multiples implements ValueFeaturesContract {
        private final double spacing;
        private final int[] harmonics;
        private final LogCosines features;

        Multiples(double spacing, double degree, int... harmonics) {
            this.spacing = spacing;
            this.harmonics = harmonics;
            features = cosines(degree, multiples(spacing, harmonics));
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
    class OfOrderOne extends Multiples {
        OfOrderOne() {
            super(0.8, 1, 0, 1);
        }
    }

    @Nested
    class OfOrderThreeWithAWideSpacing extends Multiples {
        OfOrderThreeWithAWideSpacing() {
            super(6.28, 1, 0, 1, 2, 3);
        }
    }

    @Nested
    class WithGapsBetweenMultiples extends Multiples {
        WithGapsBetweenMultiples() {
            super(0.5, 1, 0, 1, 3, 7);
        }
    }

    @Nested
    class MultiplesOfDegreeOneHalf extends Multiples {
        MultiplesOfDegreeOneHalf() {
            super(0.8, 0.5, 0, 1, 2);
        }
    }

    @Nested
    class MultiplesOfDegreeTwo extends Multiples {
        MultiplesOfDegreeTwo() {
            super(0.8, 2, 0, 1, 2);
        }
    }

    @Nested
    class OfTheConstantAlone extends Multiples {
        OfTheConstantAlone() {
            super(0.8, 1, 0);
        }
    }

    /**
     * Of frequencies with an angle each, at least two. The angle, in radians: the exponent's share loses its whole turns
     * exactly, so that what is at most ½ turn is rounded in the last sum alone, π roundings. The mantissa's share, up to
     * log √2 = 0.347 times ω: two roundings of the quotient s, two of its product with the polynomial, 0.2 of what the
     * polynomial adds to 1, and those of ω, the product and two sums, 8.2. The cosine 1.1e-7; in the end magnitude,
     * amplitude and two products. Beyond ω = 32 the angle is that of float64, rounded, which the first share covers.
     */
    private abstract static class Arbitrary implements ValueFeaturesContract {
        private final double[] frequencies;
        private final LogCosines features;

        Arbitrary(double degree, double... frequencies) {
            this.frequencies = frequencies;
            features = cosines(degree, frequencies);
        }

        @Override
        public ValueFeatures features() {
            return features;
        }

        @Override
        public double bound(int k, float x) {
            int index = frequency(frequencies, k);
            double mantissa = frequencies[index] <= 32 ? 8.2 * Math.log(Math.sqrt(2)) * frequencies[index] : 0;
            double angle = (Math.PI + mantissa) * ROUNDING;
            return AMPLITUDES[index] * (angle + 1.1e-7 + 4 * ROUNDING);
        }
    }

    @Nested
    class OfADesign extends Arbitrary {
        OfADesign() {
            super(1, 0, 0.4591, 1.1096);
        }
    }

    @Nested
    class WithoutTheConstant extends Arbitrary {
        WithoutTheConstant() {
            super(1, 0.31, 0.92, 1.7);
        }
    }

    @Nested
    class OfHighAndLowFrequencies extends Arbitrary {
        OfHighAndLowFrequencies() {
            super(1, 1e-9, 31.9, 33.3, 1e9);
        }
    }

    /** Too far apart for rotations. */
    @Nested
    class OfADistantMultiple extends Arbitrary {
        OfADistantMultiple() {
            super(1, 0, 0.5, 3);
        }
    }

    @Nested
    class ArbitraryOfDegreeOneHalf extends Arbitrary {
        ArbitraryOfDegreeOneHalf() {
            super(0.5, 0, 0.4591, 1.1096);
        }
    }

    @Nested
    class ArbitraryOfDegreeTwo extends Arbitrary {
        ArbitraryOfDegreeTwo() {
            super(2, 0.4591, 1.1096);
        }
    }

    /** A frequency that is neither 0 nor has others beside it. */
    @Nested
    class OfOneFrequency extends Documented {
        OfOneFrequency() {
            super(new int[] {1}, 1, 0.7);
        }
    }

    /** Two frequencies with a multiple of each, among each other. */
    @Nested
    class OfMultiplesOfTwoFrequencies extends Documented {
        OfMultiplesOfTwoFrequencies() {
            super(new int[] {1, 1, 2, 3}, 1, 0.5, 0.7, 1, 2.1);
        }
    }

    @Nested
    class OfMultiplesOfALargeFrequency extends Documented {
        OfMultiplesOfALargeFrequency() {
            super(new int[] {0, 1, 2, 3}, 1, 0, 40, 80, 120);
        }
    }

    /** The bound that the Javadoc states. */
    private abstract static class Documented implements ValueFeaturesContract {
        private final int[] harmonics;
        private final double[] frequencies;
        private final LogCosines features;

        Documented(int[] harmonics, double degree, double... frequencies) {
            this.harmonics = harmonics;
            this.frequencies = frequencies;
            features = cosines(degree, frequencies);
        }

        @Override
        public ValueFeatures features() {
            return features;
        }

        @Override
        public double bound(int k, float x) {
            int index = frequency(frequencies, k);
            int h = harmonics[index];
            double lowest = h == 0 ? 0 : frequencies[index] / h;
            return AMPLITUDES[index] * ((6.1e-7 + 1.8e-7 * Math.min(32, lowest)) * h + 3e-7);
        }
    }

    /**
     * The angle, in radians, in roundings of 2⁻⁵³: π for the sum, of which at most ½ turn is the exponent's, and for the
     * mantissa's share, up to 0.347·ω, two of the quotient s, 1.2 of the polynomial, 1.4 of ω/2π, one of the product and two
     * of sums. The cosine has 2.2e-16; root, amplitude and product three roundings.
     */
    @Test
    void float64MatchesReferenceValuesAtEveryMagnitude() {
        for (Map<String, String> row : GoldenTable.read("log_cosines.csv")) {
            double x = Double.parseDouble(row.get("x"));
            double frequency = Double.parseDouble(row.get("frequency"));
            LogCosines features = new LogCosines(new double[] {0, frequency}, new double[] {0.5, 1}, 1);
            double[] out = new double[3];
            features.apply(x, out, 0);
            double root = Math.sqrt(x);
            double bound = root * (9e-16 + 2.9e-16 * frequency) + 2 * Double.MIN_VALUE;
            assertEquals(0.5 * root, out[0], 0.5 * root * 0x1p-52, () -> "constant of " + row);
            assertEquals(root * Double.parseDouble(row.get("cos")), out[1], bound, () -> "cosine of " + row);
            assertEquals(root * Double.parseDouble(row.get("sin")), out[2], bound, () -> "sine of " + row);
        }
    }

    /** Where the exponent changes, so do the shares of the angle: what they make together must not jump. */
    @Test
    void featuresOfNeighbouringFloatsAreNeighbours() {
        float[] values = new float[2000];
        float first = (float) Math.sqrt(0.5);
        for (int i = 0; i < values.length; i++) {
            values[i] = first + (i - 1000) * Math.ulp(first);
        }
        for (double[] frequencies : new double[][] {{0, 1}, {0, 0.7, 1}, {0.7, 1}}) {
            LogCosines features = cosines(1, frequencies);
            int width = features.featuresPerColumn();
            float[] out = new float[width * values.length];
            features.apply(values, 0, values.length, out, 0);
            for (int i = width; i < out.length; i++) {
                // A step of one unit turns by 1.7e-7 radians at most; two angles differ by the bound of each at most.
                assertEquals(out[i - width], out[i], 2e-6);
            }
        }
    }

    @Test
    void oneHasTheAmplitudesForFeatures() {
        float[] seven = new float[7];
        cosines(1, multiples(0.7, 0, 1, 2, 3)).apply(new float[] {1}, 0, 1, seven, 0);
        assertArrayEquals(new float[] {0.8f, 0.6f, 0, 0.4f, 0, 0.2f, 0}, seven);
        float[] six = new float[6];
        cosines(1, 0.7, 1.1, 1.9).apply(new float[] {1}, 0, 1, six, 0);
        assertArrayEquals(new float[] {0.8f, 0, 0.6f, 0, 0.4f, 0}, six);
    }

    @Test
    void hugeFrequenciesGiveFiniteFeatures() {
        float[] values = ValueFeaturesContract.valuesOfAllSizes();
        for (double[] frequencies : new double[][] {{0, 1e30}, {1e15, 1e30}}) {
            LogCosines features = cosines(1, frequencies);
            float[] out = new float[values.length * features.featuresPerColumn()];
            features.apply(values, 0, values.length, out, 0);
            for (float feature : out) {
                assertTrue(Float.isFinite(feature), () -> "got " + feature);
            }
        }
    }

    @Test
    void laterChangesOfTheArgumentsChangeNothing() {
        double[] frequencies = {0, 0.7};
        double[] amplitudes = {0.8, 0.6};
        LogCosines features = new LogCosines(frequencies, amplitudes, 1);
        frequencies[0] = 5;
        frequencies[1] = 5;
        amplitudes[1] = 5;
        float[] out = new float[3];
        features.apply(new float[] {1}, 0, 1, out, 0);
        assertArrayEquals(new float[] {0.8f, 0.6f, 0}, out);
    }

    @Test
    void rejectsFrequenciesThatDoNotAscendFromZeroOrAbove() {
        assertThrows(IllegalArgumentException.class, () -> new LogCosines(new double[0], new double[0], 1));
        assertThrows(IllegalArgumentException.class, () -> cosines(1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> cosines(1, 2, 1));
        assertThrows(IllegalArgumentException.class, () -> cosines(1, 0, Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> cosines(1, Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> cosines(1, 0, Double.POSITIVE_INFINITY));
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> cosines(1, -3, 1));
        assertEquals(
                "LogCosines: frequencies must ascend from 0 or above to 1.0E30 at most, got -3.0", error.getMessage());
    }

    @Test
    void rejectsAmplitudesAndDegreesThatMakeNoSense() {
        double[] two = {0, 1};
        assertThrows(IllegalArgumentException.class, () -> cosines(0, two));
        assertThrows(IllegalArgumentException.class, () -> new LogCosines(two, new double[] {1, Double.NaN}, 1));
        assertThrows(IllegalArgumentException.class, () -> new LogCosines(two, new double[] {1, -1}, 1));
        assertThrows(IllegalArgumentException.class, () -> new LogCosines(two, new double[] {1}, 1));
    }
}
