package org.bochner.learn.solve;

import java.util.function.Supplier;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Monitor;
import org.jspecify.annotations.Nullable;

/**
 * The outside of a run of a solver: when it stops, and who observes it.
 *
 * @param method the solver, in a few words: "truncated Newton"
 * @param measure the name of the residual: "gradient", "duality gap", "KKT residual"
 */
record SolverRun(String method, String measure, StoppingRule stopping, Monitor monitor) {
    double tolerance() {
        return stopping.tolerance();
    }

    /** Reports an iteration. Returns false if the monitor stops the solver. */
    boolean report(int number, double value, double residual, int nonZeros, Supplier<LinearModel> model) {
        return monitor.goOn(new Iteration(number, value, measure, residual, nonZeros), model);
    }

    /**
     * Reports an iteration. Returns how the solver ended; null if it goes on.
     *
     * @param exhausted true if further iterations would only change rounding errors
     */
    @Nullable
    Convergence after(
            int number, double value, double residual, int nonZeros, boolean exhausted, Supplier<LinearModel> model) {
        boolean goOn = report(number, value, residual, nonZeros, model);
        if (residual <= tolerance()) {
            return ended(number, value, residual, Convergence.End.CONVERGED);
        }
        if (!goOn) {
            return ended(number, value, residual, Convergence.End.STOPPED);
        }
        if (exhausted) {
            return ended(number, value, residual, Convergence.End.PRECISION);
        }
        return number < stopping.iterations() ? null : ended(number, value, residual, Convergence.End.ITERATIONS);
    }

    /** Returns how the solver ended. */
    Convergence ended(int iterations, double value, double residual, Convergence.End end) {
        return new Convergence(method, iterations, value, measure, residual, tolerance(), end);
    }
}
