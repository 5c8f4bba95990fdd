package org.bochner.scale;

import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;

/** Rows of a small table, served dense or sparse; its weights, where it has any, lie behind the last column. */
final class TableSource implements RowSource {
    private final float[][] rows;
    private final int columns;
    private final boolean sparse;
    private final boolean weighted;

    TableSource(int columns, boolean sparse, boolean weighted, float[]... rows) {
        this.columns = columns;
        this.sparse = sparse;
        this.weighted = weighted;
        this.rows = rows;
    }

    static TableSource dense(float[]... rows) {
        return new TableSource(rows[0].length, false, false, rows);
    }

    static TableSource sparse(float[]... rows) {
        return new TableSource(rows[0].length, true, false, rows);
    }

    @Override
    public String name() {
        return "table";
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public Labels labels() {
        return Labels.none();
    }

    @Override
    public boolean sparse() {
        return sparse;
    }

    /** All rows in one block. */
    RowBlock block() {
        RowBlockBuilder builder = new RowBlockBuilder();
        open().next(builder, Integer.MAX_VALUE);
        return builder.build();
    }

    @Override
    public RowCursor open() {
        return new RowCursor() {
            private int at;

            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                if (sparse) {
                    into.beginSparse(at, columns, 0, weighted);
                } else {
                    into.beginDense(at, columns, 0, weighted);
                }
                int end = (int) Math.min(rows.length, (long) at + maxRows);
                for (; at < end; at++) {
                    add(into, rows[at]);
                }
                return into.rows() > 0;
            }

            @Override
            public void close() {}
        };
    }

    private void add(RowBlockBuilder into, float[] row) {
        int start = sparse ? 0 : into.startDenseRow();
        for (int j = 0; j < columns; j++) {
            if (!sparse) {
                into.values()[start + j] = row[j];
            } else if (row[j] != 0) {
                into.addEntry(j, row[j]);
            }
        }
        into.endRow();
        if (weighted) {
            into.setRowWeight(row[columns]);
        }
    }
}
