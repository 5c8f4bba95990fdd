package org.bochner.learn;

/**
 * One penalty that was tried, and its results.
 *
 * @param lambda the penalty
 * @param degreesOfFreedom the effective number of parameters, intercept included: 1 + tr((H + λI)⁻¹H) for ridge; for
 *     penalties that make weights zero, the number of features with a weight other than 0; NaN if it was not computed
 * @param trainingLoss the mean loss on the training rows, averaged over the outputs; for ridge the mean squared
 *     residual; NaN if it was not computed
 * @param validationError the number by which penalties are compared, smaller is better: for ridge the mean squared
 *     error, over rows and outputs, of rows predicted from other rows (cross-validation, one held-out fold, or
 *     leave-one-out); for other learners the mean loss on held-out rows
 */
public record PathPoint(double lambda, double degreesOfFreedom, double trainingLoss, double validationError) {}
