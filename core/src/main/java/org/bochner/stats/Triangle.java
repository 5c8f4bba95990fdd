package org.bochner.stats;

import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.bochner.numeric.matrix.Strips;

/** The layout of the upper triangle of a symmetric n×n matrix in an array of half the size, row after row. */
final class Triangle {
    /** Rows that are unpacked together. */
    private static final int STRIP = 64;

    private Triangle() {}

    /** Returns the number of entries; n is at most 46340. */
    static int length(int n) {
        return (int) ((long) n * (n + 1) / 2);
    }

    /** Returns the index of the diagonal entry of row i; the rest of the row follows. */
    static int start(int i, int n) {
        return (int) ((long) i * n - (long) i * (i - 1) / 2);
    }

    /**
     * Returns AX for some rows of the matrix A, in a new array.
     *
     * @param rows the indices of the rows, ascending
     * @param x n×columns, row-major
     */
    static double[] times(double[] triangle, int n, int[] rows, double[] x, int columns, Workers workers) {
        double[] products = new double[Math.multiplyExact(rows.length, columns)];
        Strips.each(workers, rows.length, STRIP, (from, to) -> {
            double[] whole = new double[(to - from) * n];
            unpack(triangle, n, rows, from, to, whole);
            Blas.get()
                    .multiply(
                            1,
                            Matrix.of(whole, to - from, n),
                            Matrix.of(x, n, columns),
                            0,
                            Matrix.of(products, from * columns, to - from, columns, columns));
        });
        return products;
    }

    /** Writes whole rows, those at the places from … to−1 of a list of rows. */
    private static void unpack(double[] triangle, int n, int[] rows, int from, int to, double[] whole) {
        int below = from;
        for (int j = 0; j < rows[to - 1]; j++) {
            below += rows[below] <= j ? 1 : 0;
            int column = start(j, n) - j;
            for (int k = below; k < to; k++) {
                whole[(k - from) * n + j] = triangle[column + rows[k]];
            }
        }
        for (int k = from; k < to; k++) {
            System.arraycopy(triangle, start(rows[k], n), whole, (k - from) * n + rows[k], n - rows[k]);
        }
    }
}
