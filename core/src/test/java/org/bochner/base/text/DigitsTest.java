package org.bochner.base.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigitsTest {
    @ParameterizedTest
    @CsvSource({
        "1700000000.5, 1700000000.5",
        "0.1, 0.1",
        "-0.00001, -0.00001",
        "123456789012345, 123456789012345",
        "100, 100",
        "1e15, 1E+15",
        "-2.5e300, -2.5E+300",
        "1e-7, 1E-7",
        "0, 0",
        "-0.0, 0",
        "2e-3, 0.002",
        "2e23, 2E+23",
        "4.9e-324, 5E-324",
        "NaN, NaN"
    })
    void areTheFewestThatReadBack(double value, String text) {
        assertEquals(text, Digits.shortest(value));
    }

    @Test
    void readBackToTheSameNumberAndOneFewerDoesNot() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(-30, 30));
            String text = Digits.shortest(value);
            assertEquals(value, Double.parseDouble(text));
            BigDecimal shown = new BigDecimal(text).stripTrailingZeros();
            if (shown.precision() > 1) {
                BigDecimal shorter = new BigDecimal(value).round(new MathContext(shown.precision() - 1));
                assertFalse(shorter.doubleValue() == value, text);
            }
            double size = Math.abs(value);
            if (size >= 1e-5 && size < 1e15) {
                assertFalse(text.contains("E"), text);
            }
        }
    }

    @Test
    void areRoundedToAtMostSoMany() {
        assertEquals("0.333333", Digits.rounded(1.0 / 3, 6));
        assertEquals("1", Digits.rounded(0.9999999, 6));
        assertEquals("0.5", Digits.rounded(0.5, 6));
        assertEquals("0.0000123457", Digits.rounded(1.23456789e-5, 6));
        assertEquals("1.23457E-9", Digits.rounded(1.23456789e-9, 6));
        assertEquals(Digits.shortest(0.1 + 0.2), Digits.rounded(0.1 + 0.2, 17));
    }
}
