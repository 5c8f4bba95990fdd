package org.bochner.learn.ridge;

import java.util.function.IntToDoubleFunction;

/**
 * A search for the minimum of an error over a grid, for errors with one minimum as nearly every problem has over its
 * penalty. It finds the optimum of a full grid at a third of its cost.
 *
 * @param lowest the first index of the grid
 * @param highest the last index of the grid
 * @param error the error at an index, computed once per index
 */
public record GridWalk(int lowest, int highest, IntToDoubleFunction error) {
    /** Walks from the middle up, or else down, until the error rises; returns the index with the least error. */
    public int best(int middle, int step) {
        int best = walk(middle, step);
        return best == middle ? walk(middle, -step) : best;
    }

    private int walk(int from, int step) {
        int best = from;
        while (isBetter(best + step, best)) {
            best += step;
        }
        return best;
    }

    /** Returns the best of an index and its neighbours at a distance. */
    public int better(int index, int distance) {
        int above = index + distance;
        int best = isBetter(index - distance, index) ? index - distance : index;
        return isBetter(above, best) ? above : best;
    }

    private boolean isBetter(int index, int than) {
        return index >= lowest && index <= highest && error.applyAsDouble(index) < error.applyAsDouble(than);
    }
}
