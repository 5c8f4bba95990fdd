package org.bochner.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Row;
import org.bochner.data.Labels;
import org.bochner.data.RowBlockBuilder;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a DataFrame become rows of numbers.
 *
 * @param name the name of the data, for messages
 * @param weight the index of the column of row weights; −1 if there is none
 * @param sparse true if blocks are sparse
 * @param origin the number per column that is subtracted before values are rounded to float32; null if all are 0
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FrameLayout(
        String name, List<FrameCell> cells, FrameLabel label, int weight, boolean sparse, double @Nullable [] origin)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The most rows of a chunk, and about the most values. */
    private static final int CHUNK_ROWS = 4096;

    private static final int CHUNK_VALUES = 1 << 20;

    /** Returns the most rows of a chunk. */
    static int mostRows(boolean sparse, int columns) {
        return sparse ? CHUNK_ROWS : Math.max(1, Math.min(CHUNK_ROWS, CHUNK_VALUES / columns));
    }

    int columns() {
        return cells.stream().mapToInt(FrameCell::width).sum();
    }

    Labels labels() {
        return label.labels();
    }

    FrameLayout named(String other) {
        return new FrameLayout(other, cells, label, weight, sparse, origin);
    }

    /** Returns where a value is, for messages. */
    String place(long row, int column) {
        String ofRow = row < 0 ? "" : ": row " + (row + 1);
        return name + ofRow + (column < 0 ? "" : (row < 0 ? ": " : ", ") + "column '" + columnName(column) + "'");
    }

    private String columnName(int column) {
        int left = column;
        for (FrameCell cell : cells) {
            if (left < cell.width()) {
                return cell.columnName(left);
            }
            left -= cell.width();
        }
        return Integer.toString(column);
    }

    /** Starts a block without rows. */
    void begin(RowBlockBuilder block, long firstRow) {
        int targets = labels().targets();
        if (sparse) {
            block.beginSparse(firstRow, columns(), targets, weight >= 0);
        } else {
            block.beginDense(firstRow, columns(), targets, weight >= 0);
            block.setOrigin(origin);
        }
    }

    /** Converts the rows of a partition, which were surveyed; fails for rows that the survey did not find. */
    Iterator<RowChunk> chunks(Iterator<Row> rows) {
        int most = mostRows(sparse, columns());
        return new Iterator<>() {
            private long converted;

            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public RowChunk next() {
                RowBlockBuilder block = new RowBlockBuilder();
                begin(block, converted);
                while (rows.hasNext() && block.rows() < most) {
                    Row row = rows.next();
                    String problem = problem(row);
                    if (problem != null) {
                        throw new ChangedTable(name, FrameSurvey.place(converted + block.rows() + 1) + problem);
                    }
                    add(row, block);
                }
                converted += block.rows();
                return new RowChunk(block.build());
            }
        };
    }

    /** Returns what is wrong with a row after a survey that found nothing; null if nothing is. */
    private @Nullable String problem(Row row) {
        for (FrameCell cell : cells) {
            String problem = cell.problem(row);
            if (problem != null) {
                return "column '" + cell.name() + "' " + problem;
            }
        }
        if (label.exists()) {
            Object value = row.get(label.index());
            String problem = label.problem(value);
            problem = problem == null && Double.isNaN(label.target(row)) ? "holds the new class " + value : problem;
            if (problem != null) {
                return "label column '" + label.name() + "' " + problem;
            }
        }
        return FrameSurvey.weightProblem(weight, row);
    }

    /** Adds a row to a block. */
    void add(Row row, RowBlockBuilder block) {
        int first = 0;
        int start = sparse ? 0 : block.startDenseRow();
        // Zeros are not passed on.
        for (int j = 0; origin != null && j < origin.length; j++) {
            block.values()[start + j] = (float) -origin[j];
        }
        for (FrameCell cell : cells) {
            int column = first;
            if (sparse) {
                cell.values(row, (place, value) -> {
                    if (value != 0) {
                        block.addEntry(column + place, (float) value);
                    }
                });
            } else {
                float[] values = block.values();
                cell.values(
                        row,
                        (place, value) -> values[start + column + place] =
                                (float) (origin == null ? value : value - origin[column + place]));
            }
            first += cell.width();
        }
        block.endRow();
        if (label.exists()) {
            block.setTarget(0, label.target(row));
        }
        if (weight >= 0) {
            block.setRowWeight(((Number) row.get(weight)).doubleValue());
        }
    }
}
