package org.bochner.learn;

/**
 * How a solver ended.
 *
 * @param method the solver, in a few words: "truncated Newton"
 * @param iterations how many it took; for several problems side by side, the most any took
 * @param objective what was minimised, with the penalty
 * @param measure what says how far that is from the minimum
 * @param residual its value
 * @param tolerance what was asked of it
 * @param end why it ended
 */
public record Convergence(
        String method, int iterations, double objective, String measure, double residual, double tolerance, End end) {
    /** Why a solver ended. */
    public enum End {
        /** The tolerance was reached. */
        CONVERGED("converged"),
        /** The method is direct: it has no iterations. */
        DIRECT("solved directly"),
        /** The number of iterations was used up first. */
        ITERATIONS("the number of iterations was used up"),
        /** Steps no longer change the objective in the precision of the features. */
        PRECISION("steps no longer changed the objective in this precision"),
        /** The monitor stopped it. */
        STOPPED("stopped from outside");

        private final String reason;

        End(String reason) {
            this.reason = reason;
        }

        /** In words. */
        public String reason() {
            return reason;
        }
    }

    /** Whether the method is direct. */
    public boolean direct() {
        return end == End.DIRECT;
    }

    public boolean converged() {
        return end == End.CONVERGED || end == End.DIRECT;
    }
}
