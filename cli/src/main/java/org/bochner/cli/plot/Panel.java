package org.bochner.cli.plot;

import java.util.List;
import java.util.stream.Stream;
import org.bochner.base.Require;

/**
 * Two axes and what is drawn between them.
 *
 * @param title above the legend; may be empty
 * @param references straight lines through the whole panel, under the series
 */
public record Panel(String title, Axis x, Axis y, List<Series> series, List<Reference> references) {
    /** A line across the panel at one value of the vertical axis, or upright at one of the horizontal axis. */
    public record Reference(String name, double value, boolean horizontal) {
        public Reference {
            Require.finite("reference line " + name, "value", value);
        }
    }

    public Panel {
        series = List.copyOf(series);
        references = List.copyOf(references);
    }

    /** An empty panel. */
    public static Panel of(String title, Axis x, Axis y) {
        return new Panel(title, x, y, List.of(), List.of());
    }

    /** This panel with one more series. */
    public Panel with(Series more) {
        return new Panel(title, x, y, append(series, more), references);
    }

    /** This panel with a horizontal line at this value of the vertical axis. */
    public Panel withHorizontal(String name, double value) {
        return new Panel(title, x, y, series, append(references, new Reference(name, value, true)));
    }

    /** This panel with an upright line at this value of the horizontal axis. */
    public Panel withVertical(String name, double value) {
        return new Panel(title, x, y, series, append(references, new Reference(name, value, false)));
    }

    boolean shows(Point point) {
        return x.shows(point.x()) && y.shows(point.y());
    }

    boolean shows(Reference reference) {
        return (reference.horizontal ? y : x).shows(reference.value);
    }

    private static <T> List<T> append(List<T> list, T more) {
        return Stream.concat(list.stream(), Stream.of(more)).toList();
    }
}
