package org.bochner.model;

/**
 * A trained model and the report of its training.
 *
 * @param model the model
 * @param report the report of the training
 */
public record TrainingResult(KernelModel model, TrainingReport report) {
    /** Returns one line of text: the model, the number of training rows and the learner. */
    @Override
    public String toString() {
        return model + ", trained on " + report.rows() + " rows with " + report.learner();
    }
}
