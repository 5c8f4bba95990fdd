package org.bochner.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.bochner.numeric.function.Turns;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cosines and sines of a row's worth of angles, in nanoseconds a value. A loop that the compiler stopped vectorising
 * shows here: 0.2 to 0.8 ns becomes 1.5 or more.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(TurnsBenchmark.LENGTH)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TurnsBenchmark {
    static final int LENGTH = 2048;

    private final double[] angles = new double[LENGTH];
    private final float[] floats = new float[LENGTH];
    private final double[] doubles = new double[LENGTH];

    @Setup
    public void draw() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < LENGTH; i++) {
            angles[i] = 100 * random.nextDouble() - 50;
            floats[i] = (float) angles[i];
            doubles[i] = angles[i];
        }
    }

    @Benchmark
    public float[] cosFloat() {
        Turns.cos(floats, 0, LENGTH, 0.5f);
        return floats;
    }

    @Benchmark
    public float[] sinFloat() {
        Turns.sin(floats, 0, LENGTH, 0.5f);
        return floats;
    }

    @Benchmark
    public float[] cosSinFloat() {
        Turns.cosSin(floats, 0, LENGTH / 2, 0.5f);
        return floats;
    }

    @Benchmark
    public double[] cosDouble() {
        Turns.cos(doubles, 0, LENGTH, 0.5);
        return doubles;
    }

    @Benchmark
    public double[] sinDouble() {
        Turns.sin(doubles, 0, LENGTH, 0.5);
        return doubles;
    }

    @Benchmark
    public float[] reduce() {
        Turns.reduce(angles, 0, floats, 0, LENGTH);
        return floats;
    }

    /** What the loops above are for. */
    @Benchmark
    public double[] mathCos() {
        for (int i = 0; i < LENGTH; i++) {
            doubles[i] = Math.cos(angles[i]);
        }
        return doubles;
    }
}
