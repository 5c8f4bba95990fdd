package org.bochner.random.law;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.bochner.GoldenTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LawsTest {
    @ParameterizedTest
    @ValueSource(strings = {"gaussian", "sech", "cauchy", "laplace"})
    void quantilesAgreeWithTheReference(String law) {
        for (Map<String, String> row : GoldenTable.read("quantiles.csv")) {
            double u = Double.parseDouble(row.get("u"));
            double expected = Double.parseDouble(row.get(law));
            // 1e-12 is what the reference set promises; at u = 1/2 the quantile is 0 and the error absolute.
            assertEquals(expected, quantile(law).applyAsDouble(u), Math.max(1e-30, 1e-12 * Math.abs(expected)), law);
        }
    }

    /** The logarithms are below 28 here; p divides them and their rounding. */
    @Test
    void stableFactorsAgreeWithTheReference() {
        for (Map<String, String> row : GoldenTable.read("stable_factors.csv")) {
            double p = GoldenTable.number(row, "p");
            double expected = GoldenTable.number(row, "factor");
            double value = Laws.stableFactor(GoldenTable.number(row, "u"), p);
            assertEquals(expected, value, 1e-15 * (2 + 28 / p) * Math.abs(expected), row::toString);
        }
    }

    @Test
    void stableFactorsRejectOtherPowersAndTheEnds() {
        for (double p : new double[] {0, -1, 2.1, Double.NaN}) {
            assertThrows(IllegalArgumentException.class, () -> Laws.stableFactor(0.3, p));
        }
        for (double u : new double[] {0, 1, Double.NaN}) {
            assertThrows(IllegalArgumentException.class, () -> Laws.stableFactor(u, 1.5));
        }
    }

    /** The probability has an error of 4e-16, which the density of the law, at least that of its tails here, divides. */
    @Test
    void theQuantileOfTwoGaussiansAgreesWithTheReference() {
        for (Map<String, String> row : GoldenTable.read("quantiles.csv")) {
            double u = Double.parseDouble(row.get("u"));
            double expected = Double.parseDouble(row.get("two-gaussians"));
            double tail = Math.abs(expected) - 1.75;
            double density = Math.exp(-tail * tail / 2) / (2 * Math.sqrt(2 * Math.PI));
            // Probabilities below 1e-15 are not resolved.
            if (Math.min(u, 1 - u) > 1e-12) {
                double value = Laws.twoGaussiansQuantile(u, 1.75);
                assertEquals(expected, value, 1e-15 * (1 + Math.abs(expected)) + 4e-16 / density, "u " + u);
            }
        }
        assertEquals(Laws.gaussianQuantile(0.3), Laws.twoGaussiansQuantile(0.3, 0), 1e-14);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gaussian", "sech", "cauchy", "laplace"})
    void quantilesAreOddAroundOneHalfAndAscend(String law) {
        DoubleUnaryOperator quantile = quantile(law);
        double last = Double.NEGATIVE_INFINITY;
        for (int k = 1; k < 1024; k++) {
            double value = quantile.applyAsDouble(k / 1024.0);
            // k/1024 and its complement are exact, so the symmetry holds to rounding.
            assertEquals(-quantile.applyAsDouble(1 - k / 1024.0), value, 1e-15 * Math.abs(value));
            assertTrue(value > last, law + " at " + k);
            last = value;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gaussian", "sech", "cauchy", "laplace", "two-gaussians"})
    void rejectTheEndsAndNaN(String law) {
        for (double u : new double[] {0, 1, -0.1, 1.1, Double.NaN}) {
            assertThrows(IllegalArgumentException.class, () -> quantile(law).applyAsDouble(u));
        }
    }

    private static DoubleUnaryOperator quantile(String law) {
        return switch (law) {
            case "gaussian" -> Laws::gaussianQuantile;
            case "sech" -> Laws::sechQuantile;
            case "cauchy" -> Laws::cauchyQuantile;
            case "laplace" -> Laws::laplaceQuantile;
            case "two-gaussians" -> u -> Laws.twoGaussiansQuantile(u, 1.75);
            default -> throw new IllegalArgumentException(law);
        };
    }
}
