package org.bochner.design;

/** How a search chooses the frequencies of a design. */
public enum Search {
    /** A linear program selects terms from a pool, and then the frequencies move to reduce the error. */
    CONTINUOUS,
    /** Frequencies stay those of the pool, which in one column are the multiples of a spacing. */
    DISCRETE,
    /**
     * For several columns: keeps the terms with the largest weights among the products of single-column designs, without
     * a linear program.
     */
    GREEDY
}
