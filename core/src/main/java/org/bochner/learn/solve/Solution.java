package org.bochner.learn.solve;

import org.bochner.learn.Convergence;

/**
 * The result of a solver.
 *
 * @param point a point of an {@link Objective}; the array is shared and must not be changed
 * @param convergence how the solver ended
 */
record Solution(double[] point, Convergence convergence) {}
