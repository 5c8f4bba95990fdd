package org.bochner.numeric.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErfTest {
    /** Reference: mpmath 1.3.0 with 40 digits. The series adds twelve terms, of which the first is the largest. */
    @ParameterizedTest
    @CsvSource({
        "1e-300, 1.1283791670955126e-300",
        "1e-9, 1.1283791670955127e-09",
        "0.0625, 0.07043197772238707",
        "0.1, 0.1124629160182849",
        "0.4999, 0.5204119951613866",
        "0.5, 0.5204998778130465",
        "1, 0.8427007929497149",
        "1.3125, 0.9365685747113888",
        "1.75, 0.9866716712191824",
        "2.2, 0.9981371537020182",
        "2.9, 0.9999589021219005",
        "3.6, 0.999999644137007",
        "4.4, 0.999999999510829",
        "5.2, 0.9999999999998075",
        "5.9, 0.9999999999999999",
        "6, 1.0",
        "40, 1.0"
    })
    void agreesWithTheReference(double x, double expected) {
        assertEquals(expected, Erf.of(x), 4e-16 * Math.min(1, 2 * x));
        assertEquals(-expected, Erf.of(-x), 4e-16 * Math.min(1, 2 * x));
    }

    @Test
    void endsAreExact() {
        assertEquals(0, Erf.of(0));
        assertEquals(1, Erf.of(Double.POSITIVE_INFINITY));
        assertEquals(-1, Erf.of(Double.NEGATIVE_INFINITY));
        assertTrue(Double.isNaN(Erf.of(Double.NaN)));
        assertEquals(0.5, Erf.gaussianProbability(0));
    }

    /** Neighbouring series meet in the middle between their centres. */
    @Test
    void neverDescendsByMoreThanRounding() {
        double last = -1;
        for (int k = -7000; k <= 7000; k++) {
            double value = Erf.of(k / 1000.0);
            assertTrue(value >= last - 4e-16, "at " + k);
            last = value;
        }
    }
}
