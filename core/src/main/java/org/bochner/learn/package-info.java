/**
 * Learners: from features to linear functions of them. A {@link org.bochner.learn.Learner} is the recipe, a loss with
 * penalties and a solver; {@link org.bochner.learn.Training} runs it, on the statistics of one pass where the loss is the
 * square, else on a source of features that can be gone over again. {@link org.bochner.learn.Calibration} makes
 * probabilities of scores.
 */
@NullMarked
package org.bochner.learn;

import org.jspecify.annotations.NullMarked;
