package org.bochner.learn.solve;

/** How the strength of a penalty is found. */
public enum PenaltyChoice {
    /** The strength is given. */
    GIVEN,
    /** The strength has the least cross-validated error, from the statistics of folds; no rows are held out. */
    CROSS_VALIDATION,
    /** The strength has the least loss on held-out rows. */
    HELD_OUT_ROWS,
    /** The strength follows from the statistics of all rows; no rows are held out. */
    STATISTICS
}
