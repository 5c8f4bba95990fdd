package org.bochner.data.sample;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.jspecify.annotations.Nullable;

/** A source that shows the rows of another one. Methods that a view does not override return what the other source does. */
public abstract class RowView implements RowSource {
    protected final RowSource source;

    protected RowView(RowSource source) {
        this.source = source;
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public int columns() {
        return source.columns();
    }

    @Override
    public long rows() {
        return source.rows();
    }

    @Override
    public Labels labels() {
        return source.labels();
    }

    @Override
    public @Nullable Encoding encoding() {
        return source.encoding();
    }

    @Override
    public void requireTrainable() {
        source.requireTrainable();
    }

    @Override
    public List<Note> trainingNotes() {
        return source.trainingNotes();
    }

    @Override
    public boolean sparse() {
        return source.sparse();
    }

    @Override
    public boolean grouped() {
        return source.grouped();
    }

    @Override
    public boolean inSets() {
        return source.inSets();
    }

    @Override
    public boolean ofSets() {
        return source.ofSets();
    }

    /** Returns the local rows of the other source; a view that leaves out sets must override this. */
    @Override
    public RowSource localRows() {
        return ofSets() ? source.localRows() : this;
    }

    @Override
    public final String place(long row, int column) {
        return source.place(row < 0 ? row : sourceRow(row), column);
    }

    /** Returns the index in the other source of a row of this one; -1 if it cannot be found. */
    protected long sourceRow(long row) {
        return row;
    }

    /** A cursor that changes the blocks of another one. */
    protected abstract static class Reading implements RowCursor {
        protected final RowCursor cursor;

        protected Reading(RowCursor cursor) {
            this.cursor = cursor;
        }

        @Override
        public double progress() {
            return cursor.progress();
        }

        @Override
        public final void close() {
            cursor.close();
        }
    }

    /** A cursor that returns some of the rows of another one, in their order. */
    protected abstract static class Choosing extends Reading {
        private final RowBlockBuilder builder = new RowBlockBuilder();
        private RowBlock block = builder.build();
        private int next;
        private long returned;

        protected Choosing(RowCursor cursor) {
            super(cursor);
        }

        /** Returns true if a row of a block of the other cursor is one of these. */
        protected abstract boolean has(RowBlock block, int row);

        /** Returns the number of rows that were returned so far. */
        protected final long returned() {
            return returned;
        }

        @Override
        public final boolean next(RowBlockBuilder into, int maxRows) {
            boolean more = fill(maxRows);
            into.beginLike(block, returned, block.hasRowWeights());
            while (more && into.rows() < maxRows) {
                if (has(block, next)) {
                    into.addRow(block, next);
                }
                next++;
                more = fill(maxRows);
            }
            returned += into.rows();
            return into.rows() > 0;
        }

        /** Reads the next block if the current one is used up; returns false at the end. */
        private boolean fill(int maxRows) {
            if (next < block.rows()) {
                return true;
            }
            boolean more = cursor.next(builder, maxRows);
            block = builder.build();
            next = 0;
            return more;
        }
    }
}
