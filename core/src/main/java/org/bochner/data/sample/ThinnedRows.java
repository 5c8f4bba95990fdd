package org.bochner.data.sample;

import org.bochner.data.RowBlock;
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
        return new Choosing(source.open()) {
            @Override
            protected boolean has(RowBlock block, int row) {
                return seed.derive(block.firstRow() + row).unit() < share;
            }
        };
    }
}
