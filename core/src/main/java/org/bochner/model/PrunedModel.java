package org.bochner.model;

import org.bochner.data.Labels;

/**
 * A model in one of its sizes, and what can be said of it.
 *
 * @param model the model
 * @param units how many units of the whole model it has
 * @param share which share of them that is
 * @param bytes the size of its file
 * @param evaluation how well it does on rows that it was not fitted to
 * @param loss what it loses against the whole model: error as a difference for classes, rmse as a share for numbers
 * @param speed how many times as fast as the whole model it predicts, on one thread
 */
public record PrunedModel(
        KernelModel model, int units, double share, long bytes, Evaluation evaluation, double loss, double speed) {
    /** What an evaluation loses against that of the whole model. */
    static double loss(Evaluation evaluation, Evaluation whole) {
        if (whole.labels() instanceof Labels.Classes) {
            return evaluation.error() - whole.error();
        }
        return evaluation.rmse() == whole.rmse() ? 0 : evaluation.rmse() / whole.rmse() - 1;
    }
}
