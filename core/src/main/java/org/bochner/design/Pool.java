package org.bochner.design;

/** The frequencies from which a search in several columns starts. */
public enum Pool {
    /** The products of single-column designs. */
    PRODUCT,
    /** Evenly spaced directions and lengths. */
    POLAR
}
