package org.bochner.model;

/** How the scales that a kernel leaves open, and an open scaling, are taken from the data. */
public enum BandwidthRule {
    /** Both are chosen by the cross-validated error of ridge regression on a sample of the rows. */
    CROSS_VALIDATION,

    /** A scale is measured as the median (or mean) distance between rows; dense rows are standardised. */
    MEDIAN
}
