package org.bochner.map;

/** A kind of numbers of a map that kernel learning may change; see {@link FeatureMap#parameters}. */
public enum ParameterKind {
    /** Frequency scales, which are one over the length-scales: one per column, or one for a kernel of a distance. */
    SCALES,
    /** All unit frequencies, which start at those drawn from the spectrum. */
    FREQUENCIES
}
