package org.bochner.learn;

/**
 * One penalty on the ridge path.
 *
 * @param lambda the penalty
 * @param degreesOfFreedom effective number of parameters, intercept included: 1 + tr((H + λI)⁻¹H)
 * @param trainingError mean squared residual on the training rows, averaged over the outputs
 * @param score generalised cross-validation: the training error divided by (1 − degrees of freedom / rows)², of which
 *     those of weight 0 do not count
 */
public record RidgePoint(double lambda, double degreesOfFreedom, double trainingError, double score) {}
