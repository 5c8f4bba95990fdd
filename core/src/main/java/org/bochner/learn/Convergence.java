package org.bochner.learn;

/**
 * How a solver ended.
 *
 * @param method the solver, in a few words: "truncated Newton"
 * @param iterations the number of iterations; for several problems side by side, the largest
 * @param objective the final value of the objective, including the penalty
 * @param measure the name of the residual: "gradient", "duality gap", "KKT residual"
 * @param residual the residual, which measures the distance from the minimum
 * @param tolerance the residual at which the solver stops
 * @param end why the solver ended
 */
public record Convergence(
        String method, int iterations, double objective, String measure, double residual, double tolerance, End end) {
    /** Why a solver ended. */
    public enum End {
        /** The tolerance was reached. */
        CONVERGED("converged"),
        /** The method is direct and has no iterations. */
        DIRECT("solved directly"),
        /** The maximum number of iterations was reached. */
        ITERATIONS("the number of iterations was used up"),
        /** Steps no longer change the objective in the precision of the features. */
        PRECISION("steps no longer changed the objective in this precision"),
        /** The monitor stopped the solver. */
        STOPPED("interrupted");

        private final String reason;

        End(String reason) {
            this.reason = reason;
        }

        /** Returns the reason in words. */
        public String reason() {
            return reason;
        }
    }

    /** Returns true if the method is direct. */
    public boolean direct() {
        return end == End.DIRECT;
    }

    public boolean converged() {
        return end == End.CONVERGED || end == End.DIRECT;
    }
}
