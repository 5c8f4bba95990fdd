package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowBlock;

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
     * The scaled rows, with the same targets and weights. The rows themselves are not changed; where there is nothing to
     * do, they are what is returned. The result lies in the buffer and is valid until the buffer is used again.
     */
    RowBlock apply(RowBlock rows, ScalingBuffer buffer);

    /** Scales one row in float64; {@code out} may be the row itself. */
    void apply(double[] row, double[] out);

    /** Its saved form; {@link Scalers#load} brings it back with the same bits. */
    State state();
}
