package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/**
 * A recipe for scaling rows: a value whose {@code toString} is its spelling, such as {@code standard},
 * {@code divide(by=255)} or {@code unit-l1[0:20] + standard[20:60]}. {@link Scalings#parse} reads it back.
 */
public sealed interface Scaling permits FixedScaling, ColumnScaling, ChannelScaling {
    /**
     * Fits the recipe to the rows, in one pass or, where nothing depends on them, in none. The result is the same, bit
     * for bit, for every number of threads. A row of weight w counts as w rows, and one of weight 0 not at all.
     */
    Scaler fit(RowSource rows, Workers workers);

    /** Whether rows are divided by a norm of their own, which a row of zeros does not have: it stays as it is. */
    default boolean normalises() {
        return false;
    }

    /** Brings back a scaler of this recipe from its saved form, with the same bits. */
    Scaler load(State state);
}
