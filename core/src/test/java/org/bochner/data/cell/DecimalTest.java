package org.bochner.data.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
    private static void assertSameAsJava(String text) {
        byte[] bytes = (text + " ").getBytes(StandardCharsets.US_ASCII);
        Decimal decimal = new Decimal();
        double value = decimal.parse(bytes, 0);
        assertEquals(text.length(), decimal.end, text);
        assertEquals(Double.doubleToRawLongBits(Double.parseDouble(text)), Double.doubleToRawLongBits(value), text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "+1",
                "1.",
                ".5",
                "-.5e-3",
                "1e22",
                "1e23",
                "9007199254740992",
                "9007199254740993",
                "9007199254740993e-22",
                "0.1",
                "123456789012345678",
                "1234567890123456789",
                "99999999999999999999",
                "1e308",
                "1e309",
                "-1e309",
                "4.9e-324",
                "2e-324",
                "1e-400",
                "0e999999999999",
                "1e-999999999999",
                "0.000000000000000000000000000000000000000000000012345",
                "2.2250738585072011e-308",
                "1.7976931348623157e308",
                "1E+5",
                "007",
                "00000000000000000000000000000001.5"
            })
    void equalsJavaOnAwkwardSpellings(String text) {
        assertSameAsJava(text);
    }

    @Test
    void equalsJavaOnRandomSpellings() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 200_000; i++) {
            String text =
                    switch (i % 5) {
                        case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
                        case 1 ->
                            String.format(Locale.ROOT, "%." + random.nextInt(20) + "f", random.nextDouble() * 100);
                        case 2 -> Integer.toString(random.nextInt());
                        case 3 -> random.nextLong() + "." + Math.abs(random.nextLong()) + "e" + random.nextInt(-30, 30);
                        default -> Float.toString(Float.intBitsToFloat(random.nextInt()));
                    };
            if (!text.contains("N") && !text.contains("I")) {
                assertSameAsJava(text);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", ".", "+.", "e5", "abc", "NaN", "Infinity", "--1", " 1"})
    void isNotANumber(String text) {
        assertTrue(Double.isNaN(Decimal.of(text)), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1d", "1.5f", "0x1p3", "1e", "1e+", "1,5", "1 ", "1_000", "1.2.3"})
    void stopsBeforeWhatIsNoDecimal(String text) {
        assertTrue(Double.isNaN(Decimal.of(text)), text);
    }
}
