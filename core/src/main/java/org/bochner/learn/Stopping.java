package org.bochner.learn;

import org.bochner.base.Require;

/**
 * When a solver may end by itself.
 *
 * @param tolerance of its measure
 * @param iterations at most
 */
record Stopping(double tolerance, int iterations) {
    Stopping {
        Require.positive("learner", "tolerance", tolerance);
        Require.atLeast("learner", "iterations", iterations, 1);
    }

    /** The same with a tolerance so many times as large, below 1. */
    Stopping looser(double times) {
        return new Stopping(Math.min(0.5, times * tolerance), iterations);
    }
}
