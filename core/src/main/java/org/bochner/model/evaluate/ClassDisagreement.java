package org.bochner.model.evaluate;

import java.util.BitSet;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.model.file.ModelParts;
import org.jspecify.annotations.Nullable;

/**
 * How much the scores of a row speak against each class: 1 − probability if the model has probabilities, else the largest
 * score of another class minus the score of the class. A single score s of two classes counts as −s and s. Reused from row
 * to row; each thread needs its own.
 */
public final class ClassDisagreement {
    private final @Nullable Calibration calibration;
    private final ClassRanking ranking;
    private final int classes;
    private final int outputs;
    private final double[] values;

    public ClassDisagreement(ModelParts model) {
        calibration = model.calibration();
        ranking = new ClassRanking(model);
        classes = ModelParts.classes(model.labels());
        outputs = model.requireLinear().outputs();
        values = new double[classes];
    }

    /** Sets the row of a block of scores. */
    public void take(double[] scores, int row) {
        ranking.take(scores, row);
        if (calibration != null) {
            for (int c = 0; c < classes; c++) {
                values[c] = 1 - ranking.probability(c);
            }
        } else if (outputs == 1) {
            values[0] = 2 * scores[row];
            values[1] = -2 * scores[row];
        } else {
            margins(scores, row * outputs);
        }
    }

    private void margins(double[] scores, int from) {
        int first = ClassRanking.highest(scores, from / outputs, outputs);
        double second = Double.NEGATIVE_INFINITY;
        for (int c = 0; c < classes; c++) {
            second = c == first ? second : Math.max(second, scores[from + c]);
        }
        for (int c = 0; c < classes; c++) {
            values[c] = (c == first ? second : scores[from + first]) - scores[from + c];
        }
    }

    /** Returns the value of a class. */
    public double of(int label) {
        return values[label];
    }

    /** Returns the classes whose value is at most a limit; the first class of the ranking if there are none. */
    public BitSet within(double limit) {
        BitSet set = new BitSet(classes);
        for (int c = 0; c < classes; c++) {
            set.set(c, values[c] <= limit);
        }
        if (set.isEmpty()) {
            set.set(ranking.first());
        }
        return set;
    }
}
