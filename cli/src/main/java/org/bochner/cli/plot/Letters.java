package org.bochner.cli.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * How much room text needs. The reader of an SVG file brings the font, so it is not known here: widths are those of a
 * wide one (DejaVu Sans), and the same for both kinds of file, whose layout is then the same too.
 */
final class Letters {
    /** How much wider bold letters are. */
    static final double BOLD = 1.1;

    private Letters() {}

    static double width(String text, double size) {
        return size * text.codePoints().mapToDouble(Letters::width).sum();
    }

    private static double width(int c) {
        if ("ijlI.,:;'|!()[]ftr -".indexOf(c) >= 0) {
            return 0.4;
        }
        // From U+2190 on come arrows, mathematics, Chinese, Japanese and Korean.
        if ("mwMW@%".indexOf(c) >= 0 || c >= 0x2190) {
            return 1;
        }
        return Character.isUpperCase(c) ? 0.75 : 0.64;
    }

    /** The size, not above the wanted one, at which a text fits into a width. */
    static double fit(String text, double size, double room) {
        return size * Math.min(1, room / Math.max(1e-3, width(text, size)));
    }

    /** Breaks a text at spaces into lines that fit into a width, as far as there are spaces; no text is no line. */
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
