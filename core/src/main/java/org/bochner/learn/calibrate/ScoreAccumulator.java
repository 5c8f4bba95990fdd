package org.bochner.learn.calibrate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;

/**
 * Scores of rows that a model has not learned from, with the classes and weights of the rows: what calibrations are
 * fitted to. Rows of weight 0 are left out.
 *
 * <p>Scores are kept in float32, which is what most are computed in. Memory: {@link #bytesNeeded}. Threads: not safe.
 */
public final class ScoreAccumulator {
    /** Scores in a part of the memory, about. */
    private static final int PART = 1 << 18;

    private final int classes;
    private final int outputs;
    private final int partRows;
    private final List<float[]> parts = new ArrayList<>();
    private int[] labels = new int[64];
    private double[] weights = new double[64];
    private double heaviest;
    private int rows;

    public ScoreAccumulator(int classes) {
        this.classes = Require.atLeast("ScoreAccumulator", "classes", classes, 2);
        outputs = classes == 2 ? 1 : classes;
        partRows = Math.max(1, PART / outputs);
    }

    /** Bytes that so many rows take. */
    public static long bytesNeeded(long rows, int classes) {
        return rows * (4L * (classes == 2 ? 1 : classes) + 12);
    }

    /**
     * Adds a row.
     *
     * @param scores rows×outputs, of which those of the given row are taken
     * @param label the index of its class
     */
    public void add(double[] scores, int row, int label, double weight) {
        Require.that(label >= 0 && label < classes, "ScoreAccumulator", "label " + label + " is no class");
        Require.notNegative("ScoreAccumulator", "weight", weight);
        if (weight == 0) {
            return;
        }
        if (rows == labels.length) {
            int more = rows + (rows >> 1);
            labels = Arrays.copyOf(labels, more);
            weights = Arrays.copyOf(weights, more);
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
        heaviest = Math.max(heaviest, weight);
        rows++;
    }

    public int classes() {
        return classes;
    }

    /** Scores a row. */
    public int outputs() {
        return outputs;
    }

    /** How many rows were added, without those of weight 0. */
    public int rows() {
        return rows;
    }

    float score(int row, int output) {
        return parts.get(row / partRows)[row % partRows * outputs + output];
    }

    int label(int row) {
        return labels[row];
    }

    /** The weight of a row as a share of the largest, so that no unit of weights is too small or too large. */
    double weight(int row) {
        return weights[row] / heaviest;
    }

    /** Whether a row is of the class that is positive for an output. */
    boolean positive(int row, int output) {
        return labels[row] == (outputs == 1 ? 1 : output);
    }

    /** The scores of an output. */
    float[] column(int output) {
        float[] column = new float[rows];
        for (int i = 0; i < rows; i++) {
            column[i] = score(i, output);
        }
        return column;
    }

    /**
     * How many rows of equal weight would tell as much as those of a class, or as all others: (Σw)²/Σw² (Kish), which is
     * their number where the weights are equal.
     */
    double effectiveRows(int output, boolean positive) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < rows; i++) {
            if (positive(i, output) == positive) {
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
