package org.bochner.model;

import org.bochner.learn.UncertaintyRecipe;
import org.bochner.learn.uncertainty.Uncertainty;

/**
 * The limits of intervals and sets at one level. Threads: safe; immutable.
 *
 * @param level the level, between 0 and 1
 * @param limits half the widths of the intervals of rows with deviation 1, one per number; or the largest disagreement of a
 *     class in a set
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LevelLimits(double level, double[] limits) {
    static LevelLimits of(Uncertainty uncertainty, double level) {
        UncertaintyRecipe.requireLevel(level);
        double[] limits = new double[uncertainty.outputs()];
        for (int o = 0; o < limits.length; o++) {
            limits[o] = uncertainty.limit(o, level);
        }
        return new LevelLimits(level, limits);
    }

    /** Returns the interval of a predicted number. */
    PredictionInterval interval(int output, double prediction, double deviation) {
        double half = limits[output] * deviation;
        return new PredictionInterval(prediction, prediction - half, prediction + half);
    }

    /** Returns the largest disagreement of a class in a set. */
    double ofClasses() {
        return limits[0];
    }
}
