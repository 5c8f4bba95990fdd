package org.bochner.scale;

import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;

/**
 * Columns in [0, 1]: (xⱼ − minⱼ)/(maxⱼ − minⱼ), with the range of the rows it is fitted to. A constant column becomes 0.
 * Later rows may lie outside the range; they are mapped by the same line, below 0 or above 1.
 *
 * <p>Sparse rows stay sparse where no column has values below 0, and none is without zeros; otherwise they become dense.
 */
public record MinMax() implements Scaling {
    @Override
    public Scaler fit(RowSource rows, Workers workers) {
        int columns = rows.columns();
        ColumnAccumulator seen = ColumnAccumulator.of(rows, workers);
        double[] shift = new double[columns];
        double[] factor = new double[columns];
        for (int j = 0; j < columns; j++) {
            double range = seen.largest(j) - seen.smallest(j);
            shift[j] = seen.smallest(j);
            factor[j] = range == 0 ? 0 : 1 / range;
        }
        ColumnScaler scaler = new ColumnScaler(this, shift, factor);
        if (!scaler.keepsZeros()) {
            Standard.refuseToMakeDense(rows, "use standard(uncentred) or unit-l2, which keep zeros");
        }
        return scaler;
    }

    @Override
    public Scaler load(State state) {
        return ColumnScaler.load(this, state);
    }

    @Override
    public String toString() {
        return "min-max";
    }
}
