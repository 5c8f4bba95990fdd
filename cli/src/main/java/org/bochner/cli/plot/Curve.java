package org.bochner.cli.plot;

import java.util.ArrayList;
import java.util.List;
import org.bochner.cli.plot.Series.Style;
import org.bochner.cli.plot.Surface.Pen;

/**
 * The look of a series or a reference line: its colour, and its marker or dashes, which distinguish it without colour.
 */
record Curve(Style style, Pen pen, int index) {
    /**
     * Colours that are distinct in common kinds of colour blindness, and dark enough on white (Okabe and Ito, without
     * yellow).
     */
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000");

    private static final List<List<Double>> DASHES =
            List.of(List.of(7.0, 4.0), List.of(2.0, 2.5), List.of(10.0, 3.0, 2.0, 3.0), List.of(14.0, 4.0));

    /** A line with more points than this is a curve and has few markers, which would otherwise hide it. */
    private static final int FEW = 30;

    private static final double MARKER_DISTANCE = 80;

    /** Returns the look of a series, by its index in the panel and the number of broken lines before it. */
    static Curve of(Style style, int index, int brokenBefore) {
        List<Double> dashes = style == Style.DASHED ? DASHES.get(brokenBefore % DASHES.size()) : List.of();
        return new Curve(style, new Pen(COLOURS.get(index % COLOURS.size()), 1.8, dashes), index);
    }

    /** Returns the look of a reference line by its index: thin and grey, less prominent than the data. */
    static Curve reference(int index) {
        return new Curve(Style.DASHED, new Pen("#777777", 1.2, DASHES.get((index + 1) % DASHES.size())), index);
    }

    /** Draws a piece of the line for a legend. */
    void drawSample(Surface surface, Point from, double length) {
        if (style != Style.POINTS) {
            surface.line(List.of(from, new Point(from.x() + length, from.y())), pen);
        }
        if (style != Style.DASHED) {
            drawMarker(surface, new Point(from.x() + length / 2, from.y()));
        }
    }

    /** Draws the pieces of a series between its gaps. */
    void draw(Surface surface, List<List<Point>> pieces) {
        List<Point> all = pieces.stream().flatMap(List::stream).toList();
        boolean few = style == Style.POINTS || all.size() <= FEW;
        if (style != Style.POINTS) {
            pieces.stream().filter(piece -> piece.size() > 1).forEach(piece -> surface.line(piece, pen));
        }
        if (style != Style.DASHED) {
            (few ? all : sparse(all)).forEach(point -> drawMarker(surface, point));
        }
        if (style == Style.DASHED || !few) {
            // A single point between gaps makes no line; a marker shows it.
            pieces.stream().filter(piece -> piece.size() == 1).forEach(piece -> drawMarker(surface, piece.get(0)));
        }
    }

    /** Returns points far apart, shifted by the index, so that the markers of both show if two curves coincide. */
    private List<Point> sparse(List<Point> points) {
        List<Point> chosen = new ArrayList<>();
        double last = points.get(0).x() - (7 - index % 7) * MARKER_DISTANCE / 7;
        for (Point point : points) {
            if (Math.abs(point.x() - last) >= MARKER_DISTANCE) {
                chosen.add(point);
                last = point.x();
            }
        }
        return chosen;
    }

    private void drawMarker(Surface surface, Point centre) {
        Marker.of(index).draw(surface, centre, pen.colour());
    }
}
