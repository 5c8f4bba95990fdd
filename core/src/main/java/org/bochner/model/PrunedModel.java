package org.bochner.model;

import org.bochner.data.Labels;

/**
 * A pruned model and its measures.
 *
 * @param model the model
 * @param units the number of units that were kept
 * @param share the share of the whole model's units
 * @param bytes the size of the model file
 * @param evaluation the evaluation on rows that it was not fitted to
 * @param loss the loss against the whole model: the difference of errors for classes, the relative increase of the
 *     rmse for numbers
 * @param speed the speed of prediction on one thread, as a multiple of the whole model's
 */
public record PrunedModel(
        KernelModel model, int units, double share, long bytes, Evaluation evaluation, double loss, double speed) {
    /** Returns the loss of an evaluation against that of the whole model. */
    static double loss(Evaluation evaluation, Evaluation whole) {
        if (whole.labels() instanceof Labels.Classes) {
            return evaluation.error() - whole.error();
        }
        return evaluation.rmse() == whole.rmse() ? 0 : evaluation.rmse() / whole.rmse() - 1;
    }
}
