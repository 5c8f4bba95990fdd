package org.bochner.data;

import org.jspecify.annotations.Nullable;

/** Targets and weights of a block's rows; shared by both kinds of block. */
final class RowLabels {
    static final RowLabels NONE = new RowLabels(0, new double[0], null);

    private final int width;
    private final double[] targets;
    private final double @Nullable [] weights;

    RowLabels(int width, double[] targets, double @Nullable [] weights) {
        this.width = width;
        this.targets = targets;
        this.weights = weights;
    }

    int width() {
        return width;
    }

    double target(int row, int j) {
        return targets[row * width + j];
    }

    boolean weighted() {
        return weights != null;
    }

    double weight(int row) {
        return weights == null ? 1 : weights[row];
    }
}
