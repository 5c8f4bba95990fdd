package org.bochner.peers;

import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.scale.Scaler;

/** Reads rows for other libraries: scaled, one after the other, as lists of columns and values. */
final class PeerRows {
    private static final int BLOCK_ROWS = 1024;

    private PeerRows() {}

    /** Receives the entries of a row: all columns of a dense row, the non-zeros of a sparse one. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes a row.
         *
         * @param count the number of entries
         * @param columns the column of each entry, ascending from 0; reused after the call
         * @param values the value of each entry; reused after the call
         */
        void visit(RowBlock block, int row, int count, int[] columns, double[] values);
    }

    /** Visits all rows of a source. */
    static void each(RowSource source, Scaler scaler, Visitor visitor) {
        UnaryOperator<RowBlock> scaling = scaler.forBlocks();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                each(scaling.apply(builder.build()), visitor);
            }
        }
    }

    /** Visits all rows of a scaled block. */
    static void each(RowBlock block, Visitor visitor) {
        int[] columns = new int[block.columns()];
        double[] values = new double[block.columns()];
        for (int j = 0; j < columns.length; j++) {
            columns[j] = j;
        }
        for (int i = 0; i < block.rows(); i++) {
            int count = block.columns();
            if (block instanceof SparseRows sparse) {
                int from = sparse.starts()[i];
                count = sparse.starts()[i + 1] - from;
                for (int e = 0; e < count; e++) {
                    columns[e] = sparse.indices()[from + e];
                    values[e] = sparse.values()[from + e];
                }
            } else {
                block.copyRow(i, values);
            }
            visitor.visit(block, i, count, columns, values);
        }
    }

    /** Returns the targets of all rows, the first of each row: numbers or indices of classes. */
    static double[] targets(RowSource source) {
        double[] targets = new double[Math.toIntExact(source.rows())];
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    targets[(int) block.firstRow() + i] = block.target(i, 0);
                }
            }
        }
        return targets;
    }

    /** Returns the reason why a library that predicts one number per row cannot learn the labels; empty if it can. */
    static Optional<String> refusesSeveralNumbers(Labels labels) {
        return labels.targets() > 1 ? Optional.of("it predicts one number per row") : Optional.empty();
    }

    static boolean classes(RowSource source) {
        return source.labels() instanceof Labels.Classes;
    }

    /** Counts the entries of a source. */
    static long entries(RowSource source) {
        if (!source.sparse()) {
            return source.rows() * source.columns();
        }
        long entries = 0;
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, BLOCK_ROWS)) {
                entries += builder.build() instanceof SparseRows sparse ? sparse.entries() : 0;
            }
        }
        return entries;
    }

    /** Throws if a library's copy of the rows would take more than half the heap. */
    static void requireMemory(String name, RowSource source, int bytesPerEntry) {
        double needed = (double) entries(source) * bytesPerEntry;
        if (!(needed <= 0.5 * Runtime.getRuntime().maxMemory())) {
            throw new BochnerException(String.format(
                    Locale.ROOT,
                    "%s: its copy of the rows takes %.2f GB, more than half the Java heap",
                    name,
                    needed * 1e-9));
        }
    }
}
