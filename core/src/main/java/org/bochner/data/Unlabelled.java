package org.bochner.data;

import org.bochner.data.sample.RowView;

/** The rows of another source without their labels. */
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
        return new Reading(source.open()) {
            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean more = cursor.next(into, maxRows);
                into.dropTargets();
                return more;
            }
        };
    }
}
