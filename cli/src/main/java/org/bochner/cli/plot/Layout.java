package org.bochner.cli.plot;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.bochner.cli.plot.Surface.Anchor;
import org.bochner.cli.plot.Surface.Lettering;

/** The panels of a chart in a grid whose cells are all as large as the largest needs, so that their axes align. */
final class Layout {
    private static final double TITLE = 15;
    private static final double LINE = 21;
    private static final double EDGE = 10;

    private final Chart chart;
    private final List<Plot> plots;
    private final List<String> titleLines;
    private final double left;
    private final double top;
    private final double cellWidth;
    private final double cellHeight;

    Layout(Chart chart) {
        this.chart = chart;
        plots = chart.panels().stream()
                .map(panel -> new Plot(panel, chart.width(), chart.height()))
                .toList();
        left = largest(Plot::left);
        top = largest(Plot::top);
        cellWidth = left + chart.width() + largest(Plot::right);
        cellHeight = top + chart.height() + largest(Plot::bottom);
        titleLines = Letters.wrap(chart.title(), TITLE, titleWidth());
    }

    private double largest(ToDoubleFunction<Plot> margin) {
        return plots.stream().mapToDouble(margin).max().orElse(0);
    }

    private double titleWidth() {
        return cellWidth * (chart.sideBySide() ? plots.size() : 1) - left - EDGE;
    }

    private double titleHeight() {
        return EDGE + LINE * titleLines.size();
    }

    int width() {
        return (int) Math.ceil(cellWidth * (chart.sideBySide() ? plots.size() : 1));
    }

    int height() {
        return (int) Math.ceil(titleHeight() + cellHeight * (chart.sideBySide() ? 1 : plots.size()));
    }

    void draw(Surface surface) {
        for (int i = 0; i < titleLines.size(); i++) {
            String line = titleLines.get(i);
            double size = Letters.fit(line, TITLE, titleWidth());
            surface.text(
                    line,
                    new Point(left, EDGE + LINE * (i + 1) - 6),
                    new Lettering(size, Plot.INK, Anchor.START, true, false));
        }
        for (int i = 0; i < plots.size(); i++) {
            double x = left + (chart.sideBySide() ? i * cellWidth : 0);
            double y = titleHeight() + top + (chart.sideBySide() ? 0 : i * cellHeight);
            plots.get(i).draw(surface, new Point(x, y));
        }
    }
}
