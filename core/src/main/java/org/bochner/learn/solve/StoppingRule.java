package org.bochner.learn.solve;

import org.bochner.base.Require;
import org.bochner.learn.Convergence;
import org.jspecify.annotations.Nullable;

/**
 * When a solver ends by itself.
 *
 * @param tolerance the residual at which it has converged
 * @param iterations the largest number of iterations
 */
record StoppingRule(double tolerance, int iterations) {
    StoppingRule {
        Require.positive("learner", "tolerance", tolerance);
        Require.atLeast("learner", "iterations", iterations, 1);
    }

    /** Returns the rule with a tolerance that is larger by a factor, but below 1. */
    StoppingRule looser(double factor) {
        return new StoppingRule(Math.min(0.5, factor * tolerance), iterations);
    }

    /**
     * Returns why a solver ends after an iteration; null if it goes on.
     *
     * @param goOn what the monitor said
     * @param exhausted true if further iterations would only change rounding errors
     */
    Convergence.@Nullable End end(double residual, boolean goOn, int iteration, boolean exhausted) {
        if (residual <= tolerance) {
            return Convergence.End.CONVERGED;
        }
        if (!goOn) {
            return Convergence.End.STOPPED;
        }
        if (exhausted) {
            return Convergence.End.PRECISION;
        }
        return iteration >= iterations ? Convergence.End.ITERATIONS : null;
    }
}
