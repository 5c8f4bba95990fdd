package org.bochner.tune;

/**
 * A scale that was learned.
 *
 * @param term which term of the kernel it belongs to, counted from 0
 * @param from first column that it acts on
 * @param to behind the last one
 * @param before frequency scale at the start, one over the length-scale
 * @param after frequency scale in the end; 0 for columns that were dropped
 */
public record LearnedScale(int term, int from, int to, double before, double after) {
    /** Whether its columns no longer count. */
    public boolean dropped() {
        return after == 0;
    }
}
