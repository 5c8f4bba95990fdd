package org.bochner.map;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.ShiftInvariantKernel;

/**
 * Frequencies that are never written out: blocks of √p · H D₁ H D₂ H D₃ with p the next power of two above the number of
 * columns, H the Hadamard matrix divided by √p and D random signs, applied by fast Walsh-Hadamard transforms.
 *
 * <p>Cost: O(m log p) a row for m frequencies. Memory: 3 signs and a scale a frequency, whatever the number of columns.
 */
final class HadamardProjection implements Projection {
    static final String TYPE = "hadamard";

    /** Sign changes, each followed by a transform, in one block. */
    private static final int ROUNDS = 3;

    /** Rows are padded to this width at least: the bias of equally long frequencies falls like 1/width. */
    private static final int FEWEST_COLUMNS = 64;

    /** Rows transformed side by side: long enough for the loops over them, small enough for the cache. */
    private static final int LANES = 128;

    /** Of very wide rows fewer, 16 MiB of them, but at least so many. */
    private static final int LANE_VALUES = 1 << 22;

    private static final int FEWEST_LANES = 16;

    /** Columns that change between rows and lanes together: a cache line of them. */
    private static final int TRANSPOSED = 16;

    private final int columns;
    private final int frequencies;
    private final int padded;
    private final int[] signs;
    private final double[] scales;
    private final double[] sigma;
    private final boolean heavyTailed;

    /**
     * Takes over the arrays.
     *
     * @param signs of block b, round r and padded column c at (b · 3 + r) · padded + c; the rounds in the order in which
     *     they meet the row
     * @param scales the factor of each frequency
     */
    HadamardProjection(int[] signs, double[] scales, double[] sigma, boolean heavyTailed) {
        this.columns = sigma.length;
        this.frequencies = scales.length;
        this.padded = padded(columns);
        this.signs = signs;
        this.scales = scales;
        this.sigma = sigma;
        this.heavyTailed = heavyTailed;
    }

    /** The next power of two, and not too small a one. */
    static int padded(int columns) {
        return columns <= FEWEST_COLUMNS ? FEWEST_COLUMNS : Integer.highestOneBit(columns - 1) << 1;
    }

    /** How many signs so many frequencies of so many columns take. */
    static int signs(int columns, int frequencies) {
        Require.that(columns <= 1 << 30, TYPE, "at most 2^30 columns can be padded, got " + columns);
        int padded = padded(columns);
        int blocks = (frequencies - 1) / padded + 1;
        return MapMemory.size(TYPE, padded, ROUNDS * blocks);
    }

    /** Bytes that so many frequencies of so many columns need. */
    static double bytes(int columns, int frequencies) {
        double padded = Math.max(FEWEST_COLUMNS, 2.0 * Integer.highestOneBit(columns - 1));
        double blocks = Math.ceil(Math.max(1, frequencies) / padded);
        return Integer.BYTES * ROUNDS * padded * blocks + Double.BYTES * ((double) frequencies + columns);
    }

    /** Reads the arrays before it makes any: their lengths vouch for the counts. */
    static HadamardProjection load(State state, ShiftInvariantKernel kernel, int columns, int frequencies) {
        int[] signs = state.integers("signs", signs(columns, frequencies));
        for (int sign : signs) {
            if (Math.abs(sign) != 1) {
                throw new BochnerException(TYPE + ": signs must be 1 or -1, found " + sign);
            }
        }
        double[] scales = state.array("scales", frequencies);
        return new HadamardProjection(
                signs,
                scales,
                FourierMap.sigma(kernel, columns),
                kernel.spectrum().heavyTailed());
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public int frequencies() {
        return frequencies;
    }

    /** Written out by projecting the unit vectors: O(d · m · log d). */
    @Override
    public double[] unitFrequencies() {
        double[] unit = new double[MapMemory.size(TYPE, columns, frequencies)];
        double[] x = new double[columns];
        double[] projected = new double[frequencies];
        for (int l = 0; l < columns; l++) {
            x[l] = sigma[l];
            turns(x, projected);
            x[l] = 0;
            for (int j = 0; j < frequencies; j++) {
                unit[j * columns + l] = projected[j] * 2 * Math.PI;
            }
        }
        return unit;
    }

    @Override
    public HadamardProjection withSigma(double[] sigma) {
        return new HadamardProjection(signs, scales, sigma.clone(), heavyTailed);
    }

    @Override
    public void turns(double[] x, double[] out) {
        double[] work = new double[padded];
        // Three transforms without their 1/√p each, times √p: 1/p in all.
        double factor = 1 / (2 * Math.PI * padded);
        for (int first = 0; first < frequencies; first += padded) {
            for (int l = 0; l < columns; l++) {
                work[l] = x[l] / sigma[l];
            }
            Arrays.fill(work, columns, padded, 0);
            for (int round = 0; round < ROUNDS; round++) {
                int start = first * ROUNDS + round * padded;
                for (int c = 0; c < padded; c++) {
                    work[c] *= signs[start + c];
                }
                transform(work);
            }
            for (int j = first; j < Math.min(first + padded, frequencies); j++) {
                out[j] = work[j - first] * scales[j] * factor;
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
        return heavyTailed ? new DoublePass(rows) : new LanePass(rows);
    }

    @Override
    public State state() {
        return State.of(TYPE).with("signs", signs).with("scales", scales);
    }

    /** Row by row through the definition. */
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
     * In float32, many rows side by side: {@code lanes[c][i]} is padded column c of row i. Butterflies between two such
     * arrays vectorise (0.05 ns a value), those between two halves of one array do not (0.27 ns).
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
                readTile(start, count);
                for (int first = 0; first < frequencies; first += padded) {
                    load(count, first * ROUNDS);
                    transform();
                    for (int round = 1; round < ROUNDS; round++) {
                        flipSigns(first * ROUNDS + round * padded);
                        transform();
                    }
                    store(count, first, out, offset + (start - from) * stride, stride);
                }
            }
        }

        private void readTile(int start, int count) {
            if (tile.length < count * columns) {
                tile = new float[count * columns];
            }
            rows.read(start, start + count, tile);
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

        private void store(int count, int first, float[] out, int offset, int stride) {
            double factor = 1 / (2 * Math.PI * padded);
            int last = Math.min(first + padded, frequencies);
            for (int j = first; j < last; j++) {
                multiply(lanes[j - first], (float) (scales[j] * factor));
            }
            for (int start = first; start < last; start += TRANSPOSED) {
                int end = Math.min(start + TRANSPOSED, last);
                for (int i = 0; i < count; i++) {
                    int at = offset + i * stride;
                    for (int j = start; j < end; j++) {
                        out[at + j] += lanes[j - first][i];
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
