package org.bochner.numeric.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudentQuantileTest {
    /** With 1 degree of freedom, P(|T| <= t) = 2 atan(t)/pi; with 2, it is t/sqrt(2 + t^2). */
    @Test
    void agreesWithClosedForms() {
        for (double level : new double[] {0.01, 0.5, 0.8, 0.9, 0.95, 0.999}) {
            double ofOne = Math.tan(level * Math.PI / 2);
            assertEquals(ofOne, StudentQuantile.central(level, 1), 1e-10 * ofOne);
            double ofTwo = level * Math.sqrt(2 / (1 - level * level));
            assertEquals(ofTwo, StudentQuantile.central(level, 2), 1e-10 * ofTwo);
        }
    }

    /** Of the normal distribution, to the digits given; t exceeds it by a share of (z^2 + 1)/4 millionths at most. */
    @ParameterizedTest
    @CsvSource({
        "0.5, 0.6744897502",
        "0.8, 1.2815515655",
        "0.9, 1.6448536270",
        "0.95, 1.9599639845",
        "0.99, 2.5758293035"
    })
    void approachesTheNormalDistribution(double level, double normal) {
        double bound = normal * (1e-6 * (normal * normal + 1) / 4 + 1e-9);
        assertEquals(normal, StudentQuantile.central(level, 1e6), bound);
        assertEquals(normal, StudentQuantile.central(level, 1e12), bound);
    }

    @Test
    void refusesLevelsAndDegreesOutOfRange() {
        assertThrows(IllegalArgumentException.class, () -> StudentQuantile.central(0, 5));
        assertThrows(IllegalArgumentException.class, () -> StudentQuantile.central(1, 5));
        assertThrows(IllegalArgumentException.class, () -> StudentQuantile.central(Double.NaN, 5));
        assertThrows(IllegalArgumentException.class, () -> StudentQuantile.central(0.5, 0));
    }
}
