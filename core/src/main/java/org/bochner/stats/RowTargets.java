package org.bochner.stats;

import java.util.Arrays;
import org.bochner.data.RowBlock;

/**
 * Copies of the targets and weights of some rows; the memory of the rows themselves is reused.
 *
 * @param firstRow the index of the first row in its source
 * @param width the number of targets per row
 * @param targets rows×width
 * @param weights one per row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RowTargets(long firstRow, int width, double[] targets, double[] weights) {
    static RowTargets of(RowBlock rows, RowWeights rowWeights) {
        int width = rows.targets();
        double[] targets = new double[rows.rows() * width];
        double[] weights = new double[rows.rows()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = rowWeights.weight(rows, i);
            for (int t = 0; t < width; t++) {
                targets[i * width + t] = rows.target(i, t);
            }
        }
        return new RowTargets(rows.firstRow(), width, targets, weights);
    }

    /** Returns these targets with row numbers that start {@code others} later. */
    RowTargets after(long others) {
        return new RowTargets(firstRow + others, width, targets, weights);
    }

    /** Returns a copy for the rows {@code from} to {@code to} (exclusive). */
    RowTargets part(int from, int to) {
        double[] own = Arrays.copyOfRange(targets, from * width, to * width);
        return new RowTargets(firstRow + from, width, own, Arrays.copyOfRange(weights, from, to));
    }

    double target(int row, int t) {
        return targets[row * width + t];
    }

    double rowWeight(int row) {
        return weights[row];
    }
}
