package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.bochner.base.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowWriterTest {
    private static final List<String> NAMES = List.of("a", "b \"quoted\", too", "7");

    private final Path folder;

    RowWriterTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /** Floats of every size, with some zeros, and a label a row. */
    private static MemorySource sample() {
        SplittableRandom random = new SplittableRandom(3);
        int rows = 200;
        float[] values = new float[3 * rows];
        int[] classes = new int[rows];
        for (int i = 0; i < values.length; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            values[i] = i % 5 == 0 ? 0 : i % 7 == 0 ? i : Math.abs(value) <= Float.MAX_VALUE ? value : 1e9f;
        }
        for (int i = 0; i < rows; i++) {
            classes[i] = i % 2;
        }
        values[values.length - 1] = 1;
        return MemorySource.of(3, values).withClasses(List.of("no", "yes"), classes);
    }

    private String write(String name, RowSource source) {
        String path = folder.resolve(name).toString();
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowWriter writer = RowWriter.open(path, NAMES, source.labels());
                RowCursor cursor = source.open()) {
            while (cursor.next(builder, 17)) {
                writer.write(builder.build());
            }
            writer.finish();
        }
        return path;
    }

    private static void assertSameRows(Sample expected, Sample actual, boolean labels) {
        assertEquals(expected.rows.size(), actual.rows.size());
        for (int i = 0; i < expected.rows.size(); i++) {
            assertArrayEquals(expected.rows.get(i), actual.rows.get(i), "row " + i);
            if (labels) {
                assertArrayEquals(expected.targets.get(i), actual.targets.get(i), "row " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"t.libsvm", "t.csv", "t.tsv", "t.npy", "t.libsvm.gz", "t.csv.gz"})
    void readsBackToTheSameRows(String name) {
        MemorySource source = sample();
        FileSource back = FileSource.open(DataOptions.of(write(name, source)));
        assertSameRows(Sample.of(source), Sample.of(back, 50), !name.endsWith(".npy"));
        if (name.contains("sv.") || name.endsWith("csv")) {
            assertEquals(List.of("a", "b \"quoted\", too", "x7"), back.columnNames());
        }
    }

    @Test
    void writesNumbersThatReadBack() {
        MemorySource source = MemorySource.of(3, 1, 2, 3, 4, 5, 6).withTargets(0.1, -1e300);
        DataOptions csv = DataOptions.of(write("n.csv", source)).withTask(Task.REGRESS);
        assertSameRows(Sample.of(source), Sample.of(FileSource.open(csv)), true);
        DataOptions libsvm = DataOptions.of(write("n.libsvm", source)).withTask(Task.REGRESS);
        assertSameRows(Sample.of(source), Sample.of(FileSource.open(libsvm)), true);
    }

    @Test
    void writesSparseRows() throws IOException {
        FileSource source = FileSource.open(DataOptions.of(Sample.file(folder, "s.libsvm", "x 0:0.5 2:3\ny 1:1e-9\n")));
        String path = write("back.svm", source);
        assertEquals("x 1:0.5 3:3\ny 2:1.0E-9\n", Files.readString(Path.of(path)));
    }

    @Test
    void npyHasTheHeaderThatNumpyWrites() throws IOException {
        byte[] bytes = Files.readAllBytes(Path.of(write("h.npy", MemorySource.of(3, 1, 2, 3))));
        assertEquals(128 + 12, bytes.length);
        assertEquals(
                "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }",
                new String(bytes, 10, 118, StandardCharsets.US_ASCII).strip());
        assertEquals('\n', bytes[127]);
    }

    @Test
    void leavesNothingUnlessFinished() throws IOException {
        Path target = folder.resolve("kept.csv");
        Files.writeString(target, "old");
        RowBlock block = DenseRows.of(1, 3, new float[] {1, 2, 3});
        try (RowWriter writer = RowWriter.open(target.toString(), NAMES, Labels.none())) {
            writer.write(block);
        }
        assertEquals("old", Files.readString(target));
        try (RowWriter writer = RowWriter.open(folder.resolve("none.npy").toString(), NAMES, Labels.none())) {
            writer.write(block);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(target), files.toList());
        }
    }

    @Test
    void findsUnwritablePathsAtOnce() {
        assertTrue(failure("absent/t.csv").contains("t.csv: cannot be written"));
        assertTrue(failure("t.xml").contains("t.xml: the extension must say the format"));
        assertTrue(failure("t.npy.gz").contains("leave out .gz"));
        assertTrue(String.valueOf(assertThrows(
                                DataException.class,
                                () -> RowWriter.open(
                                        Files.createDirectory(folder.resolve("d.csv"))
                                                .toString(),
                                        NAMES,
                                        Labels.none()))
                        .getMessage())
                .contains("is a folder"));
        assertFalse(Files.exists(folder.resolve("t.xml")));
    }

    private String failure(String name) {
        return String.valueOf(assertThrows(
                        DataException.class,
                        () -> RowWriter.open(folder.resolve(name).toString(), NAMES, Labels.none()))
                .getMessage());
    }

    @Test
    void libsvmRefusesClassesThatAreNoWords() {
        Labels labels = new Labels.Classes(List.of("not 2", "2"));
        DataException failure = assertThrows(
                DataException.class,
                () -> RowWriter.open(folder.resolve("t.libsvm").toString(), NAMES, labels));
        assertTrue(String.valueOf(failure.getMessage()).contains("'not 2'"));
    }
}
