package org.bochner.stats;

import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;

/** Rows that are processed together, and their places in the source if they were sorted. */
public final class RowTile {
    /** The number of local rows at which a tile of sets is full, even if it may have more sets. */
    private static final int MOST_LOCAL_ROWS = 1 << 16;

    final RowBlockBuilder builder = new RowBlockBuilder();
    /** The index of each row in the source if the rows were sorted; else empty. */
    private long[] places = {};

    /** Returns the rows; they are overwritten when the tile is filled again. */
    public RowBlock rows() {
        return builder.build();
    }

    /** Returns the index in the source of a row of this tile, if the rows were sorted. */
    public long place(int row) {
        return places[row];
    }

    /** Returns the exception of a row of this tile with the row's index in the source. */
    public RowException inSource(RowException e) {
        return places.length == 0 || e.row() < 0 ? e : e.inRow(places[(int) e.row()]);
    }

    void clear() {
        builder.beginDense(0, 1, 0, false);
    }

    /** Adds a row; returns true if the tile is then full. */
    boolean add(RowBlock rows, int row, int mostRows) {
        if (places.length == 0) {
            places = new long[mostRows];
        }
        if (builder.rows() == 0) {
            builder.beginLike(rows, rows.hasRowWeights());
        }
        places[builder.rows()] = rows.firstRow() + row;
        builder.addRow(rows, row);
        return builder.rows() == mostRows || builder.localRowCount() >= MOST_LOCAL_ROWS;
    }
}
