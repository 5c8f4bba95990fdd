package org.bochner.data.cell;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Parses numbers as people write them: with a currency sign before or after, a percent sign after, groups of thousands,
 * and a decimal point or a decimal comma. Examples are {@code $1,200.50}, {@code 12 %}, {@code 3,14} and
 * {@code 1.234,5 €}.
 *
 * <p>Groups of thousands are separated by the sign that is not the decimal one. If the decimal sign is a comma, points
 * separate groups only in a number that also has the comma: {@code 1.234} alone is far more often a number with a
 * decimal point.
 *
 * <p>Threads: not safe; each reader has its own.
 */
public final class WrittenNumber {
    public static final String PERCENT = "%";
    private static final List<String> CURRENCIES = List.of("$", "€", "£", "¥", "₹", "₩", "₽", "₺", "₪", "₫", "฿");
    private static final byte[][] SIGNS = CURRENCIES.stream()
            .map(sign -> sign.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    /** The largest length of a number in bytes. */
    private static final int LONGEST = 60;

    /** The sign of the number that was parsed last: {@code %}, a currency sign, or empty. */
    String unit = "";
    /** True if the number that was parsed last had groups of thousands. */
    boolean grouped;

    final Decimal decimal = new Decimal();
    private final byte[] plain = new byte[LONGEST + 2];
    private int length;

    /** Returns true if a text is a percent or currency sign. */
    static boolean isUnit(String text) {
        return text.equals(PERCENT) || CURRENCIES.contains(text);
    }

    /**
     * Returns the number that the bytes spell; NaN if they are no number.
     *
     * @param comma true if the decimal sign is a comma; false for a point
     */
    public double parse(byte[] bytes, int from, int to, boolean comma) {
        unit = "";
        grouped = false;
        length = 0;
        if (to - from > LONGEST) {
            return Double.NaN;
        }
        int i = sign(bytes, from, to);
        int afterUnit = currency(bytes, i, to);
        if (afterUnit > i) {
            i = blanks(bytes, afterUnit, to);
            i = length == 0 ? sign(bytes, i, to) : i;
        }
        i = digits(bytes, i, to, comma);
        if (i < 0) {
            return Double.NaN;
        }
        i = blanks(bytes, i, to);
        if (unit.isEmpty() && i < to) {
            if (bytes[i] == '%') {
                unit = PERCENT;
                i++;
            } else {
                i = currency(bytes, i, to);
            }
        }
        if (i != to) {
            return Double.NaN;
        }
        plain[length] = '\n';
        double value = decimal.parse(plain, 0);
        return decimal.end == length ? (unit.equals(PERCENT) ? value / 100 : value) : Double.NaN;
    }

    private int sign(byte[] bytes, int from, int to) {
        if (from < to && (bytes[from] == '-' || bytes[from] == '+')) {
            plain[length++] = bytes[from];
            return from + 1;
        }
        return from;
    }

    private int currency(byte[] bytes, int from, int to) {
        for (int s = 0; s < SIGNS.length; s++) {
            int end = from + SIGNS[s].length;
            if (end <= to && Arrays.equals(bytes, from, end, SIGNS[s], 0, SIGNS[s].length)) {
                unit = CURRENCIES.get(s);
                return end;
            }
        }
        return from;
    }

    private static int blanks(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && bytes[i] == ' ') {
            i++;
        }
        return i;
    }

    /** Copies digits, decimal sign and exponent, without group separators; returns -1 if they are no number. */
    private int digits(byte[] bytes, int from, int to, boolean comma) {
        int i = run(bytes, from, to);
        int first = i - from;
        byte separator = (byte) (comma ? '.' : ',');
        while (i < to && bytes[i] == separator) {
            int end = run(bytes, i + 1, to);
            boolean groups = first >= 1 && first <= 3 && bytes[from] != '0';
            if (!groups || end - i != 4) {
                return -1;
            }
            grouped = true;
            i = end;
        }
        boolean whole = true;
        if (i < to && bytes[i] == (comma ? ',' : '.')) {
            whole = false;
            plain[length++] = '.';
            i = run(bytes, i + 1, to);
        }
        if (comma && grouped && whole) {
            return -1;
        }
        if (!grouped && unit.isEmpty() && i < to && (bytes[i] | 0x20) == 'e') {
            plain[length++] = 'e';
            i = run(bytes, sign(bytes, i + 1, to), to);
        }
        return i;
    }

    private int run(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && bytes[i] >= '0' && bytes[i] <= '9') {
            plain[length++] = bytes[i++];
        }
        return i;
    }
}
