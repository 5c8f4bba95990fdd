package org.bochner.kernel;

/**
 * Between what bounds the positive values of some columns lie.
 *
 * @param smallest the smallest value above 0; infinite where there is none
 * @param largest the largest value; 0 where none is above 0
 */
public record ValueRange(double smallest, double largest) {
    /** Whether there is a positive value at all. */
    public boolean known() {
        return largest > 0;
    }
}
