package org.bochner.learn.solve;

/** The data that a solver needs, and how often it reads them. */
public sealed interface Needs {
    /**
     * Sums over all rows, from one pass.
     *
     * @param orDual true if the inner products of the rows serve as well as those of the features: ridge regression.
     *     They are the smaller matrix if the features are sparse and outnumber the rows
     */
    record Statistics(boolean orDual) implements Needs {}

    /**
     * The features of all rows, in many passes and any order.
     *
     * @param orRounded true if features in 16 bits serve as well, because the solver's tolerance is far above their
     *     rounding
     */
    record Features(boolean orRounded) implements Needs {}

    /** The features in one or a few passes, in the order of the rows; no features are kept. */
    record Stream() implements Needs {}
}
