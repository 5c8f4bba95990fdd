package org.bochner.learn;

/**
 * One penalty that was tried.
 *
 * @param lambda the penalty
 * @param degreesOfFreedom effective number of parameters, intercept included: 1 + tr((H + λI)⁻¹H) for ridge; for penalties
 *     that make weights zero, how many features have weights that are not; NaN where it was not computed
 * @param trainingError mean loss on the training rows, averaged over the outputs; for ridge the mean squared residual; NaN
 *     where it was not computed
 * @param score by which penalties are compared, the smaller the better: for ridge the mean squared error, over rows and
 *     outputs, of rows predicted from others (cross-validation, one held-out fold, or leave-one-out); for other learners the
 *     mean loss on held-out rows
 */
public record PathPoint(double lambda, double degreesOfFreedom, double trainingError, double score) {}
