package org.bochner.kernel.gram;

import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.kernel.Bandwidth;

/** A function of each value of a row, applied before rows are compared. */
@FunctionalInterface
interface ValueMap {
    ValueMap IDENTITY = (x, column) -> x;

    /** Returns the new value; fails if x lies outside the function's domain. */
    double apply(double x, int column);

    /** Returns the new value of a row, whose index a failure names. */
    default double apply(double x, int column, long row) {
        try {
            return apply(x, column);
        } catch (BochnerException e) {
            throw RowException.at(row, column, e);
        }
    }

    /** Replaces the values of a row, whose index a failure names. */
    default void applyTo(double[] x, long row) {
        for (int l = 0; l < x.length; l++) {
            x[l] = apply(x[l], l, row);
        }
    }

    /** Returns this function followed by a division by length-scales; an infinite one gives 0. */
    default ValueMap dividedBy(Bandwidth sigma, int columns) {
        double[] sigmas = sigma.toArray(columns);
        return (x, column) -> apply(x, column) / sigmas[column];
    }
}
