package org.bochner.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.bochner.numeric.matrix.Blas;
import org.bochner.numeric.matrix.Matrix;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The two products of a fit on one thread, on a block of 1024 rows with 128 columns and 2048 features: the projection,
 * 0.54 GFLOP, and the Gram matrix, 4.3 GFLOP.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class BlasBenchmark {
    private static final int ROWS = 1024;
    private static final int COLUMNS = 128;
    private static final int FEATURES = 2048;

    @Param({"native", "java"})
    public String implementation = "native";

    private Blas blas = Blas.get();
    private final float[] rows = new float[ROWS * COLUMNS];
    private final float[] frequencies = new float[FEATURES * COLUMNS];
    private final float[] features = new float[ROWS * FEATURES];
    private final float[] gram = new float[FEATURES * FEATURES];
    private final double[] wideFeatures = new double[ROWS * FEATURES];
    private final double[] wideGram = new double[FEATURES * FEATURES];

    @Setup
    public void draw() {
        blas = implementation.equals("java") ? Blas.java() : Blas.get();
        SplittableRandom random = new SplittableRandom(1);
        for (float[] array : new float[][] {rows, frequencies, features}) {
            for (int i = 0; i < array.length; i++) {
                array[i] = (float) random.nextDouble();
            }
        }
        for (int i = 0; i < wideFeatures.length; i++) {
            wideFeatures[i] = features[i];
        }
    }

    @Benchmark
    public float[] projection() {
        blas.multiply(
                Matrix.of(rows, ROWS, COLUMNS),
                Matrix.of(frequencies, FEATURES, COLUMNS).transposed(),
                features);
        return features;
    }

    @Benchmark
    public float[] gramFloat() {
        blas.gram(1f, Matrix.of(features, ROWS, FEATURES), 0f, Matrix.of(gram, FEATURES, FEATURES));
        return gram;
    }

    @Benchmark
    public double[] gramDouble() {
        blas.gram(1.0, Matrix.of(wideFeatures, ROWS, FEATURES), 0.0, Matrix.of(wideGram, FEATURES, FEATURES));
        return wideGram;
    }
}
