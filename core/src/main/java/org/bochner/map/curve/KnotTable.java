package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.format.Part;
import org.bochner.numeric.optimise.Vectors;

/**
 * Curves by their values at K knots: interpolated by straight lines, or the value of the nearest knot. Outside the knots a
 * curve is a straight line with a slope of its own on each side.
 *
 * <p>Between the ends of a curve, low and low + r, the knots are equispaced in (1 + c)·t/(1 + c·t) with t = (x − low)/r.
 * Knots near low are (1 + c) times as dense as with equal distances, and knots near the other end are as much less dense. With
 * {@code root}, t is the share of √x, not of x, which resolves curves that are steep at 0.
 *
 * <p>Cost per value: a multiplication, and one look-up of neighbouring numbers.
 */
final class KnotTable extends CurveTable {
    private static final double MOST_CROWDED = 1e6;

    /** A float to which only whole numbers can be added: a sum with it is rounded to the nearest one. */
    private static final float ROUNDS = 3 << 22;

    private static final int ROUNDS_BITS = Float.floatToRawIntBits(ROUNDS);

    /** The largest number of knots whose places can be rounded. */
    static final int MOST_KNOTS = 1 << 22;

    private final CurveForm form;
    private final int count;
    private final boolean root;
    private final double[] low;
    private final double[] high;

    /** c of each curve. */
    private final double[] crowding;

    private final boolean crowded;

    /**
     * With d = x − first, or √x − first, the place of x among the knots is d·scale/(1 + d·bend). In float32, because vector
     * instructions then take twice as many; the rounding is that of x to a few units of 2⁻²⁴ of the range.
     */
    private final float[] first;

    private final float[] scale;
    private final float[] bend;

    /**
     * t = c/((1 + c)·(K − 1)). A place that lies a fraction p behind knot k stands for a value that lies the fraction
     * p·(1 + d·bend)·(1 − t·(k + 1)) of the cell behind it.
     */
    private final float[] tilt;

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
            double[] crowding,
            double[] values,
            double[] slopes) {
        super(columns, outputs, nonNegative);
        this.form = form;
        this.root = root;
        this.low = low;
        this.high = high;
        this.crowding = crowding;
        crowded = Arrays.stream(crowding).anyMatch(c -> c != 0);
        this.values = Vectors.rounded(values);
        this.slopes = slopes;
        count = values.length / columns.length / outputs;
        first = new float[columns.length];
        scale = new float[columns.length];
        bend = new float[columns.length];
        tilt = new float[columns.length];
        for (int a = 0; a < columns.length; a++) {
            Require.that(
                    low[a] < high[a] && (!root || low[a] >= 0),
                    CurveMap.TYPE,
                    "the knots of curve " + a + " must ascend, got " + low[a] + " to " + high[a]);
            Require.that(
                    crowding[a] >= 0 && crowding[a] <= MOST_CROWDED,
                    CurveMap.TYPE,
                    "crowding must be between 0 and " + MOST_CROWDED + ", got " + crowding[a]);
            double length = spaced(high[a]) - spaced(low[a]);
            first[a] = (float) spaced(low[a]);
            scale[a] = (float) ((count - 1) * (1 + crowding[a]) / length);
            bend[a] = (float) (crowding[a] / length);
            tilt[a] = (float) tilt(a);
            Require.that(
                    scale[a] < Float.POSITIVE_INFINITY,
                    CurveMap.TYPE,
                    "the knots of curve " + a + " are too close, from " + low[a] + " to " + high[a]);
        }
    }

    static KnotTable load(State state, CurveForm form, int[] columns, int outputs, boolean nonNegative) {
        int knots = state.count("knots");
        Require.that(
                knots >= 2 && knots <= MOST_KNOTS, CurveMap.TYPE, "a curve needs 2 to 4194304 knots, got " + knots);
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
                state.array("crowding", curves),
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
                .with("crowding", crowding)
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

    private double tilt(int a) {
        return crowding[a] / ((1 + crowding[a]) * (count - 1));
    }

    /** Returns the share of the length between the first and the last knot that lies before a value. */
    private double share(int a, double x) {
        double start = spaced(low[a]);
        return (spaced(x) - start) / (spaced(high[a]) - start);
    }

    /** Returns the knots of a curve between two ends. */
    static double[] knots(double low, double high, int count, boolean root, double crowding) {
        double[] knots = new double[count];
        double first = root ? Math.sqrt(low) : low;
        double length = (root ? Math.sqrt(high) : high) - first;
        for (int k = 1; k < count - 1; k++) {
            double share = (double) k / (count - 1);
            double place = first + length * (share / (1 + crowding * (1 - share)));
            knots[k] = root ? place * place : place;
        }
        knots[0] = low;
        knots[count - 1] = high;
        return knots;
    }

    @Override
    double[] knots(int curve) {
        return knots(low[curve], high[curve], count, root, crowding[curve]);
    }

    @Override
    long knots() {
        return (long) count * columns.length;
    }

    @Override
    Part part(int most) {
        return new Part(most, 4, 0);
    }

    @Override
    double sum(Part part, int start, int size) {
        float[] row = part.values;
        if (root) {
            float[] roots = part.floats[0];
            for (int j = 0; j < size; j++) {
                roots[j] = (float) Math.sqrt(row[j]);
            }
            row = roots;
        }
        if (form == CurveForm.CONSTANT) {
            return nearest(part, row, start, size);
        }
        return linear(part, row, start, size);
    }

    /** In short loops, which the compiler turns into vector instructions, except for the last one. */
    private double linear(Part part, float[] spaced, int start, int size) {
        float[] places = part.floats[1];
        float[] rounded = part.floats[2];
        float[] fractions = part.floats[3];
        if (crowded) {
            for (int j = 0; j < size; j++) {
                float distance = spaced[j] - first[start + j];
                float stretch = 1 + distance * bend[start + j];
                places[j] = distance * scale[start + j] / stretch;
                fractions[j] = stretch;
            }
            // At a knot, either cell may be found: a fraction of 1 of the left one, or of 0 of the right one.
            for (int j = 0; j < size; j++) {
                float sum = places[j] - 0.5f + ROUNDS;
                float whole = sum - ROUNDS;
                rounded[j] = sum;
                fractions[j] = (places[j] - whole) * fractions[j] * (1 - tilt[start + j] * (whole + 1));
            }
        } else {
            for (int j = 0; j < size; j++) {
                float place = (spaced[j] - first[start + j]) * scale[start + j];
                float sum = place - 0.5f + ROUNDS;
                places[j] = place;
                rounded[j] = sum;
                fractions[j] = place - (sum - ROUNDS);
            }
        }
        // Two sums in turns, because one addition would wait for the one before.
        int last = count - 1;
        double even = 0;
        double odd = 0;
        int table = start * count;
        for (int j = 0; j < size; j++) {
            double next;
            if (places[j] >= 0 && places[j] < last) {
                int left = table + whole(rounded[j]);
                next = odd + (values[left] + fractions[j] * (values[left + 1] - values[left]));
            } else {
                next = odd + outside(start + j, part.values[j], 0);
            }
            table += count;
            odd = even;
            even = next;
        }
        return even + odd;
    }

    private double nearest(Part part, float[] spaced, int start, int size) {
        int last = count - 1;
        double sum = 0;
        int table = start * count;
        for (int j = 0; j < size; j++) {
            int a = start + j;
            float distance = spaced[j] - first[a];
            float place = distance * scale[a] / (1 + distance * bend[a]);
            sum += place >= 0 && place < last ? values[table + whole(place + ROUNDS)] : outside(a, part.values[j], 0);
            table += count;
        }
        return sum;
    }

    /** Returns the whole number that was added to {@link #ROUNDS}; a conversion would wait for other values. */
    private static int whole(float rounded) {
        return Float.floatToRawIntBits(rounded) - ROUNDS_BITS;
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
        double before = share(a, x);
        double stretch = 1 + crowding[a] * before;
        double place = (count - 1) * (1 + crowding[a]) * before / stretch;
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
        double share = (place - k) * stretch * (1 - tilt(a) * (k + 1));
        for (int o = 0; o < outputs; o++) {
            double left = values[from + o];
            out[at + o] += left + share * (values[from + outputs + o] - left);
        }
    }
}
