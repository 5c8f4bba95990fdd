package org.bochner.model;

/**
 * A trained model and the report of its training.
 *
 * @param model the model
 * @param report the report of the training
 */
public record TrainingResult(KernelModel model, TrainingReport report) {}
