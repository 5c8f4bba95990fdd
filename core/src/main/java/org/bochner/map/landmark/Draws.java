package org.bochner.map.landmark;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.bochner.random.RandomStream;

/** Random choices of different numbers. */
final class Draws {
    private Draws() {}

    /**
     * Draws different indices, one after the other, with probabilities in proportion to weights: those with the smallest
     * E/weight, where E has the exponential distribution. Fewer are drawn if fewer weights are positive.
     */
    static int[] withoutReplacement(double[] weights, int count, RandomStream stream) {
        double[] times = new double[weights.length];
        for (int i = 0; i < times.length; i++) {
            double exponential = -Math.log1p(-stream.nextUniform());
            times[i] = weights[i] > 0 ? exponential / weights[i] : Double.POSITIVE_INFINITY;
        }
        return IntStream.range(0, weights.length)
                .filter(i -> times[i] < Double.POSITIVE_INFINITY)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> times[i]))
                .limit(count)
                .mapToInt(i -> i)
                .toArray();
    }

    /** Draws different indices below a limit, all equally likely, in random order. */
    static int[] uniform(int limit, int count, RandomStream stream) {
        int[] all = new int[limit];
        Arrays.setAll(all, i -> i);
        int drawn = Math.min(count, limit);
        for (int i = 0; i < drawn; i++) {
            int other = i + stream.nextInt(limit - i);
            int kept = all[i];
            all[i] = all[other];
            all[other] = kept;
        }
        return Arrays.copyOf(all, drawn);
    }

    /** Returns indices below a limit at equal distances. */
    static int[] spread(int limit, int count) {
        return IntStream.range(0, count)
                .map(k -> (int) ((long) k * limit / count))
                .toArray();
    }
}
