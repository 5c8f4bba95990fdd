package org.bochner.data.cell;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import org.bochner.data.bytes.ByteFeed;

/**
 * Parses decimal numbers from bytes, to the same double as {@link Double#parseDouble}: an optional sign, digits with an
 * optional point, an optional exponent. No hexadecimal, no "NaN", no "Infinity", no trailing "d" or "f".
 *
 * <p>Numbers whose digits make an integer of at most 2⁵³ and whose power of ten is within ±22 take one multiplication
 * or division of two exact doubles, which rounds once and is therefore correct (Clinger, 1990,
 * doi:10.1145/93542.93557). Other numbers go to a general parser.
 *
 * <p>Threads: not safe; each reader has its own.
 */
public final class Decimal {
    private static final long LARGEST_EXACT = 1L << 53;
    /** The number of digits that cannot overflow a long. */
    private static final int SAFE_DIGITS = 18;

    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    /** The end (exclusive) of the number that was parsed last. */
    public int end;
    /** True if the number that was parsed last had a decimal point. */
    public boolean pointed;

    /**
     * Returns the longest number that starts at an offset; NaN if none starts there. The byte after the number must
     * exist, as it does in a {@link ByteFeed}.
     */
    public double parse(byte[] bytes, int from) {
        int i = from;
        byte c = bytes[i];
        boolean negative = c == '-';
        if (negative || c == '+') {
            i++;
        }
        long mantissa = 0;
        int start = i;
        int digit;
        while ((digit = bytes[i] - '0') >= 0 && digit <= 9) {
            mantissa = 10 * mantissa + digit;
            i++;
        }
        int digits = i - start;
        int power = 0;
        pointed = bytes[i] == '.';
        if (pointed) {
            i++;
            int point = i;
            while ((digit = bytes[i] - '0') >= 0 && digit <= 9) {
                mantissa = 10 * mantissa + digit;
                i++;
            }
            power = point - i;
            digits -= power;
        }
        if (digits == 0) {
            end = from;
            return Double.NaN;
        }
        if ((bytes[i] | 0x20) == 'e') {
            int sign = bytes[i + 1] == '-' || bytes[i + 1] == '+' ? 1 : 0;
            int first = i + 1 + sign;
            int j = first;
            int exponent = 0;
            while ((digit = bytes[j] - '0') >= 0 && digit <= 9) {
                exponent = Math.min(10 * exponent + digit, 100_000);
                j++;
            }
            if (j > first) {
                power += sign == 1 && bytes[i + 1] == '-' ? -exponent : exponent;
                i = j;
            }
        }
        end = i;
        if (digits <= SAFE_DIGITS && mantissa <= LARGEST_EXACT && power >= -22 && power <= 22) {
            double value = power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power];
            return negative ? -value : value;
        }
        return JavaDoubleParser.parseDouble(bytes, from, i - from);
    }

    /** Returns the number that the bytes are, infinite if it is too large for a double; NaN if they are no number. */
    public double parse(byte[] bytes, int from, int to) {
        double value = parse(bytes, from);
        return end == to && from < to ? value : Double.NaN;
    }

    /** Returns true if the bytes are exactly one number, finite or too large for a double. */
    public boolean isNumber(byte[] bytes, int from, int to) {
        return !Double.isNaN(parse(bytes, from, to));
    }

    /** Returns the number that a text spells; NaN if it is no number. */
    public static double of(String text) {
        byte[] bytes = new byte[text.length() + 1];
        for (int i = 0; i < text.length(); i++) {
            bytes[i] = text.charAt(i) < 128 ? (byte) text.charAt(i) : (byte) '?';
        }
        bytes[text.length()] = '\n';
        return new Decimal().parse(bytes, 0, text.length());
    }
}
