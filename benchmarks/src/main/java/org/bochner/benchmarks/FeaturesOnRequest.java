package org.bochner.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.bochner.base.Notes;
import org.bochner.data.DenseRows;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.additive.SpectralMap;
import org.bochner.random.Seed;

/**
 * Maps a dense matrix, again and again, for every line on stdin, and answers with the seconds that each thread took for one
 * matrix: so that another program can measure in turns with us, each in a process that is warm.
 */
public final class FeaturesOnRequest {
    private FeaturesOnRequest() {}

    private static FeatureMap map(String spelling, int columns) {
        if (Character.isDigit(spelling.charAt(0))) {
            double[] frequencies = Arrays.stream(spelling.split(",", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            double[] weights = new double[frequencies.length];
            Arrays.fill(weights, 1.0 / weights.length);
            return new SpectralMap(Kernels.chi2(), columns, frequencies, weights);
        }
        return FeatureMaps.parse(spelling)
                .build(Kernels.chi2(), RowSample.none(columns), OptionalInt.empty(), new Seed(1), new Notes());
    }

    /** Requests: map (its spelling, or frequencies), rows, columns, threads, for how many seconds. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            String[] words = request.split(" ", -1);
            FeatureMap map = map(words[0], Integer.parseInt(words[2]));
            double[] seconds = new double[Integer.parseInt(words[3])];
            measure(map, Integer.parseInt(words[1]), (long) (1e9 * Double.parseDouble(words[4])), seconds);
            System.out.println(Arrays.stream(seconds).mapToObj(Double::toString).collect(Collectors.joining(" ")));
        }
    }

    private static void measure(FeatureMap map, int rows, long nanos, double[] seconds) throws InterruptedException {
        Thread[] threads = new Thread[seconds.length];
        for (int t = 0; t < threads.length; t++) {
            int slot = t;
            // Each thread has its own matrix and features, filled before the clock starts.
            int columns = map.inputDimension();
            DenseRows x = DenseRows.of(rows, columns, uniform(rows * columns));
            float[] out = new float[rows * map.outputDimension()];
            threads[t] = new Thread(() -> seconds[slot] = secondsOfOne(map, x, out, nanos));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Of processor time, so that what else runs on the machine disturbs little. */
    private static double secondsOfOne(FeatureMap map, DenseRows x, float[] out, long nanos) {
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long start = clock.getCurrentThreadCpuTime();
        int calls = 0;
        do {
            map.apply(x, out, 0, map.outputDimension());
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
