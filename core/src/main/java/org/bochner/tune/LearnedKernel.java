package org.bochner.tune;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.model.TrainingResult;
import org.bochner.numeric.optimise.Minimum;

/**
 * What kernel learning found: a kernel, which reads back from its spelling as any other, and a model with it.
 *
 * @param kernel the kernel; where frequencies were learned, the one they started from
 * @param trained the model, and how its weights were learned
 * @param started the map it began with
 * @param scales the learned scales by term and column, each with its columns; empty where frequencies were learned
 * @param steps what the optimiser did
 * @param end why it ended
 * @param lambda penalty of the criterion: that of ridge regression, or the learner's strength where its own loss judged
 * @param before the criterion at the start, on all rows, relative to that of a constant; without what scales cost
 * @param after the same in the end
 * @param evaluations how often the criterion and its derivatives were computed on all rows
 * @param evaluationSeconds wall time of one of these, on average; NaN where there was none
 * @param seconds wall time of learning the kernel, without preparing before and fitting the model after
 * @param notes sentences on choices the run made by itself
 */
public record LearnedKernel(
        Kernel kernel,
        TrainingResult trained,
        FeatureMap started,
        List<LearnedScale> scales,
        List<Step> steps,
        Minimum.End end,
        double lambda,
        double before,
        double after,
        int evaluations,
        double evaluationSeconds,
        double seconds,
        List<Note> notes) {
    public LearnedKernel {
        scales = List.copyOf(scales);
        steps = List.copyOf(steps);
        notes = List.copyOf(notes);
    }

    /** Returns the absolute values of the initial frequencies along a column, ascending. Columns count from 0. */
    public double[] startFrequencies(int column) {
        return new MapFrequencies(started).along(column);
    }

    /** Returns the absolute values of the learned frequencies along a column, ascending. Columns count from 0. */
    public double[] learnedFrequencies(int column) {
        return new MapFrequencies(trained.model().map()).along(column);
    }

    /** Returns the lengths |ω| of the initial frequencies, ascending. */
    public double[] startFrequencyLengths() {
        return new MapFrequencies(started).lengths();
    }

    /** Returns the lengths |ω| of the learned frequencies, ascending. */
    public double[] learnedFrequencyLengths() {
        return new MapFrequencies(trained.model().map()).lengths();
    }

    /**
     * One iteration.
     *
     * @param stage what was moved, on which rows
     * @param iteration within its stage, from 0 for the start
     * @param value of the criterion with the penalty on scales
     * @param slope the largest derivative
     */
    public record Step(String stage, int iteration, double value, double slope) {}
}
