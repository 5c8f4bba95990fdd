package org.bochner.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.learn.uncertainty.Uncertainty;
import org.bochner.model.evaluate.ClassDisagreement;
import org.bochner.model.file.ModelParts;
import org.jspecify.annotations.Nullable;

/** Counts the rows whose intervals or sets contain the actual number or class, for several levels. Threads: not safe. */
final class CoverageCounter {
    private final Labels labels;
    private final int outputs;
    private final List<LevelLimits> levels;
    private final @Nullable ClassDisagreement disagreement;
    /** Rows that are covered, by level and output. */
    private final long[][] covered;
    /** Sums of widths, or of numbers of classes, by level and output. */
    private final double[][] sizes;

    private long rows;

    CoverageCounter(ModelParts model, Uncertainty uncertainty, double... levels) {
        labels = model.labels();
        outputs = uncertainty.outputs();
        this.levels = new ArrayList<>();
        for (double level : levels) {
            this.levels.add(LevelLimits.of(uncertainty, level));
        }
        disagreement = labels instanceof Labels.Classes ? new ClassDisagreement(model) : null;
        covered = new long[levels.length][outputs];
        sizes = new double[levels.length][outputs];
    }

    /** Adds a row of a model that predicts numbers. */
    void addNumbers(RowBlock block, double[] scores, double[] deviations, int row) {
        rows++;
        for (int k = 0; k < levels.size(); k++) {
            for (int o = 0; o < outputs; o++) {
                PredictionInterval interval = levels.get(k).interval(o, scores[row * outputs + o], deviations[row]);
                covered[k][o] += interval.contains(block.target(row, o)) ? 1 : 0;
                sizes[k][o] += interval.width();
            }
        }
    }

    /**
     * Adds a row of a model that predicts classes.
     *
     * @param actual the class of the row; −1 if the model does not know it
     */
    void addClass(double[] scores, int row, int actual) {
        rows++;
        if (disagreement == null) {
            throw new IllegalStateException("no classes");
        }
        disagreement.take(scores, row);
        for (int k = 0; k < levels.size(); k++) {
            BitSet set = disagreement.within(levels.get(k).ofClasses());
            covered[k][0] += actual >= 0 && set.get(actual) ? 1 : 0;
            sizes[k][0] += set.cardinality();
        }
    }

    /** Returns the results: one per level and output. */
    List<Evaluation.Coverage> results() {
        List<Evaluation.Coverage> results = new ArrayList<>();
        for (int k = 0; k < levels.size(); k++) {
            for (int o = 0; o < outputs; o++) {
                results.add(new Evaluation.Coverage(
                        labels instanceof Labels.Numbers numbers
                                ? numbers.names().get(o)
                                : "",
                        levels.get(k).level(),
                        (double) covered[k][o] / rows,
                        sizes[k][o] / rows));
            }
        }
        return results;
    }
}
