package org.bochner.map.layout;

/** How a design weighs errors. */
public enum ErrorWeight {
    /** Equally on the whole range. */
    ABSOLUTE,
    /** Relative to the kernel. */
    RELATIVE,
    /** By the pairs of values in the data: rows have smaller errors, without a bound. */
    DATA
}
