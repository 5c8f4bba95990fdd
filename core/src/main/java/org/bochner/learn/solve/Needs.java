package org.bochner.learn.solve;

/** The data that a solver needs, and how often it reads them. */
public sealed interface Needs {
    /** Sums over all rows, computed in one pass. */
    sealed interface Statistics extends Needs {}

    /** Statistics with the inner products of the features. */
    record Gram() implements Statistics {}

    /**
     * Statistics with the inner products of the features or, in the dual, of the rows: ridge regression. The latter are
     * the smaller matrix if the features are sparse and outnumber the rows.
     */
    record GramOrDual() implements Statistics {}

    /** The features of all rows, in many passes and any order. */
    sealed interface Features extends Needs {}

    /** Features in the precision in which they were computed. */
    record ExactFeatures() implements Features {}

    /** Features that may be rounded to 16 bits, because the solver's tolerance is far above their rounding. */
    record RoundedFeatures() implements Features {}

    /** The features in one or a few passes, in the order of the rows; no features are kept. */
    record Stream() implements Needs {}
}
