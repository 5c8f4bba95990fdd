package org.bochner.benchmarks;

import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;

/** Goes over the rows of a source one by one. */
final class EachRow {
    private EachRow() {}

    /** What is done with a row. */
    interface Visitor {
        void visit(RowBlock block, int row, int index);
    }

    static void of(RowSource rows, Visitor visitor) {
        RowBlockBuilder builder = new RowBlockBuilder();
        int index = 0;
        try (RowCursor cursor = rows.open()) {
            while (cursor.next(builder, 1024)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    visitor.visit(block, i, index++);
                }
            }
        }
    }
}
