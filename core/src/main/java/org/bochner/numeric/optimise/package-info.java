/**
 * Minimisers of smooth and convex functions: L-BFGS, proximal quasi-Newton, and their options.
 */
@NullMarked
package org.bochner.numeric.optimise;

import org.jspecify.annotations.NullMarked;
