package org.bochner.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.columns.ColumnRanges;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * Draws a sample from blocks of rows by reservoir sampling. All blocks have an equal number of columns.
 *
 * <p>Threads: not safe.
 */
final class Reservoir {
    /** The non-zeros of a row, by ascending column. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Row(int[] columns, float[] values) {}

    private final int maxRows;
    private final Seed seed;
    private final RandomStream stream;
    private final List<Row> reservoir = new ArrayList<>();
    private int columns = -1;
    private ColumnRanges ranges = ColumnRanges.unknown(0);
    private long seen;

    Reservoir(int maxRows, Seed seed) {
        this.maxRows = Require.atLeast("RowSample", "maxRows", maxRows, 2);
        this.seed = seed;
        this.stream = seed.derive("rows").stream();
    }

    /** Returns the rows that a reservoir has after a number of rows: the index of the row at each place. */
    static long[] places(int maxRows, Seed seed, long count) {
        Require.atLeast("RowSample", "maxRows", maxRows, 2);
        RandomStream stream = seed.derive("rows").stream();
        long[] places = new long[(int) Math.min(maxRows, count)];
        Arrays.setAll(places, i -> i);
        for (long row = places.length; row < count; row++) {
            long place = (long) (stream.nextUniform() * (row + 1));
            if (place < maxRows) {
                places[(int) place] = row;
            }
        }
        return places;
    }

    /** Adds the rows of a block, which is not kept. */
    Reservoir add(RowBlock block) {
        if (columns < 0) {
            columns = block.columns();
            ranges = ColumnRanges.unknown(columns);
        }
        Require.sameSize("RowSample", "columns", block.columns(), columns);
        ranges.add(block);
        for (int i = 0; i < block.rows(); i++) {
            seen++;
            if (reservoir.size() < maxRows) {
                reservoir.add(nonZeros(block, i));
            } else {
                long place = (long) (stream.nextUniform() * seen);
                if (place < maxRows) {
                    reservoir.set((int) place, nonZeros(block, i));
                }
            }
        }
        return this;
    }

    /** Returns the sample of all rows added so far. */
    RowSample build() {
        return new RowSample(packed(reservoir, Math.max(columns, 0)), ranges.copy(), seed, null);
    }

    /** Returns rows as one block. */
    static SparseRows packed(List<Row> rows, int columns) {
        int[] starts = new int[rows.size() + 1];
        for (int i = 0; i < rows.size(); i++) {
            starts[i + 1] = Math.addExact(starts[i], rows.get(i).columns.length);
        }
        int[] indices = new int[starts[rows.size()]];
        float[] values = new float[indices.length];
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            System.arraycopy(row.columns, 0, indices, starts[i], row.columns.length);
            System.arraycopy(row.values, 0, values, starts[i], row.values.length);
        }
        return SparseRows.of(rows.size(), columns, starts, indices, values);
    }

    /** Returns the non-zeros of a row. In a sparse block only stored values are visited. */
    static Row nonZeros(RowBlock block, int i) {
        if (block instanceof SparseRows sparse) {
            int from = sparse.starts()[i];
            int to = sparse.starts()[i + 1];
            int[] columns = Arrays.copyOfRange(sparse.indices(), from, to);
            return nonZeros(columns, Arrays.copyOfRange(sparse.values(), from, to));
        }
        DenseRows dense = (DenseRows) block;
        int from = dense.offset() + i * dense.stride();
        int[] columns = new int[dense.columns()];
        Arrays.setAll(columns, l -> l);
        return nonZeros(columns, Arrays.copyOfRange(dense.values(), from, from + columns.length));
    }

    /** Moves the non-zeros to the front and drops the zeros. */
    private static Row nonZeros(int[] columns, float[] values) {
        int kept = 0;
        for (int k = 0; k < values.length; k++) {
            if (values[k] != 0) {
                columns[kept] = columns[k];
                values[kept++] = values[k];
            }
        }
        return new Row(Arrays.copyOf(columns, kept), Arrays.copyOf(values, kept));
    }
}
