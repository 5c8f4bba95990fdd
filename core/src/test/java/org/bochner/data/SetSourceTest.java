package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.DataException;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows with set ids, read by set. */
class SetSourceTest {
    private static final String ROWS =
            "image,x,y,class\nb7,1,2,a\nb7,3,4,a\nb7,5,6,a\nc1,7,8,b\na9,9,10,b\na9,11,12,b\n";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    private Path folder;

    private FileSource open(String text) {
        return FileSource.open(
                DataOptions.of(Sample.file(folder, "train.csv", text)).withSet("image"));
    }

    private static List<String> sets(RowSource source, int maxRows) {
        List<String> sets = new ArrayList<>();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            while (cursor.next(builder, maxRows)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    StringBuilder text = new StringBuilder();
                    double[] row = new double[block.columns()];
                    for (int m = block.firstLocalRow(i); m < block.firstLocalRow(i + 1); m++) {
                        block.localRows().copyRow(m, row);
                        text.append(Arrays.toString(row));
                    }
                    sets.add(text + " -> " + (block.targets() == 0 ? "" : block.target(i, 0)));
                }
            }
        }
        return sets;
    }

    @Test
    void consecutiveRowsWithOneIdAreOneSet() {
        FileSource rows = open(ROWS);
        assertEquals(List.of("x", "y"), rows.columnNames());
        assertTrue(rows.inSets() && rows.grouped());
        assertEquals(6, rows.rows());
        RowSource sets = rows.bySet();
        assertEquals(3, sets.rows());
        assertSame(sets, rows.bySet(), "the sets of a file are counted once");
        assertTrue(sets.ofSets());
        assertFalse(sets.inSets());
        List<String> expected =
                List.of("[1.0, 2.0][3.0, 4.0][5.0, 6.0] -> 0.0", "[7.0, 8.0] -> 1.0", "[9.0, 10.0][11.0, 12.0] -> 1.0");
        for (int maxRows = 1; maxRows <= 4; maxRows++) {
            assertEquals(expected, sets(sets, maxRows));
        }
        assertEquals(expected, sets(MemorySource.load(sets), 2));
        assertEquals(sets(rows, 9), sets(sets.localRows(), 9));
    }

    @Test
    void thePlaceOfASetIsItsFirstLine() {
        String place = open(ROWS).bySet().place(2, 1);
        assertTrue(place.contains("train.csv:6: column 'y'") && place.contains("set"), place);
    }

    @Test
    void aSourceWithoutIdsIsItself() {
        RowSource rows = MemorySource.of(1, 1f, 2f);
        assertEquals(rows, rows.bySet());
        assertEquals(rows, rows.localRows());
    }

    /** Blocks of 1024 rows are read, so that sets of 700 rows span their borders, and one set is larger than a block. */
    @Test
    void setsMaySpanBlocks() {
        int[] sizes = {700, 700, 700, 5000, 1, 20_000, 2};
        String[] ids = IntStream.range(0, sizes.length)
                .boxed()
                .flatMap(s -> Stream.generate(() -> "set" + s).limit(sizes[s]))
                .toArray(String[]::new);
        float[] values = new float[ids.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        RowSource sets = MemorySource.of(1, values).withSets(ids).bySet();
        List<Integer> found = new ArrayList<>();
        RowBlockBuilder builder = new RowBlockBuilder();
        float next = 0;
        try (RowCursor cursor = sets.open()) {
            while (cursor.next(builder, 1024)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    found.add(block.firstLocalRow(i + 1) - block.firstLocalRow(i));
                }
                double[] value = new double[1];
                for (int m = 0; m < block.localRows().rows(); m++) {
                    block.localRows().copyRow(m, value);
                    assertEquals(next++, value[0]);
                }
            }
        }
        assertEquals(Arrays.stream(sizes).boxed().toList(), found);
        assertEquals(sizes.length, sets.rows());
    }

    @Test
    void holdOutsKeepSetsWhole() {
        float[] values = new float[600];
        String[] ids = new String[600];
        for (int i = 0; i < 600; i++) {
            int set = i / 3;
            values[i] = set;
            ids[i] = "s" + set;
        }
        MemorySource rows = MemorySource.of(1, values).withSets(ids);
        Holdout ofRows = Holdout.split(rows, 0.3, new Seed(7));
        Holdout ofSets = Holdout.split(rows.bySet(), 0.3, new Seed(7));
        // The hash of a set decides, whether rows or sets are split.
        assertEquals(sets(ofSets.test(), 100), sets(ofRows.test().bySet(), 100));
        assertEquals(200, ofSets.test().rows() + ofSets.train().rows());
        assertEquals(sets(ofRows.test(), 100), sets(ofSets.test().localRows(), 100));
    }

    @Test
    void anIdThatReturnsIsRefusedWithBothLines() {
        FileSource rows = open("image,x,y,class\nb,1,2,a\nc,3,4,a\nb,5,6,a\n");
        DataException e = assertThrows(DataException.class, rows::bySet);
        assertTrue(String.valueOf(e.getMessage()).contains("train.csv:4"), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains("train.csv:2"), e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains("sort the rows"), e.getMessage());
    }

    @Test
    void aSetHasOneLabelAndOneWeight() {
        DataException label = assertThrows(
                DataException.class,
                () -> open("image,x,y,class\nb,1,2,a\nb,3,4,b\n").bySet());
        assertTrue(String.valueOf(label.getMessage()).contains("train.csv:3: the label"), label.getMessage());
        MemorySource rows = MemorySource.of(1, 1f, 2f).withSets("a", "a");
        DataException weight = assertThrows(
                DataException.class, () -> rows.withRowWeights(1, 2).bySet());
        assertTrue(String.valueOf(weight.getMessage()).contains("row weight"), weight.getMessage());
        DataException group =
                assertThrows(DataException.class, () -> rows.withGroups(1, 2).bySet());
        assertTrue(String.valueOf(group.getMessage()).contains("group"), group.getMessage());
    }

    @Test
    void aMissingIdIsRefused() {
        DataException e = assertThrows(DataException.class, () -> open("image,x,y,class\nb,1,2,a\n,3,4,b\n"));
        assertTrue(
                String.valueOf(e.getMessage()).contains("train.csv:3")
                        && String.valueOf(e.getMessage()).contains("set id"),
                e.getMessage());
        MemorySource rows = MemorySource.of(1, 1f, 2f);
        assertThrows(IllegalArgumentException.class, () -> rows.withSets("a", " "));
        assertThrows(IllegalArgumentException.class, () -> rows.withSets("a"));
    }

    /** Integers from 2^53 on, which float64 rounds to the same number; as bits of int64 and uint64. */
    @Test
    void longIdsOfMatricesAreCompared() throws IOException {
        long[] ids = {1L << 60, (1L << 60) + 1, (1L << 60) + 1, -1, 3, Long.MAX_VALUE, Long.MAX_VALUE - 1};
        for (String type : List.of("<i8", "<u8", ">i8")) {
            String file = matrix(type, ids);
            FileSource sets = FileSource.open(DataOptions.of(file).withSet("0").withLabel("last"));
            assertEquals(6, sets.bySet().rows(), type);
            FileSource groups =
                    FileSource.open(DataOptions.of(file).withGroup("0").withLabel("last"));
            RowBlockBuilder builder = new RowBlockBuilder();
            try (RowCursor cursor = groups.open()) {
                assertTrue(cursor.next(builder, 9));
                RowBlock block = builder.build();
                assertEquals(
                        6,
                        IntStream.range(0, 7).mapToLong(block::group).distinct().count(),
                        type);
                assertEquals(block.group(1), block.group(2));
            }
            Encoding encoding = sets.encoding();
            FileSource later = FileSource.open(DataOptions.of(file).withCarried(List.of("0")), encoding);
            try (RowCursor cursor = later.bySet().open()) {
                assertTrue(cursor.next(builder, 9));
                RowBlock block = builder.build();
                assertEquals("1152921504606846977", block.carried(1).get(0));
                assertEquals(
                        type.equals("<u8") ? "18446744073709551615" : "-1",
                        block.carried(2).get(0));
                assertEquals("3", block.carried(3).get(0));
            }
        }
    }

    /** Writes an NPY matrix with the columns id, feature and label. */
    private String matrix(String type, long... ids) throws IOException {
        String header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + ids.length + ", 3), }";
        ByteBuffer bytes = ByteBuffer.allocate(128 + 24 * ids.length)
                .order(type.startsWith(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        bytes.put("\u0093NUMPY\1\0v\0".getBytes(StandardCharsets.ISO_8859_1));
        bytes.put((header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.ISO_8859_1));
        for (long id : ids) {
            bytes.putLong(id).putLong(id & 1).putLong(id & 1);
        }
        return Files.write(folder.resolve("ids.npy"), bytes.array()).toString();
    }

    @Test
    void copiedValuesAreThoseOfTheWholeSet() {
        Encoding encoding = open(ROWS).encoding();
        String same = Sample.file(folder, "same.csv", "image,x,y,note\nq,1,2,n\nq,3,4,n\nr,5,6,m\n");
        FileSource rows = FileSource.open(DataOptions.of(same).withCarried(List.of("image", "note")), encoding);
        assertEquals(2, sets(rows.bySet(), 9).size());
        String other = Sample.file(folder, "other.csv", "image,x,y,note\nq,1,2,n\nq,3,4,m\n");
        FileSource differ = FileSource.open(DataOptions.of(other).withCarried(List.of("image", "note")), encoding);
        DataException e = assertThrows(DataException.class, () -> sets(differ.bySet(), 9));
        String text = String.valueOf(e.getMessage());
        assertTrue(text.contains("other.csv:3") && text.contains("other.csv:2") && text.contains("'note'"), text);
    }

    @Test
    void anEmptySetIsRefused() {
        RowBlockBuilder builder = new RowBlockBuilder();
        builder.beginSets(0, 1, 0, false, false);
        builder.addLocalRow(DenseRows.of(1, 1, new float[] {1}), 0);
        builder.endRow();
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, builder::endRow);
        assertTrue(String.valueOf(e.getMessage()).contains("set 2 is empty"), e.getMessage());
    }

    @Test
    void theSetColumnCannotHaveAnotherRole() {
        for (String other : List.of("label", "weight")) {
            DataOptions options =
                    DataOptions.of(Sample.file(folder, "train.csv", ROWS)).withSet("x");
            DataException e = assertThrows(
                    DataException.class,
                    () -> FileSource.open(other.equals("label") ? options.withLabel("x") : options.withRowWeight("x")));
            assertTrue(String.valueOf(e.getMessage()).contains("both set and " + other), e.getMessage());
        }
    }

    @Test
    void laterFilesHaveTheirIdsInTheSameColumn() {
        Encoding encoding = Encoding.load(open(ROWS).encoding().state());
        assertEquals("image", encoding.setColumn().orElseThrow());
        String moved = Sample.file(folder, "new.csv", "y,x,image\n2,1,q\n4,3,q\n6,5,r\n");
        FileSource rows = FileSource.open(DataOptions.of(moved).withCarried(List.of("image")), encoding);
        assertEquals(-1, rows.bySet().rows());
        assertEquals(List.of("[1.0, 2.0][3.0, 4.0] -> ", "[5.0, 6.0] -> "), sets(rows.bySet(), 9));
        String none = Sample.file(folder, "none.csv", "x,y\n1,2\n");
        assertFalse(FileSource.open(DataOptions.of(none), encoding).inSets());
        String carried = Sample.file(folder, "carried.csv", "q,1,2,a\nq,3,4,a\nr,5,6,b\n");
        FileSource byPosition = FileSource.open(DataOptions.of(carried).withCarried(List.of("image")), encoding);
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = byPosition.bySet().open()) {
            assertTrue(cursor.next(builder, 9));
            assertEquals(List.of("q"), builder.build().carried(0));
            assertEquals(List.of("r"), builder.build().carried(1));
        }
        String headless = Sample.file(folder, "headless.csv", "q,1,2,a\nq,3,4,a\nr,5,6,b\n");
        assertEquals(
                2,
                sets(FileSource.open(DataOptions.of(headless), encoding).bySet(), 9)
                        .size());
    }
}
