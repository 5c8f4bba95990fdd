package org.bochner.learn.solve;

import org.bochner.base.Require;

/**
 * When a solver may end by itself.
 *
 * @param tolerance of its measure
 * @param iterations at most
 */
record StoppingRule(double tolerance, int iterations) {
    StoppingRule {
        Require.positive("learner", "tolerance", tolerance);
        Require.atLeast("learner", "iterations", iterations, 1);
    }

    /** The same with a tolerance so many times as large, below 1. */
    StoppingRule looser(double times) {
        return new StoppingRule(Math.min(0.5, times * tolerance), iterations);
    }
}
