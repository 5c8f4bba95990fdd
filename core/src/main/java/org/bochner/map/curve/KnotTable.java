package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.numeric.optimise.Vectors;

/**
 * Curves by their values at K equispaced knots: interpolated by straight lines, or the value of the nearest knot. Outside
 * the knots a curve is a straight line with a slope of its own on each side.
 *
 * <p>With root spacing the square roots of the knots are equispaced, which resolves small values of curves that are steep
 * at 0.
 *
 * <p>Cost per value: a multiplication, and one look-up of neighbouring numbers.
 */
final class KnotTable extends CurveTable {
    private final CurveForm form;
    private final int count;
    private final boolean root;
    private final double[] low;
    private final double[] high;

    /** The first knot and the inverse distance of knots of each curve, in units of the spacing, one after the other. */
    private final double[] places;

    /** Curves × knots × outputs; float32, so that the tables of a thousand columns fit in a processor's cache. */
    private final float[] values;

    /** Curves × outputs × 2: the slopes left of the first knot and right of the last one. */
    private final double[] slopes;

    /** Takes the arrays over. */
    KnotTable(
            CurveForm form,
            int[] columns,
            int outputs,
            boolean nonNegative,
            boolean root,
            double[] low,
            double[] high,
            double[] values,
            double[] slopes) {
        super(columns, outputs, nonNegative);
        this.form = form;
        this.root = root;
        this.low = low;
        this.high = high;
        this.values = Vectors.rounded(values);
        this.slopes = slopes;
        count = values.length / columns.length / outputs;
        places = new double[2 * columns.length];
        for (int a = 0; a < columns.length; a++) {
            Require.that(
                    low[a] < high[a] && (!root || low[a] >= 0),
                    CurveMap.TYPE,
                    "the knots of curve " + a + " must ascend, got " + low[a] + " to " + high[a]);
            double first = spaced(low[a]);
            places[2 * a] = first;
            places[2 * a + 1] = (count - 1) / (spaced(high[a]) - first);
            Require.that(
                    places[2 * a + 1] < Double.POSITIVE_INFINITY,
                    CurveMap.TYPE,
                    "the knots of curve " + a + " are too close, from " + low[a] + " to " + high[a]);
        }
    }

    static KnotTable load(State state, CurveForm form, int[] columns, int outputs, boolean nonNegative) {
        int knots = state.count("knots");
        Require.that(knots >= 2, CurveMap.TYPE, "a curve needs at least 2 knots, got " + knots);
        int curves = columns.length;
        long size = (long) curves * knots * outputs;
        Require.that(size <= Integer.MAX_VALUE - 8, CurveMap.TYPE, size + " values are too many");
        return new KnotTable(
                form,
                columns,
                outputs,
                nonNegative,
                Boolean.parseBoolean(state.text("root")),
                state.array("low", curves),
                state.array("high", curves),
                state.array("values", (int) size),
                state.array("slopes", Math.multiplyExact(2, Math.multiplyExact(curves, outputs))));
    }

    @Override
    void save(State state) {
        double[] given = new double[values.length];
        Arrays.setAll(given, i -> values[i]);
        state.with("knots", count)
                .with("root", Boolean.toString(root))
                .with("low", low)
                .with("high", high)
                .with("values", given, columns.length, count * outputs)
                .with("slopes", slopes);
    }

    @Override
    CurveForm form() {
        return form;
    }

    private double spaced(double x) {
        return root ? Math.sqrt(x) : x;
    }

    /** Returns the value of knot k of a curve between two ends. */
    static double knot(double low, double high, int k, int count, boolean root) {
        if (k == 0 || k == count - 1) {
            return k == 0 ? low : high;
        }
        double share = (double) k / (count - 1);
        if (!root) {
            return low + share * (high - low);
        }
        double place = Math.sqrt(low) + share * (Math.sqrt(high) - Math.sqrt(low));
        return place * place;
    }

    @Override
    double[] knots(int curve) {
        double[] knots = new double[count];
        for (int k = 0; k < count; k++) {
            knots[k] = knot(low[curve], high[curve], k, count, root);
        }
        return knots;
    }

    @Override
    long knots() {
        return (long) count * columns.length;
    }

    @Override
    double sum(float[] row, int from) {
        return form == CurveForm.LINEAR ? linear(row, from) : nearest(row, from);
    }

    /** Two sums in turns, because one addition would wait for the one before. */
    private double linear(float[] row, int from) {
        int last = count - 1;
        double even = 0;
        double odd = 0;
        for (int a = 0; a < columns.length; a++) {
            double x = row[from + columns[a]];
            double place = (spaced(x) - places[2 * a]) * places[2 * a + 1];
            double value;
            if (place >= 0 && place < last) {
                int k = (int) place;
                int knot = a * count + k;
                double left = values[knot];
                value = left + (place - k) * (values[knot + 1] - left);
            } else {
                value = outside(a, x, 0);
            }
            double next = odd + value;
            odd = even;
            even = next;
        }
        return even + odd;
    }

    private double nearest(float[] row, int from) {
        int last = count - 1;
        double sum = 0;
        for (int a = 0; a < columns.length; a++) {
            double x = row[from + columns[a]];
            double place = (spaced(x) - places[2 * a]) * places[2 * a + 1];
            sum += place >= 0 && place < last ? values[a * count + (int) (place + 0.5)] : outside(a, x, 0);
        }
        return sum;
    }

    /** Returns the value outside the knots, or at the last one. */
    private double outside(int a, double x, int o) {
        int slope = 2 * (a * outputs + o);
        if (nonNegative && x < 0) {
            return Double.NaN;
        }
        // Not x < high: rounding may place a value below the last knot at it.
        return x < low[a]
                ? values[a * count * outputs + o] + slopes[slope] * (x - low[a])
                : values[((a + 1) * count - 1) * outputs + o] + slopes[slope + 1] * (x - high[a]);
    }

    @Override
    void add(int a, double x, double[] out, int at) {
        double place = (spaced(x) - places[2 * a]) * places[2 * a + 1];
        if (!(place >= 0 && place < count - 1)) {
            for (int o = 0; o < outputs; o++) {
                out[at + o] += outside(a, x, o);
            }
            return;
        }
        if (form == CurveForm.CONSTANT) {
            int from = (a * count + (int) (place + 0.5)) * outputs;
            for (int o = 0; o < outputs; o++) {
                out[at + o] += values[from + o];
            }
            return;
        }
        int k = (int) place;
        int from = (a * count + k) * outputs;
        double share = place - k;
        for (int o = 0; o < outputs; o++) {
            double left = values[from + o];
            out[at + o] += left + share * (values[from + outputs + o] - left);
        }
    }
}
