package org.bochner.numeric.optimise;

import org.bochner.base.Require;

/**
 * How {@link Lbfgs} and {@link ProximalQuasiNewton} walk, and when they stop.
 *
 * @param memory pairs of steps and gradient changes that model the curvature
 * @param iterations at most
 * @param tolerance of the decrease: ends when {@code patience} iterations together took less than this part off the value;
 *     0 leaves it out
 * @param patience iterations over which the decrease is measured
 * @param gradientTolerance ends where the largest entry of the gradient (with a convex term: of the step of length 1 along
 *     it) is at most this
 * @param largestFirstMove of any coordinate in the first trial, when nothing is known of the curvature
 * @param largestMove of any coordinate in one iteration; infinite for no bound
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
     * Ten pairs, 100 iterations, a decrease of 10⁻⁸ over three of them, any gradient; first moves of 1/2, which suits
     * logarithms of scales, and later ones of any size.
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

    /** Ends when so many iterations together took less than the tolerance, relatively, off the value. */
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
