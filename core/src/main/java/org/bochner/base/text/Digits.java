package org.bochner.base.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.bochner.base.Require;

/**
 * Prints numbers as decimal text that is equal on every JDK. {@link Double#toString} prints other digits from JDK 19
 * on.
 *
 * <p>Magnitudes from 1e-5 to 1e15 are written without an exponent. Zero has no sign.
 */
public final class Digits {
    /** Every decimal of up to 15 digits is recovered by rounding the nearest double to 15 digits. */
    private static final int ALWAYS_RECOVERED = 15;
    /** The number of digits that identify every double. */
    private static final int ALWAYS_ENOUGH = 17;

    private static final double SMALLEST_PLAIN = 1e-5;
    private static final double FIRST_WITH_EXPONENT = 1e15;
    private static final double LARGEST_SUBNORMAL = 2.3e-308;

    private Digits() {}

    /** Returns the decimal with the fewest digits that reads back to the same double: 1700000000.5, 0.1, 1E-7. */
    public static String shortest(double value) {
        return Double.isFinite(value) ? text(shortestDecimal(value)) : Double.toString(value);
    }

    /**
     * Returns the decimal with at most {@code digits} significant digits, without trailing zeros.
     *
     * @param digits at least 1
     */
    public static String rounded(double value, int digits) {
        return Double.isFinite(value) ? text(roundedDecimal(value, digits)) : Double.toString(value);
    }

    /** Returns the decimal with the fewest digits that reads back to the same finite double. */
    public static BigDecimal shortestDecimal(double value) {
        BigDecimal exact = new BigDecimal(value);
        // Doubles below the normal range have fewer digits than those in it.
        int digits = Math.abs(value) < LARGEST_SUBNORMAL ? 1 : ALWAYS_RECOVERED;
        BigDecimal decimal = round(exact, digits);
        while (decimal.doubleValue() != value && digits < ALWAYS_ENOUGH) {
            decimal = round(exact, ++digits);
        }
        return decimal;
    }

    /** Returns a finite double rounded to at most {@code digits} significant digits. */
    public static BigDecimal roundedDecimal(double value, int digits) {
        Require.atLeast("rounded number", "digits", digits, 1);
        return digits >= ALWAYS_ENOUGH ? shortestDecimal(value) : round(new BigDecimal(value), digits);
    }

    private static BigDecimal round(BigDecimal exact, int digits) {
        return exact.round(new MathContext(digits, RoundingMode.HALF_EVEN)).stripTrailingZeros();
    }

    /** Returns a decimal as text, with an exponent only if it is very large or small. */
    public static String text(BigDecimal decimal) {
        double size = Math.abs(decimal.doubleValue());
        return size == 0 || (size >= SMALLEST_PLAIN && size < FIRST_WITH_EXPONENT)
                ? decimal.toPlainString()
                : decimal.toString();
    }
}
