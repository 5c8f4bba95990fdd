package org.bochner.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.bochner.numeric.Workers;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Cholesky;
import org.bochner.numeric.matrix.Matrix;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The factorisation with one and two threads, against LAPACK's own on one: n³/3 operations. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class CholeskyBenchmark {
    @Param({"2000", "4000"})
    public int n = 2000;

    private double[] matrix = {};
    private double[] work = {};

    @Setup
    public void draw() {
        double[] rows = new SplittableRandom(1).doubles((long) n * n, -1, 1).toArray();
        matrix = new double[n * n];
        work = new double[n * n];
        Blas.get().gram(1.0, Matrix.of(rows, n, n), 0.0, Matrix.of(matrix, n, n));
        for (int i = 0; i < n; i++) {
            matrix[i * n + i] += n;
        }
    }

    /** Outside the clock; a call takes tens of milliseconds, so that this is measured rightly. */
    @Setup(Level.Invocation)
    public void copy() {
        System.arraycopy(matrix, 0, work, 0, work.length);
    }

    @Benchmark
    public int bareDpotrf() {
        return Blas.get().factorUpper(n, work, 0, n);
    }

    @Benchmark
    public Cholesky oneThread() {
        return Cholesky.factor(work, n, new Workers(1));
    }

    @Benchmark
    public Cholesky twoThreads() {
        return Cholesky.factor(work, n, new Workers(2));
    }
}
