package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;

/**
 * Curves of straight pieces, {@code f(x) = A(r) + x·B(r)}, where r is the number of breaks of the curve that are at most
 * x. For the intersection kernel the breaks are the values of the support vectors, A(r) = Σ_{i≤r} cᵢsᵢ and
 * B(r) = Σ_{i>r} cᵢ, and the sum of all curves is the exact function.
 *
 * <p>Cost per value: a bucket of equal length gives the first candidates, and binary search finds the piece among them:
 * O(1) where breaks are spread evenly, O(log m) at most. The break and the numbers of its piece are neighbours in memory.
 *
 * <p>Reference: Maji, Berg and Malik, Classification using intersection kernel support vector machines is efficient, 2008.
 */
final class PieceTable extends CurveTable {
    /** Breaks of a bucket that are compared one by one. */
    private static final int FEW = 8;

    /** The first piece of each curve; curve a has starts[a + 1] − starts[a] pieces, one more than breaks. */
    private final int[] starts;

    /** The break at which each piece starts, −∞ for the first one, then A and B of each output. */
    private final double[] pieces;

    private final int stride;

    /** The first break and the inverse length of the buckets of each curve. */
    private final double[] places;

    /** For each bucket, the number of breaks of the curve in earlier buckets; one more number than buckets. */
    private final int[] buckets;

    /**
     * Creates the tables.
     *
     * @param starts the first piece of each curve, and the number of pieces
     * @param breaks the breaks of all curves, ascending for each curve; curves of a single piece have none
     * @param lines pieces × outputs × 2: A and B
     */
    PieceTable(int[] columns, int outputs, int[] starts, double[] breaks, double[] lines) {
        super(columns, outputs);
        this.starts = starts;
        stride = 1 + 2 * outputs;
        int total = starts[columns.length];
        Require.that((long) total * stride <= Integer.MAX_VALUE - 8, CurveMap.TYPE, total + " pieces are too many");
        pieces = new double[total * stride];
        places = new double[2 * columns.length];
        buckets = new int[total];
        int next = 0;
        for (int a = 0; a < columns.length; a++) {
            for (int p = starts[a]; p < starts[a + 1]; p++) {
                pieces[p * stride] = p == starts[a] ? Double.NEGATIVE_INFINITY : breaks[next++];
                Require.that(
                        p == starts[a] || pieces[p * stride] > pieces[(p - 1) * stride],
                        CurveMap.TYPE,
                        "the breaks of a curve must ascend");
                System.arraycopy(lines, p * 2 * outputs, pieces, p * stride + 1, 2 * outputs);
            }
            fillBuckets(a);
        }
    }

    private void fillBuckets(int a) {
        int count = breaks(a);
        if (count == 0) {
            return;
        }
        double first = pieces[(starts[a] + 1) * stride];
        double last = pieces[(starts[a + 1] - 1) * stride];
        places[2 * a] = first;
        // Infinite for breaks that are very close, which puts all but the first into the last bucket.
        places[2 * a + 1] = last > first ? count / (last - first) : 0;
        int[] sizes = new int[count];
        for (int r = 1; r <= count; r++) {
            sizes[bucket(a, pieces[(starts[a] + r) * stride], count)]++;
        }
        int before = 0;
        for (int b = 0; b < count; b++) {
            buckets[starts[a] + b] = before;
            before += sizes[b];
        }
        buckets[starts[a] + count] = before;
    }

    /** Returns the bucket of a value that is not below the first break. The order of values is the order of buckets. */
    private int bucket(int a, double x, int count) {
        return Math.min((int) ((x - places[2 * a]) * places[2 * a + 1]), count - 1);
    }

    private int breaks(int a) {
        return starts[a + 1] - starts[a] - 1;
    }

    static PieceTable load(State state, int[] columns, int outputs) {
        int curves = columns.length;
        int[] starts = state.integers("starts", Math.addExact(curves, 1));
        Require.that(starts[0] == 0, CurveMap.TYPE, "the first curve must start at piece 0");
        for (int a = 0; a < curves; a++) {
            Require.that(starts[a] < starts[a + 1], CurveMap.TYPE, "every curve needs a piece");
        }
        int total = starts[curves];
        return new PieceTable(
                columns,
                outputs,
                starts,
                state.array("breaks", total - curves),
                state.array("lines", Math.multiplyExact(total, Math.multiplyExact(2, outputs))));
    }

    @Override
    void save(State state) {
        int total = starts[columns.length];
        double[] breaks = new double[total - columns.length];
        double[] lines = new double[total * 2 * outputs];
        int next = 0;
        for (int a = 0; a < columns.length; a++) {
            for (int p = starts[a]; p < starts[a + 1]; p++) {
                if (p > starts[a]) {
                    breaks[next++] = pieces[p * stride];
                }
                System.arraycopy(pieces, p * stride + 1, lines, p * 2 * outputs, 2 * outputs);
            }
        }
        state.with("starts", starts).with("breaks", breaks).with("lines", lines, total, 2 * outputs);
    }

    @Override
    CurveForm form() {
        return CurveForm.EXACT;
    }

    @Override
    double[] knots(int curve) {
        double[] knots = new double[breaks(curve)];
        Arrays.setAll(knots, r -> pieces[(starts[curve] + 1 + r) * stride]);
        return knots;
    }

    @Override
    long knots() {
        return (long) starts[columns.length] - columns.length;
    }

    @Override
    void sum(double[] row, double[] out, int at) {
        if (outputs == 1) {
            double sum = 0;
            for (int a = 0; a < columns.length; a++) {
                double x = row[columns[a]];
                int piece = piece(a, x);
                sum += pieces[piece + 1] + x * pieces[piece + 2];
            }
            out[at] = sum;
            return;
        }
        Arrays.fill(out, at, at + outputs, 0);
        for (int a = 0; a < columns.length; a++) {
            add(a, row[columns[a]], out, at);
        }
    }

    /** Returns the index of the numbers of the piece that a value lies in. */
    private int piece(int a, double x) {
        int first = starts[a];
        int count = starts[a + 1] - first - 1;
        if (!(x >= places[2 * a]) || count == 0) {
            return first * stride;
        }
        int b = first + bucket(a, x, count);
        int r = first + buckets[b];
        int end = first + buckets[b + 1];
        while (end - r > FEW) {
            int middle = (r + end + 1) >>> 1;
            if (pieces[middle * stride] <= x) {
                r = middle;
            } else {
                end = middle - 1;
            }
        }
        while (r < end && pieces[(r + 1) * stride] <= x) {
            r++;
        }
        return r * stride;
    }

    @Override
    void add(int a, double x, double[] out, int at) {
        int piece = piece(a, x);
        for (int o = 0; o < outputs; o++) {
            out[at + o] += pieces[piece + 1 + 2 * o] + x * pieces[piece + 2 + 2 * o];
        }
    }
}
