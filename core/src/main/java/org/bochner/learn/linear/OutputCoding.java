package org.bochner.learn.linear;

import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.stats.FeatureTile;

/**
 * The coding of labels as outputs: one output per number, or one per class against the rest with targets ±1; two
 * classes have a single output, positive for the second class.
 *
 * @param classes true if targets are ±1
 * @param targets the number of targets in the statistics
 * @param count the number of outputs
 */
public record OutputCoding(boolean classes, int targets, int count) {
    /** Returns the coding of labels. */
    public static OutputCoding of(Labels labels) {
        if (labels instanceof Labels.Classes named) {
            int classes = named.names().size();
            return new OutputCoding(true, classes, classes == 2 ? 1 : classes);
        }
        return new OutputCoding(false, labels.targets(), labels.targets());
    }

    /**
     * Fails if a source has no labels or all its rows have one class.
     *
     * @param file whether the source is a file
     */
    public static void require(String source, boolean file, Labels labels) {
        if (labels.targets() == 0 && !file) {
            throw new BochnerException(
                    source + ": the rows have no labels; MemorySource.withClasses or withTargets adds them");
        }
        if (labels.targets() == 0) {
            throw new BochnerException(
                    source + ": has no labels to learn from",
                    Remedy.set(Setting.LABEL, "names their column"),
                    Remedy.set(Setting.LABELS_FILE, "names their file"));
        }
        if (labels instanceof Labels.Classes classes && classes.names().size() < 2) {
            throw new BochnerException(source + ": all rows are of one class, " + String.join(", ", classes.names())
                    + "; there is nothing to tell apart");
        }
    }

    /** Returns the target of a row of features for an output. */
    public double target(FeatureTile tile, int row, int output) {
        return classes ? sign(tile.target(row, 0), output) : tile.target(row, output);
    }

    /** Returns the target of a row of a block for an output. */
    public double target(RowBlock rows, int row, int output) {
        return classes ? sign(rows.target(row, 0), output) : rows.target(row, output);
    }

    /** Returns the target of a row for an output, given the targets of the row. */
    public double target(double[] targets, int output) {
        return classes ? sign(targets[0], output) : targets[output];
    }

    /** Returns 1 if a row's class is the one that an output predicts, else −1. */
    public double sign(double label, int output) {
        return (int) label == target(output) ? 1 : -1;
    }

    /** Returns the factor that converts statistics of 0/1 targets to ±1 targets: 2 for classes, else 1. */
    public double scale() {
        return classes ? 2 : 1;
    }

    /** Returns the mean of an output's target from the mean of the statistics' target. */
    public double mean(double targetMean) {
        return classes ? 2 * targetMean - 1 : targetMean;
    }

    /** Returns the index of the target that an output predicts. */
    public int target(int output) {
        return classes && count == 1 ? 1 : output;
    }
}
