package org.bochner.model.file;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.learn.calibrate.Calibration;

/**
 * The stages of a cascade, from cheap to expensive. They are checked to fit together.
 *
 * @param stages at least one; the last one decides all rows that reach it
 * @param rows the number of held-out rows on which the thresholds were chosen
 * @param tolerance the share of the held-out rows by which errors may exceed those of the last stage
 */
public record CascadeParts(List<Stage> stages, long rows, double tolerance) implements CombinedParts {
    private static final String OWNER = "cascade";
    private static final String LAST = "the last stage";

    /**
     * One stage, with counts of held-out rows. A row is counted with thresholds that were chosen without it.
     *
     * @param model the parts of the stage's model, with probabilities
     * @param threshold the stage decides rows whose largest probability is at least this number; 0 for the last stage
     * @param decided the number of rows that the stage decides
     * @param wrong the number of these rows whose class is wrong
     * @param wrongAlone the number of all rows whose class the stage predicts wrongly
     */
    public record Stage(ModelParts model, double threshold, long decided, long wrong, long wrongAlone) {
        public Stage {
            Require.that(threshold >= 0, OWNER, "a threshold must be at least 0, got " + threshold);
            Require.that(
                    0 <= wrong && wrong <= decided && wrong <= wrongAlone, OWNER, "the counts of a stage disagree");
        }

        /** Returns the calibration of the stage's scores. */
        public Calibration calibration() {
            Calibration calibration = model.calibration();
            if (calibration == null || model.combined() != null) {
                throw new BochnerException("a stage of a cascade needs probabilities of its own");
            }
            return calibration;
        }
    }

    public CascadeParts {
        stages = List.copyOf(stages);
        Require.atLeast(OWNER, "stages", stages.size(), 1);
        Require.notNegative(OWNER, "tolerance", tolerance);
        ModelParts last = stages.get(stages.size() - 1).model();
        Require.that(
                stages.get(stages.size() - 1).threshold() == 0, OWNER, "the threshold of the last stage must be 0");
        long decided = 0;
        for (int s = 0; s < stages.size(); s++) {
            Stage stage = stages.get(s);
            requireSame(s, stage.model(), last);
            Calibration calibration = stage.calibration();
            if (!calibration.separates()) {
                throw new BochnerException(
                        "stage " + (s + 1) + " has the calibration " + calibration
                                + ", whose probabilities of different scores may be equal",
                        Remedy.advice("train the stage with temperature or platt"));
            }
            Require.that(stage.wrongAlone() <= rows, OWNER, "the counts of a stage disagree");
            decided = Math.addExact(decided, stage.decided());
        }
        Require.that(decided == rows, OWNER, "the stages decide " + decided + " of " + rows + " rows");
    }

    /** Throws if a stage does not have the columns and classes of the last stage. */
    private static void requireSame(int index, ModelParts stage, ModelParts last) {
        String name = "stage " + (index + 1) + " of the cascade";
        Remedy train = Remedy.advice("train all stages on the same data");
        if (!(stage.labels() instanceof Labels.Classes) || !(last.labels() instanceof Labels.Classes)) {
            throw new BochnerException(
                    name + " has no classes, and a cascade predicts classes",
                    Remedy.advice("train one model for numbers"));
        }
        String difference = CombinedParts.difference(stage.labels(), last.labels(), LAST);
        if (difference != null) {
            throw new BochnerException(name + " has other classes than the last stage: " + difference, train);
        }
        CombinedParts.requireFitOfRows(name, stage, LAST, last, train);
    }

    @Override
    public List<ModelParts> members() {
        return stages.stream().map(Stage::model).toList();
    }

    @Override
    public ModelParts main() {
        return last();
    }

    @Override
    public String description() {
        return "a cascade of " + stages.size() + " stages";
    }

    /** Returns the parts of the last stage. */
    public ModelParts last() {
        return stages.get(stages.size() - 1).model();
    }

    /**
     * Returns true if a stage decides a row: its sureness reaches the threshold, or no stage follows.
     *
     * @param logarithms rows×outputs, as {@link Calibration#logarithms} writes them
     */
    public boolean decides(int stage, double[] logarithms, int row, int outputs) {
        return stage == stages.size() - 1
                || sureness(logarithms, row, outputs) >= stages.get(stage).threshold();
    }

    /**
     * Returns the probability of the predicted class of a row, which the thresholds of stages are compared with.
     *
     * @param logarithms rows×outputs, as {@link Calibration#logarithms} writes them
     */
    public static double sureness(double[] logarithms, int row, int outputs) {
        if (outputs == 1) {
            return 1 / (1 + Math.exp(-Math.abs(logarithms[row])));
        }
        double largest = logarithms[row * outputs];
        for (int o = 1; o < outputs; o++) {
            largest = Math.max(largest, logarithms[row * outputs + o]);
        }
        return Math.exp(largest);
    }
}
