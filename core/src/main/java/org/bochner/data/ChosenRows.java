package org.bochner.data;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Some rows of a source.
 *
 * @param rows copies of the rows
 * @param indices the index of each row in its source
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ChosenRows(RowBlock rows, long[] indices) {
    /** Reads the chosen rows of a part. */
    static ChosenRows read(RowSource part, RowChoice chosen, int blockRows) {
        RowBlockBuilder some = new RowBlockBuilder();
        RowBlockBuilder all = new RowBlockBuilder();
        LongStream.Builder indices = LongStream.builder();
        boolean begun = false;
        try (RowCursor cursor = part.open()) {
            while (cursor.next(some, blockRows)) {
                RowBlock block = some.build();
                if (!begun) {
                    all.beginLike(block, block.hasRowWeights());
                    begun = true;
                }
                for (int i = 0; i < block.rows(); i++) {
                    if (chosen.test(block.firstRow() + i)) {
                        all.addRow(block, i);
                        indices.accept(block.firstRow() + i);
                    }
                }
            }
        }
        if (!begun) {
            all.beginLike(some.build(), false);
        }
        return new ChosenRows(all.build(), indices.build().toArray());
    }

    /** Returns these rows, followed by others. */
    ChosenRows followedBy(ChosenRows others) {
        if (others.indices.length == 0) {
            return this;
        }
        if (indices.length == 0) {
            return others;
        }
        RowBlockBuilder both = new RowBlockBuilder();
        both.beginLike(rows, rows.hasRowWeights());
        for (RowBlock block : Arrays.asList(rows, others.rows)) {
            for (int i = 0; i < block.rows(); i++) {
                both.addRow(block, i);
            }
        }
        return new ChosenRows(
                both.build(),
                LongStream.concat(Arrays.stream(indices), Arrays.stream(others.indices))
                        .toArray());
    }
}
