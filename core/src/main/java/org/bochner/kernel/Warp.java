package org.bochner.kernel;

/**
 * A function of one value, applied to every column before a kernel sees it, such as {@code log(c=0.1)}: log(x + c).
 * A value whose {@code toString} is its spelling.
 */
public interface Warp {
    /** The warped value; fails, naming what is allowed, where x lies outside the domain. */
    double apply(double x);
}
