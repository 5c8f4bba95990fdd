package org.bochner.numeric.optimise;

import org.bochner.base.Require;

/**
 * Options and stopping rules of {@link Lbfgs} and {@link ProximalQuasiNewton}.
 *
 * @param memory the number of pairs of steps and gradient changes that model the curvature
 * @param iterations the largest number of iterations
 * @param tolerance the relative decrease of the value over {@code patience} iterations below which the optimiser ends;
 *     0 for no such rule
 * @param patience the number of iterations over which the decrease is measured
 * @param gradientTolerance the optimiser ends if the largest absolute entry of the gradient (with a convex term: of the
 *     proximal step of length 1) is at most this
 * @param largestFirstMove the largest change of a coordinate in the first trial, before the curvature is known
 * @param largestMove the largest change of a coordinate per iteration; may be infinite
 */
public record DescentOptions(
        int memory,
        int iterations,
        double tolerance,
        int patience,
        double gradientTolerance,
        double largestFirstMove,
        double largestMove) {
    private static final String OWNER = "DescentOptions";

    public DescentOptions {
        Require.atLeast(OWNER, "memory", memory, 1);
        Require.atLeast(OWNER, "iterations", iterations, 0);
        Require.notNegative(OWNER, "tolerance", tolerance);
        Require.atLeast(OWNER, "patience", patience, 1);
        Require.notNegative(OWNER, "gradient tolerance", gradientTolerance);
        Require.positive(OWNER, "largest first move", largestFirstMove);
        Require.that(largestMove > 0, OWNER, "largest move must be positive, got " + largestMove);
    }

    /**
     * Returns the defaults: 10 pairs, 100 iterations, a relative decrease of 10⁻⁸ over 3 iterations, no gradient
     * tolerance, first moves of 1/2, which suits logarithms of scales, and later moves of any size.
     */
    public static DescentOptions withDefaults() {
        return new DescentOptions(10, 100, 1e-8, 3, 0, 0.5, Double.POSITIVE_INFINITY);
    }

    public DescentOptions withMemory(int pairs) {
        return new DescentOptions(
                pairs, iterations, tolerance, patience, gradientTolerance, largestFirstMove, largestMove);
    }

    public DescentOptions withIterations(int most) {
        return new DescentOptions(memory, most, tolerance, patience, gradientTolerance, largestFirstMove, largestMove);
    }

    /**
     * Returns options that end when {@code overIterations} iterations together reduced the value by less than the
     * relative tolerance.
     */
    public DescentOptions withTolerance(double decrease, int overIterations) {
        return new DescentOptions(
                memory, iterations, decrease, overIterations, gradientTolerance, largestFirstMove, largestMove);
    }

    public DescentOptions withGradientTolerance(double largestEntry) {
        return new DescentOptions(memory, iterations, tolerance, patience, largestEntry, largestFirstMove, largestMove);
    }

    public DescentOptions withLargestFirstMove(double move) {
        return new DescentOptions(memory, iterations, tolerance, patience, gradientTolerance, move, largestMove);
    }

    public DescentOptions withLargestMove(double move) {
        return new DescentOptions(memory, iterations, tolerance, patience, gradientTolerance, largestFirstMove, move);
    }
}
