package org.bochner.numeric.matrix;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.LAPACK;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
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
 * <p>Matrices are {@code float[]} or {@code double[]}, and factors are rounded to the type of the matrices.
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

    // Static references, because an unreferenced logger is collected together with its level.
    private static final List<Logger> NETLIB_LOGS =
            List.of(Logger.getLogger("dev.ludovic.netlib.blas"), Logger.getLogger("dev.ludovic.netlib.lapack"));

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
        quietenNetlib();
        return Netlib.java("pure Java");
    }

    /**
     * Drops netlib's warnings about each implementation that it does not find. It always tries one that needs an
     * incubating module, so without this every start of the program would warn.
     */
    static void quietenNetlib() {
        NETLIB_LOGS.forEach(log -> log.setLevel(Level.OFF));
    }

    private static final class Chosen {
        static final Blas BLAS = OpenBlas.loadOrJava();
    }

    /** Returns the name and version for logs, for example "OpenBLAS 0.3.31 (bundled)". */
    public String name() {
        return name;
    }

    /** Computes c ← alpha·a·b + beta·c. */
    public <A> void multiply(double alpha, Matrix<A> a, Matrix<A> b, double beta, Matrix<A> c) {
        requireShapes(a, b, c);
        if (a.width() == 0) {
            scale(beta, c);
            return;
        }
        if (c.isEmpty()) {
            return;
        }
        // netlib stores columns one after the other: it computes the transposed product bᵀ·aᵀ.
        String firstForm = operation(b.isTransposed());
        String secondForm = operation(a.isTransposed());
        int n = c.columns();
        int m = c.rows();
        int k = a.width();
        int fromA = a.offset();
        int fromB = b.offset();
        int to = c.offset();
        int stepA = a.stride();
        int stepB = b.stride();
        int step = c.stride();
        if (c.values() instanceof float[] out) {
            float[] x = (float[]) a.values();
            float[] y = (float[]) b.values();
            float times = (float) alpha;
            float by = (float) beta;
            blas.sgemm(firstForm, secondForm, n, m, k, times, y, fromB, stepB, x, fromA, stepA, by, out, to, step);
        } else {
            double[] x = (double[]) a.values();
            double[] y = (double[]) b.values();
            double[] out = (double[]) c.values();
            blas.dgemm(firstForm, secondForm, n, m, k, alpha, y, fromB, stepB, x, fromA, stepA, beta, out, to, step);
        }
    }

    /** Computes out ← a·b, with the rows of the product one after the other. */
    public <A> void multiply(Matrix<A> a, Matrix<A> b, A out) {
        if (b.isVector()) {
            multiply(1, a, b.values(), 0, out);
        } else {
            multiply(1, a, b, 0, Matrix.dense(out, a.height(), b.width()));
        }
    }

    /** Computes y ← alpha·a·x + beta·y. The time is that of reading a. */
    public <A> void multiply(double alpha, Matrix<A> a, A x, double beta, A y) {
        String operation = operation(!a.isTransposed());
        int m = a.columns();
        int n = a.rows();
        int at = a.offset();
        int stride = a.stride();
        if (a.isEmpty()) {
            scale(beta, Matrix.dense(y, 1, a.height()));
        } else if (a.values() instanceof float[] values) {
            float by = (float) beta;
            blas.sgemv(operation, m, n, (float) alpha, values, at, stride, (float[]) x, 0, 1, by, (float[]) y, 0, 1);
        } else {
            double[] values = (double[]) a.values();
            blas.dgemv(operation, m, n, alpha, values, at, stride, (double[]) x, 0, 1, beta, (double[]) y, 0, 1);
        }
    }

    /** Computes the upper triangle of c ← alpha·aᵀ·a + beta·c. */
    public <A> void gram(double alpha, Matrix<A> a, double beta, Matrix<A> c) {
        int n = c.rows();
        if (a.rows() == 0) {
            for (int i = 0; i < n; i++) {
                scale(beta, new Matrix<>(c.values(), c.offset() + i * (c.stride() + 1), 1, n - i, c.stride(), false));
            }
            return;
        }
        if (n == 0) {
            return;
        }
        Matrix<A> in = a.withRoom();
        Matrix<A> out = c.withRoom();
        int k = in.rows();
        int from = in.offset();
        int to = out.offset();
        if (out.values() instanceof float[] values) {
            float[] read = (float[]) in.values();
            float by = (float) beta;
            blas.ssyrk(
                    UPPER_BY_ROWS, PLAIN, n, k, (float) alpha, read, from, in.stride(), by, values, to, out.stride());
        } else {
            double[] read = (double[]) in.values();
            double[] values = (double[]) out.values();
            blas.dsyrk(UPPER_BY_ROWS, PLAIN, n, k, alpha, read, from, in.stride(), beta, values, to, out.stride());
        }
        out.copyTo(c);
    }

    private static void scale(double beta, Matrix<?> c) {
        for (int i = 0; i < c.rows(); i++) {
            int from = c.offset() + i * c.stride();
            for (int at = from; at < from + c.columns(); at++) {
                if (c.values() instanceof float[] values) {
                    values[at] = beta == 0 ? 0 : (float) beta * values[at];
                } else {
                    double[] values = (double[]) c.values();
                    values[at] = beta == 0 ? 0 : beta * values[at];
                }
            }
        }
    }

    private static String operation(boolean transposed) {
        return transposed ? TRANSPOSED : PLAIN;
    }

    private static void requireShapes(Matrix<?> a, Matrix<?> b, Matrix<?> c) {
        Require.sameSize("product", "rows of the second matrix", b.height(), a.width());
        Require.sameSize("product", "rows of the result", c.rows(), a.height());
        Require.sameSize("product", "columns of the result", c.columns(), b.width());
    }

    /** Solves u·X = b, or uᵀ·X = b, in place of b. u is upper triangular; only its upper triangle is read. */
    public void solveUpper(Matrix<double[]> u, Matrix<double[]> b) {
        if (b.columns() == 1 && b.rows() > 0) {
            solveUpper(u, b.values(), b.offset(), b.stride());
        } else {
            solveUpper("R", u, b);
        }
    }

    /** Solves for one column, four times as fast as trsm, which prepares u for many. */
    private void solveUpper(Matrix<double[]> u, double[] x, int from, int step) {
        Matrix<double[]> in = u.withRoom();
        String operation = operation(!in.isTransposed());
        blas.dtrsv(UPPER_BY_ROWS, operation, PLAIN, in.rows(), in.values(), in.offset(), in.stride(), x, from, step);
    }

    /** Solves X·u = b in place of b. u is upper triangular; only its upper triangle is read. */
    public void solveUpperOnRight(Matrix<double[]> u, Matrix<double[]> b) {
        solveUpper("L", u, b);
    }

    private void solveUpper(String side, Matrix<double[]> u, Matrix<double[]> b) {
        if (b.isEmpty()) {
            return;
        }
        Matrix<double[]> in = u.withRoom();
        Matrix<double[]> out = b.withRoom();
        String operation = operation(u.isTransposed());
        int m = b.columns();
        int n = b.rows();
        int from = in.offset();
        int to = out.offset();
        double[] a = in.values();
        double[] x = out.values();
        blas.dtrsm(side, UPPER_BY_ROWS, operation, PLAIN, m, n, 1, a, from, in.stride(), x, to, out.stride());
        out.copyTo(b);
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
}
