package org.bochner.learn.solve;

/** The data that a solver needs from training, and how often it reads them. */
public sealed interface Needs {
    /**
     * Sums over all rows, from one pass.
     *
     * @param orDual true if the inner products of the rows serve as well as those of the features: ridge regression. They
     *     are the smaller matrix if the features are sparse and outnumber the rows
     */
    record Statistics(boolean orDual) implements Needs {}

    /**
     * The features of all rows, again and again, in any order.
     *
     * @param orRounded true if features in 16 bits serve as well, because the solver's tolerance is far above their rounding
     */
    record Features(boolean orRounded) implements Needs {}

    /** The features of the rows once, or a few times, in the order of the rows. Nothing has to be kept. */
    record Stream() implements Needs {}
}
