package org.bochner.map.landmark;

import java.util.Arrays;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.map.layout.MapMemory;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * A growing factor G of the kernel values between n rows, K ≈ GGᵀ, with one column per pivot row; the approximation is
 * exact in the rows and columns of the pivots. Row i of G is the whitened landmark map of row i with the pivots as
 * landmarks. The full matrix K is never computed.
 *
 * <p>Cost: n·r operations for pivot r, and n kernel values. Memory: 8·n bytes per pivot.
 *
 * <p>Threads: not safe.
 */
public final class IncompleteCholesky {
    /** Rows that are updated together. */
    private static final int STRIP = 512;

    /** The most pivots that are drawn together. */
    private static final int MOST_CANDIDATES = 128;

    /** Residuals below this share of the largest k(x, x) are rounding errors. */
    private static final double ROUNDING = 1e-12;

    private final Kernel kernel;
    private final RowBlock rows;
    private final int capacity;
    /** G, one row per row of the data, with room for all pivots. */
    private final double[] factor;
    /** The part of the diagonal that the pivots do not explain. */
    private final double[] residual;

    private final int[] pivots;
    private final double largest;
    private int rank;

    /**
     * Starts without pivots.
     *
     * @param capacity the most pivots
     */
    IncompleteCholesky(Kernel kernel, RowBlock rows, int capacity) {
        this.kernel = kernel;
        this.rows = rows;
        this.capacity = capacity;
        MapMemory.check(
                LandmarkMap.TYPE,
                "the choice of " + capacity + " landmarks among " + rows.rows() + " rows",
                8.0 * rows.rows() * capacity);
        factor =
                new double[MapMemory.length(LandmarkMap.TYPE, "the pivots of all rows", (long) rows.rows() * capacity)];
        pivots = new int[capacity];
        residual = LandmarkRows.diagonal(kernel, rows);
        largest = Arrays.stream(residual).max().orElse(0);
    }

    /** Returns a share of the largest k(x, x), or the size of rounding errors if that is larger. */
    double least(double share) {
        return Math.max(share, ROUNDING) * largest;
    }

    /**
     * Chooses pivots at random, with probabilities proportional to their residuals.
     *
     * @param count the most pivots; fewer are chosen if rows depend on each other
     * @param cutoff a row is no pivot if its residual is at most this share of the largest k(x, x)
     */
    public static IncompleteCholesky random(
            Kernel kernel, RowBlock rows, int count, double cutoff, Seed seed, Workers workers) {
        IncompleteCholesky factor = new IncompleteCholesky(kernel, rows, count);
        double least = factor.least(cutoff);
        RandomStream stream = seed.stream();
        int block = Math.max(1, Math.min(MOST_CANDIDATES, count / 10));
        while (factor.rank < count) {
            double[] before =
                    Arrays.stream(factor.residual).map(x -> x > least ? x : 0).toArray();
            int[] candidates = Draws.withoutReplacement(before, Math.min(block, count - factor.rank), stream);
            int added = factor.add(
                    candidates,
                    (row, residual) -> residual > least && stream.nextUniform() * before[row] < residual,
                    workers);
            // The first candidate has the residual by which it was drawn, so only rounding can refuse it.
            if (added == 0) {
                break;
            }
        }
        return factor;
    }

    public int rank() {
        return rank;
    }

    /** Returns the pivots in the order in which they were added; a new array. */
    int[] pivots() {
        return Arrays.copyOf(pivots, rank);
    }

    /** Returns the residuals k(x, x) − |g(x)|² of all rows; the array must not be changed. */
    public double[] residual() {
        return residual;
    }

    /** Returns rows of G, from (inclusive) to (exclusive), with one column per pivot. */
    public Matrix<double[]> rows(int from, int to) {
        return Matrix.of(factor, from * capacity, to - from, rank, capacity);
    }

    /** Returns G, row-major, with one column per pivot; a new array. */
    double[] rows() {
        int[] all = new int[residual.length];
        Arrays.setAll(all, i -> i);
        return rowsOfFactor(all);
    }

    /**
     * Adds pivots, in order, and skips those that depend on earlier ones.
     *
     * @param candidates different rows
     * @param accept decides on a candidate by its residual, after the earlier candidates were added
     * @return the number of added pivots
     */
    int add(int[] candidates, Acceptance accept, Workers workers) {
        int before = rank;
        int block = candidates.length;
        // The residual kernel values between the candidates.
        double[] small = between(candidates);
        int[] added = new int[block];
        int count = 0;
        for (int c = 0; c < block && before + count < capacity; c++) {
            double pivot = small[c * block + c];
            if (!accept.accept(candidates[c], pivot)) {
                continue;
            }
            double root = Math.sqrt(pivot);
            for (int e = c; e < block; e++) {
                small[c * block + e] /= root;
            }
            for (int d = c + 1; d < block; d++) {
                double share = small[c * block + d];
                for (int e = d; e < block; e++) {
                    small[d * block + e] -= share * small[c * block + e];
                }
            }
            added[count++] = c;
        }
        if (count > 0) {
            extend(candidates, Arrays.copyOf(added, count), small, workers);
        }
        return count;
    }

    /** Decides whether a candidate becomes a pivot. */
    @FunctionalInterface
    interface Acceptance {
        boolean accept(int row, double residual);
    }

    /** Returns the upper triangle of the residual kernel values between some rows. */
    private double[] between(int... chosen) {
        int count = chosen.length;
        RowBlock block = LandmarkRows.select(rows, chosen);
        double[] values = new double[count * count];
        CrossKernel.of(kernel, block).values(block, values, 0, count);
        double[] known = rowsOfFactor(chosen);
        Blas.get()
                .multiply(
                        -1,
                        Matrix.of(known, count, rank),
                        Matrix.of(known, count, rank).transposed(),
                        1,
                        Matrix.of(values, count, count));
        return values;
    }

    private double[] rowsOfFactor(int... chosen) {
        double[] known = new double[chosen.length * rank];
        for (int c = 0; c < chosen.length; c++) {
            System.arraycopy(factor, chosen[c] * capacity, known, c * rank, rank);
        }
        return known;
    }

    /** Computes the new columns of G for all rows. */
    private void extend(int[] candidates, int[] added, double[] small, Workers workers) {
        int count = added.length;
        int[] chosen = new int[count];
        double[] upper = new double[count * count];
        for (int p = 0; p < count; p++) {
            chosen[p] = candidates[added[p]];
            for (int q = p; q < count; q++) {
                upper[p * count + q] = small[added[p] * candidates.length + added[q]];
            }
        }
        CrossKernel cross = CrossKernel.of(kernel, LandmarkRows.select(rows, chosen));
        double[] known = rowsOfFactor(chosen);
        Strips.each(workers, residual.length, STRIP, (from, to) -> {
            Matrix<double[]> columns = Matrix.of(factor, from * capacity + rank, to - from, count, capacity);
            cross.values(LandmarkRows.range(rows, from, to), factor, from * capacity + rank, capacity);
            Blas.get()
                    .multiply(
                            -1,
                            Matrix.of(factor, from * capacity, to - from, rank, capacity),
                            Matrix.of(known, count, rank).transposed(),
                            1,
                            columns);
            Blas.get().solveUpperOnRight(Matrix.of(upper, count, count), columns);
            for (int i = from; i < to; i++) {
                for (int p = 0; p < count; p++) {
                    double g = factor[i * capacity + rank + p];
                    residual[i] = Math.max(0, residual[i] - g * g);
                }
            }
        });
        for (int pivot : chosen) {
            residual[pivot] = 0;
            pivots[rank++] = pivot;
        }
    }
}
