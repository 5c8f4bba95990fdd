package org.bochner.cli.plot;

import java.util.List;
import java.util.stream.Stream;
import org.bochner.base.Require;

/**
 * Two axes with the series and reference lines between them.
 *
 * @param title the title above the legend; may be empty
 * @param references straight lines across the panel, drawn under the series
 */
public record Panel(String title, Axis x, Axis y, List<Series> series, List<Reference> references) {
    /**
     * A line across the panel: horizontal at a value of the vertical axis, or upright at a value of the horizontal
     * axis.
     */
    public record Reference(String name, double value, boolean horizontal) {
        public Reference {
            Require.finite("reference line " + name, "value", value);
        }
    }

    public Panel {
        series = List.copyOf(series);
        references = List.copyOf(references);
    }

    /** Returns an empty panel. */
    public static Panel of(String title, Axis x, Axis y) {
        return new Panel(title, x, y, List.of(), List.of());
    }

    /** Returns this panel with one more series. */
    public Panel with(Series more) {
        return new Panel(title, x, y, append(series, more), references);
    }

    /** Returns this panel with a horizontal line at this value of the vertical axis. */
    public Panel withHorizontal(String name, double value) {
        return new Panel(title, x, y, series, append(references, new Reference(name, value, true)));
    }

    /** Returns this panel with an upright line at this value of the horizontal axis. */
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
