package org.bochner.learn;

/**
 * The state of a solver after an iteration.
 *
 * @param number the number of the iteration, from 1
 * @param objective the value of the objective, including the penalty
 * @param measure the name of the residual: "gradient", "duality gap", "KKT residual"
 * @param residual the residual, on the scale of the tolerance
 * @param nonZeros the number of features with a non-zero weight
 */
public record Iteration(int number, double objective, String measure, double residual, int nonZeros) {}
