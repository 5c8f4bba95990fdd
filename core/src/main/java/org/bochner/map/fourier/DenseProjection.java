package org.bochner.map.fourier;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.SparseRows;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.function.Turns;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;

/**
 * Frequencies written out as a matrix, multiplied by BLAS.
 *
 * <p>Unit frequencies are kept in float64 beside the length-scales; a float32 matrix of ω/2π is derived from both,
 * twice: flat for gemm, and as one array per column for sparse rows (a loop over two arrays vectorises only when both
 * start at index 0: 0.06 ns against 0.30 ns per value on JDK 17 and 25). Heavy-tailed spectra project in float64
 * instead: at |ω·x| = 1e6, float32 would leave an error of 0.02 in the cosine. The few frequencies for which float64 would
 * not do either lose their whole turns column by column, in twice the precision of float64.
 *
 * <p>Memory: 16 bytes per column and frequency, 8 for heavy-tailed spectra.
 */
public final class DenseProjection extends Projection {
    public static final String TYPE = "dense";

    private static final double TURNS_PER_RADIAN = 1 / (2 * Math.PI);

    /**
     * Share of non-zeros above which sparse rows are filled up and multiplied by gemm. Measured at 1024 frequencies: a
     * non-zero costs 0.04 ns per frequency here, a value 0.02 ns in gemm.
     */
    private static final double DENSE_ENOUGH = 0.4;

    /**
     * Turns per length-scale above which a frequency is projected column by column. Below, a row of a thousand
     * length-scales leaves an error of 1e-8 turns in float64. One in 600,000 frequencies of the Laplacian kernel is above.
     */
    private static final double MOST_TURNS = 1 << 16;

    /** Bytes of working memory for rows before gemm. */
    private static final int SCRATCH_BYTES = 1 << 20;

    private final double[] unit;
    private final float[] flat;
    private final float[][] byColumn;

    /** The indices of the frequencies that are projected column by column; only of heavy-tailed spectra. */
    private final int[] huge;

    /** Takes over the arrays: unit frequencies one after the other, length-scales one per column. */
    public DenseProjection(double[] unit, double[] sigma, boolean heavyTailed) {
        super(unit.length / sigma.length, sigma, heavyTailed);
        this.unit = unit;
        this.byColumn = heavyTailed ? new float[0][] : turnsByColumn();
        this.flat = flatten(byColumn);
        this.huge = heavyTailed
                ? IntStream.range(0, frequencies).filter(this::isHuge).toArray()
                : new int[0];
    }

    private boolean isHuge(int j) {
        double sum = 0;
        for (int l = 0; l < columns; l++) {
            sum += Math.abs(unit[j * columns + l]);
        }
        return sum * TURNS_PER_RADIAN > MOST_TURNS;
    }

    /** Returns the projection on unit frequencies, with the length-scales of a kernel. Takes over the array. */
    public static DenseProjection of(double[] unit, ShiftInvariantKernel kernel, int columns) {
        return new DenseProjection(
                unit, FourierMap.sigma(kernel, columns), kernel.spectrum().heavyTailed());
    }

    /** Returns the bytes that a number of frequencies needs. */
    public static double bytes(int columns, int frequencies, boolean heavyTailed) {
        return (heavyTailed ? 8.0 : 16.0) * columns * frequencies;
    }

    /** Reads the arrays before it makes others, because their lengths confirm the counts. */
    public static DenseProjection load(State state, ShiftInvariantKernel kernel, int columns, int frequencies) {
        return of(state.array("unitFrequencies", MapMemory.size(TYPE, columns, frequencies)), kernel, columns);
    }

    private float[][] turnsByColumn() {
        float[][] turns = new float[columns][frequencies];
        for (int l = 0; l < columns; l++) {
            for (int j = 0; j < frequencies; j++) {
                turns[l][j] = (float) (unit[j * columns + l] / sigma[l] * TURNS_PER_RADIAN);
            }
        }
        return turns;
    }

    private float[] flatten(float[][] rows) {
        float[] flat = new float[rows.length * frequencies];
        for (int l = 0; l < rows.length; l++) {
            System.arraycopy(rows[l], 0, flat, l * frequencies, frequencies);
        }
        return flat;
    }

    @Override
    public double[] unitFrequencies() {
        return unit.clone();
    }

    @Override
    public DenseProjection withSigma(double[] other) {
        return new DenseProjection(unit, other.clone(), heavyTailed);
    }

    @Override
    public boolean movable() {
        return true;
    }

    @Override
    public DenseProjection withUnitFrequencies(double[] moved) {
        Require.sameSize(TYPE, "numbers of frequencies", moved.length, unit.length);
        return new DenseProjection(moved.clone(), sigma, heavyTailed);
    }

    @Override
    public DenseProjection restrict(int[] kept) {
        double[] left = new double[kept.length * columns];
        for (int j = 0; j < kept.length; j++) {
            System.arraycopy(unit, kept[j] * columns, left, j * columns, columns);
        }
        return new DenseProjection(left, sigma, heavyTailed);
    }

    @Override
    public void turns(double[] x, double[] out) {
        double[] scaled = scaled(x);
        for (int j = 0; j < frequencies; j++) {
            double sum = 0;
            for (int l = 0; l < columns; l++) {
                sum += unit[j * columns + l] * scaled[l];
            }
            out[j] = sum * TURNS_PER_RADIAN;
        }
        for (int j : huge) {
            out[j] = fraction(scaled, 0, j);
        }
    }

    /**
     * Returns the turns of frequency j without their whole part, up to a few whole turns. Each product is the exact sum of
     * two doubles, so that the fraction of a turn is right for products of up to 2¹⁰⁵ turns.
     */
    private double fraction(double[] scaled, int from, int j) {
        double sum = 0;
        for (int l = 0; l < columns; l++) {
            double omega = unit[j * columns + l] * TURNS_PER_RADIAN;
            double product = omega * scaled[from + l];
            double rest = Math.fma(omega, scaled[from + l], -product);
            sum += (product - Math.rint(product)) + (rest - Math.rint(rest));
        }
        return sum;
    }

    @Override
    public Pass over(RowReader rows) {
        if (heavyTailed) {
            return new DoublePass(rows);
        }
        SparseRows sparse = rows.sparse();
        if (sparse != null && sparse.entries() < DENSE_ENOUGH * sparse.rows() * columns) {
            return new SparsePass(rows, sparse);
        }
        return new GemmPass(rows);
    }

    @Override
    public State state() {
        return State.of(TYPE).with("unitFrequencies", unit, frequencies, columns);
    }

    /** Projects in float64, also where the result is float32. */
    private class DoublePass implements Pass {
        final RowReader rows;
        private final int capacity;
        private double[] tile = new double[0];
        private double[] turns = new double[0];

        DoublePass(RowReader rows) {
            this.rows = rows;
            int widest = Math.max(columns, frequencies);
            this.capacity = Math.max(8, Math.min(rows.rows(), SCRATCH_BYTES / (8 * widest)));
        }

        @Override
        public void project(int from, int to, double[] out, int offset, int stride, boolean add) {
            for (int start = from; start < to; start += capacity) {
                int count = Math.min(capacity, to - start);
                multiply(start, count, add ? 1 : 0, out, offset + (start - from) * stride, stride);
            }
        }

        @Override
        public void project(int from, int to, float[] out, int offset, int stride, boolean add) {
            if (turns.length == 0) {
                turns = new double[capacity * frequencies];
            }
            for (int start = from; start < to; start += capacity) {
                int count = Math.min(capacity, to - start);
                multiply(start, count, 0, turns, 0, frequencies);
                for (int i = 0; i < count; i++) {
                    int at = offset + (start - from + i) * stride;
                    if (add) {
                        addReduced(turns, i * frequencies, out, at, frequencies);
                    } else {
                        Turns.reduce(turns, i * frequencies, out, at, frequencies);
                    }
                }
            }
        }

        private void multiply(int start, int count, double beta, double[] out, int offset, int stride) {
            if (tile.length == 0) {
                tile = new double[capacity * columns];
            }
            double[] row = new double[columns];
            for (int i = 0; i < count; i++) {
                rows.readRow(start + i, row);
                for (int l = 0; l < columns; l++) {
                    tile[i * columns + l] = row[l] / sigma[l];
                }
            }
            double[] before = new double[beta == 0 ? 0 : count * huge.length];
            for (int k = 0; k < before.length; k++) {
                before[k] = out[offset + k / huge.length * stride + huge[k % huge.length]];
            }
            Matrix<double[]> scaled = Matrix.of(tile, count, columns);
            Matrix<double[]> units = Matrix.of(unit, frequencies, columns);
            Matrix<double[]> turns = Matrix.of(out, offset, count, frequencies, stride);
            Blas.get().multiply(TURNS_PER_RADIAN, scaled, units.transposed(), beta, turns);
            for (int k = 0; k < count * huge.length; k++) {
                int i = k / huge.length;
                int j = huge[k % huge.length];
                out[offset + i * stride + j] = fraction(tile, i * columns, j) + (beta == 0 ? 0 : before[k]);
            }
        }
    }

    /** Multiplies by gemm in float32, directly from the array of a dense block. */
    private final class GemmPass extends DoublePass {
        private float[] filled = new float[0];

        GemmPass(RowReader rows) {
            super(rows);
        }

        @Override
        public void project(int from, int to, float[] out, int offset, int stride, boolean add) {
            filled = rows.room(to - from, filled);
            Matrix<float[]> block = rows.matrix(from, to, filled);
            Matrix<float[]> turns = Matrix.of(out, offset, to - from, frequencies, stride);
            Blas.get().multiply(1f, block, Matrix.of(flat, columns, frequencies), add ? 1f : 0f, turns);
        }
    }

    /** Adds up the columns of a row's non-zeros, four at a time, in an array that starts at index 0. */
    private final class SparsePass extends DoublePass {
        private final SparseRows sparse;
        private final float[] sum = new float[frequencies];

        SparsePass(RowReader rows, SparseRows sparse) {
            super(rows);
            this.sparse = sparse;
        }

        @Override
        public void project(int from, int to, float[] out, int offset, int stride, boolean add) {
            int[] indices = sparse.indices();
            float[] values = sparse.values();
            for (int i = from; i < to; i++) {
                int at = offset + (i - from) * stride;
                if (add) {
                    System.arraycopy(out, at, sum, 0, frequencies);
                } else {
                    Arrays.fill(sum, 0);
                }
                int e = sparse.starts()[i];
                int end = sparse.starts()[i + 1];
                for (; e + 4 <= end; e += 4) {
                    addFour(
                            sum,
                            values[e],
                            byColumn[indices[e]],
                            values[e + 1],
                            byColumn[indices[e + 1]],
                            values[e + 2],
                            byColumn[indices[e + 2]],
                            values[e + 3],
                            byColumn[indices[e + 3]]);
                }
                for (; e < end; e++) {
                    addOne(sum, values[e], byColumn[indices[e]]);
                }
                System.arraycopy(sum, 0, out, at, frequencies);
            }
        }
    }

    private static void addOne(float[] sum, float a, float[] x) {
        for (int j = 0; j < sum.length; j++) {
            sum[j] += a * x[j];
        }
    }

    private static void addFour(
            float[] sum, float a, float[] x, float b, float[] y, float c, float[] z, float d, float[] w) {
        for (int j = 0; j < sum.length; j++) {
            sum[j] += a * x[j] + b * y[j] + (c * z[j] + d * w[j]);
        }
    }

    /** Adds turns without their whole part, which would take the precision of float32. */
    private static void addReduced(double[] turns, int from, float[] out, int at, int count) {
        for (int j = 0; j < count; j++) {
            double t = turns[from + j];
            out[at + j] += (float) (t - Math.rint(t));
        }
    }
}
