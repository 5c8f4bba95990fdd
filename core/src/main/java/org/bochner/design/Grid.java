package org.bochner.design;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Spelling;
import org.bochner.design.Target.Axis;

/** The differences at which errors are computed, with the signature and the error weight at each. */
final class Grid {
    final int columns;
    private final Target target;
    private int count;
    /** The number of points offered, including points with the error weight 0. */
    private int looked;

    private double[] points;
    private double[] values;
    private double[] weights;

    private Grid(Target target) {
        this.target = target;
        this.columns = target.columns();
        points = new double[64 * columns];
        values = new double[64];
        weights = new double[64];
    }

    /** Creates a grid of {@code perAxis} differences per axis. */
    static Grid of(Target target, Form form, Norm norm, int perAxis) {
        Grid grid = new Grid(target);
        grid.addProducts(nodes(target, form, norm, perAxis), new double[grid.columns], 0);
        if (grid.count == 0) {
            throw new BochnerException(
                    "design: the weight is 0 at all differences; give one that is positive somewhere");
        }
        return grid;
    }

    /** Returns the differences of each axis, {@code perAxis} on each side of 0. */
    static double[][] nodes(Target target, Form form, Norm norm, int perAxis) {
        int columns = target.columns();
        double[][] nodes = new double[columns][];
        for (int l = 0; l < columns; l++) {
            // A projection is even in z as a whole only, so one axis may be halved.
            boolean bothSides = form == Form.PROJECTION && l < columns - 1;
            nodes[l] = nodes(target.axes().get(l), norm, perAxis, bothSides);
        }
        return nodes;
    }

    /**
     * Returns the differences of an axis. For the largest error they are denser near 0, where signatures change most;
     * for the mean they are the centres of equal intervals.
     */
    private static double[] nodes(Axis axis, Norm norm, int count, boolean bothSides) {
        double[] half = new double[count];
        for (int i = 0; i < count; i++) {
            double u = (double) i / (count - 1);
            double place = norm == Norm.MEAN ? (i + 0.5) / count : axis.periodic() ? u : u * (0.5 + 0.5 * u);
            half[i] = axis.length() * place;
        }
        if (!bothSides) {
            return half;
        }
        // The difference 0 occurs once.
        int shared = half[0] == 0 ? 1 : 0;
        double[] all = new double[2 * count - shared];
        for (int i = 0; i < count; i++) {
            all[count - shared + i] = half[i];
            all[count - 1 - i] = -half[i];
        }
        return all;
    }

    private void addProducts(double[][] nodes, double[] point, int column) {
        if (column == columns) {
            add(point, 0);
            return;
        }
        for (double node : nodes[column]) {
            point[column] = node;
            addProducts(nodes, point, column + 1);
        }
    }

    /** Adds the point z[from …] unless its error weight is 0. */
    void add(double[] z, int from) {
        looked++;
        double value = target.value(z, from);
        double[] place = Arrays.copyOfRange(z, from, from + columns);
        double weight = target.weight().applyAsDouble(place);
        if (!Double.isFinite(value)) {
            throw new BochnerException("design: the signature is " + value + " at the difference " + print(place));
        }
        if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
            throw new BochnerException("design: the weight is " + weight + " at the difference " + print(place)
                    + ", where the signature is " + Spelling.print(value)
                    + "; weights are finite and at least 0, and relative errors need a signature that is never 0");
        }
        if (weight == 0) {
            return;
        }
        if (count == values.length) {
            points = Arrays.copyOf(points, 2 * points.length);
            values = Arrays.copyOf(values, 2 * count);
            weights = Arrays.copyOf(weights, 2 * count);
        }
        System.arraycopy(z, from, points, count * columns, columns);
        values[count] = value;
        weights[count++] = weight;
    }

    /** Formats a measured number for messages. */
    static String print(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }

    /** Formats a difference for messages. */
    static String print(double[] z) {
        return Arrays.stream(z).mapToObj(Spelling::print).collect(Collectors.joining(", "));
    }

    int size() {
        return count;
    }

    double[] points() {
        return points;
    }

    double weight(int point) {
        return weights[point];
    }

    /** Returns the signed weighted errors of the terms at all points. */
    double[] errors(Terms terms) {
        double[] errors = new double[count];
        for (int i = 0; i < count; i++) {
            errors[i] = weights[i] * (values[i] - terms.at(points, i * columns));
        }
        return errors;
    }

    /** Returns the norm of weighted errors at all points. Points with the error weight 0 count in a mean. */
    double norm(Norm norm, double[] errors) {
        double result = 0;
        for (double e : errors) {
            result = norm == Norm.LARGEST ? Math.max(result, Math.abs(e)) : result + Math.abs(e) / looked;
        }
        return result;
    }

    /** Returns the number of points that count in a mean. */
    int looked() {
        return looked;
    }
}
