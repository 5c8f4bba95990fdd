package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.data.DenseRows;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RowSource} must keep. Extend it in your tests, say which source to test, and it becomes a dozen tests:
 *
 * <pre>{@code
 * class MySourceTest implements RowSourceContract {
 *     public RowSource source() { return new MySource(...); }
 * }
 * }</pre>
 *
 * <p>The source should have from three to a few thousand rows: they are read some thirty times.
 */
public interface RowSourceContract {
    /** Returns the source under test; the same rows at each call. */
    RowSource source();

    /** Everything that a block tells of one row, in a form that can be compared; the values of a set are those of its rows. */
    record Row(
            List<Double> values,
            List<Double> targets,
            double weight,
            boolean grouped,
            long group,
            List<String> carried) {}

    /** Reads all rows of a source in blocks of at most {@code maxRows} rows. */
    static List<Row> read(RowSource source, int maxRows) {
        List<Row> rows = new ArrayList<>();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, maxRows)) {
                rows.addAll(rows(builder.build()));
            }
        }
        return rows;
    }

    private static List<Row> rows(RowBlock block) {
        List<Row> rows = new ArrayList<>();
        double[] values = new double[block.columns()];
        for (int i = 0; i < block.rows(); i++) {
            int row = i;
            List<Double> all = new ArrayList<>();
            for (int m = block.firstLocalRow(i); m < block.firstLocalRow(i + 1); m++) {
                block.localRows().copyRow(m, values);
                Arrays.stream(values).forEach(all::add);
            }
            rows.add(new Row(
                    all,
                    IntStream.range(0, block.targets())
                            .mapToObj(j -> block.target(row, j))
                            .toList(),
                    block.rowWeight(i),
                    block.grouped(),
                    block.group(i),
                    block.carried(i)));
        }
        return rows;
    }

    @Test
    default void itSaysWhatItsRowsAre() {
        RowSource source = source();
        assertFalse(source.name().isBlank(), "name() is for messages and must not be blank");
        assertTrue(source.columns() >= 1, "columns() must be at least 1, is " + source.columns());
        assertEquals(source.labels(), source.labels());
        int width = source.labels().targets();
        assertTrue(source.labels().targets() == 0 ? width == 0 : width >= 1, "labels().width() is " + width);
    }

    @Test
    default void itHasAtLeastThreeRows() {
        assertTrue(read(source(), 1000).size() >= 3, "give the contract a source of three rows or more");
    }

    @Test
    default void itsRowCountIsRight() {
        long stated = source().rows();
        assertTrue(stated >= -1, "rows() must be a count, or -1 where only reading tells; is " + stated);
        if (stated >= 0) {
            assertEquals(stated, read(source(), 1000).size(), "rows() differs from the number of rows read");
        }
    }

    @Test
    default void itsBlocksAreWhatItSays() {
        RowSource source = source();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, 4)) {
                RowBlock block = builder.build();
                assertEquals(source.columns(), block.columns(), "columns of a block");
                assertEquals(source.labels().targets(), block.targets(), "width of the targets of a block");
                assertEquals(source.grouped(), block.grouped(), "whether the rows carry groups");
                assertEquals(source.ofSets(), block.ofSets(), "whether the rows are sets");
                if (source.localRows().sparse()) {
                    assertInstanceOf(SparseRows.class, block.localRows());
                } else {
                    assertInstanceOf(DenseRows.class, block.localRows());
                }
            }
        }
    }

    @Test
    default void itsBlocksFollowEachOther() {
        for (int maxRows : new int[] {1, 2, 1000}) {
            long expected = 0;
            RowBlockBuilder builder = new RowBlockBuilder();
            try (RowCursor cursor = source().open()) {
                while (cursor.next(builder, maxRows)) {
                    RowBlock block = builder.build();
                    assertTrue(
                            block.rows() >= 1 && block.rows() <= maxRows,
                            block.rows() + " rows in a block of at most " + maxRows);
                    assertEquals(expected, block.firstRow(), "firstRow() of a block of at most " + maxRows + " rows");
                    expected += block.rows();
                }
            }
        }
    }

    @Test
    default void itStaysAtItsEnd() {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source().open()) {
            while (cursor.next(builder, 3)) {
                assertTrue(builder.rows() > 0, "next() returned true without rows");
            }
            assertEquals(0, builder.rows(), "rows left in the builder at the end");
            assertFalse(cursor.next(builder, 3), "next() returned true after the end");
            assertEquals(0, builder.rows(), "rows left in the builder after the end");
        }
    }

    @Test
    default void itGivesTheSameRowsAgain() {
        RowSource source = source();
        List<Row> first = read(source, 1000);
        assertEquals(first, read(source, 1000), "the second reading");
        assertEquals(first, read(source(), 1000), "another source of the same rows");
    }

    @Test
    default void theSizeOfBlocksDoesNotChangeItsRows() {
        List<Row> expected = read(source(), 1000);
        for (int maxRows : new int[] {1, 2, 3}) {
            assertEquals(expected, read(source(), maxRows), "blocks of at most " + maxRows + " rows");
        }
    }

    @Test
    default void aBuilderMayBeUsedBefore() {
        RowSource source = source();
        RowBlockBuilder builder = new RowBlockBuilder();
        builder.beginDense(77, source.columns() + 1, 2, true);
        builder.startDenseRow();
        builder.endRow();
        try (RowCursor cursor = source.open()) {
            assertTrue(cursor.next(builder, 2));
            assertEquals(read(source, 2).subList(0, builder.rows()), rows(builder.build()));
        }
    }

    @Test
    default void aCursorMayBeClosedEarly() {
        RowSource source = source();
        List<Row> expected = read(source, 1000);
        RowCursor unread = source.open();
        unread.close();
        try (RowCursor cursor = source.open()) {
            assertTrue(cursor.next(new RowBlockBuilder(), 1));
        }
        assertEquals(expected, read(source, 1000), "the reading after cursors were closed early");
    }

    @Test
    default void cursorsDoNotDisturbEachOther() {
        RowSource source = source();
        List<Row> expected = read(source, 1000);
        List<Row> slow = new ArrayList<>();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (slow.size() < 3 && cursor.next(builder, 1)) {
                slow.addAll(rows(builder.build()));
                assertEquals(expected, read(source, 2), "a reading beside another one");
            }
        }
        assertEquals(expected.subList(0, 3), slow, "the reading that was interrupted");
    }

    @Test
    default void severalThreadsMayReadIt() {
        RowSource source = source();
        List<Row> expected = read(source, 1000);
        IntStream.range(0, 8)
                .parallel()
                .forEach(thread -> assertEquals(expected, read(source, 1 + thread), "the reading of a thread"));
    }

    @Test
    default void itsValuesAreFinite() {
        for (Row row : read(source(), 1000)) {
            assertTrue(row.values().stream().allMatch(Double::isFinite), "a value that is not finite: " + row);
        }
    }

    @Test
    default void theColumnsOfItsSparseRowsAscend() {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source().open()) {
            while (cursor.next(builder, 5)) {
                if (builder.build() instanceof SparseRows block) {
                    for (int i = 0; i < block.rows(); i++) {
                        int[] columns = Arrays.copyOfRange(block.indices(), block.starts()[i], block.starts()[i + 1]);
                        int last = -1;
                        for (int column : columns) {
                            assertTrue(
                                    column > last && column < block.columns(),
                                    "columns must ascend and be below " + block.columns() + ": "
                                            + Arrays.toString(columns));
                            last = column;
                        }
                    }
                }
            }
        }
    }

    @Test
    default void itsTargetsAreInRange() {
        Labels labels = source().labels();
        for (Row row : read(source(), 1000)) {
            for (double target : row.targets()) {
                if (labels instanceof Labels.Classes classes) {
                    // NaN is a class that is not listed.
                    boolean index = target == Math.rint(target)
                            && target >= 0
                            && target < classes.names().size();
                    assertTrue(
                            Double.isNaN(target) || index,
                            target + " is not the index of one of "
                                    + classes.names().size() + " classes");
                } else {
                    assertTrue(Double.isFinite(target), "a target that is not finite: " + target);
                }
            }
        }
    }

    @Test
    default void itsWeightsAreFiniteAndNotNegative() {
        for (Row row : read(source(), 1000)) {
            assertTrue(row.weight() >= 0 && row.weight() < Double.POSITIVE_INFINITY, "the weight " + row.weight());
        }
    }

    @Test
    default void itsProgressRises() {
        double last = 0;
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source().open()) {
            while (cursor.next(builder, 1)) {
                double now = cursor.progress();
                assertTrue(
                        Double.isNaN(now) || (now >= last && now <= 1),
                        "progress() must rise from 0 to 1, or be NaN; is " + now + " after " + last);
                last = Double.isNaN(now) ? last : now;
            }
        }
    }

    @Test
    default void itsEncodingFitsItsRows() {
        Encoding encoding = source().encoding();
        if (encoding != null) {
            assertEquals(source().columns(), encoding.columns(), "columns of the encoding");
            assertEquals(encoding, Encoding.load(encoding.state()), "the encoding that was saved and loaded");
        }
    }
}
