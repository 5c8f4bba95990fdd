package org.bochner.numeric.optimise;

/** The best point that {@link Lbfgs} or {@link ProximalQuasiNewton} found. Immutable. */
public final class Minimum {
    /** Why the optimiser ended. */
    public enum End {
        /** The gradient is as small as asked. */
        GRADIENT("the gradient is within its tolerance"),
        /** The last iterations took too little off the value. */
        DECREASE("the value no longer decreased by its tolerance"),
        /** The number of iterations was used up first. */
        ITERATIONS("the number of iterations was used up"),
        /** No step along the negative gradient makes the value smaller, in double precision. */
        NO_SMALLER("no step makes the value smaller"),
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

    private final double[] point;
    private final double value;
    private final double gradientNorm;
    private final int iterations;
    private final int evaluations;
    private final End end;

    Minimum(double[] point, double value, double gradientNorm, int iterations, int evaluations, End end) {
        this.point = point.clone();
        this.value = value;
        this.gradientNorm = gradientNorm;
        this.iterations = iterations;
        this.evaluations = evaluations;
        this.end = end;
    }

    /** Where it is: a copy. */
    public double[] point() {
        return point.clone();
    }

    /** The value there: of no point that was tried is it smaller by more than rounding. */
    public double value() {
        return value;
    }

    /** The largest entry of the gradient there (with a convex term: of the step of length 1 along it). */
    public double gradientNorm() {
        return gradientNorm;
    }

    public int iterations() {
        return iterations;
    }

    /** How often the function was evaluated. */
    public int evaluations() {
        return evaluations;
    }

    public End end() {
        return end;
    }

    /** Whether it ended because a tolerance was reached. */
    public boolean converged() {
        return end == End.GRADIENT || end == End.DECREASE;
    }

    @Override
    public String toString() {
        return value + " after " + iterations + " iterations: " + end.reason();
    }
}
