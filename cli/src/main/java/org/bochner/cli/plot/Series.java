package org.bochner.cli.plot;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.bochner.base.Require;

/**
 * A named sequence of points, drawn in its order. A point that its axes cannot show breaks the line: one that is not
 * finite, or not positive on a logarithmic axis.
 */
public record Series(String name, Style style, List<Point> points) {
    /** How the points are shown. Series are told apart without colour too: by their markers or their dashes. */
    public enum Style {
        /** A solid line with markers: what was measured. */
        LINE,
        /** A broken line: what theory or a target says. */
        DASHED,
        /** Markers alone. */
        POINTS,
        /** Upright bars from 0, on an axis of {@linkplain Axis#named names}, which needs no legend. */
        BARS
    }

    public Series {
        points = List.copyOf(points);
    }

    /** A series with one point per item. */
    public static <T> Series of(String name, Style style, List<T> items, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
        return new Series(
                name,
                style,
                items.stream()
                        .map(item -> new Point(x.applyAsDouble(item), y.applyAsDouble(item)))
                        .toList());
    }

    /** A solid line through points with these coordinates. */
    public static Series line(String name, double[] x, double[] y) {
        return of(name, Style.LINE, x, y);
    }

    /** A broken line through points with these coordinates. */
    public static Series dashed(String name, double[] x, double[] y) {
        return of(name, Style.DASHED, x, y);
    }

    /** Markers at these coordinates. */
    public static Series points(String name, double[] x, double[] y) {
        return of(name, Style.POINTS, x, y);
    }

    /** A bar of this height at one place of an axis of names. */
    public static Series bar(String name, int place, double height) {
        return new Series(name, Style.BARS, List.of(new Point(place, height)));
    }

    private static Series of(String name, Style style, double[] x, double[] y) {
        Require.sameSize("series " + name, "count of y", y.length, x.length);
        return new Series(
                name,
                style,
                IntStream.range(0, x.length)
                        .mapToObj(i -> new Point(x[i], y[i]))
                        .toList());
    }
}
