package org.bochner.learn;

/**
 * One penalty that was tried.
 *
 * @param lambda the penalty
 * @param degreesOfFreedom effective number of parameters, intercept included: 1 + tr((H + λI)⁻¹H) for ridge; for penalties
 *     that make weights zero, how many features have weights that are not
 * @param trainingError mean loss on the training rows, averaged over the outputs; for ridge the mean squared residual
 * @param score by which penalties are compared, the smaller the better: for ridge generalised cross-validation, the
 *     training error divided by (1 − degrees of freedom / rows)², of which those of weight 0 do not count; for others the
 *     mean loss on rows that were set aside
 */
public record PathPoint(double lambda, double degreesOfFreedom, double trainingError, double score) {}
