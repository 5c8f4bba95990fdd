package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.sample.KeptRows;
import org.junit.jupiter.api.Test;

class NodeRowsTest {
    private static final int ROWS = 5000;

    private static MemorySource rows() {
        float[] values = new float[2 * ROWS];
        double[] weights = new double[ROWS];
        double[] targets = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[2 * i] = i % 100;
            values[2 * i + 1] = i;
            targets[i] = -i;
            weights[i] = i % 7 == 0 ? 0 : 1;
        }
        return MemorySource.of(2, values).withTargets(targets).withRowWeights(weights);
    }

    private static NodeRows node(RowSource rows) {
        NodeRows.Side above = new NodeRows.Side(new int[] {0}, new double[] {1}, 30, 40, true);
        NodeRows.Side below = new NodeRows.Side(new int[] {0}, new double[] {1}, 60, 60, false);
        return new NodeRows(rows, List.of(), ROWS).on(above, -1).on(below, -1);
    }

    /** Returns the values, target and group of each row, and the size of each block. */
    private static List<List<Double>> read(RowSource source, int blockRows) {
        List<List<Double>> read = new ArrayList<>();
        RowBlockBuilder builder = new RowBlockBuilder();
        double[] row = new double[2];
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, blockRows)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    block.copyRow(i, row);
                    read.add(List.of(
                            row[0], row[1], block.target(i, 0), block.rowWeight(i), (double) block.group(i), (double)
                                    block.firstRow()));
                }
            }
        }
        return read;
    }

    @Test
    void areThoseWithAShare() {
        List<List<Double>> found = read(node(rows()), 333);
        int next = 0;
        for (int i = 0; i < ROWS; i++) {
            // At 30 the share above is 0, at 60 the row is below.
            if (i % 100 > 30 && i % 100 <= 60 && i % 7 != 0) {
                assertEquals(i, found.get(next++).get(1), 0);
            }
        }
        assertEquals(next, found.size());
    }

    @Test
    void copiesHaveTheBlocksOfTheView() {
        RowSource kept = KeptRows.of(node(rows()), 1 << 20);
        assertEquals(read(node(rows()), 100), read(kept, 100));
        assertEquals(read(node(rows()), 4096), read(kept, 4096));
        assertEquals(kept.rows(), read(kept, 100).size());
    }

    @Test
    void tooManyRowsAreNotCopied() {
        NodeRows view = node(rows());
        assertSame(view, KeptRows.of(view, 1000));
    }

    @Test
    void placesAreThoseOfTheSource() {
        // The first row has the value 31.
        assertEquals(rows().place(31, 1), node(rows()).place(0, 1));
        assertArrayEquals(new double[] {31, 31}, new double[] {
            read(node(rows()), 10).get(0).get(0), read(node(rows()), 10).get(0).get(1)
        });
    }
}
