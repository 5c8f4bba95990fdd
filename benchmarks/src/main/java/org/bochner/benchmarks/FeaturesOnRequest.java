package org.bochner.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.numeric.ChebyshevSeries;
import org.bochner.numeric.DirectSeries;
import org.bochner.numeric.LogHarmonics;
import org.bochner.numeric.ValueFeatures;

/**
 * Maps a dense matrix, again and again, for every line on stdin, and answers with the seconds that each thread took for one
 * matrix: so that another program can measure in turns with us, each in a process that is warm.
 */
public final class FeaturesOnRequest {
    private static final Map<String, ValueFeatures> FEATURES = Map.of(
            "sampled(order=1)", sampled(0.624, 1),
            "sampled(order=2)", sampled(0.5095, 2),
            "sampled(order=3)", sampled(0.4452, 3),
            "chebyshev(terms=5)", new ChebyshevSeries(5, 1.5, 1),
            "direct(terms=5)", new DirectSeries(5, 3.6, 1));

    private FeaturesOnRequest() {}

    /** The χ² kernel's: κ(ω) = sech(πω). */
    private static ValueFeatures sampled(double spacing, int order) {
        double[] amplitudes = new double[order + 1];
        for (int j = 0; j <= order; j++) {
            amplitudes[j] = Math.sqrt((j == 0 ? 1 : 2) * spacing / Math.cosh(Math.PI * j * spacing));
        }
        return new LogHarmonics(spacing, IntStream.rangeClosed(0, order).toArray(), amplitudes, 1);
    }

    /** Requests: map, rows, columns, threads, for how many seconds. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            String[] words = request.split(" ", -1);
            ValueFeatures features = FEATURES.get(words[0]);
            if (features == null) {
                throw new IllegalArgumentException("no map " + words[0]);
            }
            int values = Integer.parseInt(words[1]) * Integer.parseInt(words[2]);
            double[] seconds = new double[Integer.parseInt(words[3])];
            measure(features, values, (long) (1e9 * Double.parseDouble(words[4])), seconds);
            System.out.println(Arrays.stream(seconds).mapToObj(Double::toString).collect(Collectors.joining(" ")));
        }
    }

    private static void measure(ValueFeatures features, int values, long nanos, double[] seconds)
            throws InterruptedException {
        Thread[] threads = new Thread[seconds.length];
        for (int t = 0; t < threads.length; t++) {
            int slot = t;
            // Each thread has its own matrix and features, filled before the clock starts.
            float[] x = uniform(values);
            float[] out = new float[values * features.width()];
            threads[t] = new Thread(() -> seconds[slot] = secondsOfOne(features, x, out, nanos));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Of processor time, so that what else runs on the machine disturbs little. */
    private static double secondsOfOne(ValueFeatures features, float[] x, float[] out, long nanos) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long start = clock.getCurrentThreadCpuTime();
        int calls = 0;
        do {
            features.apply(x, 0, x.length, out, 0);
            calls++;
        } while (clock.getCurrentThreadCpuTime() - start < nanos);
        return (clock.getCurrentThreadCpuTime() - start) * 1e-9 / calls;
    }

    private static float[] uniform(int count) {
        SplittableRandom random = new SplittableRandom(1);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat();
        }
        return values;
    }
}
