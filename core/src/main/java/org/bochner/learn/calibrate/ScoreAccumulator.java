package org.bochner.learn.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;

/**
 * Collects the scores, classes, weights and groups of held-out rows, to which calibrations are fitted. Rows of weight 0 are
 * left out.
 *
 * <p>Scores are kept in float32, the precision in which most are computed. Memory: {@link #bytesNeeded}. Threads: not
 * safe.
 */
public final class ScoreAccumulator {
    /** Approximate number of scores per array. */
    private static final int PART = 1 << 18;

    private final int classes;
    private final int outputs;
    private final int partRows;
    private final List<float[]> parts = new ArrayList<>();
    private int[] labels = new int[64];
    private double[] weights = new double[64];
    private long[] groups = new long[64];
    private double heaviest;
    private int rows;

    public ScoreAccumulator(int classes) {
        this.classes = Require.atLeast("ScoreAccumulator", "classes", classes, 2);
        outputs = Calibration.outputs(classes);
        partRows = Math.max(1, PART / outputs);
    }

    /** Returns the bytes that the given number of rows takes. */
    public static long bytesNeeded(long rows, int classes) {
        return rows * (4L * Calibration.outputs(classes) + 20);
    }

    /**
     * Adds a row that is its own group.
     *
     * @param scores rows×outputs; the scores of the given row are added
     * @param label the index of the row's class
     */
    public void add(double[] scores, int row, int label, double weight) {
        add(scores, row, label, weight, rows);
    }

    /**
     * Adds a row.
     *
     * @param scores rows×outputs; the scores of the given row are added
     * @param label the index of the row's class
     * @param group the {@linkplain org.bochner.data.RowBlock#group group} of the row
     */
    public void add(double[] scores, int row, int label, double weight, long group) {
        Require.that(label >= 0 && label < classes, "ScoreAccumulator", "label " + label + " is no class");
        Require.notNegative("ScoreAccumulator", "weight", weight);
        if (weight == 0) {
            return;
        }
        if (rows == labels.length) {
            int more = rows + (rows >> 1);
            labels = Arrays.copyOf(labels, more);
            weights = Arrays.copyOf(weights, more);
            groups = Arrays.copyOf(groups, more);
        }
        if (rows % partRows == 0) {
            parts.add(new float[partRows * outputs]);
        }
        float[] part = parts.get(rows / partRows);
        int at = rows % partRows * outputs;
        for (int o = 0; o < outputs; o++) {
            part[at + o] = (float) scores[row * outputs + o];
            if (!Float.isFinite(part[at + o])) {
                throw new BochnerException("calibration: a score is " + scores[row * outputs + o]
                        + ", which is no number in float32; scale the rows, or use a larger penalty");
            }
        }
        labels[rows] = label;
        weights[rows] = weight;
        groups[rows] = group;
        heaviest = Math.max(heaviest, weight);
        rows++;
    }

    public int classes() {
        return classes;
    }

    /** Returns the number of scores per row. */
    public int outputs() {
        return outputs;
    }

    /** Returns the number of rows added, without those of weight 0. */
    public int rows() {
        return rows;
    }

    /** Copies the scores of a row to an array. */
    public void copyScores(int row, double[] to) {
        for (int o = 0; o < outputs; o++) {
            to[o] = score(row, o);
        }
    }

    float score(int row, int output) {
        return parts.get(row / partRows)[row % partRows * outputs + output];
    }

    /** Returns the index of the class of a row. */
    public int label(int row) {
        return labels[row];
    }

    /** Returns the group of a row. */
    public long group(int row) {
        return groups[row];
    }

    /** Returns the weight of a row relative to the largest weight, which avoids overflow and underflow. */
    double weight(int row) {
        return weights[row] / heaviest;
    }

    /** Returns true if the class of a row is the positive class of an output. */
    boolean positive(int row, int output) {
        return labels[row] == (outputs == 1 ? 1 : output);
    }

    /** Returns the scores of an output. */
    float[] column(int output) {
        float[] column = new float[rows];
        for (int i = 0; i < rows; i++) {
            column[i] = score(i, output);
        }
        return column;
    }

    /** Returns the effective number of rows of an output's class, or of all other classes. */
    double effectiveRows(int output, boolean positive) {
        return effectiveRows(row -> positive(row, output) == positive);
    }

    /** Returns the effective number of some rows: (Σw)²/Σw² (Kish), their number if the weights are equal. */
    double effectiveRows(IntPredicate chosen) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < rows; i++) {
            if (chosen.test(i)) {
                sum += weight(i);
                squares += weight(i) * weight(i);
            }
        }
        return sum == 0 ? 0 : sum * sum / squares;
    }

    void requireRows() {
        if (rows == 0) {
            throw new BochnerException("calibration: there are no rows of a weight above 0 to fit it to");
        }
    }
}
