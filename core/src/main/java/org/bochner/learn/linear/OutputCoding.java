package org.bochner.learn.linear;

import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.stats.FeatureTile;

/**
 * The functions to be learned for some labels: one a number; one a class, against all others, with targets ±1; of two
 * classes a single one, positive for the second.
 *
 * @param classes whether targets are ±1
 * @param targets how many the statistics have
 * @param count how many functions there are
 */
public record OutputCoding(boolean classes, int targets, int count) {
    /** The functions to be learned for labels. */
    public static OutputCoding of(Labels labels) {
        if (labels instanceof Labels.Classes named) {
            int classes = named.names().size();
            return new OutputCoding(true, classes, classes == 2 ? 1 : classes);
        }
        return new OutputCoding(false, labels.targets(), labels.targets());
    }

    /** Fails where the labels of a source leave nothing to learn: there are none, or all rows are of one class. */
    public static void require(String source, Labels labels) {
        if (labels.targets() == 0) {
            throw new BochnerException(
                    source + ": has no labels to learn from",
                    Remedy.set(Setting.LABEL, "COLUMN", "names their column"),
                    Remedy.set(Setting.LABELS_FILE, "FILE", "names their file"));
        }
        if (labels instanceof Labels.Classes classes && classes.names().size() < 2) {
            throw new BochnerException(source + ": all rows are of one class, " + String.join(", ", classes.names())
                    + "; there is nothing to tell apart");
        }
    }

    /** The target of a row for an output. */
    public double target(FeatureTile tile, int row, int output) {
        if (!classes) {
            return tile.target(row, output);
        }
        return (int) tile.target(row, 0) == target(output) ? 1 : -1;
    }

    /** The target of a row of values for an output. */
    public double target(RowBlock rows, int row, int output) {
        if (!classes) {
            return rows.target(row, output);
        }
        return (int) rows.target(row, 0) == target(output) ? 1 : -1;
    }

    /** What statistics of targets, in which a class is 1 or 0, are to be multiplied by: 2 where targets are ±1. */
    public double scale() {
        return classes ? 2 : 1;
    }

    /** The mean of an output's target, from that of the statistics' target. */
    public double mean(double targetMean) {
        return classes ? 2 * targetMean - 1 : targetMean;
    }

    /** The number of the target that an output predicts. */
    public int target(int output) {
        return classes && count == 1 ? 1 : output;
    }
}
