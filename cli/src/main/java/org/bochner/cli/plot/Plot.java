package org.bochner.cli.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.bochner.cli.plot.Ruler.Tick;
import org.bochner.cli.plot.Surface.Anchor;
import org.bochner.cli.plot.Surface.Lettering;
import org.bochner.cli.plot.Surface.Pen;

/** A panel with a given area between its axes: measures the margins around the area, then draws the panel. */
final class Plot {
    static final String INK = "#222222";
    static final double BOTTOM = 56;
    private static final double TEXT = 12;
    private static final double TITLE = 13;
    private static final double LINE_HEIGHT = 18;
    private static final double SAMPLE = 30;
    /** The width of a bar in units of the axis; bars are 1 apart. */
    private static final double BAR = 0.7;

    private static final Pen GRID = new Pen("#e4e4e4", 1, List.of());
    private static final Pen FRAME = new Pen("#555555", 1, List.of());

    private final Panel panel;
    private final double width;
    private final double height;
    private final Ruler across;
    private final Ruler up;
    private final List<Tick> acrossTicks;
    private final List<Tick> upTicks;
    private final List<String> titleLines;
    private final List<Entry> legend = new ArrayList<>();
    private final List<Curve> curves = new ArrayList<>();

    /** An entry of the legend: a sample of the line and a name. Rows are filled from the left. */
    private record Entry(String name, Curve curve, double size, double left, int row) {
        double right() {
            return left + SAMPLE + 8 + Letters.width(name, size);
        }
    }

    Plot(Panel panel, double width, double height) {
        this.panel = panel;
        this.width = width;
        this.height = height;
        across = new Ruler(panel.x(), values(true));
        up = new Ruler(panel.y(), values(false));
        acrossTicks = across.ticks((int) (width / 45), apart(width, true));
        upTicks = up.ticks((int) (height / 30), apart(height, false));
        titleLines = Letters.wrap(panel.title(), TITLE, width / Letters.BOLD);
        int broken = 0;
        for (Series series : panel.series()) {
            Curve curve = Curve.of(series.style(), curves.size(), broken);
            broken += series.style() == Series.Style.DASHED ? 1 : 0;
            curves.add(curve);
            if (series.style() != Series.Style.BARS) {
                addEntry(series.name(), series.points().stream().anyMatch(panel::shows), curve);
            }
        }
        for (int i = 0; i < panel.references().size(); i++) {
            Panel.Reference reference = panel.references().get(i);
            addEntry(reference.name(), panel.shows(reference), Curve.reference(i));
        }
    }

    /** Returns the values along an axis, with those of its reference lines, and with 0 if there are bars. */
    private DoubleStream values(boolean horizontal) {
        boolean bars = panel.series().stream().anyMatch(series -> series.style() == Series.Style.BARS);
        return DoubleStream.concat(
                !horizontal && bars ? DoubleStream.of(0) : DoubleStream.empty(), valuesOf(horizontal));
    }

    private DoubleStream valuesOf(boolean horizontal) {
        return DoubleStream.concat(
                panel.series().stream()
                        .flatMap(series -> series.points().stream())
                        .filter(panel::shows)
                        .mapToDouble(horizontal ? Point::x : Point::y),
                panel.references().stream()
                        .filter(reference -> reference.horizontal() != horizontal)
                        .mapToDouble(Panel.Reference::value));
    }

    /** Returns a test of whether labels do not overlap along an axis of this length. */
    private static Predicate<List<Tick>> apart(double length, boolean horizontal) {
        return ticks -> IntStream.range(1, ticks.size()).allMatch(i -> {
            Tick one = ticks.get(i - 1);
            Tick next = ticks.get(i);
            double room = horizontal ? 14 + Letters.width(one.label() + next.label(), TEXT) / 2 : 1.6 * TEXT;
            return (next.at() - one.at()) * length >= room;
        });
    }

    private void addEntry(String nameAlone, boolean shown, Curve curve) {
        String name = shown ? nameAlone : nameAlone + " (no value to show)";
        double size = Letters.fit(name, TEXT, width - SAMPLE - 9);
        Entry entry = new Entry(name, curve, size, 0, 0);
        if (!legend.isEmpty()) {
            Entry last = legend.get(legend.size() - 1);
            Entry beside = new Entry(name, curve, size, last.right() + 20, last.row);
            entry = beside.right() <= width ? beside : new Entry(name, curve, size, 0, last.row + 1);
        }
        legend.add(entry);
    }

    /** Returns the margin for the labels of the vertical axis. */
    double left() {
        return 46 + widest(upTicks);
    }

    /** Returns the margin for half of the last label of the horizontal axis. */
    double right() {
        return 14 + widest(acrossTicks) / 2;
    }

    /** Returns the margin for title and legend. */
    double top() {
        int rows = legend.isEmpty() ? 0 : legend.get(legend.size() - 1).row + 1;
        return LINE_HEIGHT * (titleLines.size() + rows) + 14;
    }

    private static double widest(List<Tick> ticks) {
        return ticks.stream()
                .mapToDouble(tick -> Letters.width(tick.label(), TEXT))
                .max()
                .orElse(0);
    }

    /** Draws the panel. The point is the top left corner of the area between its axes. */
    void draw(Surface surface, double left, double top) {
        drawAxes(surface, left, top);
        for (int i = 0; i < panel.references().size(); i++) {
            drawReference(surface, left, top, panel.references().get(i), Curve.reference(i));
        }
        boolean empty = true;
        for (int i = 0; i < curves.size(); i++) {
            List<List<Point>> pieces = pieces(panel.series().get(i), left, top);
            if (panel.series().get(i).style() == Series.Style.BARS) {
                drawBars(surface, panel.series().get(i), left, top, curves.get(i));
            } else {
                curves.get(i).draw(surface, pieces);
            }
            empty &= pieces.isEmpty();
        }
        if (empty) {
            Point middle = new Point(left + width / 2, top + height / 2);
            surface.text("no value to show", middle, lettering(TEXT, Anchor.MIDDLE, false));
        }
    }

    private void drawBars(Surface surface, Series series, double left, double top, Curve curve) {
        double foot = top + (1 - up.at(0)) * height;
        for (Point point : series.points()) {
            double from = left + across.at(point.x() - BAR / 2) * width;
            double to = left + across.at(point.x() + BAR / 2) * width;
            double head = top + (1 - up.at(point.y())) * height;
            if (panel.shows(point) && Math.abs(head - foot) > 0) {
                surface.shape(
                        List.of(new Point(from, foot), new Point(from, head), new Point(to, head), new Point(to, foot)),
                        curve.pen().colour());
            }
        }
    }

    /** Draws title and legend downwards from a point on the left. */
    void drawHeading(Surface surface, double left, double top) {
        double y = top + LINE_HEIGHT - 5;
        for (String line : titleLines) {
            double size = Letters.fit(line, TITLE, width / Letters.BOLD);
            surface.text(line, new Point(left, y), lettering(size, Anchor.START, true));
            y += LINE_HEIGHT;
        }
        for (Entry entry : legend) {
            double baseline = y + entry.row * LINE_HEIGHT;
            entry.curve.drawSample(surface, new Point(left + entry.left, baseline - 4), SAMPLE);
            Point start = new Point(left + entry.left + SAMPLE + 8, baseline);
            surface.text(entry.name, start, lettering(entry.size, Anchor.START, false));
        }
    }

    /** Returns the points of a series in the picture, split at points that cannot be shown. */
    private List<List<Point>> pieces(Series series, double left, double top) {
        List<List<Point>> pieces = new ArrayList<>();
        boolean gap = true;
        for (Point point : series.points()) {
            if (panel.shows(point)) {
                if (gap) {
                    pieces.add(new ArrayList<>());
                }
                pieces.get(pieces.size() - 1)
                        .add(new Point(left + across.at(point.x()) * width, top + (1 - up.at(point.y())) * height));
            }
            gap = !panel.shows(point);
        }
        return pieces;
    }

    private void drawAxes(Surface surface, double left, double top) {
        double bottom = top + height;
        for (Tick tick : acrossTicks) {
            double x = sharp(left + tick.at() * width);
            if (tick.isLabelled()) {
                line(surface, x, top, x, bottom, GRID);
                surface.text(tick.label(), new Point(x, bottom + 19), lettering(TEXT, Anchor.MIDDLE, false));
            }
            line(surface, x, bottom, x, bottom + (tick.isLabelled() ? 5 : 3), FRAME);
        }
        for (Tick tick : upTicks) {
            double y = sharp(bottom - tick.at() * height);
            if (tick.isLabelled()) {
                line(surface, left, y, left + width, y, GRID);
                surface.text(tick.label(), new Point(left - 9, y + 4), lettering(TEXT, Anchor.END, false));
            }
            line(surface, left - (tick.isLabelled() ? 5 : 3), y, left, y, FRAME);
        }
        surface.line(List.of(new Point(left, top), new Point(left, bottom), new Point(left + width, bottom)), FRAME);
        String x = panel.x().label();
        Point under = new Point(left + width / 2, bottom + 40);
        surface.text(x, under, lettering(Letters.fit(x, TEXT, width), Anchor.MIDDLE, false));
        String y = panel.y().label();
        Point beside = new Point(left - left() + 20, top + height / 2);
        surface.text(y, beside, new Lettering(Letters.fit(y, TEXT, height), INK, Anchor.MIDDLE, false, true));
    }

    private void drawReference(Surface surface, double left, double top, Panel.Reference reference, Curve curve) {
        double value = reference.value();
        if (!panel.shows(reference)) {
            return;
        }
        if (reference.horizontal()) {
            double y = top + (1 - up.at(value)) * height;
            line(surface, left, y, left + width, y, curve.pen());
        } else {
            double x = left + across.at(value) * width;
            line(surface, x, top, x, top + height, curve.pen());
        }
    }

    private static void line(Surface surface, double x1, double y1, double x2, double y2, Pen pen) {
        surface.line(List.of(new Point(x1, y1), new Point(x2, y2)), pen);
    }

    private static Lettering lettering(double size, Anchor anchor, boolean bold) {
        return new Lettering(size, INK, anchor, bold, false);
    }

    /** Returns the middle of a pixel, at which a line one pixel wide is sharp. */
    static double sharp(double coordinate) {
        return Math.floor(coordinate) + 0.5;
    }
}
