package org.bochner.data.sample;

import java.util.function.Consumer;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;

/** Passes over the rows of a source on one thread. */
public final class RowPass {
    private static final int BLOCK_ROWS = 1024;

    private RowPass() {}

    /** Receives one row of a block, which is reused afterwards. */
    @FunctionalInterface
    public interface RowAction {
        void accept(RowBlock block, int row);
    }

    /** Calls an action for each row. */
    public static void each(RowSource rows, RowAction action) {
        blocks(rows, block -> {
            for (int i = 0; i < block.rows(); i++) {
                action.accept(block, i);
            }
        });
    }

    /** Calls an action for each block of rows, which is reused afterwards. */
    public static void blocks(RowSource rows, Consumer<RowBlock> action) {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = rows.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                action.accept(builder.build());
            }
        }
    }
}
