package org.bochner.learn.calibrate;

import java.util.Arrays;

/**
 * The function of the scores of one output that never falls and is nearest, in weighted squares, to 1 for the rows of its
 * class and 0 for the others: by pooling neighbours that violate the order (Ayer et al., 1955, doi:10.1214/aoms/1177728423).
 *
 * <p>To the rows of the lowest score one of the mean weight is added that is of the class to its share of the rows,
 * (n₊ + 1)/(n + classes), and one to those of the highest. So no probability is 0 or 1, however well the scores separate,
 * and a class that no row is of has one too.
 *
 * <p>Cost: n log n. Every pool of rows becomes a knot at its lowest score and one at its highest.
 */
final class IsotonicFit {
    private final double[] sums;
    private final double[] weights;
    private final float[] lowest;
    private final float[] highest;
    private int pools;

    IsotonicFit(ScoreAccumulator rows, int output) {
        int count = rows.rows();
        float[] scores = rows.column(output);
        int[] order = ascending(scores);
        sums = new double[count];
        weights = new double[count];
        lowest = new float[count];
        highest = new float[count];
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
            add(score, sum, weight);
        }
    }

    /** The indices of the scores in ascending order: as numbers of 64 bits, the scores before the indices. */
    private static int[] ascending(float[] scores) {
        long[] keys = new long[scores.length];
        for (int i = 0; i < keys.length; i++) {
            // Adding 0 makes zeros alike; the other bits of a negative number are turned round, so that it sorts as
            // one.
            int bits = Float.floatToIntBits(scores[i] + 0f);
            keys[i] = (long) (bits ^ (bits >> 31 & 0x7fffffff)) << 32 | i;
        }
        Arrays.sort(keys);
        int[] order = new int[keys.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = (int) keys[i];
        }
        return order;
    }

    /** Adds rows of one score above all others, and pools what does not ascend. */
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

    /** How many knots there are. */
    int knots() {
        int knots = 0;
        for (int p = 0; p < pools; p++) {
            knots += lowest[p] < highest[p] ? 2 : 1;
        }
        return knots;
    }

    /** Writes the knots from a place on. */
    void copyTo(double[] places, double[] values, int start) {
        int at = start;
        double value = 0;
        for (int p = 0; p < pools; p++) {
            // Quotients of sums that ascend may fall in their last digit.
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
