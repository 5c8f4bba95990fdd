package org.bochner.cli.plot;

import java.util.List;

/** A white surface that a chart is drawn on; the origin is its top left corner. Colours are written {@code #rrggbb}. */
interface Surface {
    /** Draws a line through at least two points. */
    void line(List<Point> points, Pen pen);

    /** Draws a filled shape with a thin white edge around it. */
    void shape(List<Point> corners, String colour);

    /** Draws one line of text; the point is on its baseline. */
    void text(String text, Point at, Lettering lettering);

    /** The style of a line. Dashes are lengths that are drawn and skipped alternately; none means a solid line. */
    record Pen(String colour, double width, List<Double> dashes) {}

    /** The style of text; {@code upward} text reads from bottom to top. */
    record Lettering(double size, String colour, Anchor anchor, boolean bold, boolean upward) {}

    /** The part of a text that is at its point; the names are those of SVG. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }
}
