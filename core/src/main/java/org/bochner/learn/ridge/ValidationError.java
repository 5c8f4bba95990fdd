package org.bochner.learn.ridge;

import java.util.function.DoubleFunction;
import org.bochner.learn.PathPoint;

/**
 * An error by which penalties are compared; the smallest is the best.
 *
 * @param name the name of the method, such as "5-fold cross-validation"
 * @param at computes the error of a penalty
 */
record ValidationError(String name, DoubleFunction<PathPoint> at) {}
