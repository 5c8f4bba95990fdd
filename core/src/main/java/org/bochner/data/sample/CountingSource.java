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
 * The rows of another source, with counts that are taken while the rows are read: the rows of each class and the rows
 * of zeros. The counts are those of the latest pass. Cost: a row is scanned up to its first non-zero value.
 *
 * <p>Threads: not safe; one cursor at a time.
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

    /** Returns the number of rows of zeros. */
    public long zeros() {
        return zeros;
    }

    /** Returns the index, from 0, of the first row of zeros; -1 if there is none. */
    public long firstZero() {
        return firstZero;
    }

    /** Returns the number of rows of a class. */
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
            // The learner refuses rows of unknown classes and names their place.
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
