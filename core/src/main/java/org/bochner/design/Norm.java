package org.bochner.design;

/** The norm of the weighted errors |k(z) − k̂(z)| that a design minimises. */
public enum Norm {
    /** The largest error, C∞: an upper bound for every pair of values. */
    LARGEST,
    /** The mean error over the range, C₁: smaller errors at most differences, larger errors at a few. */
    MEAN
}
