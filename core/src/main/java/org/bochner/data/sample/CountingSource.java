package org.bochner.data.sample;

import java.util.Arrays;
import org.bochner.data.DataIdentity;
import org.bochner.data.DenseRows;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.jspecify.annotations.Nullable;

/**
 * The rows of another source, which are counted while they are read: those of every class, and those that are all zero,
 * for which a row is looked at up to its first value that is not. The counts are those of the latest reading.
 *
 * <p>Threads: to be read by one at a time.
 */
public final class CountingSource extends RowView {
    private long zeros;
    private long firstZero = -1;
    private final long[] ofClass;

    public CountingSource(RowSource source) {
        super(source);
        ofClass = new long
                [source.labels() instanceof Labels.Classes classes
                        ? classes.names().size()
                        : 0];
    }

    /** How many rows were all zero. */
    public long zeros() {
        return zeros;
    }

    /** The index, from 0, of the first of them; -1 where there was none. */
    public long firstZero() {
        return firstZero;
    }

    /** How many rows a class has. */
    public long ofClass(int label) {
        return ofClass[label];
    }

    @Override
    public @Nullable Encoding encoding() {
        return source.encoding();
    }

    @Override
    public DataIdentity identity() {
        return source.identity();
    }

    @Override
    public RowCursor open() {
        zeros = 0;
        firstZero = -1;
        Arrays.fill(ofClass, 0);
        return new Reading(source.open()) {
            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean more = cursor.next(into, maxRows);
                look(into.build());
                return more;
            }
        };
    }

    private void look(RowBlock rows) {
        for (int i = 0; i < rows.rows(); i++) {
            if (isZero(rows, i)) {
                firstZero = zeros == 0 ? rows.firstRow() + i : firstZero;
                zeros++;
            }
            // Those of no known class are refused, with their place, by whoever learns from them.
            if (ofClass.length > 0 && rows.target(i, 0) >= 0) {
                ofClass[(int) rows.target(i, 0)]++;
            }
        }
    }

    private static boolean isZero(RowBlock rows, int row) {
        if (rows instanceof SparseRows sparse) {
            return isZero(sparse.values(), sparse.starts()[row], sparse.starts()[row + 1]);
        }
        DenseRows dense = (DenseRows) rows;
        int start = dense.offset() + row * dense.stride();
        return dense.origin() == null
                ? isZero(dense.values(), start, start + dense.columns())
                : isZero(dense.values(row, row + 1).plain().values(), 0, dense.columns());
    }

    private static boolean isZero(float[] values, int from, int to) {
        for (int i = from; i < to; i++) {
            if (values[i] != 0) {
                return false;
            }
        }
        return true;
    }
}
