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
import org.jspecify.annotations.Nullable;

/** A panel measured for a given area between its axes: the margins it needs around it, then the drawing. */
final class Plot {
    static final String INK = "#222222";
    static final double LINE_HEIGHT = 18;
    private static final double TEXT = 12;
    private static final double TITLE = 13;
    private static final double SAMPLE = 30;
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

    /** A line of the legend, from the left end of its row. */
    private record Entry(String name, Curve curve, double size, double left, int row) {}

    Plot(Panel panel, double width, double height) {
        this.panel = panel;
        this.width = width;
        this.height = height;
        across = new Ruler(panel.x(), values(true));
        up = new Ruler(panel.y(), values(false));
        acrossTicks = across.ticks((int) (width / 60), apart(width, true));
        upTicks = up.ticks((int) (height / 36), apart(height, false));
        titleLines = Letters.wrap(panel.title(), TITLE, width);
        int dashed = 0;
        for (Series series : panel.series()) {
            boolean empty = series.points().stream().noneMatch(this::shows);
            curves.add(Curve.of(series.style(), curves.size(), dashed));
            dashed += series.style() == Series.Style.DASHED ? 1 : 0;
            addEntry(series.name() + (empty ? " (no values to show)" : ""), curves.get(curves.size() - 1));
        }
        for (int i = 0; i < panel.references().size(); i++) {
            addEntry(panel.references().get(i).name(), Curve.reference(i));
        }
    }

    /** All values along an axis, with those of the reference lines that cross it. */
    private DoubleStream values(boolean horizontal) {
        return DoubleStream.concat(
                panel.series().stream()
                        .flatMap(series -> series.points().stream())
                        .filter(this::shows)
                        .mapToDouble(point -> horizontal ? point.x() : point.y()),
                panel.references().stream()
                        .filter(reference -> reference.horizontal() != horizontal)
                        .mapToDouble(Panel.Reference::value));
    }

    private boolean shows(Point point) {
        return panel.x().shows(point.x()) && panel.y().shows(point.y());
    }

    /** Whether labels keep clear of each other along an axis of this length. */
    private static Predicate<List<Tick>> apart(double length, boolean horizontal) {
        return ticks -> {
            List<Tick> labelled =
                    ticks.stream().filter(tick -> !tick.label().isEmpty()).toList();
            return IntStream.range(1, labelled.size()).allMatch(i -> {
                Tick one = labelled.get(i - 1);
                Tick next = labelled.get(i);
                double room = horizontal ? 14 + Letters.width(one.label() + next.label(), TEXT) / 2 : 1.6 * TEXT;
                return (next.at() - one.at()) * length >= room;
            });
        };
    }

    private void addEntry(String name, Curve curve) {
        double size = Letters.fit(name, TEXT, width - SAMPLE - 8);
        Entry last = legend.isEmpty() ? null : legend.get(legend.size() - 1);
        double left = last == null ? 0 : last.left + entryWidth(last) + 20;
        int row = last == null ? 0 : last.row;
        Entry entry = new Entry(name, curve, size, left, row);
        legend.add(left + entryWidth(entry) <= width + 1e-6 ? entry : new Entry(name, curve, size, 0, row + 1));
    }

    private static double entryWidth(Entry entry) {
        return SAMPLE + 8 + Letters.width(entry.name, entry.size);
    }

    double left() {
        return 46 + widest(upTicks);
    }

    double right() {
        return 14 + widest(acrossTicks) / 2;
    }

    double top() {
        int rows = legend.isEmpty() ? 0 : legend.get(legend.size() - 1).row + 1;
        return LINE_HEIGHT * (titleLines.size() + rows) + 16;
    }

    double bottom() {
        return 56;
    }

    private static double widest(List<Tick> ticks) {
        return ticks.stream()
                .mapToDouble(tick -> Letters.width(tick.label(), TEXT))
                .max()
                .orElse(0);
    }

    /** Draws the panel, with the top left corner of the area between its axes at this point. */
    void draw(Surface surface, Point corner) {
        double left = Math.floor(corner.x()) + 0.5;
        double top = Math.floor(corner.y()) + 0.5;
        drawHeading(surface, left, top);
        drawAxes(surface, left, top);
        for (int i = 0; i < panel.references().size(); i++) {
            drawReference(surface, left, top, panel.references().get(i), Curve.reference(i));
        }
        for (int i = 0; i < curves.size(); i++) {
            curves.get(i).draw(surface, panel.series().get(i).points(), point -> place(point, left, top));
        }
        if (panel.series().stream().flatMap(series -> series.points().stream()).noneMatch(this::shows)) {
            Lettering grey = new Lettering(TEXT, FRAME.colour(), Anchor.MIDDLE, false, false);
            surface.text("no values to show", new Point(left + width / 2, top + height / 2), grey);
        }
    }

    private @Nullable Point place(Point point, double left, double top) {
        return shows(point)
                ? new Point(left + across.at(point.x()) * width, top + (1 - up.at(point.y())) * height)
                : null;
    }

    private void drawHeading(Surface surface, double left, double top) {
        double y = top - top() + LINE_HEIGHT - 4;
        for (String line : titleLines) {
            surface.text(line, new Point(left, y), lettering(Letters.fit(line, TITLE, width), Anchor.START, true));
            y += LINE_HEIGHT;
        }
        for (Entry entry : legend) {
            double baseline = y + entry.row * LINE_HEIGHT;
            entry.curve.drawSample(surface, new Point(left + entry.left, baseline - 4), SAMPLE);
            Point at = new Point(left + entry.left + SAMPLE + 8, baseline);
            surface.text(entry.name, at, lettering(entry.size, Anchor.START, false));
        }
    }

    private void drawAxes(Surface surface, double left, double top) {
        double bottom = top + height;
        for (Tick tick : acrossTicks) {
            double x = sharp(left + tick.at() * width);
            if (!tick.label().isEmpty()) {
                line(surface, x, top, x, bottom, GRID);
                surface.text(tick.label(), new Point(x, bottom + 19), lettering(TEXT, Anchor.MIDDLE, false));
            }
            line(surface, x, bottom, x, bottom + (tick.label().isEmpty() ? 3 : 5), FRAME);
        }
        for (Tick tick : upTicks) {
            double y = sharp(bottom - tick.at() * height);
            if (!tick.label().isEmpty()) {
                line(surface, left, y, left + width, y, GRID);
                surface.text(tick.label(), new Point(left - 9, y + 4), lettering(TEXT, Anchor.END, false));
            }
            line(surface, left - (tick.label().isEmpty() ? 3 : 5), y, left, y, FRAME);
        }
        surface.line(List.of(new Point(left, top), new Point(left, bottom), new Point(left + width, bottom)), FRAME);
        String x = panel.x().label();
        surface.text(
                x,
                new Point(left + width / 2, bottom + 40),
                lettering(Letters.fit(x, TEXT, width), Anchor.MIDDLE, false));
        String y = panel.y().label();
        surface.text(
                y,
                new Point(left - left() + 20, top + height / 2),
                new Lettering(Letters.fit(y, TEXT, height), INK, Anchor.MIDDLE, false, true));
    }

    private void drawReference(Surface surface, double left, double top, Panel.Reference reference, Curve curve) {
        boolean horizontal = reference.horizontal();
        if ((horizontal ? panel.y() : panel.x()).shows(reference.value())) {
            double at = horizontal
                    ? top + (1 - up.at(reference.value())) * height
                    : left + across.at(reference.value()) * width;
            line(
                    surface,
                    horizontal ? left : at,
                    horizontal ? at : top,
                    horizontal ? left + width : at,
                    horizontal ? at : top + height,
                    curve.pen());
        }
    }

    private static void line(Surface surface, double x1, double y1, double x2, double y2, Pen pen) {
        surface.line(List.of(new Point(x1, y1), new Point(x2, y2)), pen);
    }

    private static Lettering lettering(double size, Anchor anchor, boolean bold) {
        return new Lettering(size, INK, anchor, bold, false);
    }

    /** The middle of a pixel, where a line one pixel wide is drawn sharp. */
    private static double sharp(double coordinate) {
        return Math.floor(coordinate) + 0.5;
    }
}
