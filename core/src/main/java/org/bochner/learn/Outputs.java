package org.bochner.learn;

import org.bochner.data.Labels;
import org.bochner.stats.FeatureTile;

/**
 * The functions to be learned for some labels: one a number; one a class, against all others, with targets ±1; of two
 * classes a single one, positive for the second.
 */
record Outputs(boolean classes, int targets, int count) {
    static Outputs of(Labels labels) {
        if (labels instanceof Labels.Classes named) {
            int classes = named.names().size();
            return new Outputs(true, classes, classes == 2 ? 1 : classes);
        }
        return new Outputs(false, labels.width(), labels.width());
    }

    /** The target of a row for an output. */
    double target(FeatureTile tile, int row, int output) {
        if (!classes) {
            return tile.target(row, output);
        }
        return (int) tile.target(row, 0) == target(output) ? 1 : -1;
    }

    /** The number of the target that an output predicts. */
    int target(int output) {
        return classes && count == 1 ? 1 : output;
    }
}
