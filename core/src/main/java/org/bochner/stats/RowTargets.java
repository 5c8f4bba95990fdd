package org.bochner.stats;

import java.util.Arrays;
import org.bochner.data.RowBlock;

/** Copies of the targets and weights of some rows; the memory of the rows themselves is reused. */
final class RowTargets {
    private final long firstRow;
    private final int width;
    private final double[] targets;
    private final double[] weights;

    RowTargets(RowBlock rows, RowWeights rowWeights) {
        firstRow = rows.firstRow();
        width = rows.targets();
        targets = new double[rows.rows() * width];
        weights = new double[rows.rows()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = rowWeights.weight(rows, i);
            for (int t = 0; t < width; t++) {
                targets[i * width + t] = rows.target(i, t);
            }
        }
    }

    private RowTargets(long firstRow, int width, double[] targets, double[] weights) {
        this.firstRow = firstRow;
        this.width = width;
        this.targets = targets;
        this.weights = weights;
    }

    /** Returns these targets with row numbers that start {@code others} later. */
    RowTargets after(long others) {
        return new RowTargets(firstRow + others, width, targets, weights);
    }

    /** Returns a copy for the rows {@code from} to {@code to} (exclusive). */
    RowTargets part(int from, int to) {
        return new RowTargets(
                firstRow + from,
                width,
                Arrays.copyOfRange(targets, from * width, to * width),
                Arrays.copyOfRange(weights, from, to));
    }

    long firstRow() {
        return firstRow;
    }

    double target(int row, int t) {
        return targets[row * width + t];
    }

    double rowWeight(int row) {
        return weights[row];
    }
}
