package org.bochner.stats;

import java.util.Arrays;
import org.bochner.data.RowBlock;

/** The targets and weights of some rows, kept apart from the rows, whose memory is reused. */
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

    /** The same, of rows that stand after so many others. */
    RowTargets after(long others) {
        return new RowTargets(firstRow + others, width, targets, weights);
    }

    /** A copy of those of the rows from (inclusive) to (exclusive). */
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
