package org.bochner.learn.solve;

import org.bochner.learn.Convergence;

/** Where a solver ended: a point of an {@link Objective}, and how good it is. */
final class Solution {
    private final double[] point;
    private final Convergence convergence;

    /** Takes the point over. */
    Solution(double[] point, Convergence convergence) {
        this.point = point;
        this.convergence = convergence;
    }

    /** The shared array; not to be changed. */
    double[] point() {
        return point;
    }

    Convergence convergence() {
        return convergence;
    }
}
