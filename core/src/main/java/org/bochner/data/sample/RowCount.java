package org.bochner.data.sample;

import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;

/** Counts rows. */
public final class RowCount {
    private static final int BLOCK_ROWS = 1024;

    private RowCount() {}

    /** Returns the number of rows of a source; reads the whole source if it does not know the number. */
    public static long of(RowSource source) {
        return upTo(source, Long.MAX_VALUE);
    }

    /**
     * Returns the number of rows of a source if it is below a limit, else a number that is not; reads no more rows than
     * needed.
     */
    public static long upTo(RowSource source, long limit) {
        if (source.rows() >= 0) {
            return source.rows();
        }
        long count = 0;
        try (RowCursor cursor = source.open()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            while (count < limit && cursor.next(builder, BLOCK_ROWS)) {
                count += builder.rows();
            }
        }
        return count;
    }
}
