package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.bochner.base.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are edited in place between two passes, without a change of their length. */
class ChangedFileTest {
    private final Path folder;

    ChangedFileTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static void assertChanged(FileSource source, String file) {
        String message = String.valueOf(
                assertThrows(DataException.class, () -> Sample.of(source)).getMessage());
        assertTrue(message.contains(file + ": changed while it was read"), message);
    }

    @Test
    void isNoticedInText() {
        FileSource libsvm = FileSource.open(DataOptions.of(Sample.file(folder, "a.libsvm", "1 1:1\n2 1:2\n")));
        FileSource csv = FileSource.open(DataOptions.of(Sample.file(folder, "a.csv", "1,2\n3,4\n")));
        assertEquals(2, Sample.of(libsvm).rows.size());
        assertEquals(2, Sample.of(libsvm).rows.size());
        assertEquals(2, Sample.of(csv).rows.size());
        Sample.file(folder, "a.libsvm", "1 1:1\n2 1:3\n");
        Sample.file(folder, "a.csv", "9,2\n3,4\n");
        assertChanged(libsvm, "a.libsvm");
        assertChanged(csv, "a.csv");
    }

    @Test
    void isNoticedInArrays() {
        byte[] array = MatrixTest.idx(8, new int[] {2, 2}, (byte) 1, (byte) 2, (byte) 3, (byte) 4);
        FileSource source = FileSource.open(DataOptions.of(Sample.file(folder, "a.idx", array)));
        array[array.length - 1] = 5;
        Sample.file(folder, "a.idx", array);
        assertChanged(source, "a.idx");
    }

    @Test
    void isNoticedInCompressedFiles() {
        byte[] before = Sample.gzip("1 1:1\n2 1:2\n".getBytes(StandardCharsets.UTF_8));
        byte[] after = Sample.gzip("1 1:1\n2 1:3\n".getBytes(StandardCharsets.UTF_8));
        assertEquals(before.length, after.length);
        FileSource source = FileSource.open(DataOptions.of(Sample.file(folder, "a.gz", before)));
        Sample.file(folder, "a.gz", after);
        assertChanged(source, "a.gz");
    }

    @Test
    void isNoticedInEveryFileOfAJoin() {
        String one = Sample.file(folder, "one.csv", "1,2\n3,4\n");
        String two = Sample.file(folder, "two.csv", "5,6\n7,8\n");
        String labels = Sample.file(folder, "labels.txt", "0\n1\n");
        FileSource source = FileSource.open(DataOptions.channelled()
                .withChannel("one", one)
                .withChannel("two", two)
                .withLabelsFile(labels));
        assertEquals(2, Sample.of(source).rows.size());
        Sample.file(folder, "two.csv", "5,6\n7,9\n");
        assertChanged(source, "two.csv");
        Sample.file(folder, "two.csv", "5,6\n7,8\n");
        Sample.file(folder, "labels.txt", "1\n0\n");
        assertChanged(source, "labels.txt");
    }

    @Test
    void isNoticedWithoutASurvey() {
        String file = Sample.file(folder, "a.libsvm", "1 1:1\n2 1:2\n");
        Encoding encoding = FileSource.open(DataOptions.of(file)).encoding();
        FileSource source = FileSource.open(DataOptions.of(file), encoding);
        assertEquals(2, Sample.of(source).rows.size());
        Sample.file(folder, "a.libsvm", "1 1:1\n2 1:3\n");
        assertChanged(source, "a.libsvm");
    }

    @Test
    void isNotLookedForWhereACursorIsClosedEarly() {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 100_000; i++) {
            rows.append(i % 2).append(" 1:").append(i % 7).append('\n');
        }
        FileSource source = FileSource.open(DataOptions.of(Sample.file(folder, "a.libsvm", rows.toString())));
        rows.setCharAt(rows.length() - 2, '9');
        Sample.file(folder, "a.libsvm", rows.toString());
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            assertTrue(cursor.next(builder, 10));
        }
    }
}
