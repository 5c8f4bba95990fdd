package org.bochner.kernel.shift;

import static org.bochner.GoldenTable.number;
import static org.bochner.GoldenTable.numbers;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.data.DenseRows;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.FeatureMaps;
import org.bochner.map.fourier.FourierMap;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StableTest {
    private static final double[][] OFFSETS = {{0.3, 0.4, 1.1}, {0, -2, 0.25}, {1e-9, 0, 0}, {-3, 1, 40}, {0, 0, 0}};

    private static final Bandwidth TWO_RANGES = Bandwidth.ofRanges(new int[] {1, 3}, new double[] {2, 0.7});

    @Nested
    class Value {
        /** Powers and sums are rounded a few times, and the exponent, at most 10 here, multiplies the error. */
        @Test
        void agreesWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("stable.csv")) {
                double expected = number(row, "value");
                Kernel kernel = Kernels.stable(number(row, "p"), number(row, "q"), number(row, "sigma"));
                assertEquals(
                        expected, kernel.value(numbers(row, "delta"), new double[3]), 2e-14 * expected, row::toString);
            }
        }

        @Test
        void isTheLaplacianForPowersOfOne() {
            for (double[] delta : OFFSETS) {
                assertEquals(
                        Kernels.laplacian(TWO_RANGES).atOffset(delta),
                        Kernels.stable(1, 1, TWO_RANGES).atOffset(delta));
            }
        }

        @Test
        void isTheRoughMaternKernelOfTheEuclideanDistance() {
            for (double[] delta : OFFSETS) {
                assertEquals(
                        Kernels.matern(0.5, TWO_RANGES).atOffset(delta),
                        Kernels.stable(2, 1, TWO_RANGES).atOffset(delta));
            }
        }

        @Test
        void isTheGaussianForPowersOfTwo() {
            Bandwidth shorter = TWO_RANGES.map("gaussian", "sigma", sigma -> sigma / Math.sqrt(2));
            for (double[] delta : OFFSETS) {
                // An exponent of up to 3,300 has an error of 3 units of 2⁻⁵³.
                double expected = Kernels.gaussian(shorter).atOffset(delta);
                assertEquals(expected, Kernels.stable(2, 2, TWO_RANGES).atOffset(delta), 1e-12 * expected);
            }
        }

        @Test
        void ignoresColumnsOfInfiniteLengthScale() {
            ShiftInvariantKernel kernel = Kernels.stable(1.3, 0.7, Bandwidth.ofColumns(2, Double.POSITIVE_INFINITY));
            assertEquals(kernel.atOffset(new double[] {1, 0}), kernel.atOffset(new double[] {1, 1e300}));
        }
    }

    /** Functions of rough kernels have infinite slopes at 0; none of them may become NaN in kernel learning. */
    @ParameterizedTest
    @CsvSource({"1.5, 1", "0.4, 0.2", "2, 0.3", "2, 2", "1, 1"})
    void slopesAreNumbersEverywhere(double p, double q) {
        ShiftInvariantKernel kernel = Kernels.stable(p, q, 1);
        double[] slope = new double[3];
        for (double[] delta :
                new double[][] {{0, 0, 0}, {1e-300, 0, 0}, {1e-12, 1e-200, 0}, {1e200, 1, 0}, {1, 2, 3}}) {
            assertEquals(kernel.atOffset(delta), kernel.slope(delta, slope));
            assertTrue(Arrays.stream(slope).noneMatch(Double::isNaN), Arrays.toString(slope));
            for (int l = 0; l < delta.length; l++) {
                assertTrue(slope[l] <= 0, () -> "values fall with distance: " + Arrays.toString(slope));
                assertTrue(delta[l] != 0 || slope[l] == 0, () -> "no slope at 0: " + Arrays.toString(slope));
                assertTrue(delta[2] == 0 || slope[l] < 0, () -> "no slope: " + Arrays.toString(slope));
            }
        }
    }

    @Nested
    class Frequencies {
        @Test
        void areThoseOfTheLaplacianForPowersOfOne() {
            assertArrayEquals(unit("laplacian(sigma=1)", "fourier"), unit("stable(p=1, q=1, sigma=1)", "fourier"));
        }

        /** Gaussian numbers of variance 2. */
        @Test
        void areThoseOfTheGaussianForPowersOfTwo() {
            double[] gaussian = unit("gaussian(sigma=1)", "orthogonal");
            assertArrayEquals(
                    Arrays.stream(gaussian).map(w -> Math.sqrt(2) * w).toArray(),
                    unit("stable(p=2, q=2, sigma=1)", "orthogonal"),
                    1e-14);
            assertFalse(Kernels.stable(2, 2, 1).spectrum().heavyTailed());
        }

        @Test
        void areEqualInEveryDirectionOnlyForTheEuclideanDistance() {
            assertTrue(Kernels.stable(2, 0.5, 1).spectrum().rotationInvariant());
            assertFalse(Kernels.stable(1.9, 0.5, 1).spectrum().rotationInvariant());
            assertThrows(IllegalArgumentException.class, () -> unit("stable(p=1.9, q=0.5, sigma=1)", "orthogonal"));
        }

        /** The rarest draws, of probability 2⁻⁵³, still give numbers. */
        @Test
        void ofTheRoughestKernelAreFinite() {
            for (String kernel : new String[] {"stable(p=0.2, q=0.2, sigma=1)", "stable(p=2, q=0.2, sigma=1)"}) {
                assertTrue(Arrays.stream(unit(kernel, "fourier")).allMatch(Double::isFinite), kernel);
            }
        }

        @Test
        void ofATinyPowerAreRefusedWithAMapThatWorks() {
            BochnerException refused = assertThrows(
                    BochnerException.class, () -> Kernels.stable(1, 0.19, 1).spectrum());
            assertTrue(String.valueOf(refused.getMessage()).contains("landmarks"), refused.getMessage());
        }

        private static double[] unit(String kernel, String recipe) {
            return ((FourierMap) FeatureMaps.parse(recipe).build(Kernels.parse(kernel), 3, 1200, new Seed(5)))
                    .unitFrequencies();
        }
    }

    @Nested
    class Spellings {
        @Test
        void haveDefaults() {
            assertEquals(new Stable(1.5, 1, Bandwidth.of(2)), Kernels.parse("stable(sigma=2)"));
            assertEquals(new Stable(0.5, 0.5, Bandwidth.of(2)), Kernels.parse("stable(p=0.5, sigma=2)"));
            assertEquals(
                    "stable(p=1.5, q=1, sigma=2)", Kernels.stable(1.5, 1, 2).toString());
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "stable(p=1, q=2, sigma=1)   | take q=1, or p=2",
                    "stable(p=3, q=1, sigma=1)   | take p=2",
                    "stable(p=3)                 | take p=2",
                    "stable(p=1, q=NaN, sigma=1) | take q=1",
                    "stable(p=NaN, sigma=1)      | take p=2",
                    "stable(p=1, q=0, sigma=1)   | take q=1",
                    "stable(p=-1, sigma=1)       | take p=2"
                })
        void ofNoKernelAreRefusedWithTheNearestKernel(String text, String remedy) {
            SpellingException refused = assertThrows(SpellingException.class, () -> Kernels.parse(text));
            assertTrue(String.valueOf(refused.getMessage()).contains(remedy), refused.getMessage());
        }

        /** Three rows on a line have the distances c·|(1, 8)|_p for c of 1, 1 and 2; the median has c = 1. */
        @ParameterizedTest
        @ValueSource(doubles = {0.5, 1, 1.5, 2})
        void withoutALengthTakeTheMedianDistanceOfTheirNorm(double p) {
            RowSample rows = RowSample.of(DenseRows.of(3, 2, new float[] {0, 0, 1, 8, 2, 16}), 3, new Seed(1));
            Stable kernel = (Stable) Kernels.recipe("stable(p=" + p + ")").fit(rows);
            double distance = Math.pow(1 + Math.pow(8, p), 1 / p);
            // Measured scales are rounded to four digits.
            assertEquals(distance, kernel.sigma().at(0), 5e-4 * distance);
        }
    }

    /** exp(−√D²/σ) in two spellings. */
    @Test
    void ofTheEuclideanDistanceIsAProfileOfHistograms() {
        Kernel stable = Kernels.parse("stable-chi2(p=2, q=1, sigma=0.5)");
        double[] x = {0.2, 0.5, 0.3};
        double[] y = {0.6, 0, 0.4};
        assertEquals(Kernels.parse("laplace-chi2(beta=2)").value(x, y), stable.value(x, y), 1e-15);
        assertEquals(stable, Kernels.parse(stable.toString()));
        assertThrows(SpellingException.class, () -> Kernels.parse("stable-chi2(p=1.5, q=1, sigma=0.5)"));
    }
}
