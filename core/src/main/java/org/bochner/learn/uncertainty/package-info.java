/**
 * The uncertainty of predictions: quantiles of held-out errors, and predictive deviations of ridge regression. A fitted
 * {@link org.bochner.learn.uncertainty.Uncertainty} gives intervals and sets of any level.
 */
@NullMarked
package org.bochner.learn.uncertainty;

import org.jspecify.annotations.NullMarked;
