package org.bochner.learn.ridge;

import java.util.function.IntToDoubleFunction;

/**
 * A search for the minimum of an error over a grid, for errors with one minimum as nearly every problem has over its
 * penalty. It finds the optimum of a full grid at a third of its cost.
 *
 * @param lowest the first index of the grid
 * @param highest the last index of the grid
 * @param error the error at an index, computed once per index
 * @param gain the share by which a step down must lower the error; a step up is taken for any decrease
 */
public record GridWalk(int lowest, int highest, IntToDoubleFunction error, double gain) {
    /** Takes steps in both directions for any decrease. */
    public GridWalk(int lowest, int highest, IntToDoubleFunction error) {
        this(lowest, highest, error, 0);
    }

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
        if (index < lowest || index > highest) {
            return false;
        }
        double allowed = index < than ? StrictMath.pow(1 + gain, index - than) : 1;
        return error.applyAsDouble(index) < allowed * error.applyAsDouble(than);
    }
}
