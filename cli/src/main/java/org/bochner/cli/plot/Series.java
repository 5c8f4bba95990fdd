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
    /** The style of a series. Markers and dashes distinguish series without colour. */
    public enum Style {
        /** A solid line with markers, for measured values. */
        LINE,
        /** A broken line, for theory or a target. */
        DASHED,
        /** Markers alone. */
        POINTS,
        /** Upright bars from 0 on an axis of {@linkplain Axis#named names}; they have no legend. */
        BARS
    }

    public Series {
        points = List.copyOf(points);
    }

    /** Returns a series with one point per item. */
    public static <T> Series of(String name, Style style, List<T> items, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
        return new Series(
                name,
                style,
                items.stream()
                        .map(item -> new Point(x.applyAsDouble(item), y.applyAsDouble(item)))
                        .toList());
    }

    /** Returns a solid line through points with these coordinates. */
    public static Series line(String name, double[] x, double[] y) {
        return of(name, Style.LINE, x, y);
    }

    /** Returns a broken line through points with these coordinates. */
    public static Series dashed(String name, double[] x, double[] y) {
        return of(name, Style.DASHED, x, y);
    }

    /** Returns markers at these coordinates. */
    public static Series points(String name, double[] x, double[] y) {
        return of(name, Style.POINTS, x, y);
    }

    /** Returns a bar of a height at one place of an axis of names. */
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
