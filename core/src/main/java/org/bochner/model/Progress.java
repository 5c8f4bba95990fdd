package org.bochner.model;

import org.bochner.learn.Iteration;

/** Receives the progress of a long run and may stop it. Called from one thread at a time. */
@FunctionalInterface
public interface Progress {
    /** Ignores all reports. */
    Progress NONE = (stage, rows, fraction) -> {};

    /**
     * Reports processed rows.
     *
     * @param stage the current work in a few words, such as "mapping"
     * @param rows the number of rows processed so far
     * @param fraction the share of the work, between 0 and 1; NaN if it is not known
     */
    void report(String stage, long rows, double fraction);

    /**
     * Reports the memory that the next stage takes, before it takes it. Landmarks and exact machines report
     * it.
     *
     * @param owner what the memory is for, such as "2,000 landmarks"
     */
    default void memory(String owner, double bytes) {}

    /**
     * Reports what determines the time of the next stages, before they start, if they may take minutes.
     *
     * @param text one sentence without a full stop
     */
    default void cost(String text) {}

    /**
     * Reports an iteration of a solver.
     *
     * @param learner the learner, with the penalty that is being tried
     * @param validationError the share of wrong classes, or the root mean squared error, on the held-out rows; NaN if
     *     there are none
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

    /** Returns true if solvers should stop now and return their best result. */
    default boolean stopRequested() {
        return false;
    }
}
