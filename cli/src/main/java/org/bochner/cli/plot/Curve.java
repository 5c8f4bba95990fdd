package org.bochner.cli.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bochner.cli.plot.Surface.Pen;
import org.jspecify.annotations.Nullable;

/**
 * How one series or reference line looks: colour, dashes and marker, of which at least one other than colour is its own.
 *
 * @param marked whether its line carries the marker, by which solid lines are told apart
 */
record Curve(int index, Pen pen, boolean drawsLine, boolean marked) {
    /** Told apart in common kinds of colour blindness, and dark enough on white (Okabe and Ito, without yellow). */
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000");

    private static final List<List<Double>> DASHES =
            List.of(List.of(7.0, 4.0), List.of(2.0, 2.5), List.of(10.0, 3.0, 2.0, 3.0), List.of(14.0, 4.0));

    /** A line with more points than this is a curve: it carries few markers, or they would hide it. */
    private static final int FEW = 30;

    private static final double MARKER_DISTANCE = 80;

    /** The look of a series, by its index in the panel and by its index among broken lines. */
    static Curve of(Series.Style style, int index, int dashedIndex) {
        boolean dashed = style == Series.Style.DASHED;
        Pen pen = new Pen(
                COLOURS.get(index % COLOURS.size()), 1.8, dashed ? DASHES.get(dashedIndex % DASHES.size()) : List.of());
        return new Curve(index, pen, style != Series.Style.POINTS, !dashed);
    }

    /** The look of a reference line, by its index: grey, so that it stays behind the data. */
    static Curve reference(int index) {
        return new Curve(index, new Pen("#777777", 1.2, DASHES.get((index + 1) % DASHES.size())), true, false);
    }

    /** Draws a piece of a curve as its legend shows it. */
    void drawSample(Surface surface, Point from, double length) {
        double y = from.y();
        if (drawsLine) {
            surface.line(List.of(from, new Point(from.x() + length, y)), pen);
        }
        if (marked) {
            Marker.of(index).draw(surface, new Point(from.x() + length / 2, y), pen.colour());
        }
    }

    /** Draws points whose places are known; one without a place breaks the line. */
    void draw(Surface surface, List<Point> points, Function<Point, @Nullable Point> place) {
        List<Point> markers = new ArrayList<>();
        List<Point> piece = new ArrayList<>();
        boolean all = !drawsLine || points.size() <= FEW;
        for (Point point : points) {
            Point placed = place.apply(point);
            if (placed != null) {
                piece.add(placed);
            } else {
                finish(surface, piece, markers, all);
            }
        }
        finish(surface, piece, markers, all);
        markers.forEach(centre -> Marker.of(index).draw(surface, centre, pen.colour()));
    }

    private void finish(Surface surface, List<Point> piece, List<Point> markers, boolean all) {
        if (drawsLine && piece.size() > 1) {
            surface.line(piece, pen);
        }
        for (Point point : piece) {
            // A single point between gaps is no line, so a marker shows it.
            if (piece.size() == 1 || (marked && (all || isFar(point, markers)))) {
                markers.add(point);
            }
        }
        piece.clear();
    }

    /** Shifted by the index, so that curves that lie on each other show both their markers. */
    private boolean isFar(Point point, List<Point> markers) {
        if (markers.isEmpty()) {
            return true;
        }
        Point last = markers.get(markers.size() - 1);
        double distance = MARKER_DISTANCE + (markers.size() == 1 ? 13 * (index % 6) : 0);
        return Math.max(Math.abs(point.x() - last.x()), Math.abs(point.y() - last.y())) >= distance;
    }
}
