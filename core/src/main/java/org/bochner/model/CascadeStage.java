package org.bochner.model;

import java.util.List;
import org.bochner.base.Require;
import org.bochner.model.file.CascadeParts;
import org.bochner.model.file.ModelAccess;
import org.jspecify.annotations.Nullable;

/**
 * One stage of a cascade, with counts of rows: the held-out rows of its training ({@link KernelModel#stages}), or the rows
 * of an evaluation ({@link Evaluation#stages}).
 *
 * @param model the model of the stage, which can be used by itself
 * @param threshold the stage decides rows whose largest probability is at least this number; 0 for the last stage, which
 *     decides all rows that reach it
 * @param rows the number of rows
 * @param decided the number of rows that the stage decides
 * @param wrong the number of rows that the stage decides wrongly
 * @param wrongAlone the number of rows whose class the stage would predict wrongly if it decided all rows
 * @param microseconds the CPU time in which the stage alone predicts a row on one thread; NaN if it was not measured
 */
public record CascadeStage(
        KernelModel model,
        double threshold,
        long rows,
        long decided,
        long wrong,
        long wrongAlone,
        double microseconds) {
    public CascadeStage {
        Require.that(
                0 <= wrong && wrong <= decided && decided <= rows && wrongAlone <= rows,
                "CascadeStage",
                "the counts disagree");
    }

    /** Returns the share of the rows that the stage decides; NaN without rows. */
    public double share() {
        return (double) decided / rows;
    }

    /** Returns the share of wrong classes among the rows that the stage decides; NaN if it decides none. */
    public double error() {
        return (double) wrong / decided;
    }

    /** Returns the stages of a cascade, with the counts of its held-out rows; empty without a cascade. */
    static List<CascadeStage> of(@Nullable CascadeParts cascade) {
        if (cascade == null) {
            return List.of();
        }
        return cascade.stages().stream()
                .map(stage -> new CascadeStage(
                        ModelAccess.model(stage.model()),
                        stage.threshold(),
                        cascade.rows(),
                        stage.decided(),
                        stage.wrong(),
                        stage.wrongAlone(),
                        Double.NaN))
                .toList();
    }

    /** Returns stages with the times that they need for a row. */
    static List<CascadeStage> timed(List<CascadeStage> stages, PredictionSpeed speed) {
        return stages.stream()
                .map(stage -> new CascadeStage(
                        stage.model,
                        stage.threshold,
                        stage.rows,
                        stage.decided,
                        stage.wrong,
                        stage.wrongAlone,
                        speed.microseconds(stage.model)))
                .toList();
    }

    /** Returns the share of wrong classes if the stage decided all rows. */
    public double errorAlone() {
        return (double) wrongAlone / rows;
    }
}
