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
}
