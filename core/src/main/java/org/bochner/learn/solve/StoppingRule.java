package org.bochner.learn.solve;

import org.bochner.base.Require;
import org.bochner.learn.Convergence;
import org.jspecify.annotations.Nullable;

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

    /**
     * Returns the reason to stop after an iteration; null if the solver goes on.
     *
     * @param goOn the answer of the monitor
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
