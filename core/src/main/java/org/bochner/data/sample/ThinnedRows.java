package org.bochner.data.sample;

import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.random.Seed;

/** A random share of the rows of another source, in their order: each row is chosen by a hash of the seed and its index. */
public final class ThinnedRows extends RowView {
    private final double share;
    private final Seed seed;

    /**
     * Creates a view.
     *
     * @param share the expected share of the rows
     */
    public ThinnedRows(RowSource source, double share, Seed seed) {
        super(source);
        this.share = share;
        this.seed = seed;
    }

    @Override
    public long rows() {
        return -1;
    }

    /** Returns -1: the rows serve to choose parameters, whose failures name no row. */
    @Override
    protected long sourceRow(long row) {
        return -1;
    }

    @Override
    public RowCursor open() {
        RowBlockBuilder builder = new RowBlockBuilder();
        return new Reading(source.open()) {
            private long emitted;

            @Override
            public boolean next(RowBlockBuilder into, int maxRows) {
                boolean more = true;
                while (more) {
                    more = cursor.next(builder, maxRows);
                    RowBlock block = builder.build();
                    into.beginLike(block, emitted, block.hasRowWeights());
                    for (int i = 0; i < block.rows(); i++) {
                        if (seed.derive(block.firstRow() + i).unit() < share) {
                            into.addRow(block, i);
                        }
                    }
                    more &= into.rows() == 0;
                }
                emitted += into.rows();
                return into.rows() > 0;
            }
        };
    }
}
