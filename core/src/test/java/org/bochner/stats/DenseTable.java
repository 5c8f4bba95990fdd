package org.bochner.stats;

import org.bochner.data.Labels;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;

/** The rows of a sparse table, as dense ones. */
public record DenseTable(SparseTable table) implements RowSource {
    @Override
    public String name() {
        return "dense table";
    }

    @Override
    public int columns() {
        return table.columns();
    }

    @Override
    public Labels labels() {
        return table.labels();
    }

    @Override
    public boolean sparse() {
        return false;
    }

    @Override
    public RowCursor open() {
        return new RowCursor() {
            private int next;

            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                int from = next;
                next = Math.min(table.x.length, from + maxRows);
                into.beginDense(from, columns(), labels().targets(), true);
                for (int i = from; i < next; i++) {
                    int start = into.startDenseRow();
                    System.arraycopy(table.x[i], 0, into.values(), start, columns());
                    into.endRow();
                    for (int t = 0; t < table.y[i].length; t++) {
                        into.setTarget(t, table.y[i][t]);
                    }
                    into.setRowWeight(table.weights[i]);
                }
                return next > from;
            }

            @Override
            public void close() {}
        };
    }
}
