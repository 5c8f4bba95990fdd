package org.bochner.base.text;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes any text fit on one line of output. */
public final class Escape {
    private Escape() {}

    /**
     * Returns the text with its line ends and other control characters escaped as in Java: {@code \n}, {@code \r},
     * {@code \t}, else {@code \}{@code u} and four hexadecimal digits. A backslash stays as it is, unless it would read as
     * the start of an escape: then it is doubled, and different texts stay different.
     */
    public static String line(String text) {
        if (IntStream.range(0, text.length()).noneMatch(i -> breaks(text.charAt(i)) || escapes(text, i))) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            line.append(breaks(c) ? escaped(c) : escapes(text, i) ? "\\\\" : Character.toString(c));
        }
        return line.toString();
    }

    /**
     * Returns a message with its line ends and other control characters escaped. Backslashes stay as they are, because a
     * message may hold paths, and texts that are escaped already.
     */
    public static String message(String text) {
        if (text.chars().noneMatch(c -> breaks((char) c))) {
            return text;
        }
        return text.chars()
                .mapToObj(c -> breaks((char) c) ? escaped((char) c) : Character.toString(c))
                .collect(Collectors.joining());
    }

    private static String escaped(char c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format("\\u%04x", (int) c);
        };
    }

    /** Returns true if a backslash at the index would read as the start of an escape. */
    private static boolean escapes(String text, int at) {
        return text.charAt(at) == '\\' && at + 1 < text.length() && "nrtu\\".indexOf(text.charAt(at + 1)) >= 0;
    }

    /** Returns true if a character is a control character or one of the two other line ends of Unicode. */
    private static boolean breaks(char c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
    }
}
