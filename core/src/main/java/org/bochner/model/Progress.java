package org.bochner.model;

import org.bochner.learn.Iteration;

/** Hears how a long run goes on, and may end it. Called from one thread at a time. */
@FunctionalInterface
public interface Progress {
    /** Nobody listens. */
    Progress NONE = (stage, rows, fraction) -> {};

    /**
     * Some rows were done.
     *
     * @param stage what is being done, in a few words: "mapping"
     * @param rows rows done so far
     * @param fraction of the work, between 0 and 1; NaN where it is not known
     */
    void report(String stage, long rows, double fraction);

    /**
     * A solver has done an iteration.
     *
     * @param learner the learner, with the penalty that is being tried
     * @param validationError the share of wrong classes, or the root mean squared error, on the rows set aside; NaN
     *     where there are none
     */
    default void iteration(String learner, Iteration iteration, double validationError) {}

    /**
     * Reports an iteration of kernel learning; by default as a {@linkplain #report report} whose rows are the
     * iterations.
     *
     * @param stage what moves, on which rows, and the value of the criterion
     */
    default void kernelIteration(String stage, int iteration) {
        report(stage, iteration, Double.NaN);
    }

    /** Whether solvers should end now, with the best they have. */
    default boolean stopRequested() {
        return false;
    }
}
