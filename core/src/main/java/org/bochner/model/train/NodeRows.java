package org.bochner.model.train;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.data.DataIdentity;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowView;
import org.bochner.model.SplitTree;

/**
 * The rows that have a share in a node of a tree and a weight other than 0, in their order. A row is tested by the splits
 * above the node.
 */
final class NodeRows extends RowView {
    private static final int BLOCK_ROWS = 1024;

    private final List<Side> path;
    private final long rows;

    /**
     * One side of a split.
     *
     * @param used the columns of the direction, ascending
     * @param weights their weights
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Side(int[] used, double[] weights, double low, double high, boolean above) {
        boolean has(RowBlock block, int row) {
            double share = SplitTree.above(low, high, SplitTree.project(block, row, used, weights));
            return above ? share > 0 : share < 1;
        }

        Side other() {
            return new Side(used, weights, low, high, !above);
        }
    }

    /**
     * Creates a view.
     *
     * @param path the sides that lead to the node, from the whole
     * @param rows the number of rows; -1 if it is not known yet
     */
    NodeRows(RowSource source, List<Side> path, long rows) {
        super(source);
        this.path = List.copyOf(path);
        this.rows = rows;
    }

    /** Returns the rows on one side of a split of this node. */
    NodeRows on(Side side, long count) {
        List<Side> longer = new ArrayList<>(path);
        longer.add(side);
        return new NodeRows(source, longer, count);
    }

    private boolean has(RowBlock block, int row) {
        if (block.rowWeight(row) == 0) {
            return false;
        }
        for (Side side : path) {
            if (!side.has(block, row)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    protected long sourceRow(long row) {
        long left = row;
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    if (has(block, i) && left-- == 0) {
                        return block.firstRow() + i;
                    }
                }
            }
        }
        return -1;
    }

    @Override
    public DataIdentity identity() {
        DataIdentity whole = source.identity();
        Map<String, String> selections = new LinkedHashMap<>(whole.selections());
        if (!path.isEmpty()) {
            selections.put("leaf", rows + " rows of a leaf of a tree");
        }
        return new DataIdentity(whole.files(), whole.groupColumn(), selections);
    }

    @Override
    public RowCursor open() {
        return new Choosing(source.open()) {
            @Override
            protected boolean has(RowBlock block, int row) {
                return NodeRows.this.has(block, row);
            }

            /** Returns the share of these rows, as copies of them do, so that no estimate depends on the copies. */
            @Override
            public double progress() {
                return rows > 0 ? (double) returned() / rows : cursor.progress();
            }
        };
    }
}
