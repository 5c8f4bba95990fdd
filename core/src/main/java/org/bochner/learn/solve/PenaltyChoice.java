package org.bochner.learn.solve;

/** How the strength of a penalty is found. */
public enum PenaltyChoice {
    /** It is given. */
    GIVEN,
    /** By cross-validation from the statistics of folds. No rows are set aside. */
    CROSS_VALIDATION,
    /** By the loss on rows that are set aside. */
    HELD_OUT_ROWS
}
