package org.bochner.base.text;

/** Makes any text fit on one line of output. */
public final class Escape {
    private Escape() {}

    /**
     * Returns the text with its line ends and other control characters escaped as in Java: {@code \n}, {@code \r},
     * {@code \t}, else {@code \}{@code u} and four hexadecimal digits. A backslash stays as it is, unless it would read as
     * the start of an escape: then it is doubled, and different texts stay different.
     */
    public static String line(String text) {
        int first = 0;
        while (first < text.length() && !breaks(text.charAt(first)) && !escapes(text, first)) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length() + 8).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (breaks(c)) {
                        line.append(String.format("\\u%04x", (int) c));
                    } else if (escapes(text, i)) {
                        line.append("\\\\");
                    } else {
                        line.append(c);
                    }
                }
            }
        }
        return line.toString();
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
