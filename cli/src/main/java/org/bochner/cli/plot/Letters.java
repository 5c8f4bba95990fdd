package org.bochner.cli.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * Estimates the width of text. The viewer of an SVG file chooses the font, so widths are those of a wide font (DejaVu
 * Sans). PNG files use the same widths, and so have the same layout.
 */
final class Letters {
    /** The ratio of the widths of bold and normal letters. */
    static final double BOLD = 1.1;

    private Letters() {}

    static double width(String text, double size) {
        return size * text.codePoints().mapToDouble(Letters::width).sum();
    }

    private static double width(int c) {
        if ("ijlI.,:;'|!()[]ftr -".indexOf(c) >= 0) {
            return 0.4;
        }
        // Arrows, mathematics, Chinese, Japanese and Korean start at U+2190.
        if ("mwMW@%".indexOf(c) >= 0 || c >= 0x2190) {
            return 1;
        }
        return Character.isUpperCase(c) ? 0.75 : 0.64;
    }

    /** Returns the largest font size, up to the given one, at which a text fits into a width. */
    static double fit(String text, double size, double room) {
        return size * Math.min(1, room / Math.max(1e-3, width(text, size)));
    }

    /**
     * Breaks a text at spaces into lines that fit into a width, if it has enough spaces. An empty text has no lines.
     */
    static List<String> wrap(String text, double size, double room) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String word : text.strip().split("\\s+", -1)) {
            if (!line.isEmpty() && width(line + " " + word, size) > room) {
                lines.add(line);
                line = word;
            } else {
                line = line.isEmpty() ? word : line + " " + word;
            }
        }
        if (!line.isEmpty()) {
            lines.add(line);
        }
        return lines;
    }
}
