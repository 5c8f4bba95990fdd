package org.bochner.scale;

import java.util.BitSet;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.bochner.scale.fit.ColumnAccumulator;

/** A scaling of single columns that learns from statistics of all columns, which one pass over the rows gathers. */
non-sealed interface LearnedScaling extends Scaling {
    /** Returns true if the scaling needs quantiles of the columns. */
    default boolean needsQuantiles() {
        return false;
    }

    /** Returns the scaler of the columns from (inclusive) to (exclusive) of the rows that were seen. */
    AbstractScaler scaler(ColumnAccumulator seen, int from, int to);

    @Override
    default Scaler fit(RowSource rows, Workers workers) {
        BitSet sketched = new BitSet();
        sketched.set(0, needsQuantiles() ? rows.columns() : 0);
        return scaler(ColumnAccumulator.of(rows, sketched, workers), 0, rows.columns())
                .requireNarrowIfDense(rows);
    }
}
