package org.bochner.numeric;

import org.bochner.base.Require;
import org.bochner.numeric.matrix.Blas;

/**
 * The linear algebra library that all computations use: OpenBLAS, or pure Java if no native library loads.
 *
 * <p>Threads: safe.
 */
public final class LinearAlgebra {
    private LinearAlgebra() {}

    /** Returns the name and version of the library in use, for example "OpenBLAS 0.3.31 (bundled)". */
    public static String name() {
        return Blas.get().name();
    }

    /** Starts loading the library on a new thread and returns at once. Loading takes a third of a second. */
    public static void preload() {
        Thread loader = new Thread(Blas::get, "bochner-preload");
        loader.setDaemon(true);
        loader.start();
    }

    /**
     * Returns the eigenvalues of a symmetric matrix, in ascending order.
     *
     * @param matrix n rows of n numbers; only the upper triangle is read
     */
    public static double[] eigenvalues(double[][] matrix) {
        return Blas.get().eigen(matrix.length, flat(matrix));
    }

    private static double[] flat(double[][] matrix) {
        int n = matrix.length;
        double[] values = new double[n * n];
        for (int i = 0; i < n; i++) {
            Require.sameSize("eigenvalues", "columns of row " + i, matrix[i].length, n);
            System.arraycopy(matrix[i], 0, values, i * n, n);
        }
        return values;
    }
}
