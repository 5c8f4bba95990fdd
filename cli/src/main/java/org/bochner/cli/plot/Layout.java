package org.bochner.cli.plot;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.bochner.cli.plot.Surface.Anchor;
import org.bochner.cli.plot.Surface.Lettering;

/** The positions of the title and the panels of a chart. Panels share margins so that their axes align. */
final class Layout {
    private static final double TITLE = 15;
    private static final double LINE_HEIGHT = 21;
    private static final double EDGE = 12;

    private final Chart chart;
    private final List<Plot> plots;
    private final double left;
    private final double top;
    private final double cellWidth;
    private final double width;
    private final List<String> titleLines;

    Layout(Chart chart) {
        this.chart = chart;
        plots = chart.panels().stream()
                .map(panel -> new Plot(panel, chart.width(), chart.height()))
                .toList();
        left = largest(Plot::left);
        top = largest(Plot::top);
        cellWidth = left + chart.width() + largest(Plot::right);
        width = chart.sideBySide() ? plots.size() * cellWidth : cellWidth;
        titleLines = Letters.wrap(chart.title(), TITLE, titleWidth());
    }

    private double largest(ToDoubleFunction<Plot> margin) {
        return plots.stream().mapToDouble(margin).max().orElseThrow();
    }

    private double titleWidth() {
        return (width - left - EDGE) / Letters.BOLD;
    }

    private double titleHeight() {
        return EDGE + (titleLines.isEmpty() ? 0 : titleLines.size() * LINE_HEIGHT + 6);
    }

    /**
     * Returns the height of a panel. Panels beside each other share the room above their axes; stacked panels do not.
     */
    private double cellHeight(Plot plot) {
        return (chart.sideBySide() ? top : plot.top()) + chart.height() + Plot.BOTTOM;
    }

    int width() {
        return (int) Math.ceil(width);
    }

    int height() {
        double cells = chart.sideBySide()
                ? cellHeight(plots.get(0))
                : plots.stream().mapToDouble(this::cellHeight).sum();
        return (int) Math.ceil(titleHeight() + cells);
    }

    void draw(Surface surface) {
        for (int i = 0; i < titleLines.size(); i++) {
            String line = titleLines.get(i);
            double size = Letters.fit(line, TITLE, titleWidth());
            Point start = new Point(left, EDGE + (i + 1) * LINE_HEIGHT - 6);
            surface.text(line, start, new Lettering(size, Plot.INK, Anchor.START, true, false));
        }
        double x = left;
        double y = titleHeight();
        for (Plot plot : plots) {
            plot.drawHeading(surface, x, y);
            plot.draw(surface, Plot.sharp(x), Plot.sharp(y + cellHeight(plot) - Plot.BOTTOM - chart.height()));
            x += chart.sideBySide() ? cellWidth : 0;
            y += chart.sideBySide() ? 0 : cellHeight(plot);
        }
    }
}
