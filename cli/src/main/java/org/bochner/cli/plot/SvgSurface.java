package org.bochner.cli.plot;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A surface that writes SVG 1.1 with plain attributes: no style sheet, no script, no embedded font. */
final class SvgSurface implements Surface {
    private final StringBuilder out = new StringBuilder(1 << 14);

    SvgSurface(int width, int height) {
        out.append(
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
                .append(width + " " + height + "\" width=\"" + width + "\" height=\"" + height)
                .append("\" font-family=\"sans-serif\" stroke-linejoin=\"round\">\n<rect width=\"" + width)
                .append("\" height=\"" + height + "\" fill=\"#ffffff\"/>\n");
    }

    String document() {
        return out + "</svg>\n";
    }

    @Override
    public void line(List<Point> points, Pen pen) {
        out.append("<polyline points=\"" + coordinates(points) + "\" fill=\"none\" stroke=\"" + pen.colour())
                .append("\" stroke-width=\"" + number(pen.width()));
        if (!pen.dashes().isEmpty()) {
            out.append("\" stroke-dasharray=\"")
                    .append(pen.dashes().stream().map(SvgSurface::number).collect(Collectors.joining(" ")));
        }
        out.append("\"/>\n");
    }

    @Override
    public void shape(List<Point> corners, String colour) {
        out.append("<polygon points=\"" + coordinates(corners) + "\" fill=\"" + colour)
                .append("\" stroke=\"#ffffff\" stroke-width=\"0.8\"/>\n");
    }

    @Override
    public void text(String text, Point at, Lettering lettering) {
        String x = number(at.x());
        String y = number(at.y());
        out.append("<text x=\"" + x + "\" y=\"" + y + "\" font-size=\"" + number(lettering.size()))
                .append("\" fill=\"" + lettering.colour() + "\" text-anchor=\"")
                .append(lettering.anchor().name().toLowerCase(Locale.ROOT))
                .append(lettering.bold() ? "\" font-weight=\"bold" : "")
                .append(lettering.upward() ? "\" transform=\"rotate(-90 " + x + " " + y + ")" : "")
                .append("\">" + escape(text) + "</text>\n");
    }

    private static String coordinates(List<Point> points) {
        return points.stream()
                .map(point -> number(point.x()) + "," + number(point.y()))
                .collect(Collectors.joining(" "));
    }

    /** Returns a number rounded to hundredths, which are finer than any screen and keep the file small. */
    private static String number(double value) {
        long hundredths = Math.round(value * 100);
        return hundredths % 100 == 0 ? Long.toString(hundredths / 100) : Double.toString(hundredths / 100.0);
    }

    /** Escapes a text for XML, which forbids most control characters and single surrogates, even escaped. */
    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case 0xFFFE, 0xFFFF -> escaped.append('\uFFFD');
                default -> escaped.appendCodePoint(c < ' ' ? ' ' : c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
            }
        });
        return escaped.toString();
    }
}
