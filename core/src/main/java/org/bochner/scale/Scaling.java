package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/**
 * A recipe for scaling rows. {@code toString} returns its spelling, such as {@code standard}, {@code divide(by=255)},
 * {@code log1p then standard} or {@code unit-l1[0:20] + standard[20:60]}, which {@link Scalings#parse} reads.
 */
public sealed interface Scaling permits FixedScaling, LearnedScaling, LinearScaling, ChannelScaling, ChainScaling {
    /**
     * Fits the recipe to the rows, in one pass, or in none if it does not depend on the rows; a chain takes one pass per step
     * that depends on them. The result is the same, bit
     * for bit, for every number of threads. A row of weight w counts as w rows; a row of weight 0 does not count.
     */
    Scaler fit(RowSource rows, Workers workers);

    /** Returns true if rows are divided by their own norm. Rows of zeros have none and are not changed. */
    default boolean normalises() {
        return false;
    }

    /** Returns true if columns are mixed, so that a range of columns cannot be scaled alone. */
    default boolean mixesColumns() {
        return false;
    }

    /** Returns true if ranges of columns are scaled in different ways. */
    default boolean hasRanges() {
        return false;
    }

    /** Returns true if {@link Scalings#parse} reads the spelling. A matrix from memory has none, only one from a file has. */
    default boolean isSpelled() {
        return true;
    }

    /** Reads a scaler of this recipe from its saved form, with the same bits. */
    Scaler load(State state);
}
