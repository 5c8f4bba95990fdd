package org.bochner.design;

/** What of the weighted errors |k(z) − k̂(z)| a design makes small. */
public enum Norm {
    /** The largest, C∞: a bound for every pair of values. */
    LARGEST,
    /** The mean over the range, C₁: less where most differences are, more at a few. */
    MEAN
}
