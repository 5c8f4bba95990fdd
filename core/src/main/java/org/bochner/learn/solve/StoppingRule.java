package org.bochner.learn.solve;

import org.bochner.base.Require;

/**
 * The stopping rule of a solver.
 *
 * @param tolerance the residual at which the solver has converged
 * @param iterations the maximum number of iterations
 */
record StoppingRule(double tolerance, int iterations) {
    StoppingRule {
        Require.positive("learner", "tolerance", tolerance);
        Require.atLeast("learner", "iterations", iterations, 1);
    }

    /** Returns the rule with the tolerance multiplied by a factor, at most 0.5. */
    StoppingRule looser(double factor) {
        return new StoppingRule(Math.min(0.5, factor * tolerance), iterations);
    }
}
