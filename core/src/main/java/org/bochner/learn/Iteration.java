package org.bochner.learn;

/**
 * How far a solver has come.
 *
 * @param number of the iteration, from 1
 * @param objective what is minimised, with the penalty
 * @param measure what says how far it is from the minimum: "gradient", "duality gap", "KKT residual"
 * @param residual its value, relative to what the tolerance is relative to
 * @param nonZeros features with a weight that is not zero
 */
public record Iteration(int number, double objective, String measure, double residual, int nonZeros) {}
