/**
 * Learners: recipes for linear functions of the features. A {@link org.bochner.learn.Learner} is a loss with penalties
 * and a solver; a {@link org.bochner.learn.CalibrationRecipe} says how its scores become probabilities, and an {@link
 * org.bochner.learn.UncertaintyRecipe} how predictions get intervals. The other types report how a solver went.
 */
@NullMarked
package org.bochner.learn;

import org.jspecify.annotations.NullMarked;
