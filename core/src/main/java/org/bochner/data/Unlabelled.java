package org.bochner.data;

import org.bochner.data.sample.RowView;

/**
 * The rows of another source, whose labels, if it has any, do not count: nothing may be learned from them but what rows
 * look like.
 */
final class Unlabelled extends RowView {
    Unlabelled(RowSource source) {
        super(source);
    }

    @Override
    public Labels labels() {
        return Labels.none();
    }

    @Override
    public DataIdentity identity() {
        return source.identity();
    }

    @Override
    public RowCursor open() {
        RowCursor cursor = source.open();
        return new RowCursor() {
            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean more = cursor.next(into, maxRows);
                into.dropTargets();
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
}
