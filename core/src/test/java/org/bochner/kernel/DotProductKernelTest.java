package org.bochner.kernel;

import static org.bochner.GoldenTable.number;
import static org.bochner.GoldenTable.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.data.DenseRows;
import org.bochner.kernel.additive.Linear;
import org.bochner.kernel.dot.ArcCosine;
import org.bochner.kernel.dot.ArcSine;
import org.bochner.kernel.dot.Polynomial;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DotProductKernelTest {
    /** How the golden table names kernels. */
    private static final Map<String, Kernel> GOLDEN = Map.of(
            "linear",
            new Polynomial(1, 0.5, 0),
            "square",
            new Polynomial(2, 1, 1),
            "fifth",
            new Polynomial(5, 0.25, 2),
            "zero",
            new ArcCosine(0),
            "one",
            new ArcCosine(1),
            "sine",
            new ArcSine(0.5, 1));

    @Test
    void agreesWithTheReference() {
        for (Map<String, String> row : GoldenTable.read("dot_product.csv")) {
            double[] x = numbers(row, "x");
            double[] y = numbers(row, "y");
            double squareX = new Linear().value(x, x);
            double squareY = new Linear().value(y, y);
            boolean parallel = Math.abs(new Linear().value(x, y)) > 0.9999 * Math.sqrt(squareX * squareY);
            GOLDEN.forEach((name, kernel) -> {
                double size = Math.sqrt(kernel.value(x, x) * kernel.value(y, y));
                // Of rows that are all but parallel the cosine knows the angle to 2e-8 only, of which k₀ is the share
                // of π.
                double accuracy = name.equals("zero") && parallel ? 1e-8 : 1e-14 * Math.max(1, size);
                assertEquals(number(row, name), kernel.value(x, y), accuracy, () -> kernel + " of " + row);
            });
        }
    }

    @Nested
    class OfArcCosine {
        @ParameterizedTest
        @ValueSource(doubles = {1e-150, 1e-30, 1, 3e38, 1e150})
        void hasItsDiagonalAtAnyMagnitude(double size) {
            double[] x = {size, -2 * size, 0.1 * size};
            assertEquals(1, new ArcCosine(0).value(x, x));
            double square = new Linear().value(x, x);
            assertEquals(1, new ArcCosine(1).value(x, x) / square, 1e-15);
            double[] longer = {2 * size, -4 * size, 0.2 * size};
            assertEquals(2, new ArcCosine(1).value(x, longer) / square, 1e-15);
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1})
        void rowsOfZerosAreLikeNothing(int order) {
            double[] zero = new double[2];
            assertEquals(0, new ArcCosine(order).value(zero, zero));
            assertEquals(0, new ArcCosine(order).value(zero, new double[] {1, 2}));
        }

        @Test
        void isNeverNegativeForOppositeRows() {
            for (double tilt = 1; tilt > 1e-20; tilt /= 3) {
                double[] x = {1, 0.7};
                double[] y = {-1, tilt - 0.7};
                for (int order = 0; order <= 1; order++) {
                    double value = new ArcCosine(order).value(x, y);
                    assertTrue(value >= 0 && value <= 1, "order " + order + ", tilt " + tilt + ": " + value);
                }
            }
        }

        /** J₁ is π·cos θ + θ³/3 + O(θ⁵) at small angles. */
        @Test
        void keepsItsDigitsAtSmallAngles() {
            for (double angle = 0.01; angle > 1e-12; angle /= 10) {
                double value =
                        new ArcCosine(1).value(new double[] {1, 0}, new double[] {Math.cos(angle), Math.sin(angle)});
                double expected = Math.cos(angle) + Math.pow(angle, 3) / (3 * Math.PI);
                assertEquals(expected, value, 1e-15 + Math.pow(angle, 5));
            }
        }
    }

    @Nested
    class Parameters {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "polynomial(degree=0, gamma=1) | polynomial: degree must be at least 1, got 0",
                    "polynomial(gamma=0) | polynomial: gamma must be positive and finite, got 0.0",
                    "polynomial(gamma=NaN) | polynomial: gamma must be positive and finite, got NaN",
                    "polynomial(gamma=1, c=-1) | polynomial: c must be at least 0 and finite, got -1.0",
                    "polynomial(gamma=1, degree=1.5) | polynomial: degree must be a whole number, got 1.5",
                    "arc-sine(gamma=0) | arc-sine: gamma must be positive and finite, got 0.0",
                    "arc-sine(gamma=1, c=-1) | arc-sine: c must be at least 0 and finite, got -1.0",
                    "arc-cosine(order=2) | arc-cosine: order must be 0 or 1, got 2",
                    "arc-cosine(order=-1) | arc-cosine: order must be 0 or 1, got -1"
                })
        void outsideTheirRangeAreRefused(String spelling, String message) {
            String refusal = String.valueOf(assertThrows(SpellingException.class, () -> Kernels.parse(spelling))
                    .getMessage());
            assertTrue(refusal.contains(message), refusal);
        }

        @Test
        void haveDefaults() {
            assertEquals(new Polynomial(2, 3, 1), Kernels.parse("polynomial(gamma=3)"));
            assertEquals(new ArcCosine(1), Kernels.parse("arc-cosine"));
            assertEquals(new ArcSine(3, 1), Kernels.parse("arc-sine(gamma=3)"));
        }

        /** |x|² is 25, 4 and 1, their mean 10. */
        @Test
        void gammaIsOneOverTheMeanSquareOfRows() {
            DenseRows rows = DenseRows.of(3, 2, new float[] {3, 4, 0, -2, 1, 0});
            RowSample sample = RowSample.of(rows, 3, new Seed(1));
            assertEquals(
                    new Polynomial(3, 0.1, 1),
                    Kernels.recipe("polynomial(degree=3)").fit(sample));
            assertEquals(new ArcSine(0.1, 2), Kernels.recipe("arc-sine(c=2)").fit(sample));
        }

        @Test
        void rowsOfZerosGiveNoGamma() {
            RowSample sample = RowSample.of(DenseRows.of(2, 1, new float[2]), 2, new Seed(1));
            assertThrows(
                    BochnerException.class, () -> Kernels.recipe("polynomial").fit(sample));
        }
    }
}
