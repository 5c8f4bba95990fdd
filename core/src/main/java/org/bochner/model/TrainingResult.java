package org.bochner.model;

/**
 * A model and how it was made.
 *
 * @param model the model
 * @param report what training did
 */
public record TrainingResult(KernelModel model, TrainingReport report) {}
