package org.bochner.map.landmark;

import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.gram.CrossKernel;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;

/** Computes the kernel values of all pairs of rows of a block, each pair once, block by block. */
public final class KernelPairs {
    /** Rows of a block of values: half a megabyte, which stays in the processor's cache. */
    private static final int BLOCK = 256;

    private KernelPairs() {}

    /** Takes blocks of values; called in any order and by several threads at a time. */
    @FunctionalInterface
    public interface Taker {
        /**
         * Takes the values k(xᵢ, xⱼ) of a block on or below the diagonal. A block on the diagonal has both orders of a pair.
         *
         * @param first the first of the rows i
         * @param second the first of the rows j, at most {@code first}
         * @param values one row per row i, and one column per row j; not to be kept
         */
        void take(int first, int second, Matrix<double[]> values);
    }

    /** Computes the blocks on and below the diagonal of the matrix of all values, in parallel. */
    public static void each(Kernel kernel, RowBlock rows, Workers workers, Taker taker) {
        int n = rows.rows();
        Strips.each(workers, n, BLOCK, (from, to) -> {
            CrossKernel cross = CrossKernel.of(kernel, LandmarkRows.range(rows, from, to));
            int width = to - from;
            double[] values = new double[Math.min(BLOCK, n - from) * width];
            for (int first = from; first < n; first += BLOCK) {
                int height = Math.min(BLOCK, n - first);
                cross.values(LandmarkRows.range(rows, first, first + height), values, 0, width);
                taker.take(first, from, Matrix.of(values, height, width));
            }
        });
    }
}
