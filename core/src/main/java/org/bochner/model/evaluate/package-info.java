/** Holds the sums behind an evaluation: confusion, areas under ROC curves, errors of probabilities, residuals. */
@NullMarked
package org.bochner.model.evaluate;

import org.jspecify.annotations.NullMarked;
