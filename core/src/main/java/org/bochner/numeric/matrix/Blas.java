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

    /** Computes c ← alpha·a·b + beta·c in float32. */
    public void multiply(float alpha, Matrix<float[]> a, Matrix<float[]> b, float beta, Matrix<float[]> c) {
        requireShapes(a, b, c);
        if (a.width() == 0) {
            scale(beta, c);
        } else if (c.rows() > 0 && c.columns() > 0) {
            blas.sgemm(
                    operation(b.isTransposed()),
                    operation(a.isTransposed()),
                    c.columns(),
                    c.rows(),
                    a.width(),
                    alpha,
                    b.values(),
                    b.offset(),
                    b.stride(),
                    a.values(),
                    a.offset(),
                    a.stride(),
                    beta,
                    c.values(),
                    c.offset(),
                    c.stride());
        }
    }

    /** Computes out ← a·b in float32, with the rows of the product one after the other. */
    public void multiply(Matrix<float[]> a, Matrix<float[]> b, float[] out) {
        multiply(1f, a, b, 0f, Matrix.of(out, a.height(), b.width()));
    }

    /** Computes y ← alpha·a·x + beta·y in float32. The time is that of reading a. */
    public void multiply(float alpha, Matrix<float[]> a, float[] x, float beta, float[] y) {
        if (a.rows() == 0 || a.columns() == 0) {
            scale(beta, Matrix.of(y, 1, a.height()));
            return;
        }
        String operation = operation(!a.isTransposed());
        int stride = a.stride();
        blas.sgemv(operation, a.columns(), a.rows(), alpha, a.values(), a.offset(), stride, x, 0, 1, beta, y, 0, 1);
    }

    /** Computes the upper triangle of c ← alpha·aᵀ·a + beta·c in float32. */
    public void gram(float alpha, Matrix<float[]> a, float beta, Matrix<float[]> c) {
        int n = c.rows();
        if (a.rows() == 0) {
            for (int i = 0; i < n; i++) {
                scale(beta, Matrix.of(c.values(), c.offset() + i * (c.stride() + 1), 1, n - i, c.stride()));
            }
        } else if (n > 0) {
            Matrix<float[]> in = a.withRoom();
            Matrix<float[]> out = c.withRoom();
            blas.ssyrk(
                    UPPER_BY_ROWS,
                    PLAIN,
                    n,
                    in.rows(),
                    alpha,
                    in.values(),
                    in.offset(),
                    in.stride(),
                    beta,
                    out.values(),
                    out.offset(),
                    out.stride());
            out.copyTo(c);
        }
    }

    private static void scale(float beta, Matrix<float[]> c) {
        for (int i = 0; i < c.rows(); i++) {
            int from = c.offset() + i * c.stride();
            for (int at = from; at < from + c.columns(); at++) {
                c.values()[at] = beta == 0 ? 0 : beta * c.values()[at];
            }
        }
    }

    /** Computes c ← alpha·a·b + beta·c in float64. */
    public void multiply(double alpha, Matrix<double[]> a, Matrix<double[]> b, double beta, Matrix<double[]> c) {
        requireShapes(a, b, c);
        if (a.width() == 0) {
            scale(beta, c);
        } else if (c.rows() > 0 && c.columns() > 0) {
            blas.dgemm(
                    operation(b.isTransposed()),
                    operation(a.isTransposed()),
                    c.columns(),
                    c.rows(),
                    a.width(),
                    alpha,
                    b.values(),
                    b.offset(),
                    b.stride(),
                    a.values(),
                    a.offset(),
                    a.stride(),
                    beta,
                    c.values(),
                    c.offset(),
                    c.stride());
        }
    }

    /** Computes out ← a·b in float64, with the rows of the product one after the other. */
    public void multiply(Matrix<double[]> a, Matrix<double[]> b, double[] out) {
        multiply(1.0, a, b, 0.0, Matrix.of(out, a.height(), b.width()));
    }

    /** Computes y ← alpha·a·x + beta·y in float64. The time is that of reading a. */
    public void multiply(double alpha, Matrix<double[]> a, double[] x, double beta, double[] y) {
        if (a.rows() == 0 || a.columns() == 0) {
            scale(beta, Matrix.of(y, 1, a.height()));
            return;
        }
        String operation = operation(!a.isTransposed());
        int stride = a.stride();
        blas.dgemv(operation, a.columns(), a.rows(), alpha, a.values(), a.offset(), stride, x, 0, 1, beta, y, 0, 1);
    }

    /** Computes the upper triangle of c ← alpha·aᵀ·a + beta·c in float64. */
    public void gram(double alpha, Matrix<double[]> a, double beta, Matrix<double[]> c) {
        int n = c.rows();
        if (a.rows() == 0) {
            for (int i = 0; i < n; i++) {
                scale(beta, Matrix.of(c.values(), c.offset() + i * (c.stride() + 1), 1, n - i, c.stride()));
            }
        } else if (n > 0) {
            Matrix<double[]> in = a.withRoom();
            Matrix<double[]> out = c.withRoom();
            blas.dsyrk(
                    UPPER_BY_ROWS,
                    PLAIN,
                    n,
                    in.rows(),
                    alpha,
                    in.values(),
                    in.offset(),
                    in.stride(),
                    beta,
                    out.values(),
                    out.offset(),
                    out.stride());
            out.copyTo(c);
        }
    }

    private static void scale(double beta, Matrix<double[]> c) {
        for (int i = 0; i < c.rows(); i++) {
            int from = c.offset() + i * c.stride();
            for (int at = from; at < from + c.columns(); at++) {
                c.values()[at] = beta == 0 ? 0 : beta * c.values()[at];
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
        if (b.rows() == 0 || b.columns() == 0) {
            return;
        }
        Matrix<double[]> in = u.withRoom();
        Matrix<double[]> out = b.withRoom();
        blas.dtrsm(
                "R",
                UPPER_BY_ROWS,
                operation(u.isTransposed()),
                PLAIN,
                b.columns(),
                b.rows(),
                1,
                in.values(),
                in.offset(),
                in.stride(),
                out.values(),
                out.offset(),
                out.stride());
        out.copyTo(b);
    }

    /** Solves X·u = b in place of b. u is upper triangular; only its upper triangle is read. */
    public void solveUpperOnRight(Matrix<double[]> u, Matrix<double[]> b) {
        if (b.rows() == 0 || b.columns() == 0) {
            return;
        }
        Matrix<double[]> in = u.withRoom();
        Matrix<double[]> out = b.withRoom();
        blas.dtrsm(
                "L",
                UPPER_BY_ROWS,
                PLAIN,
                PLAIN,
                b.columns(),
                b.rows(),
                1,
                in.values(),
                in.offset(),
                in.stride(),
                out.values(),
                out.offset(),
                out.stride());
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
