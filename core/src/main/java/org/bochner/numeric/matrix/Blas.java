package org.bochner.numeric.matrix;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.blas.JavaBLAS;
import dev.ludovic.netlib.lapack.JavaLAPACK;
import dev.ludovic.netlib.lapack.LAPACK;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.netlib.util.intW;

/**
 * The BLAS and LAPACK routines of the project, over row-major heap arrays.
 *
 * <p>{@link #get()} is OpenBLAS from the class path, or pure Java if no native library loads; one log line says which.
 * Both run each call on the calling thread only. Parallelism is over blocks whose boundaries do not depend on the
 * number of threads.
 *
 * <p>Row-major C = A·B is column-major Cᵀ = Bᵀ·Aᵀ, so each method swaps its operands and copies nothing.
 *
 * <p>Threads: safe.
 */
public final class Blas {
    private static final String TRANSPOSED = "T";
    private static final String PLAIN = "N";

    /** A row-major upper triangle, which BLAS, column by column, sees as a lower one. */
    private static final String UPPER_BY_ROWS = "L";

    private final String name;
    private final BLAS blas;
    private final LAPACK lapack;

    Blas(String name, BLAS blas, LAPACK lapack) {
        this.name = name;
        this.blas = blas;
        this.lapack = lapack;
    }

    /** Returns the fastest implementation that loads here; it is chosen once. */
    public static Blas get() {
        return Chosen.BLAS;
    }

    /** Returns the pure Java implementation, which is slower by an order of magnitude and needs no native library. */
    public static Blas java() {
        // netlib looks for its native library once, on first use. If it does not know ours by then, it takes the
        // system's library with its own number of threads, and get() could not change that.
        get();
        return pureJava();
    }

    static Blas pureJava() {
        Netlib.quieten();
        return new Blas("pure Java", JavaBLAS.getInstance(), JavaLAPACK.getInstance());
    }

    private static final class Chosen {
        static final Blas BLAS = OpenBlas.loadOrJava();
    }

    /** Returns the name and version for logs, for example "OpenBLAS 0.3.31 (bundled)". */
    public String name() {
        return name;
    }

    /**
     * Computes c ← alpha·op(a)·op(b) + beta·c in float32, where op(a) is m×k, op(b) is k×n and c is m×n; the strides
     * are the distances between stored rows.
     */
    public void gemm(
            boolean transposeA,
            boolean transposeB,
            int m,
            int n,
            int k,
            float alpha,
            float[] a,
            int offsetA,
            int strideA,
            float[] b,
            int offsetB,
            int strideB,
            float beta,
            float[] c,
            int offsetC,
            int strideC) {
        if (m == 0 || n == 0) {
            return;
        }
        if (k == 0) {
            scale(m, n, beta, c, offsetC, strideC);
            return;
        }
        blas.sgemm(
                transposeB ? TRANSPOSED : PLAIN,
                transposeA ? TRANSPOSED : PLAIN,
                n,
                m,
                k,
                alpha,
                b,
                offsetB,
                strideB,
                a,
                offsetA,
                strideA,
                beta,
                c,
                offsetC,
                strideC);
    }

    /** Computes c ← alpha·op(a)·op(b) + beta·c in float64. */
    public void gemm(
            boolean transposeA,
            boolean transposeB,
            int m,
            int n,
            int k,
            double alpha,
            double[] a,
            int offsetA,
            int strideA,
            double[] b,
            int offsetB,
            int strideB,
            double beta,
            double[] c,
            int offsetC,
            int strideC) {
        if (m == 0 || n == 0) {
            return;
        }
        if (k == 0) {
            scale(m, n, beta, c, offsetC, strideC);
            return;
        }
        blas.dgemm(
                transposeB ? TRANSPOSED : PLAIN,
                transposeA ? TRANSPOSED : PLAIN,
                n,
                m,
                k,
                alpha,
                b,
                offsetB,
                strideB,
                a,
                offsetA,
                strideA,
                beta,
                c,
                offsetC,
                strideC);
    }

    // Sums of no products. BLAS allows k = 0, but netlib's bounds checks do not.

    private static void scale(int m, int n, float beta, float[] c, int offset, int stride) {
        for (int i = 0; i < m; i++) {
            for (int at = offset + i * stride; at < offset + i * stride + n; at++) {
                c[at] = beta == 0 ? 0 : beta * c[at];
            }
        }
    }

    private static void scale(int m, int n, double beta, double[] c, int offset, int stride) {
        for (int i = 0; i < m; i++) {
            for (int at = offset + i * stride; at < offset + i * stride + n; at++) {
                c[at] = beta == 0 ? 0 : beta * c[at];
            }
        }
    }

    /**
     * Computes y ← alpha·op(a)·x + beta·y in float32, where a is stored as rows×columns and op transposes it or not.
     * The time is that of reading a.
     */
    public void gemv(
            boolean transpose,
            int rows,
            int columns,
            float alpha,
            float[] a,
            int offsetA,
            int strideA,
            float[] x,
            float beta,
            float[] y) {
        if (rows == 0 || columns == 0) {
            scale(1, transpose ? columns : rows, beta, y, 0, 0);
            return;
        }
        blas.sgemv(transpose ? PLAIN : TRANSPOSED, columns, rows, alpha, a, offsetA, strideA, x, 0, 1, beta, y, 0, 1);
    }

    /** Computes y ← alpha·op(a)·x + beta·y in float64. */
    public void gemv(
            boolean transpose,
            int rows,
            int columns,
            double alpha,
            double[] a,
            int offsetA,
            int strideA,
            double[] x,
            double beta,
            double[] y) {
        if (rows == 0 || columns == 0) {
            scale(1, transpose ? columns : rows, beta, y, 0, 0);
            return;
        }
        blas.dgemv(transpose ? PLAIN : TRANSPOSED, columns, rows, alpha, a, offsetA, strideA, x, 0, 1, beta, y, 0, 1);
    }

    /** Computes the upper triangle of c (n×n) ← alpha·aᵀ·a + beta·c, where a is k×n, in float32. */
    public void gram(
            int n, int k, float alpha, float[] a, int offsetA, int strideA, float beta, float[] c, int strideC) {
        gram(n, k, alpha, a, offsetA, strideA, beta, c, 0, strideC);
    }

    /** Computes the upper triangle of c (n×n) ← alpha·aᵀ·a + beta·c, where a is k×n, in float32. */
    public void gram(
            int n,
            int k,
            float alpha,
            float[] a,
            int offsetA,
            int strideA,
            float beta,
            float[] c,
            int offsetC,
            int strideC) {
        if (n == 0) {
            return;
        }
        if (k == 0) {
            for (int i = 0; i < n; i++) {
                scale(1, n - i, beta, c, offsetC + i * (strideC + 1), strideC);
            }
            return;
        }
        if (!endsWithRoom(a.length, offsetA, k, strideA)) {
            gram(n, k, alpha, copyOut(a, offsetA, k, n, strideA), 0, n, beta, c, offsetC, strideC);
            return;
        }
        if (!endsWithRoom(c.length, offsetC, n, strideC)) {
            float[] copy = copyOut(c, offsetC, n, n, strideC);
            gram(n, k, alpha, a, offsetA, strideA, beta, copy, 0, n);
            copyBack(copy, n, n, c, offsetC, strideC);
            return;
        }
        blas.ssyrk(UPPER_BY_ROWS, PLAIN, n, k, alpha, a, offsetA, strideA, beta, c, offsetC, strideC);
    }

    /** Computes the upper triangle of c (n×n) ← alpha·aᵀ·a + beta·c, where a is k×n, in float64. */
    public void gram(
            int n, int k, double alpha, double[] a, int offsetA, int strideA, double beta, double[] c, int strideC) {
        gram(n, k, alpha, a, offsetA, strideA, beta, c, 0, strideC);
    }

    /** Computes the upper triangle of c (n×n) ← alpha·aᵀ·a + beta·c, where a is k×n, in float64. */
    public void gram(
            int n,
            int k,
            double alpha,
            double[] a,
            int offsetA,
            int strideA,
            double beta,
            double[] c,
            int offsetC,
            int strideC) {
        if (n == 0) {
            return;
        }
        if (k == 0) {
            for (int i = 0; i < n; i++) {
                scale(1, n - i, beta, c, offsetC + i * (strideC + 1), strideC);
            }
            return;
        }
        if (!endsWithRoom(a.length, offsetA, k, strideA)) {
            gram(n, k, alpha, copyOut(a, offsetA, k, n, strideA), 0, n, beta, c, offsetC, strideC);
            return;
        }
        if (!endsWithRoom(c.length, offsetC, n, strideC)) {
            double[] copy = copyOut(c, offsetC, n, n, strideC);
            gram(n, k, alpha, a, offsetA, strideA, beta, copy, 0, n);
            copyBack(copy, n, n, c, offsetC, strideC);
            return;
        }
        blas.dsyrk(UPPER_BY_ROWS, PLAIN, n, k, alpha, a, offsetA, strideA, beta, c, offsetC, strideC);
    }

    /**
     * Solves U·X = B, or Uᵀ·X = B, in place of B: u is upper triangular n×n, b is n×columns. Only the upper triangle of
     * u is read.
     */
    public void solveUpper(
            boolean transposed,
            int n,
            int columns,
            double[] u,
            int offsetU,
            int strideU,
            double[] b,
            int offsetB,
            int strideB) {
        if (n == 0 || columns == 0) {
            return;
        }
        if (!endsWithRoom(u.length, offsetU, n, strideU)) {
            solveUpper(transposed, n, columns, copyOut(u, offsetU, n, n, strideU), 0, n, b, offsetB, strideB);
            return;
        }
        if (!endsWithRoom(b.length, offsetB, n, strideB)) {
            double[] copy = copyOut(b, offsetB, n, columns, strideB);
            solveUpper(transposed, n, columns, u, offsetU, strideU, copy, 0, columns);
            copyBack(copy, n, columns, b, offsetB, strideB);
            return;
        }
        String operation = transposed ? TRANSPOSED : PLAIN;
        blas.dtrsm("R", UPPER_BY_ROWS, operation, PLAIN, columns, n, 1, u, offsetU, strideU, b, offsetB, strideB);
    }

    /**
     * Overwrites the upper triangle of a symmetric n×n matrix by its Cholesky factor U, A = Uᵀ·U, on the calling
     * thread; {@link Cholesky} is for large matrices. The part below the diagonal is neither read nor changed.
     *
     * @return −1, or the index of the first pivot that is not positive and finite, where the factorisation stopped
     */
    public int factorUpper(int n, double[] a, int offset, int stride) {
        if (n == 0) {
            return -1;
        }
        // netlib checks no bounds for LAPACK.
        Objects.checkIndex(offset + (n - 1) * stride + n - 1, a.length);
        intW info = new intW(0);
        lapack.dpotrf(UPPER_BY_ROWS, n, a, offset, stride, info);
        if (info.val > 0) {
            return info.val - 1;
        }
        // OpenBLAS stops at pivots ≤ 0 but lets NaN through.
        for (int i = 0; i < n; i++) {
            double pivot = a[offset + i * stride + i];
            if (!(pivot > 0 && pivot < Double.POSITIVE_INFINITY)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the eigenvalues, ascending, of the symmetric n×n matrix whose upper triangle is given; on return row i of
     * a is the eigenvector of value i.
     */
    public double[] eigen(int n, double[] a) {
        Require.that(a.length >= (long) n * n, "eigenvalues", n + " x " + n + " values are needed, got " + a.length);
        double[] values = new double[n];
        double[] size = new double[1];
        int[] integerSize = new int[1];
        intW info = new intW(0);
        lapack.dsyevd("V", UPPER_BY_ROWS, n, a, n, values, size, -1, integerSize, -1, info);
        double[] work = new double[(int) size[0]];
        int[] integerWork = new int[integerSize[0]];
        lapack.dsyevd("V", UPPER_BY_ROWS, n, a, n, values, work, work.length, integerWork, integerWork.length, info);
        if (info.val != 0) {
            throw new BochnerException("eigenvalues: no convergence (dsyevd returned " + info.val + ")");
        }
        return values;
    }

    // For syrk and trsm, netlib requires a whole stride after the last row of a window too. A window at the end of its
    // array, such as the last tile of a matrix, is copied, which is cheap beside the call itself.

    private static boolean endsWithRoom(int length, int offset, int rows, int stride) {
        return offset + (long) rows * stride <= length;
    }

    private static float[] copyOut(float[] from, int offset, int rows, int columns, int stride) {
        float[] copy = new float[rows * columns];
        for (int i = 0; i < rows; i++) {
            System.arraycopy(from, offset + i * stride, copy, i * columns, columns);
        }
        return copy;
    }

    private static void copyBack(float[] copy, int rows, int columns, float[] to, int offset, int stride) {
        for (int i = 0; i < rows; i++) {
            System.arraycopy(copy, i * columns, to, offset + i * stride, columns);
        }
    }

    private static double[] copyOut(double[] from, int offset, int rows, int columns, int stride) {
        double[] copy = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            System.arraycopy(from, offset + i * stride, copy, i * columns, columns);
        }
        return copy;
    }

    private static void copyBack(double[] copy, int rows, int columns, double[] to, int offset, int stride) {
        for (int i = 0; i < rows; i++) {
            System.arraycopy(copy, i * columns, to, offset + i * stride, columns);
        }
    }
}
