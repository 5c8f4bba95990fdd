package org.bochner.spark;

import java.util.Iterator;
import java.util.function.Supplier;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;

/** The rows of one partition, with the indices that they have among all rows. */
final class PartRows implements RowSource {
    private final FrameLayout layout;
    private final Supplier<Iterator<RowChunk>> chunks;
    private final long firstRow;
    private final long count;

    PartRows(FrameLayout layout, Supplier<Iterator<RowChunk>> chunks, long firstRow, long count) {
        this.layout = layout;
        this.chunks = chunks;
        this.firstRow = firstRow;
        this.count = count;
    }

    @Override
    public String name() {
        return layout.name();
    }

    @Override
    public int columns() {
        return layout.columns();
    }

    @Override
    public long rows() {
        return count;
    }

    @Override
    public Labels labels() {
        return layout.labels();
    }

    @Override
    public boolean sparse() {
        return layout.sparse();
    }

    @Override
    public String place(long row, int column) {
        return layout.place(row, column);
    }

    @Override
    public RowCursor open() {
        return new ChunkCursor(layout, chunks.get(), firstRow, count);
    }

    /** Reads chunks. */
    static final class ChunkCursor implements RowCursor {
        private final FrameLayout layout;
        private final Iterator<RowChunk> chunks;
        private final long firstRow;
        private final long count;
        private long read;
        private int next;
        private RowBlock block = new RowBlockBuilder().build();

        ChunkCursor(FrameLayout layout, Iterator<RowChunk> chunks, long firstRow, long count) {
            this.layout = layout;
            this.chunks = chunks;
            this.firstRow = firstRow;
            this.count = count;
        }

        @Override
        public boolean next(RowBlockBuilder into, int maxRows) {
            layout.begin(into, firstRow + read);
            while (into.rows() < maxRows) {
                if (next == block.rows()) {
                    if (!chunks.hasNext()) {
                        break;
                    }
                    block = chunks.next().rows();
                    next = 0;
                    continue;
                }
                into.addRow(block, next++);
            }
            read += into.rows();
            return into.rows() > 0;
        }

        @Override
        public double progress() {
            return count > 0 ? (double) read / count : Double.NaN;
        }

        @Override
        public void close() {}
    }
}
