package org.bochner.cli.plot;

import java.util.List;

/** What a chart is drawn on: white, its corner at the top left. Colours are written {@code #rrggbb}. */
interface Surface {
    /** A line through at least two points. */
    void line(List<Point> points, Pen pen);

    /** A filled shape, with a thin white edge that sets it off from what lies under it. */
    void shape(List<Point> corners, String colour);

    /** One line of text; the point lies on its baseline. */
    void text(String text, Point at, Lettering lettering);

    /** How a line is drawn; no dashes is a solid line, else lengths drawn and skipped in turn. */
    record Pen(String colour, double width, List<Double> dashes) {}

    /** How text is drawn; {@code upward} text reads from bottom to top. */
    record Lettering(double size, String colour, Anchor anchor, boolean bold, boolean upward) {}

    /** Which part of a text lies at its point; the names are those of SVG. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }
}
