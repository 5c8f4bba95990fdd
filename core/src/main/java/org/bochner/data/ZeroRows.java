package org.bochner.data;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of another source, of which those that are all zero are counted while they are read: a row is looked at up to
 * its first value that is not zero. The counts are those of the latest reading.
 *
 * <p>Threads: to be read by one at a time.
 */
public final class ZeroRows extends RowView {
    private long count;
    private long first = -1;

    public ZeroRows(RowSource source) {
        super(source);
    }

    /** How many rows were all zero. */
    public long count() {
        return count;
    }

    /** The index, from 0, of the first of them; -1 where there was none. */
    public long first() {
        return first;
    }

    @Override
    public @Nullable Encoding encoding() {
        return source.encoding();
    }

    @Override
    public Map<String, String> provenance() {
        return source.provenance();
    }

    @Override
    public RowCursor open() {
        count = 0;
        first = -1;
        RowCursor cursor = source.open();
        return new RowCursor() {
            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean more = cursor.next(into, maxRows);
                look(into.build());
                return more;
            }

            @Override
            public double progress() {
                return cursor.progress();
            }

            @Override
            public void close() {
                cursor.close();
            }
        };
    }

    private void look(RowBlock rows) {
        for (int i = 0; i < rows.rows(); i++) {
            if (isZero(rows, i)) {
                first = count == 0 ? rows.firstRow() + i : first;
                count++;
            }
        }
    }

    private static boolean isZero(RowBlock rows, int row) {
        if (rows instanceof SparseRows sparse) {
            return isZero(sparse.values(), sparse.starts()[row], sparse.starts()[row + 1]);
        }
        DenseRows dense = (DenseRows) rows;
        int start = dense.offset() + row * dense.stride();
        return isZero(dense.values(), start, start + dense.columns());
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
