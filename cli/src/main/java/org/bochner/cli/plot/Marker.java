package org.bochner.cli.plot;

import java.util.List;
import java.util.stream.IntStream;

/** The shape of a marker, given by its corners relative to the point. */
record Marker(List<Point> corners) {
    private static final List<Marker> ALL = List.of(
            star(16, 0, 3.6, 3.6), // a circle
            star(4, Math.PI / 4, 4.6, 4.6), // a square
            star(3, -Math.PI / 2, 5.2, 5.2), // a triangle
            star(4, 0, 5, 5), // a square on its corner
            star(3, Math.PI / 2, 5.2, 5.2), // a triangle on its corner
            star(10, -Math.PI / 2, 6, 2.6));

    static Marker of(int index) {
        return ALL.get(index % ALL.size());
    }

    /** Returns a shape with corners alternately on an outer and an inner circle. */
    private static Marker star(int count, double turn, double outer, double inner) {
        return new Marker(IntStream.range(0, count)
                .mapToObj(i -> {
                    double angle = turn + 2 * Math.PI * i / count;
                    double radius = i % 2 == 0 ? outer : inner;
                    return new Point(radius * StrictMath.cos(angle), radius * StrictMath.sin(angle));
                })
                .toList());
    }

    void draw(Surface surface, Point centre, String colour) {
        surface.shape(
                corners.stream()
                        .map(corner -> new Point(centre.x() + corner.x(), centre.y() + corner.y()))
                        .toList(),
                colour);
    }
}
