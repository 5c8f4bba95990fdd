package org.bochner.tune;

import java.util.Arrays;
import org.bochner.map.Freedom;

/**
 * How the point that an optimiser moves becomes parameters of a map: parameters that share a coordinate are multiplied by
 * one factor, exp(x) or x itself, or each is a coordinate.
 */
final class Moves {
    /** What a coordinate is. */
    enum Form {
        /** The logarithm of a factor: scales stay positive. */
        LOGARITHM,
        /** A factor, which may become 0. */
        FACTOR,
        /** The parameter. */
        VALUE
    }

    private final Form form;
    private final double[] start;
    private final int[] coordinateOf;
    private final int count;

    /**
     * Moves from some values.
     *
     * @param coordinateOf the coordinate of each of them, from 0 without a gap
     */
    Moves(Form form, double[] start, int[] coordinateOf) {
        this.form = form;
        this.start = start.clone();
        this.coordinateOf = coordinateOf.clone();
        count = Arrays.stream(coordinateOf).max().orElse(-1) + 1;
    }

    int count() {
        return count;
    }

    Form form() {
        return form;
    }

    /** Which of a map's parameters they are. */
    Freedom freedom() {
        return form == Form.VALUE ? Freedom.FREQUENCIES : Freedom.SCALES;
    }

    int coordinateOf(int parameter) {
        return coordinateOf[parameter];
    }

    /** The point that stands for the start. */
    double[] origin() {
        double[] origin = new double[count];
        if (form == Form.VALUE) {
            System.arraycopy(start, 0, origin, 0, count);
        } else {
            Arrays.fill(origin, form == Form.FACTOR ? 1 : 0);
        }
        return origin;
    }

    /** The parameters at a point. */
    double[] values(double[] point) {
        double[] values = new double[start.length];
        for (int p = 0; p < values.length; p++) {
            double x = point[coordinateOf[p]];
            values[p] = switch (form) {
                case LOGARITHM -> start[p] * Math.exp(x);
                case FACTOR -> start[p] * x;
                case VALUE -> x;
            };
        }
        return values;
    }

    /** Adds to derivatives by the coordinates what follows from those by the parameters. */
    void addSlopes(double[] byParameter, double[] values, double[] byCoordinate) {
        for (int p = 0; p < values.length; p++) {
            byCoordinate[coordinateOf[p]] += byParameter[p]
                    * switch (form) {
                        case LOGARITHM -> values[p];
                        case FACTOR -> start[p];
                        case VALUE -> 1;
                    };
        }
    }
}
