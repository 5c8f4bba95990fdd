package org.bochner.map.fourier;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.layout.MapMemory;
import org.jspecify.annotations.Nullable;

/**
 * Frequencies that are not stored: groups of √p · H D₁ H D₂ H D₃ with p the next power of two above the number of
 * columns, H the Hadamard matrix divided by √p and D random signs, applied by fast Walsh-Hadamard transforms.
 *
 * <p>Cost: O(m log p) per row for m frequencies. Memory: 3 signs, a place and a scale per frequency, for any number of
 * columns. Where so few frequencies of a group are left that a matrix product is faster, they are stored as a matrix.
 */
public final class HadamardProjection extends Projection {
    public static final String TYPE = "hadamard";

    /** Sign changes per group, each followed by a transform. */
    private static final int ROUNDS = 3;

    /** The fewest columns that rows are padded to: the bias of equally long frequencies falls like 1/columns. */
    private static final int FEWEST_COLUMNS = 64;

    /** Rows that are transformed together: enough for fast loops, few enough for the cache. */
    private static final int LANES = 128;

    /** The most values that are transformed together, 16 MiB; but at least {@link #FEWEST_LANES} rows. */
    private static final int LANE_VALUES = 1 << 22;

    private static final int FEWEST_LANES = 16;

    /** Time per value and frequency of a product, and per value and stage of a transform; measured in float32. */
    private static final double PRODUCT_NANOS = 0.02;

    private static final double TRANSFORM_NANOS = 0.05;

    /** The largest matrix of frequencies that is stored, because structured frequencies are to need little memory. */
    private static final double MOST_WRITTEN_BYTES = 1 << 28;

    /** Columns that are transposed together: a cache line of them. */
    private static final int TRANSPOSED = 16;

    private final int padded;
    private final int[] signs;
    private final int[] places;
    private final double[] scales;

    /** The first frequency of every group, and at the end the number of all frequencies. */
    private final int[] firsts;

    /** The frequencies as a matrix, where so few are left that it is faster. */
    private final @Nullable DenseProjection written;

    /** Takes over the arrays, for all frequencies of the groups in order. */
    public HadamardProjection(int[] signs, double[] scales, double[] sigma, boolean heavyTailed) {
        this(signs, IntStream.range(0, scales.length).toArray(), scales, sigma, heavyTailed);
    }

    /**
     * Takes over the arrays.
     *
     * @param signs the sign of group b, round r and padded column c at (b · 3 + r) · padded + c, in the order of the
     *     rounds
     * @param places the place b · padded + c of each frequency; ascending
     * @param scales the factor of each frequency
     */
    private HadamardProjection(int[] signs, int[] places, double[] scales, double[] sigma, boolean heavyTailed) {
        super(scales.length, sigma, heavyTailed);
        this.padded = padded(columns);
        this.signs = signs;
        this.places = places;
        this.scales = scales;
        int groups = signs.length / (ROUNDS * padded);
        firsts = new int[groups + 1];
        for (int place : places) {
            firsts[place / padded + 1]++;
        }
        for (int group = 0; group < groups; group++) {
            firsts[group + 1] += firsts[group];
        }
        boolean few = !whole() && fewEnough(groups);
        written = few ? new DenseProjection(unitFrequencies(), sigma, heavyTailed) : null;
    }

    /** Returns true if no frequency before the last one is missing. */
    private boolean whole() {
        return places[frequencies - 1] == frequencies - 1;
    }

    /** Returns true if a matrix product costs less than the transforms. */
    private boolean fewEnough(int groups) {
        double product = PRODUCT_NANOS * frequencies * columns;
        int stages = Integer.numberOfTrailingZeros(padded);
        return product < TRANSFORM_NANOS * ROUNDS * stages * groups * padded
                && DenseProjection.bytes(columns, frequencies, heavyTailed) <= MOST_WRITTEN_BYTES;
    }

    /** Returns the number of columns after padding: a power of two. */
    public static int padded(int columns) {
        return columns <= FEWEST_COLUMNS ? FEWEST_COLUMNS : Integer.highestOneBit(columns - 1) << 1;
    }

    /** Returns the number of signs for a number of frequencies. */
    public static int signs(int columns, int frequencies) {
        Require.that(columns <= 1 << 30, TYPE, "at most 2^30 columns can be padded, got " + columns);
        int padded = padded(columns);
        int groups = (frequencies - 1) / padded + 1;
        return MapMemory.size(TYPE, padded, ROUNDS * groups);
    }

    /** Returns the bytes that a number of frequencies needs. */
    public static double bytes(int columns, int frequencies) {
        double padded = Math.max(FEWEST_COLUMNS, 2.0 * Integer.highestOneBit(columns - 1));
        double groups = Math.ceil(Math.max(1, frequencies) / padded);
        return Integer.BYTES * ROUNDS * padded * groups
                + (Integer.BYTES + Double.BYTES) * (double) frequencies
                + Double.BYTES * (double) columns;
    }

    /** Reads the arrays before it makes others, because their lengths confirm the counts. */
    public static HadamardProjection load(State state, ShiftInvariantKernel kernel, int columns, int frequencies) {
        double[] scales = state.array("scales", frequencies);
        int[] places = state.has("places")
                ? Require.ascending(TYPE, "places", state.integers("places", frequencies), Integer.MAX_VALUE - 1)
                : IntStream.range(0, frequencies).toArray();
        int[] signs = state.integers("signs", signs(columns, places[frequencies - 1] + 1));
        for (int sign : signs) {
            if (Math.abs(sign) != 1) {
                throw new BochnerException(TYPE + ": signs must be 1 or -1, found " + sign);
            }
        }
        boolean heavyTailed = kernel.spectrum().heavyTailed();
        return new HadamardProjection(signs, places, scales, FourierMap.sigma(kernel, columns), heavyTailed);
    }

    /** Computed by projecting the unit vectors: O(d · m · log d). */
    @Override
    public double[] unitFrequencies() {
        double[] unit = new double[MapMemory.size(TYPE, columns, frequencies)];
        double[] scaled = new double[columns];
        double[] projected = new double[frequencies];
        for (int l = 0; l < columns; l++) {
            scaled[l] = 1;
            turnsOfScaled(scaled, projected);
            scaled[l] = 0;
            for (int j = 0; j < frequencies; j++) {
                unit[j * columns + l] = projected[j] * 2 * Math.PI;
            }
        }
        return unit;
    }

    @Override
    public HadamardProjection withSigma(double[] other) {
        return new HadamardProjection(signs, places, scales, other.clone(), heavyTailed);
    }

    /** Drops the groups that have no frequencies left; the others cost as much as before. */
    @Override
    public HadamardProjection restrict(int[] kept) {
        int[] leftPlaces = new int[kept.length];
        double[] leftScales = new double[kept.length];
        int[] leftSigns = new int[signs.length];
        int groupSigns = ROUNDS * padded;
        int last = -1;
        int groups = 0;
        for (int j = 0; j < kept.length; j++) {
            int group = places[kept[j]] / padded;
            if (group > last) {
                System.arraycopy(signs, group * groupSigns, leftSigns, groups * groupSigns, groupSigns);
                groups++;
                last = group;
            }
            leftPlaces[j] = (groups - 1) * padded + places[kept[j]] % padded;
            leftScales[j] = scales[kept[j]];
        }
        return new HadamardProjection(
                Arrays.copyOf(leftSigns, groups * groupSigns), leftPlaces, leftScales, sigma, heavyTailed);
    }

    @Override
    public void turns(double[] x, double[] out) {
        turnsOfScaled(scaled(x), out);
    }

    /** The turns of a row in units of the length-scales. */
    private void turnsOfScaled(double[] scaled, double[] out) {
        double[] work = new double[padded];
        // Three transforms without their factor 1/√p, times √p: a factor of 1/p.
        double factor = 1 / (2 * Math.PI * padded);
        for (int group = 0; group < firsts.length - 1; group++) {
            System.arraycopy(scaled, 0, work, 0, columns);
            Arrays.fill(work, columns, padded, 0);
            for (int round = 0; round < ROUNDS; round++) {
                int start = (group * ROUNDS + round) * padded;
                for (int c = 0; c < padded; c++) {
                    work[c] *= signs[start + c];
                }
                transform(work);
            }
            for (int j = firsts[group]; j < firsts[group + 1]; j++) {
                out[j] = work[places[j] - group * padded] * scales[j] * factor;
            }
        }
    }

    /** Walsh-Hadamard transform in natural order, without a factor. */
    private static void transform(double[] v) {
        for (int half = 1; half < v.length; half *= 2) {
            for (int start = 0; start < v.length; start += 2 * half) {
                for (int c = start; c < start + half; c++) {
                    double a = v[c];
                    double b = v[c + half];
                    v[c] = a + b;
                    v[c + half] = a - b;
                }
            }
        }
    }

    @Override
    public Pass over(RowReader rows) {
        if (written != null) {
            return written.over(rows);
        }
        return heavyTailed ? new DoublePass(rows) : new LanePass(rows);
    }

    @Override
    public State state() {
        State state = State.of(TYPE).with("signs", signs).with("scales", scales);
        return whole() ? state : state.with("places", places);
    }

    /** Projects row by row by the definition. */
    private class DoublePass implements Pass {
        final RowReader rows;
        private final double[] x = new double[columns];
        private final double[] turns = new double[frequencies];

        DoublePass(RowReader rows) {
            this.rows = rows;
        }

        @Override
        public void project(int from, int to, double[] out, int offset, int stride, boolean add) {
            for (int i = from; i < to; i++) {
                rows.readRow(i, x);
                turns(x, turns);
                int at = offset + (i - from) * stride;
                for (int j = 0; j < frequencies; j++) {
                    out[at + j] = turns[j] + (add ? out[at + j] : 0);
                }
            }
        }

        @Override
        public void project(int from, int to, float[] out, int offset, int stride, boolean add) {
            for (int i = from; i < to; i++) {
                rows.readRow(i, x);
                turns(x, turns);
                int at = offset + (i - from) * stride;
                for (int j = 0; j < frequencies; j++) {
                    out[at + j] = (float) (turns[j] - Math.rint(turns[j])) + (add ? out[at + j] : 0);
                }
            }
        }
    }

    /**
     * Projects many rows together in float32: {@code lanes[c][i]} is padded column c of row i. Butterflies between two
     * of these arrays are vectorised (0.05 ns per value), those between two halves of one array are not (0.27 ns).
     */
    private final class LanePass extends DoublePass {
        private final int most = Math.max(FEWEST_LANES, Math.min(LANES, LANE_VALUES / padded));
        private final float[][] lanes = new float[padded][Math.min(most, rows.rows())];
        private float[] tile = new float[0];

        LanePass(RowReader rows) {
            super(rows);
        }

        @Override
        public void project(int from, int to, float[] out, int offset, int stride, boolean add) {
            for (int i = from; i < to && !add; i++) {
                int at = offset + (i - from) * stride;
                Arrays.fill(out, at, at + frequencies, 0);
            }
            for (int start = from; start < to; start += most) {
                int count = Math.min(most, to - start);
                if (tile.length < count * columns) {
                    tile = new float[count * columns];
                }
                rows.read(start, start + count, tile);
                for (int group = 0; group < firsts.length - 1; group++) {
                    load(count, group * ROUNDS * padded);
                    transform();
                    for (int round = 1; round < ROUNDS; round++) {
                        flipSigns((group * ROUNDS + round) * padded);
                        transform();
                    }
                    store(count, group, out, offset + (start - from) * stride, stride);
                }
            }
        }

        private void load(int count, int signsStart) {
            for (int first = 0; first < columns; first += TRANSPOSED) {
                int last = Math.min(first + TRANSPOSED, columns);
                for (int i = 0; i < count; i++) {
                    for (int c = first; c < last; c++) {
                        lanes[c][i] = tile[i * columns + c];
                    }
                }
            }
            for (int c = 0; c < columns; c++) {
                multiply(lanes[c], (float) (signs[signsStart + c] / sigma[c]));
            }
            for (int c = columns; c < padded; c++) {
                Arrays.fill(lanes[c], 0);
            }
        }

        private void flipSigns(int signsStart) {
            for (int c = 0; c < padded; c++) {
                if (signs[signsStart + c] < 0) {
                    multiply(lanes[c], -1);
                }
            }
        }

        /** Two stages at a time, so that each lane is read and written half as often. */
        private void transform() {
            int half = 1;
            for (; 4 * half <= padded; half *= 4) {
                for (int start = 0; start < padded; start += 4 * half) {
                    for (int c = start; c < start + half; c++) {
                        doubleButterfly(lanes[c], lanes[c + half], lanes[c + 2 * half], lanes[c + 3 * half]);
                    }
                }
            }
            if (half < padded) {
                for (int c = 0; c < half; c++) {
                    butterfly(lanes[c], lanes[c + half]);
                }
            }
        }

        private void store(int count, int group, float[] out, int offset, int stride) {
            double factor = 1 / (2 * Math.PI * padded);
            int first = firsts[group];
            int last = firsts[group + 1];
            int firstPlace = group * padded;
            for (int j = first; j < last; j++) {
                multiply(lanes[places[j] - firstPlace], (float) (scales[j] * factor));
            }
            for (int start = first; start < last; start += TRANSPOSED) {
                int end = Math.min(start + TRANSPOSED, last);
                for (int i = 0; i < count; i++) {
                    int at = offset + i * stride;
                    for (int j = start; j < end; j++) {
                        out[at + j] += lanes[places[j] - firstPlace][i];
                    }
                }
            }
        }
    }

    private static void multiply(float[] lane, float factor) {
        for (int i = 0; i < lane.length; i++) {
            lane[i] *= factor;
        }
    }

    private static void butterfly(float[] x, float[] y) {
        for (int i = 0; i < x.length; i++) {
            float a = x[i];
            float b = y[i];
            x[i] = a + b;
            y[i] = a - b;
        }
    }

    private static void doubleButterfly(float[] x, float[] y, float[] z, float[] w) {
        for (int i = 0; i < x.length; i++) {
            float a = x[i] + y[i];
            float b = x[i] - y[i];
            float c = z[i] + w[i];
            float d = z[i] - w[i];
            x[i] = a + c;
            y[i] = b + d;
            z[i] = a - c;
            w[i] = b - d;
        }
    }
}
