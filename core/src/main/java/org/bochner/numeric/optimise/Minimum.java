package org.bochner.numeric.optimise;

/**
 * The best point that {@link Lbfgs} or {@link ProximalQuasiNewton} found.
 *
 * @param point the point; the array is shared and must not be changed
 * @param value the value at the point; no point that was tried has a value that is smaller by more than rounding
 * @param gradientNorm the largest absolute entry of the gradient (with a convex term: of the proximal step of length 1)
 * @param evaluations the number of evaluations of the function
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Minimum(double[] point, double value, double gradientNorm, int iterations, int evaluations, End end) {
    /** The reason why the optimiser ended. */
    public enum End {
        /** The gradient is within its tolerance. */
        GRADIENT("the gradient is within its tolerance"),
        /** The last iterations reduced the value by less than the tolerance. */
        DECREASE("the value no longer decreased by its tolerance"),
        /** The largest number of iterations was reached. */
        ITERATIONS("the number of iterations was used up"),
        /** No step along the negative gradient reduces the value in double precision. */
        NO_SMALLER("no step makes the value smaller"),
        /** The gradients are zero, or too large to be used. */
        NO_GRADIENT("the gradients are zero or too large"),
        /** The monitor stopped the optimiser. */
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

    /** Returns true if a tolerance was reached. */
    public boolean converged() {
        return end == End.GRADIENT || end == End.DECREASE;
    }
}
