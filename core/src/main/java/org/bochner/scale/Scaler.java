package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.jspecify.annotations.Nullable;

/**
 * A fitted scaling.
 *
 * <p>Threads: safe; scalers are immutable. Each thread brings its own {@link ScalingBuffer}.
 */
public sealed interface Scaler permits AbstractScaler {
    /** Width of the rows it takes and gives. */
    int columns();

    /** The recipe it was fitted by. */
    Scaling scaling();

    /** Whether zeros stay zeros, so that sparse rows stay sparse; otherwise sparse rows become dense. */
    boolean keepsZeros();

    /**
     * Whether the numbers of a column that lie around an origin far from 0 keep their differences when they are scaled and
     * rounded to float32: whether the scaling takes about as much off them.
     */
    boolean keepsResolution(int column, double origin);

    /**
     * What float64 rows should be kept relative to before they are rounded to float32, one number per column; null where
     * all are 0. It is near the shift of those columns whose shift is large for their spread, as that of timestamps is.
     */
    double @Nullable [] origin();

    /**
     * The scaled rows, with the same targets and weights. The rows themselves are not changed; where there is nothing to
     * do, they are what is returned. The result lies in the buffer and is valid until the buffer is used again.
     */
    RowBlock apply(RowBlock rows, ScalingBuffer buffer);

    /** Scales one row in float64; {@code out} may be the row itself. */
    void apply(double[] row, double[] out);

    /** Its saved form; {@link Scalers#load} brings it back with the same bits. */
    State state();
}
