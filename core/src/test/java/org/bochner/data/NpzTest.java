package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.bochner.base.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NumPy's archives of arrays. */
class NpzTest {
    private static final String ROWS = "0 1 2 -> 1\n3 100 5 -> 0";

    private final Path folder;

    NpzTest(@TempDir Path folder) {
        this.folder = folder;
    }

    static byte[] golden(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(NpzTest.class.getResourceAsStream("/golden/npz.csv"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name + ","))
                    .map(line -> HexFormat.of().parseHex(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private String file(String name) throws IOException {
        return Sample.file(folder, name + ".npz", golden(name));
    }

    private static String text(DataOptions options) {
        FileSource source = FileSource.open(options);
        String first = Sample.of(source).text();
        assertEquals(first, Sample.of(source).text());
        return first;
    }

    private static String failure(DataOptions options) {
        return String.valueOf(
                assertThrows(DataException.class, () -> text(options)).getMessage());
    }

    @Test
    void rowsAndLabelsGoByTheirNames() throws IOException {
        for (String name : List.of("plain", "packed", "streamed")) {
            String file = file(name);
            assertEquals(ROWS, text(DataOptions.of(file)), name);
            FileSource source = FileSource.open(DataOptions.of(file));
            assertEquals(new Labels.Classes(List.of("a", "b")), source.labels());
            FileSource later = FileSource.open(DataOptions.of(file), source.encoding());
            assertEquals(ROWS, Sample.of(later).text());
        }
    }

    @Test
    void labelsAreLeftAloneWhereOthersAreAskedFor() throws IOException {
        DataOptions plain = DataOptions.of(file("plain"));
        assertEquals("0 1 2 -> \n3 100 5 -> ", text(plain.withLabel("none")));
        assertEquals("0 1 -> 0\n3 100 -> 1", text(plain.withLabel("last")));
        String labels = Sample.file(folder, "labels.txt", "5\n4\n");
        assertEquals("0 1 2 -> 1\n3 100 5 -> 0", text(plain.withLabelsFile(labels)));
    }

    @Test
    void anArrayIsNamedAfterAColon() throws IOException {
        String file = file("split");
        assertEquals(ROWS, text(DataOptions.of(file + ":x_train").withLabelsFile(file + ":y_train")));
        assertEquals("0 1 2 -> \n3 100 5 -> ", text(DataOptions.of(file + ":x_test")));
        String rows = Sample.file(folder, "rows.csv", "1,2\n3,4\n");
        assertEquals("1 2 -> 1\n3 4 -> 0", text(DataOptions.of(rows).withLabelsFile(file("plain"))));
        FileSource source = FileSource.open(DataOptions.of(file + ":x_train"));
        assertEquals("split.npz:x_train", source.identity().files().get(0).file());
    }

    @Test
    void theOnlyArrayNeedsNoName() throws IOException {
        assertEquals("0 1 2 -> \n3 100 5 -> ", text(DataOptions.of(file("single"))));
    }

    @Test
    void whatIsNotClearIsRefusedWithTheNames() throws IOException {
        String split = failure(DataOptions.of(file("split")));
        assertTrue(split.contains("which array holds the rows? it has x_train, y_train, x_test, y_test; say "), split);
        String ambiguous = failure(DataOptions.of(file("ambiguous")));
        assertTrue(ambiguous.contains("X and data could"), ambiguous);
        String absent = failure(DataOptions.of(file("split") + ":x_tran"));
        assertTrue(absent.contains("has no array 'x_tran'; did you mean 'x_train'?"), absent);
        String empty = failure(DataOptions.of(file("empty")));
        assertTrue(empty.contains("without arrays"), empty);
    }

    @Test
    void everyTruncationAndEveryDamagedValueIsAnError() throws IOException {
        for (String name : List.of("plain", "packed")) {
            byte[] whole = golden(name);
            for (int length = 4; length < whole.length; length += 3) {
                String file = Sample.file(folder, "cut.npz", Arrays.copyOf(whole, length));
                assertTrue(failure(DataOptions.of(file)).contains("cut.npz"));
            }
        }
        byte[] plain = golden("plain");
        int value = new String(plain, StandardCharsets.ISO_8859_1).indexOf("\0\0\u00c8B");
        plain[value + 2] ^= 1;
        String message = failure(DataOptions.of(Sample.file(folder, "bit.npz", plain)));
        assertTrue(message.contains("bit.npz:X: damaged or cut off NPZ file: X.npy, byte"), message);
    }

    @Test
    void anArchiveInsideACompressedFileIsRefused() throws IOException {
        String file = Sample.file(folder, "a.npz.gz", Sample.gzip(golden("plain")));
        assertTrue(failure(DataOptions.of(file)).contains("save it to a file first"));
    }
}
