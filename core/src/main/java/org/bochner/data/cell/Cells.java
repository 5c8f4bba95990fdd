package org.bochner.data.cell;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.regex.Pattern;

/** Recognises the meaning of single cells for all formats: missing, infinite, or one of several spellings of a name. */
public final class Cells {
    /** Numbers ascending, then other names by their characters. */
    public static final Comparator<String> ORDER = Comparator.<String>comparingDouble(
                    name -> Double.isNaN(Decimal.of(name)) ? Double.POSITIVE_INFINITY : Decimal.of(name))
            .thenComparing(Comparator.naturalOrder());

    /** White space of Unicode at the start and the end of a text, with spaces that do not break lines. */
    private static final Pattern WIDE_SPACES =
            Pattern.compile("^[\\p{javaWhitespace}\\p{Z}]+|[\\p{javaWhitespace}\\p{Z}]+$");

    private Cells() {}

    /** Returns the text of some bytes, shortened for messages. */
    public static String shown(byte[] bytes, int from, int to) {
        String text = text(bytes, from, Math.min(to, from + 40));
        return to > from + 40 ? text + "..." : text;
    }

    /** Returns the text of some bytes, with U+FFFD in place of bytes that are not UTF-8; for messages. */
    public static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    /** Returns the index of the first byte that is not UTF-8; -1 if there is none. */
    static int malformed(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && bytes[i] >= 0) {
            i++;
        }
        if (i == to) {
            return -1;
        }
        ByteBuffer rest = ByteBuffer.wrap(bytes, i, to - i);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        return decoder.decode(rest, CharBuffer.allocate(to - i), true).isError() ? rest.position() : -1;
    }

    /** Returns a 64-bit hash of some bytes (FNV-1a). It must not change, because folds depend on it. */
    public static long hash(byte[] bytes, int from, int to) {
        long hash = 0xcbf29ce484222325L;
        for (int i = from; i < to; i++) {
            hash = (hash ^ (bytes[i] & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    /** Returns true if the bytes are a spelling of a missing value, with or without white space around it. */
    public static boolean missing(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && space(bytes[end - 1])) {
            end--;
        }
        int start = from;
        while (start < end && space(bytes[start])) {
            start++;
        }
        if (start < end && (bytes[start] < 0 || bytes[end - 1] < 0)) {
            String text = text(bytes, start, end);
            byte[] inner = WIDE_SPACES.matcher(text).replaceAll("").getBytes(StandardCharsets.UTF_8);
            return inner.length < end - start && missing(inner, 0, inner.length);
        }
        return switch (end - start) {
            case 0 -> true;
            case 1 -> bytes[start] == '?';
            case 2 -> isWord(bytes, start, end, "na");
            case 3 -> isWord(bytes, start, end, "nan") || isWord(bytes, start, end, "n/a");
            case 4 -> isWord(bytes, start, end, "null");
            default -> false;
        };
    }

    /** Returns true for white space of ASCII. */
    private static boolean space(byte character) {
        return character >= 0 && Character.isWhitespace(character);
    }

    /** Returns true if the bytes are a spelling of an infinity. */
    public static boolean infinite(byte[] bytes, int from, int to) {
        int start = to > from && (bytes[from] == '-' || bytes[from] == '+') ? from + 1 : from;
        return isWord(bytes, start, to, "inf") || isWord(bytes, start, to, "infinity");
    }

    /** Returns true if the bytes are a spelling of "not a number", with or without a sign. */
    public static boolean notANumber(byte[] bytes, int from, int to) {
        int start = to > from && (bytes[from] == '-' || bytes[from] == '+') ? from + 1 : from;
        return isWord(bytes, start, to, "nan");
    }

    /** Returns true if the bytes are the given lower-case word in any case. */
    private static boolean isWord(byte[] bytes, int from, int to, String word) {
        if (to - from != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            // Sets the bit that makes an ASCII letter lower-case.
            if ((bytes[from + i] | 0x20) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the canonical spelling of a class or category: "+1", "1" and "1.0" become "1"; text loses outer blanks.
     */
    public static String canonical(String text) {
        String stripped = text.strip();
        double value = Decimal.of(stripped);
        if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) {
            return stripped;
        }
        // Uses decimal digits and not Double.toString, whose output differs between JDK 17 and 19.
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : new BigDecimal(stripped).stripTrailingZeros().toString();
    }

    /** Returns the canonical spelling of a class that is a number in a binary file. */
    public static String canonical(double value) {
        return canonical(Double.toString(value));
    }
}
