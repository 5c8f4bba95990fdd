package org.bochner.learn.ridge;

import java.util.function.DoubleFunction;
import org.bochner.learn.PathPoint;

/**
 * An error by which penalties are compared; the smallest is the best.
 *
 * @param name the display name, such as "cross-validated error (5 folds)"
 * @param at computes the error of a penalty
 */
record ValidationError(String name, DoubleFunction<PathPoint> at) {}
