package org.bochner.data.sample;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.DataIdentity;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;

/**
 * Copies of the rows of another source in memory, which save reading them again. Blocks are those of a view that fills them
 * up, so that copies and views give equal results.
 */
public final class KeptRows extends RowView {
    private static final int BLOCK_ROWS = 1024;

    private final List<RowBlock> blocks;
    private final long rows;
    private final double bytes;

    private KeptRows(RowSource source, List<RowBlock> blocks, long rows, double bytes) {
        super(source);
        this.blocks = blocks;
        this.rows = rows;
        this.bytes = bytes;
    }

    /**
     * Returns copies of the rows, or the source itself if they take too much memory. Cost: one pass.
     *
     * @param source rows that are no sets
     * @param bytes the most memory for copies
     */
    public static RowSource of(RowSource source, long bytes) {
        List<RowBlock> blocks = new ArrayList<>();
        long rows = 0;
        double used = 0;
        try (RowCursor cursor = source.open()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            while (cursor.next(builder, BLOCK_ROWS)) {
                RowBlock block = builder.build();
                used += bytes(block);
                if (used > bytes) {
                    return source;
                }
                rows += block.rows();
                blocks.add(block);
                builder = new RowBlockBuilder();
            }
        }
        return new KeptRows(source, blocks, rows, used);
    }

    /** Returns about the bytes of a block. Builders grow their arrays by a half. */
    private static double bytes(RowBlock block) {
        double values = block instanceof SparseRows sparse
                ? 8.0 * sparse.starts()[block.rows()]
                : 4.0 * block.rows() * block.columns();
        return 1.5 * (values + block.rows() * (8.0 * block.targets() + 24));
    }

    /** Returns about the bytes of the copies. */
    public double bytes() {
        return bytes;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public DataIdentity identity() {
        return source.identity();
    }

    @Override
    public RowCursor open() {
        return new RowCursor() {
            private int block;
            private int next;
            private long emitted;

            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                if (block == blocks.size()) {
                    into.beginDense(emitted, columns(), labels().targets(), false);
                    return false;
                }
                RowBlock first = blocks.get(block);
                into.beginLike(first, emitted, first.hasRowWeights());
                while (block < blocks.size() && into.rows() < maxRows) {
                    RowBlock from = blocks.get(block);
                    into.addRow(from, next++);
                    if (next == from.rows()) {
                        block++;
                        next = 0;
                    }
                }
                emitted += into.rows();
                return true;
            }

            @Override
            public double progress() {
                return rows == 0 ? 1 : (double) emitted / rows;
            }

            @Override
            public void close() {}
        };
    }
}
