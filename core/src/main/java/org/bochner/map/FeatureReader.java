package org.bochner.map;

import org.bochner.base.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.jspecify.annotations.Nullable;

/** The features that an additive map makes of the rows of a block, in float64, as the projection of a second stage reads them. */
final class FeatureReader extends RowReader {
    private final AdditiveMap map;
    private final RowBlock rows;
    private final double[] values;

    FeatureReader(AdditiveMap map, RowBlock rows) {
        super(rows, null);
        this.map = map;
        this.rows = rows;
        this.values = new double[map.inputDimension()];
    }

    @Override
    int columns() {
        return map.outputDimension();
    }

    @Override
    @Nullable
    DenseRows dense() {
        return null;
    }

    @Override
    @Nullable
    SparseRows sparse() {
        return null;
    }

    @Override
    void readRow(int i, double[] row) {
        rows.copyRow(i, values);
        try {
            map.apply(values, row);
        } catch (RowException e) {
            throw e.inRow(rows.firstRow() + i);
        }
    }
}
