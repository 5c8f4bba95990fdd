package org.bochner.map.binning;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.map.composed.MapAlgebra;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Random grids over the columns of rows. In each grid, a column is divided into bins of one random width, from a random
 * start; a cell is one bin of every column. The {@linkplain GridLaw distribution of the widths} is chosen so that two rows share a
 * cell with probability k(x, y).
 *
 * <p>The bin of a value is ⌊rate·x + shift⌋ with rate = 1/width and a shift in [0, 1). The bin of 0 is therefore 0 in every
 * grid. The hash of a cell is Σₗ binₗ·Aₗ modulo 2⁶⁴ with odd multipliers Aₗ, mixed by a bijection; zeros add nothing, so
 * sparse rows cost the time of their non-zeros.
 *
 * <p>Collisions: if the odd multipliers were drawn at random, two different cells would have one hash with probability at most
 * 2^(k−63), where 2^k is the largest power of two that divides all differences of their bins. Here they are fixed numbers of
 * a random stream. Bins of neighbouring cells differ by small numbers, and k is 0 for half of all differences, 1 for a
 * quarter, and so on: the mean of the bound is 2⁻⁶⁰ for differences below 2¹⁶. A grid of a million cells then has a collision
 * with a probability of about 4·10⁻⁷, and a collision only adds the weights of two cells.
 *
 * <p>Threads: safe; immutable.
 */
final class Grids {
    private static final String OWNER = "binning";

    private static final String FEWER = "use fewer grids";

    private final int columns;
    /** 1/width, grids×columns; 0 for columns that a grid ignores. */
    private final double[] rates;

    private final double[] shifts;
    /** The feature of a row that lies in a cell, per grid. */
    private final double[] values;
    /** The term of the kernel, per grid. */
    private final int[] terms;

    private final long[] multipliers;

    Grids(int columns, double[] rates, double[] shifts, double[] values, int[] terms) {
        this.columns = Require.atLeast(OWNER, "columns", columns, 1);
        this.rates = rates;
        this.shifts = shifts;
        this.values = values;
        this.terms = terms;
        multipliers = new long[columns];
        Arrays.setAll(multipliers, l -> new Seed(l).derive(OWNER).value() | 1);
    }

    /**
     * Draws grids for a kernel. Each term of a sum has grids of its own, in proportion to its factor: the error of a·k has
     * the variance a²/R, and the sum of these is least where R is proportional to a.
     *
     * @param laws the laws of each term
     */
    static Grids draw(Kernel kernel, List<List<GridLaw>> laws, int columns, int count, Seed seed) {
        List<Kernel> all = MapAlgebra.terms(kernel);
        double[] factors = new double[all.size()];
        Arrays.setAll(factors, t -> all.get(t) instanceof ScaledKernel scaled ? scaled.factor() : 1);
        int[] shares = MapAlgebra.shareOut(count, factors, 1);
        int grids = Arrays.stream(shares).sum();
        // Columns of no law have the rate 0, and are ignored.
        String what = grids + " grids of " + columns + " columns";
        MemoryBudget.requireArray((long) grids * Math.max(columns, BinningMap.BLOCK_ROWS), what, FEWER);
        MemoryBudget.whole().require((double) grids * (16L * columns + new CellCounter(1).bytes(0)), what, FEWER);
        double[] rates = new double[grids * columns];
        double[] shifts = new double[rates.length];
        double[] values = new double[grids];
        int[] terms = new int[grids];
        int grid = 0;
        for (int t = 0; t < shares.length; t++) {
            for (int g = 0; g < shares[t]; g++, grid++) {
                RandomStream stream = seed.derive(t).derive(g).stream();
                for (GridLaw law : laws.get(t)) {
                    law.draw(stream, rates, shifts, grid * columns);
                }
                values[grid] = Math.sqrt(factors[t] / shares[t]);
                terms[grid] = t;
            }
        }
        return new Grids(columns, rates, shifts, values, terms);
    }

    int columns() {
        return columns;
    }

    int count() {
        return values.length;
    }

    double value(int grid) {
        return values[grid];
    }

    int term(int grid) {
        return terms[grid];
    }

    double[] rates() {
        return rates;
    }

    double[] shifts() {
        return shifts;
    }

    double[] values() {
        return values;
    }

    int[] terms() {
        return terms;
    }

    /** Returns some of the grids, with other numbers of terms. */
    Grids select(int[] kept, int[] newTerms) {
        double[] newRates = new double[kept.length * columns];
        double[] newShifts = new double[kept.length * columns];
        double[] newValues = new double[kept.length];
        int[] of = new int[kept.length];
        for (int g = 0; g < kept.length; g++) {
            System.arraycopy(rates, kept[g] * columns, newRates, g * columns, columns);
            System.arraycopy(shifts, kept[g] * columns, newShifts, g * columns, columns);
            newValues[g] = values[kept[g]];
            of[g] = newTerms[terms[kept[g]]];
        }
        return new Grids(columns, newRates, newShifts, newValues, of);
    }

    /** Returns the hash of the cell of one row. It is never 0. */
    long hash(double[] x, int grid) {
        int start = grid * columns;
        long sum = 0;
        for (int l = 0; l < columns; l++) {
            sum += bin(x[l], rates[start + l], shifts[start + l]) * multipliers[l];
        }
        return mix(sum);
    }

    /** Returns the rows as sparse rows if at least half of their values are 0, which saves the time of zeros in every grid. */
    static RowBlock compact(RowBlock rows) {
        if (!(rows instanceof DenseRows dense)) {
            return rows;
        }
        float[] x = dense.values();
        int columns = dense.columns();
        int[] starts = new int[dense.rows() + 1];
        for (int i = 0; i < dense.rows(); i++) {
            int at = dense.offset() + i * dense.stride();
            int count = 0;
            for (int l = 0; l < columns; l++) {
                count += x[at + l] != 0 ? 1 : 0;
            }
            starts[i + 1] = starts[i] + count;
        }
        int entries = starts[dense.rows()];
        if (2L * entries > (long) dense.rows() * columns) {
            return rows;
        }
        int[] indices = new int[entries];
        float[] values = new float[entries];
        int next = 0;
        for (int i = 0; i < dense.rows(); i++) {
            int at = dense.offset() + i * dense.stride();
            for (int l = 0; l < columns; l++) {
                if (x[at + l] != 0) {
                    indices[next] = l;
                    values[next++] = x[at + l];
                }
            }
        }
        return SparseRows.of(dense.rows(), columns, starts, indices, values);
    }

    /** Writes the hashes of the cells of all rows of a block. */
    void hash(RowBlock rows, int grid, long[] hashes) {
        if (rows instanceof SparseRows sparse) {
            hash(sparse, grid * columns, rates, shifts, multipliers, hashes);
        } else {
            hash((DenseRows) rows, grid * columns, rates, shifts, multipliers, hashes);
        }
    }

    // Loops over values are static methods on local arrays: fields would be read again in every step.
    private static void hash(
            DenseRows rows, int start, double[] rates, double[] shifts, long[] multipliers, long[] hashes) {
        float[] x = rows.values();
        int columns = rows.columns();
        int count = rows.rows();
        for (int i = 0; i < count; i++) {
            int at = rows.offset() + i * rows.stride();
            long sum = 0;
            for (int l = 0; l < columns; l++) {
                sum += bin(x[at + l], rates[start + l], shifts[start + l]) * multipliers[l];
            }
            hashes[i] = mix(sum);
        }
    }

    private static void hash(
            SparseRows rows, int start, double[] rates, double[] shifts, long[] multipliers, long[] hashes) {
        float[] x = rows.values();
        int[] indices = rows.indices();
        int[] starts = rows.starts();
        int count = rows.rows();
        for (int i = 0; i < count; i++) {
            long sum = 0;
            for (int e = starts[i]; e < starts[i + 1]; e++) {
                int l = indices[e];
                sum += bin(x[e], rates[start + l], shifts[start + l]) * multipliers[l];
            }
            hashes[i] = mix(sum);
        }
    }

    private static long bin(double x, double rate, double shift) {
        double place = x * rate + shift;
        long bin = (long) place;
        if (bin == Long.MAX_VALUE || bin == Long.MIN_VALUE) {
            // Beyond 64 bits, neighbouring numbers are far more than a bin apart.
            return Double.doubleToLongBits(place);
        }
        return place < bin ? bin - 1 : bin;
    }

    /** Spreads a sum over all 64 bits, because tables are looked up by the first bits. The result is never 0. */
    private static long mix(long sum) {
        long z = (sum ^ (sum >>> 33)) * 0xff51afd7ed558ccdL;
        z = (z ^ (z >>> 33)) * 0xc4ceb9fe1a85ec53L;
        z ^= z >>> 33;
        return z == 0 ? 1 : z;
    }
}
