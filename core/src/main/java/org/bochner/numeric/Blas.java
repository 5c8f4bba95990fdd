package org.bochner.numeric;

import dev.ludovic.netlib.blas.JavaBLAS;
import dev.ludovic.netlib.lapack.JavaLAPACK;
import org.bochner.base.BochnerException;
import org.netlib.util.intW;

/**
 * The BLAS and LAPACK routines the project uses, over row-major heap arrays.
 *
 * <p>{@link #get()} is OpenBLAS, taken from the class path, or pure Java where no native library loads; one log line
 * says which. Both run each call on the calling thread alone: parallelism is ours, over blocks whose boundaries do not
 * depend on the number of threads.
 *
 * <p>Row-major C = A·B is column-major Cᵀ = Bᵀ·Aᵀ, so each method swaps its operands and copies nothing.
 *
 * <p>Threads: safe.
 */
public final class Blas {
    private static final String TRANSPOSED = "T";
    private static final String PLAIN = "N";

    private final String name;
    private final dev.ludovic.netlib.blas.BLAS blas;
    private final dev.ludovic.netlib.lapack.LAPACK lapack;

    Blas(String name, dev.ludovic.netlib.blas.BLAS blas, dev.ludovic.netlib.lapack.LAPACK lapack) {
        this.name = name;
        this.blas = blas;
        this.lapack = lapack;
    }

    /** The fastest implementation that loads here; chosen once. */
    public static Blas get() {
        return Chosen.BLAS;
    }

    /** Pure Java: slower by an order of magnitude, needs nothing. */
    public static Blas java() {
        return new Blas("pure Java", JavaBLAS.getInstance(), JavaLAPACK.getInstance());
    }

    private static final class Chosen {
        static final Blas BLAS = OpenBlas.loadOrJava();
    }

    /** What it is, for logs: for example "OpenBLAS 0.3.31 (bundled)". */
    public String name() {
        return name;
    }

    /**
     * c ← alpha·op(a)·op(b) + beta·c in float32, where op(a) is m×k, op(b) is k×n and c is m×n; the strides are the
     * distances between the rows as stored.
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

    /** The same in float64. */
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

    /** Upper triangle of c (n×n) ← alpha·aᵀ·a + beta·c, where a is k×n, in float32. */
    public void gram(
            int n, int k, float alpha, float[] a, int offsetA, int strideA, float beta, float[] c, int strideC) {
        blas.ssyrk("L", PLAIN, n, k, alpha, a, offsetA, strideA, beta, c, 0, strideC);
    }

    /** Upper triangle of c (n×n) ← alpha·aᵀ·a + beta·c, where a is k×n, in float64. */
    public void gram(
            int n, int k, double alpha, double[] a, int offsetA, int strideA, double beta, double[] c, int strideC) {
        blas.dsyrk("L", PLAIN, n, k, alpha, a, offsetA, strideA, beta, c, 0, strideC);
    }

    /**
     * Eigenvalues, ascending, of the symmetric n×n matrix whose upper triangle is given; on return row i of a is the
     * eigenvector of value i.
     */
    public double[] eigen(int n, double[] a) {
        double[] values = new double[n];
        double[] size = new double[1];
        int[] integerSize = new int[1];
        intW info = new intW(0);
        lapack.dsyevd("V", "L", n, a, n, values, size, -1, integerSize, -1, info);
        double[] work = new double[(int) size[0]];
        int[] integerWork = new int[integerSize[0]];
        lapack.dsyevd("V", "L", n, a, n, values, work, work.length, integerWork, integerWork.length, info);
        if (info.val != 0) {
            throw new BochnerException("eigenvalues: no convergence (dsyevd returned " + info.val + ")");
        }
        return values;
    }
}
