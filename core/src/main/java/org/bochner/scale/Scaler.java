package org.bochner.scale;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.bochner.base.Note;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.jspecify.annotations.Nullable;

/**
 * A fitted scaling, which changes rows before the feature map.
 *
 * <p>Threads: safe; scalers are immutable. Each thread needs its own function of {@link #forBlocks}.
 */
public sealed interface Scaler permits AbstractScaler {
    /** Returns the number of columns of the rows. */
    int columns();

    /** Returns the recipe that was fitted. */
    Scaling scaling();

    /** Returns true if zeros stay zeros, so that sparse rows stay sparse. Otherwise sparse rows become dense. */
    boolean keepsZeros();

    /**
     * Returns the numbers, one per column, that float64 rows should be relative to before they are rounded to float32; null
     * if all are 0. Columns whose shift is large compared with their spread, such as timestamps, have a number near the shift.
     */
    double @Nullable [] origin();

    /** Returns notes about columns far from 0 that lose their differences in float32, because the scaling does not shift them. */
    List<Note> notes(RowSource source);

    /**
     * Returns a function that scales blocks of rows and keeps their targets and row weights. It reuses its memory: a result
     * is valid until the next call. Each thread needs its own function. Rows that need no change are returned as they are.
     */
    UnaryOperator<RowBlock> forBlocks();

    /**
     * Returns the value of a column that a scaled value stands for; NaN if scaled values depend on other columns of the row
     * too, or are all equal.
     */
    double unscaled(int column, double scaled);

    /**
     * Returns what each step does to a column, as one object for JSON per step: {@code step}, its spelling; {@code shift} and
     * {@code factor} of (x − shift)·factor; {@code lower} and {@code upper}, the bounds of clipping; {@code lowest},
     * {@code median} and {@code highest}, the values that quantiles were taken from. Steps that change rows have a spelling
     * alone.
     */
    List<Map<String, Object>> columnFacts(int column);

    /**
     * Returns the matrix that the last step multiplies rows by, one array per row, in new arrays; empty if the last step has
     * none.
     */
    default double[][] matrix() {
        return new double[0][];
    }

    /** Returns the saved form, which {@link Scalings#load} reads. */
    State state();
}
