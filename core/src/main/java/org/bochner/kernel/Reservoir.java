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
    private final int maxRows;
    private final Seed seed;
    private final RandomStream stream;
    private final List<RowSample.Row> reservoir = new ArrayList<>();
    private int columns = -1;
    private ColumnRanges ranges = ColumnRanges.unknown(0);
    private long seen;

    Reservoir(int maxRows, Seed seed) {
        this.maxRows = Require.atLeast("RowSample", "maxRows", maxRows, 2);
        this.seed = seed;
        this.stream = seed.derive("rows").stream();
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
        return new RowSample(Math.max(columns, 0), reservoir, ranges.copy(), seed);
    }

    /** Returns the non-zeros of a row. In a sparse block only stored values are visited. */
    private static RowSample.Row nonZeros(RowBlock block, int i) {
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
    private static RowSample.Row nonZeros(int[] columns, float[] values) {
        int kept = 0;
        for (int k = 0; k < values.length; k++) {
            if (values[k] != 0) {
                columns[kept] = columns[k];
                values[kept++] = values[k];
            }
        }
        return new RowSample.Row(Arrays.copyOf(columns, kept), Arrays.copyOf(values, kept));
    }
}
