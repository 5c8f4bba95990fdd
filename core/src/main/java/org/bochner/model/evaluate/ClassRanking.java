package org.bochner.model.evaluate;

import org.bochner.base.Require;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.model.file.ModelParts;
import org.jspecify.annotations.Nullable;

/**
 * The order of a row's classes: by probability if the model has probabilities, then by score, then by index. Reused
 * from row to row; each thread needs its own.
 */
public final class ClassRanking {
    private final @Nullable Calibration calibration;
    private final int classes;
    private final int outputs;
    private final double[] probabilities;
    private double[] scores = new double[0];
    private int row;

    public ClassRanking(ModelParts model) {
        calibration = model.calibration();
        classes = Require.atLeast("ClassRanking", "classes", ModelParts.classes(model.labels()), 1);
        outputs = model.requireLinear().outputs();
        probabilities = new double[calibration == null ? 0 : classes];
    }

    /** Returns the class with the highest score; with a single score, the second class if the score is positive. */
    public static int highest(double[] scores, int row, int outputs) {
        if (outputs == 1) {
            return scores[row] > 0 ? 1 : 0;
        }
        int best = 0;
        for (int o = 1; o < outputs; o++) {
            if (scores[row * outputs + o] > scores[row * outputs + best]) {
                best = o;
            }
        }
        return best;
    }

    /** Sets the row of a block of scores, which must not change while it is in use. */
    public void take(double[] blockScores, int blockRow) {
        scores = blockScores;
        row = blockRow;
        if (calibration != null) {
            calibration.probabilities(scores, row, probabilities, 0);
        }
    }

    public boolean hasProbabilities() {
        return calibration != null;
    }

    public double probability(int label) {
        return probabilities[label];
    }

    /** Returns the first class. */
    public int first() {
        int best = 0;
        for (int c = 1; c < classes; c++) {
            if (before(c, best)) {
                best = c;
            }
        }
        return best;
    }

    /** Returns the number of classes before a class. */
    public int placeOf(int label) {
        int place = 0;
        for (int c = 0; c < classes; c++) {
            place += c != label && before(c, label) ? 1 : 0;
        }
        return place;
    }

    private boolean before(int a, int b) {
        if (calibration != null && probabilities[a] != probabilities[b]) {
            return probabilities[a] > probabilities[b];
        }
        return score(a) > score(b) || (score(a) == score(b) && a < b);
    }

    private double score(int label) {
        if (outputs == 1) {
            return label == 1 ? scores[row] : -scores[row];
        }
        return scores[row * outputs + label];
    }
}
