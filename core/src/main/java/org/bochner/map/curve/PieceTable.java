package org.bochner.map.curve;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.format.Part;

/**
 * Curves of straight pieces, {@code f(x) = A(r) + x·B(r)}, where r is the number of breaks of the curve that are at most
 * x. For the intersection kernel the breaks are the values of the support vectors, A(r) = Σ_{i≤r} cᵢsᵢ and
 * B(r) = Σ_{i>r} cᵢ, and the sum of all curves is the exact function.
 *
 * <p>Cost per value: a bucket gives the first candidate, and a search finds the piece from there on. Cells have equal lengths
 * in the square root of the distance from the first break, and a cell has buckets of equal length, as many as its breaks need.
 * The cost is O(1) where the breaks are spread evenly over the buckets of a cell, and O(log m) for m breaks at most.
 *
 * <p>Tables of one output are larger than the cache if columns have many different values. A {@linkplain #records record}
 * holds all of a bucket, {@code f(x) = A + x·B + Σᵢ bᵢ·max(0, x − tᵢ)} with the bends bᵢ at its breaks tᵢ, so that a value
 * loads one line of the cache; and the lines of many columns are loaded at once.
 *
 * <p>Reference: Maji, Berg and Malik, Classification using intersection kernel support vector machines is efficient, 2008.
 */
final class PieceTable extends CurveTable {
    /** Breaks that are compared without branches; as many infinite ones follow the breaks of each curve. */
    private static final int COMPARED = 4;

    /** Breaks per cell in the mean. */
    private static final int PER_CELL = 32;

    /** Breaks of two buckets in the mean. */
    private static final int PER_TWO_BUCKETS = 3;

    /** Numbers of a cell: the bits of its first break and of the inverse length of its buckets, and its first bucket. */
    private static final int CELL = 3;

    /** Breaks that a record has room for. */
    private static final int BENDS = 4;

    /** Numbers of a record: A, B, the bends, and pairs of breaks. */
    private static final int RECORD = 2 + BENDS + BENDS / 2;

    /**
     * Numbers before the first record. The header of an array has 16 bytes, and large arrays start at a multiple of the 64
     * bytes of a cache line, so records do too.
     */
    private static final int PADDING = 6;

    /** Records are not used if a larger share of the buckets has none. */
    private static final double MOST_WITHOUT = 0.1;

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
     * The first break of each curve, and the inverse length of its cells in square roots, one after the other; 0 for curves
     * without breaks.
     */
    private final double[] places;

    /** The first cell of each curve. */
    private final int[] cellStarts;

    /** The cells of all curves, and the number of buckets at the end. */
    private final int[] cells;

    /** For each bucket, the last piece that starts before it. */
    private final int[] buckets;

    /**
     * One record per bucket, for one output. A is NaN in buckets with too many breaks, or where the curve jumps. Empty if
     * there are too many of them.
     */
    private final long[] records;

    /** The last break of each curve; infinite without breaks. */
    private final float[] limits;

    /** 0 for curves of one output that are 0 at 0, else 1. */
    private final int[] always;

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
        cellStarts = new int[columns.length + 1];
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
            cellStarts[a + 1] = cellStarts[a] + 1 + breakCount(a) / PER_CELL;
        }
        cells = new int[Math.addExact(1, Math.multiplyExact(CELL, cellStarts[columns.length]))];
        int bucketCount = 0;
        for (int a = 0; a < columns.length; a++) {
            bucketCount = fillCells(a, bucketCount);
        }
        cells[cells.length - 1] = bucketCount;
        buckets = new int[bucketCount];
        for (int a = 0; a < columns.length; a++) {
            fillBuckets(a);
        }
        records = outputs == 1 ? records() : new long[0];
        limits = new float[columns.length];
        for (int a = 0; a < columns.length; a++) {
            limits[a] = breakCount(a) > 0 ? at(starts[a + 1] - 1 + a * COMPARED) : Float.POSITIVE_INFINITY;
        }
        always = new int[columns.length];
        for (int a = 0; a < columns.length && outputs == 1; a++) {
            always[a] = value(a, 0) == 0 ? 0 : 1;
        }
    }

    private long[] records() {
        long length = PADDING + (long) RECORD * buckets.length;
        if (length > Integer.MAX_VALUE - 8) {
            return new long[0];
        }
        long[] all = new long[(int) length];
        long without = 0;
        for (int a = 0; a < columns.length; a++) {
            double rounding = rounding(a);
            for (int b = firstBucket(a); b < firstBucket(a + 1); b++) {
                int next = b + 1 < firstBucket(a + 1) ? buckets[b + 1] : starts[a + 1] - 1;
                if (!record(a, buckets[b], next, rounding, all, PADDING + RECORD * b)) {
                    all[PADDING + RECORD * b] = Double.doubleToRawLongBits(Double.NaN);
                    without++;
                }
            }
        }
        return without > MOST_WITHOUT * buckets.length ? new long[0] : all;
    }

    /** Returns the largest difference that rounding makes between neighbouring pieces at their common break. */
    private double rounding(int a) {
        double largest = 0;
        for (int p = starts[a] + 1; p < starts[a + 1]; p++) {
            double at = at(p + a * COMPARED);
            largest = Math.max(largest, Math.abs(lines[2 * p]) + Math.abs(at * lines[2 * p + 1]));
        }
        return 1e-13 * largest;
    }

    /**
     * Writes the record of a bucket.
     *
     * @param from the last piece that starts before the bucket
     * @param to the last piece that starts in the bucket, or before it
     * @return false if it does not fit
     */
    private boolean record(int a, int from, int to, double rounding, long[] all, int start) {
        if (to - from > BENDS) {
            return false;
        }
        all[start] = Double.doubleToRawLongBits(lines[2 * from]);
        all[start + 1] = Double.doubleToRawLongBits(lines[2 * from + 1]);
        for (int i = 0; i < BENDS; i++) {
            int piece = from + 1 + i;
            float at = piece <= to ? at(piece + a * COMPARED) : Float.POSITIVE_INFINITY;
            double bend = piece <= to ? lines[2 * piece + 1] - lines[2 * piece - 1] : 0;
            if (piece <= to && !(Math.abs(lines[2 * piece] - lines[2 * piece - 2] + at * bend) <= rounding)) {
                return false;
            }
            all[start + 2 + i] = Double.doubleToRawLongBits(bend);
            long bits = Float.floatToRawIntBits(at) & 0xffffffffL;
            all[start + 2 + BENDS + i / 2] |= bits << (32 * (i % 2));
        }
        return true;
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

    /** Fills the cells of a curve, and returns the first bucket of the next one. */
    private int fillCells(int a, int firstBucket) {
        int shift = a * COMPARED;
        if (breakCount(a) > 0) {
            places[2 * a] = at(starts[a] + 1 + shift);
            double length = at(starts[a + 1] - 1 + shift) - places[2 * a];
            places[2 * a + 1] = length > 0 ? (cellStarts[a + 1] - cellStarts[a]) / Math.sqrt(length) : 0;
        }
        int next = firstBucket;
        int piece = starts[a] + 1;
        for (int c = cellStarts[a]; c < cellStarts[a + 1]; c++) {
            int from = piece;
            while (piece < starts[a + 1] && cell(a, at(piece + shift)) <= c) {
                piece++;
            }
            int count = 1 + (int) (2L * (piece - from) / PER_TWO_BUCKETS);
            double low = piece > from ? at(from + shift) : 0;
            double length = piece > from ? at(piece - 1 + shift) - low : 0;
            cells[CELL * c] = Float.floatToRawIntBits((float) low);
            cells[CELL * c + 1] = Float.floatToRawIntBits(length > 0 ? (float) (count / length) : 0);
            cells[CELL * c + 2] = next;
            next += count;
        }
        return next;
    }

    private int firstBucket(int a) {
        return a == columns.length ? cells[cells.length - 1] : cells[CELL * cellStarts[a] + 2];
    }

    private void fillBuckets(int a) {
        int shift = a * COMPARED;
        int piece = starts[a];
        for (int b = firstBucket(a); b < firstBucket(a + 1); b++) {
            while (piece + 1 < starts[a + 1] && bucketOf(a, at(piece + 1 + shift)) < b) {
                piece++;
            }
            buckets[b] = piece;
        }
    }

    private int cell(int a, double x) {
        return cellByRoot(a, Math.sqrt(x - places[2 * a]));
    }

    /**
     * Returns the cell of a value by the root of its distance from the first break; the first cell for NaN, which is the root
     * before the first break. Square roots spread the values of histograms, most of which are small, more evenly.
     */
    private int cellByRoot(int a, double root) {
        int own = (int) (root * places[2 * a + 1]);
        // In this order, because the number of a cell far above the breaks is the largest integer.
        return cellStarts[a] + Math.min(own, cellStarts[a + 1] - cellStarts[a] - 1);
    }

    /** Returns the bucket of a value in its cell. Larger values have no smaller bucket. */
    private int bucket(int cell, double x) {
        int at = CELL * cell;
        int first = cells[at + 2];
        // The number after the last cell stands where its first bucket would: at the end.
        int count = cells[Math.min(at + CELL + 2, cells.length - 1)] - first;
        int own = (int) ((x - Float.intBitsToFloat(cells[at])) * Float.intBitsToFloat(cells[at + 1]));
        return first + Math.max(0, Math.min(own, count - 1));
    }

    private int bucketOf(int a, double x) {
        return bucket(cell(a, x), x);
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
        long numbers = 2L * total * outputs;
        Require.that(numbers <= Integer.MAX_VALUE, CurveMap.TYPE, "more pieces and outputs than an array holds");
        double[] lines = state.array("lines", (int) numbers);
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
    Part part(int most) {
        return new Part(most, 0, 2);
    }

    @Override
    double sum(Part part, int start, int size) {
        // Loops without branches that depend on the data: wrong predictions of the processor would cost more than the
        // loads. The loads come first, in a short loop, because the processor then waits for many of them at once.
        int[] curves = new int[size + 1];
        int count = gather(part, start, size, curves);
        if (count < 0) {
            return Double.NaN;
        }
        double[] values = part.doubles[0];
        double sum = 0;
        if (records.length == 0) {
            for (int k = 0; k < count; k++) {
                sum += value(curves[k], values[k]);
            }
            return sum;
        }
        int[] at = recordsOf(part, curves, count);
        double[] first = part.doubles[1];
        long[] last = new long[count];
        for (int k = 0; k < count; k++) {
            first[k] = Double.longBitsToDouble(records[at[k]]);
            last[k] = records[at[k] + RECORD - 1];
        }
        for (int k = 0; k < count; k++) {
            double x = values[k];
            int record = at[k];
            long breaksHere = records[record + RECORD - 2];
            double value = first[k]
                    + x * number(record + 1)
                    + (number(record + 2) * behind(x, (int) breaksHere)
                            + number(record + 3) * behind(x, (int) (breaksHere >>> 32)))
                    + (number(record + 4) * behind(x, (int) last[k])
                            + number(record + 5) * behind(x, (int) (last[k] >>> 32)));
            // Behind the last break, the differences of large numbers would be lost.
            if (Double.isNaN(value) || !(x <= limits[curves[k]])) {
                value = value(curves[k], x);
            }
            sum += value;
        }
        return sum;
    }

    /**
     * Gathers the values of a part that have a curve, without the zeros of curves that are 0 there.
     *
     * @param curves receives the curves
     * @return the number of values; negative if one lies outside the domain
     */
    private int gather(Part part, int start, int size, int[] curves) {
        double[] values = part.doubles[0];
        int count = 0;
        int signs = 0;
        for (int j = 0; j < size; j++) {
            float x = part.values[j];
            int bits = Float.floatToRawIntBits(x);
            int magnitude = bits << 1;
            curves[count] = start + j;
            values[count] = x;
            count += ((magnitude | -magnitude) >>> 31) | always[start + j];
            signs |= bits;
        }
        boolean negative = false;
        // Zeros may have a sign.
        for (int k = 0; k < count && nonNegative && signs < 0; k++) {
            negative |= values[k] < 0;
        }
        return negative ? -1 : count;
    }

    private double number(int at) {
        return Double.longBitsToDouble(records[at]);
    }

    /** Returns max(0, x − t). */
    private static double behind(double x, int breakBits) {
        long bits = Double.doubleToRawLongBits(x - Float.intBitsToFloat(breakBits));
        return Double.longBitsToDouble(bits & ~(bits >> 63));
    }

    /** Returns the starts of the records of some values. */
    private int[] recordsOf(Part part, int[] curves, int count) {
        double[] values = part.doubles[0];
        double[] roots = part.doubles[1];
        int[] at = new int[count];
        for (int k = 0; k < count; k++) {
            roots[k] = values[k] - places[2 * curves[k]];
        }
        for (int k = 0; k < count; k++) {
            roots[k] = Math.sqrt(roots[k]);
        }
        for (int k = 0; k < count; k++) {
            at[k] = cellByRoot(curves[k], roots[k]);
        }
        for (int k = 0; k < count; k++) {
            at[k] = PADDING + RECORD * bucket(at[k], values[k]);
        }
        return at;
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

    /** Returns the piece of a value. */
    private int piece(int a, double x) {
        float below = (float) x;
        return search(a, buckets[bucketOf(a, x)], key(below > x ? Math.nextDown(below) : below));
    }

    /** Returns the value of a curve of one output. */
    private double value(int a, double x) {
        int line = 2 * piece(a, x);
        return lines[line] + x * lines[line + 1];
    }

    @Override
    void add(int a, double x, double[] out, int at) {
        int piece = piece(a, x);
        boolean outside = nonNegative && x < 0;
        for (int o = 0; o < outputs; o++) {
            int line = 2 * (piece * outputs + o);
            out[at + o] += outside ? Double.NaN : lines[line] + x * lines[line + 1];
        }
    }
}
