package org.bochner.learn.calibrate;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Isotonic regression of one output: the non-decreasing function of the score with the least weighted squared distance
 * to 1 for the rows of the output's class and 0 for other rows, found by pooling adjacent violators (Ayer et al., 1955,
 * doi:10.1214/aoms/1177728423).
 *
 * <p>One pseudo-row of the mean weight is added at the lowest score and one at the highest, with the target
 * (n₊ + 1)/(n + classes). The probabilities therefore stay strictly between 0 and 1 even if the scores separate the
 * classes perfectly or a class has no rows.
 *
 * <p>Cost: n log n. Each pool of rows becomes one knot at its lowest score and one at its highest.
 */
final class IsotonicFit {
    private final double[] sums;
    private final double[] weights;
    private final float[] lowest;
    private final float[] highest;
    private int pools;

    private IsotonicFit(int rows) {
        sums = new double[rows];
        weights = new double[rows];
        lowest = new float[rows];
        highest = new float[rows];
    }

    /** Fits the function of one output. */
    static IsotonicFit of(ScoreAccumulator rows, int output) {
        int count = rows.rows();
        IsotonicFit fit = new IsotonicFit(count);
        float[] scores = rows.column(output);
        int[] order = ascending(scores);
        double typical = 0;
        for (int i = 0; i < count; i++) {
            typical += rows.weight(i) / count;
        }
        double positives = rows.effectiveRows(output, true);
        double share = (positives + 1) / (positives + rows.effectiveRows(output, false) + rows.classes());
        for (int at = 0; at < count; ) {
            float score = scores[order[at]];
            double weight = at == 0 ? typical : 0;
            double sum = weight * share;
            for (; at < count && scores[order[at]] == score; at++) {
                weight += rows.weight(order[at]);
                sum += rows.positive(order[at], output) ? rows.weight(order[at]) : 0;
            }
            if (at == count) {
                weight += typical;
                sum += typical * share;
            }
            fit.add(score, sum, weight);
        }
        return fit;
    }

    /** Returns the indices of the scores in ascending order of the scores, by sorting 64-bit keys (score, index). */
    private static int[] ascending(float[] scores) {
        long[] keys = new long[scores.length];
        for (int i = 0; i < keys.length; i++) {
            // Adding 0 turns −0 into 0. Flipping the other bits of negative numbers makes integers sort like floats.
            int bits = Float.floatToIntBits(scores[i] + 0f);
            keys[i] = (long) (bits ^ (bits >> 31 & 0x7fffffff)) << 32 | i;
        }
        Arrays.sort(keys);
        return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
    }

    /** Adds the rows of the next higher score, and merges pools whose means do not ascend. */
    private void add(float score, double sum, double weight) {
        sums[pools] = sum;
        weights[pools] = weight;
        lowest[pools] = score;
        highest[pools] = score;
        pools++;
        while (pools > 1 && sums[pools - 2] * weights[pools - 1] >= sums[pools - 1] * weights[pools - 2]) {
            pools--;
            sums[pools - 1] += sums[pools];
            weights[pools - 1] += weights[pools];
            highest[pools - 1] = highest[pools];
        }
    }

    /** Returns the number of knots. */
    int knots() {
        return pools
                + (int) IntStream.range(0, pools)
                        .filter(p -> lowest[p] < highest[p])
                        .count();
    }

    /** Writes the knots from index {@code start} on. */
    void copyTo(double[] places, double[] values, int start) {
        int at = start;
        double value = 0;
        for (int p = 0; p < pools; p++) {
            // Rounding may let the quotients of ascending pools fall in the last digit.
            value = Math.max(value, sums[p] / weights[p]);
            places[at] = lowest[p];
            values[at++] = value;
            if (lowest[p] < highest[p]) {
                places[at] = highest[p];
                values[at++] = value;
            }
        }
    }
}
