package org.bochner.map.curve;

import java.util.Arrays;
import java.util.List;

/**
 * Chooses the knots of one curve and their values by the squared error at sample values.
 *
 * <p>Straight lines start as the interpolation of the curve. Least squares then move the values at the inner knots; the
 * values at both ends stay, so that the curve continues outside the knots as before. A value moves by no more than the
 * largest error of interpolation at a sample value in each of its two cells. The error in a cell is therefore at most twice
 * the largest one of interpolation, and stays 0 where interpolation is exact. For intersection kernels interpolation has an
 * error of h/4·Σ|c| at most, with the support vectors in the cell and its length h.
 *
 * <p>Threads: not safe.
 */
final class KnotFit {
    /** The weight, in sample values, with which least squares keep the value of interpolation at a knot. */
    private static final double PRIOR = 1;

    private final AdditiveFunction.Column curve;
    private final int outputs;
    private final boolean linear;
    private final boolean root;
    private final double[] points;
    private final double[] weights;

    /** The curve at the points, points × outputs. */
    private final double[] exact;

    private double crowding = Double.NaN;
    private double error = Double.POSITIVE_INFINITY;
    private double[] best = {};

    /**
     * Prepares a fit.
     *
     * @param linear true for straight lines, false for the values of the nearest knots
     * @param root true if lines are straight as functions of the square root
     * @param most the largest number of points at which the curve is computed; more sample values are put in groups
     */
    KnotFit(
            AdditiveFunction.Column curve,
            int column,
            double[] range,
            int outputs,
            boolean linear,
            boolean root,
            List<double[]> sample,
            int most) {
        this.curve = curve;
        this.outputs = outputs;
        this.linear = linear;
        this.root = root;
        double[] values = sample.stream()
                .mapToDouble(row -> row[column])
                .filter(x -> x >= range[0] && x <= range[1])
                .sorted()
                .toArray();
        double[] places = new double[values.length];
        double[] counts = new double[values.length];
        int group = Math.max(1, values.length / most);
        int count = 0;
        for (int from = 0; from < values.length; ) {
            int to = Math.min(from + group, values.length);
            double middle = values[(from + to) / 2];
            while (to < values.length && values[to] == values[to - 1]) {
                to++;
            }
            places[count] = middle;
            counts[count++] = to - from;
            from = to;
        }
        points = Arrays.copyOf(places, count);
        weights = Arrays.copyOf(counts, count);
        exact = new double[count * outputs];
        for (int i = 0; i < count; i++) {
            System.arraycopy(curve.at(points[i]), 0, exact, i * outputs, outputs);
        }
    }

    /** Returns true if there are no sample values. */
    boolean isEmpty() {
        return points.length == 0;
    }

    /** Returns the crowding of the best knots. */
    double crowding() {
        return crowding;
    }

    /** Returns the sum of the squared errors of the best knots over the sample values and outputs. */
    double error() {
        return points.length == 0 ? 0 : error;
    }

    /** Returns the values at the best knots, knots × outputs. */
    double[] values() {
        return best;
    }

    /** Tries knots. */
    void add(double tried, double[] knots) {
        double[] values = new double[knots.length * outputs];
        for (int k = 0; k < knots.length; k++) {
            System.arraycopy(curve.at(knots[k]), 0, values, k * outputs, outputs);
        }
        double squares = 0;
        for (int o = 0; o < outputs; o++) {
            if (linear) {
                improve(knots, values, o);
            }
            int cell = 0;
            for (int i = 0; i < points.length; i++) {
                cell = cell(knots, cell, points[i]);
                double difference = residual(knots, values, o, i, cell);
                squares += weights[i] * difference * difference;
            }
        }
        if (squares < error || best.length == 0) {
            error = squares;
            crowding = tried;
            best = values;
        }
    }

    /** Returns the cell of a value, which is not before the given one. */
    private static int cell(double[] knots, int from, double x) {
        int cell = from;
        while (cell + 2 < knots.length && knots[cell + 1] <= x) {
            cell++;
        }
        return cell;
    }

    private double share(double[] knots, int cell, double x) {
        double start = spaced(knots[cell]);
        double length = spaced(knots[cell + 1]) - start;
        return length > 0 ? (spaced(x) - start) / length : 0;
    }

    private double spaced(double x) {
        return root ? Math.sqrt(x) : x;
    }

    private double residual(double[] knots, double[] values, int o, int i, int cell) {
        double share = share(knots, cell, points[i]);
        double left = values[cell * outputs + o];
        double right = values[(cell + 1) * outputs + o];
        double value = linear ? left + share * (right - left) : share < 0.5 ? left : right;
        return exact[i * outputs + o] - value;
    }

    /** Moves the values of one output at the inner knots, by least squares with a tridiagonal matrix. */
    private void improve(double[] knots, double[] values, int o) {
        int count = knots.length;
        double[] diagonal = new double[count];
        double[] above = new double[count];
        double[] right = new double[count];
        double[] most = new double[count - 1];
        int cell = 0;
        for (int i = 0; i < points.length; i++) {
            cell = cell(knots, cell, points[i]);
            double difference = residual(knots, values, o, i, cell);
            most[cell] = Math.max(most[cell], Math.abs(difference));
            double s = share(knots, cell, points[i]);
            double w = weights[i];
            diagonal[cell] += w * (1 - s) * (1 - s);
            diagonal[cell + 1] += w * s * s;
            above[cell] += w * s * (1 - s);
            right[cell] += w * (1 - s) * difference;
            right[cell + 1] += w * s * difference;
        }
        // Without the ends: elimination downwards from knot 1, then substitution.
        double[] pivots = new double[count];
        for (int k = 1; k < count - 1; k++) {
            double factor = k == 1 ? 0 : above[k - 1] / pivots[k - 1];
            pivots[k] = diagonal[k] + PRIOR - factor * (k == 1 ? 0 : above[k - 1]);
            right[k] -= factor * right[k - 1];
        }
        double next = 0;
        for (int k = count - 2; k >= 1; k--) {
            next = (right[k] - (k == count - 2 ? 0 : above[k] * next)) / pivots[k];
            double limit = Math.min(most[k - 1], most[k]);
            values[k * outputs + o] += Math.max(-limit, Math.min(limit, next));
        }
    }
}
