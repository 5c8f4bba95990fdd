package org.bochner.map;

/** Which numbers of a map may be moved by learning; see {@link FeatureMap#parameters}. */
public enum ParameterKind {
    /** Frequency scales, one over the length-scales: one a column, or one a distance for kernels of a distance. */
    SCALES,
    /** Every frequency by itself, in units of its scale: what was drawn from the spectrum is where it starts. */
    FREQUENCIES
}
