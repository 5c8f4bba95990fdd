package org.bochner.learn.solve;

import org.bochner.learn.Convergence;

/** The result of a solver: a point of an {@link Objective}, and how the solver ended. */
final class Solution {
    private final double[] point;
    private final Convergence convergence;

    /** Creates a solution; keeps the array. */
    Solution(double[] point, Convergence convergence) {
        this.point = point;
        this.convergence = convergence;
    }

    /** Returns the point; the shared array, which must not be changed. */
    double[] point() {
        return point;
    }

    Convergence convergence() {
        return convergence;
    }
}
