package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;

/**
 * Curves of straight pieces, {@code f(x) = A(r) + x·B(r)}, where r is the number of breaks of the curve that are at most
 * x. For the intersection kernel the breaks are the values of the support vectors, A(r) = Σ_{i≤r} cᵢsᵢ and
 * B(r) = Σ_{i>r} cᵢ, and the sum of all curves is the exact function.
 *
 * <p>Cost per value: a bucket gives the first candidate, and a search finds the piece from there on. Buckets have equal
 * lengths in the square root of the distance from the first break. The cost is O(1) where the breaks are spread evenly over
 * the buckets, and O(log m) for m breaks at most. A row of one output is computed in three loops, so that the processor loads
 * the tables of several columns at once.
 *
 * <p>Reference: Maji, Berg and Malik, Classification using intersection kernel support vector machines is efficient, 2008.
 */
final class PieceTable extends CurveTable {
    /** Breaks that are compared without branches; as many infinite ones follow the breaks of each curve. */
    private static final int COMPARED = 4;

    /** Breaks per bucket in the mean. */
    private static final int PER_BUCKET = 1;

    /** The first piece of each curve; curve a has starts[a + 1] − starts[a] pieces, one more than breaks. */
    private final int[] starts;

    /**
     * The {@linkplain #key keys} of the breaks at which the pieces but the first start, rounded up to float32: x ≥ t is
     * unchanged for all x in float32. The break of piece p of curve a is at p + a·{@link #COMPARED}.
     */
    private final int[] breaks;

    /** A and B of each piece and output. */
    private final double[] lines;

    /**
     * The first break of each curve, and the inverse length of its buckets in square roots, one after the other; 0 for
     * curves without breaks.
     */
    private final double[] places;

    /** The first bucket of each curve. */
    private final int[] bucketStarts;

    /** For each bucket, the last piece that starts before it. */
    private final int[] buckets;

    /** True if all curves are 0 at 0. */
    private final boolean skipsZeros;

    /**
     * Creates the tables.
     *
     * @param starts the first piece of each curve, and the number of pieces
     * @param given the breaks of all curves, in ascending order for each curve; curves of a single piece have none
     * @param lines pieces × outputs × 2: A and B
     */
    PieceTable(int[] columns, int outputs, boolean nonNegative, int[] starts, double[] given, double[] lines) {
        super(columns, outputs, nonNegative);
        this.starts = starts;
        this.lines = lines;
        long total = starts[columns.length] + (long) COMPARED * columns.length;
        Require.that(total <= Integer.MAX_VALUE - 8, CurveMap.TYPE, total + " breaks are too many");
        breaks = new int[(int) total];
        Arrays.fill(breaks, Integer.MAX_VALUE);
        places = new double[2 * columns.length];
        bucketStarts = new int[columns.length + 1];
        int next = 0;
        for (int a = 0; a < columns.length; a++) {
            float before = Float.NEGATIVE_INFINITY;
            for (int p = starts[a] + 1; p < starts[a + 1]; p++) {
                float at = roundedUp(given[next++]);
                Require.that(
                        at >= before && Math.abs(at) < Float.POSITIVE_INFINITY,
                        CurveMap.TYPE,
                        "the breaks of a curve must ascend");
                breaks[p + a * COMPARED] = key(at);
                before = at;
            }
            bucketStarts[a + 1] = bucketStarts[a] + 1 + breakCount(a) / PER_BUCKET;
        }
        buckets = new int[bucketStarts[columns.length]];
        for (int a = 0; a < columns.length; a++) {
            fillBuckets(a);
        }
        skipsZeros = areZeroAtZero();
    }

    /** Returns a number with the order of a float. */
    private static int key(float x) {
        int bits = Float.floatToRawIntBits(x);
        return bits ^ ((bits >> 31) & Integer.MAX_VALUE);
    }

    private float at(int place) {
        int key = breaks[place];
        return Float.intBitsToFloat(key ^ ((key >> 31) & Integer.MAX_VALUE));
    }

    private static float roundedUp(double value) {
        float nearest = (float) value;
        return nearest < value ? Math.nextUp(nearest) : nearest;
    }

    private void fillBuckets(int a) {
        int shift = a * COMPARED;
        if (breakCount(a) > 0) {
            places[2 * a] = at(starts[a] + 1 + shift);
            double length = at(starts[a + 1] - 1 + shift) - places[2 * a];
            places[2 * a + 1] = length > 0 ? (bucketStarts[a + 1] - bucketStarts[a]) / Math.sqrt(length) : 0;
        }
        int piece = starts[a];
        for (int b = bucketStarts[a]; b < bucketStarts[a + 1]; b++) {
            while (piece + 1 < starts[a + 1] && bucket(a, at(piece + 1 + shift)) < b) {
                piece++;
            }
            buckets[b] = piece;
        }
    }

    /**
     * Returns the bucket of a value, the first one for values before the first break. Larger values have no smaller bucket.
     * Square roots spread the values of histograms, most of which are small, more evenly.
     */
    private int bucket(int a, double x) {
        double behind = x - places[2 * a];
        int own = behind > 0 ? (int) (Math.sqrt(behind) * places[2 * a + 1]) : 0;
        // In this order, because the number of a bucket far above the breaks is the largest integer.
        return bucketStarts[a] + Math.min(own, bucketStarts[a + 1] - bucketStarts[a] - 1);
    }

    private int breakCount(int a) {
        return starts[a + 1] - starts[a] - 1;
    }

    static PieceTable load(State state, int[] columns, int outputs, boolean nonNegative) {
        int curves = columns.length;
        int[] starts = state.integers("starts", Math.addExact(curves, 1));
        Require.that(starts[0] == 0, CurveMap.TYPE, "the first curve must start at piece 0");
        for (int a = 0; a < curves; a++) {
            Require.that(starts[a] < starts[a + 1], CurveMap.TYPE, "every curve needs a piece");
        }
        int total = starts[curves];
        double[] breaks = state.array("breaks", total - curves);
        double[] lines = state.array("lines", Math.multiplyExact(total, Math.multiplyExact(2, outputs)));
        return new PieceTable(columns, outputs, nonNegative, starts, breaks, lines);
    }

    @Override
    void save(State state) {
        int total = starts[columns.length];
        double[] given = new double[total - columns.length];
        int next = 0;
        for (int a = 0; a < columns.length; a++) {
            for (int p = starts[a] + 1; p < starts[a + 1]; p++) {
                given[next++] = at(p + a * COMPARED);
            }
        }
        state.with("starts", starts).with("breaks", given).with("lines", lines, total, 2 * outputs);
    }

    @Override
    CurveForm form() {
        return CurveForm.EXACT;
    }

    @Override
    double[] knots(int curve) {
        double[] knots = new double[breakCount(curve)];
        Arrays.setAll(knots, r -> at(starts[curve] + 1 + r + curve * COMPARED));
        return knots;
    }

    @Override
    long knots() {
        return (long) starts[columns.length] - columns.length;
    }

    @Override
    double sum(float[] row, int from) {
        // Loops without branches that depend on the data: wrong predictions of the processor would cost more than the
        // loads.
        int[] curves = new int[columns.length + 1];
        float[] values = new float[columns.length + 1];
        int count = gather(row, from, curves, values, skipsZeros);
        if (count < 0) {
            return Double.NaN;
        }
        int[] pieces = new int[count];
        for (int k = 0; k < count; k++) {
            pieces[k] = buckets[bucket(curves[k], values[k])];
        }
        for (int k = 0; k < count; k++) {
            pieces[k] = search(curves[k], pieces[k], key(values[k]));
        }
        double sum = 0;
        for (int k = 0; k < count; k++) {
            int line = 2 * pieces[k];
            sum += lines[line] + values[k] * lines[line + 1];
        }
        return sum;
    }

    /** Returns the last piece that starts at a key or before, which is the given piece or comes after it. */
    private int search(int a, int from, int key) {
        int at = from + a * COMPARED;
        int more = COMPARED - (above(at + 1, key) + above(at + 2, key) + above(at + 3, key) + above(at + 4, key));
        return more < COMPARED ? from + more : searchFrom(a, from + more, key);
    }

    /** Returns 1 if a break is above a key, else 0. */
    private int above(int at, int key) {
        return (int) (((long) key - breaks[at]) >>> 63);
    }

    /** Returns the last piece that starts at a key or before, by binary search from a piece that does. */
    private int searchFrom(int a, int from, int key) {
        int low = from;
        int high = starts[a + 1];
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (breaks[middle + a * COMPARED] <= key) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    void add(int a, double x, double[] out, int at) {
        float below = (float) x;
        int piece = search(a, buckets[bucket(a, x)], key(below > x ? Math.nextDown(below) : below));
        boolean outside = nonNegative && x < 0;
        for (int o = 0; o < outputs; o++) {
            int line = 2 * (piece * outputs + o);
            out[at + o] += outside ? Double.NaN : lines[line] + x * lines[line + 1];
        }
    }
}
