package org.bochner.map.composed;

import org.bochner.base.Require;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;

/** A map of some columns of wider rows. Failures name the columns of the wider rows. */
abstract class ColumnsMap<M extends FeatureMap> extends DelegatingMap<M> {
    final int columns;

    /** Takes the number of columns of the wider rows. */
    ColumnsMap(M map, int columns) {
        super(map);
        this.columns = columns;
    }

    /** Returns the columns that the map sees of one row. */
    abstract double[] select(double[] x);

    /** Returns the columns that the map sees of a block. */
    abstract RowBlock select(RowBlock rows);

    /** Returns a failure with the column of the wider rows, given one with the column that the map sees. */
    abstract RowException relocate(RowException failure);

    private void located(Runnable work) {
        try {
            work.run();
        } catch (RowException e) {
            throw relocate(e);
        }
    }

    @Override
    public final int inputDimension() {
        return columns;
    }

    @Override
    public final void apply(double[] x, double[] out) {
        Require.sameSize(getClass().getSimpleName(), "columns", x.length, columns);
        located(() -> map().apply(select(x), out));
    }

    @Override
    public final void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        located(() -> map().apply(select(rows), out, offset, stride));
    }

    @Override
    public final void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        located(() -> map().apply(select(rows), out, offset, stride));
    }

    @Override
    public final SparseRows apply(SparseRows rows) {
        checkColumns(rows);
        try {
            return map().apply((SparseRows) select(rows));
        } catch (RowException e) {
            throw relocate(e);
        }
    }
}
