package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.bochner.base.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text that is not UTF-8 is refused where it would become a name, and read where its encoding is named. */
class TextEncodingTest {
    private static final String CITIES = "n,stadt,y\n1,Köln,ä\n2,Kàln,ö\n3,Köln,ä\n";

    private final Path folder;

    TextEncodingTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private DataOptions file(String name, String text, Charset charset) {
        return DataOptions.of(Sample.file(folder, name, text.getBytes(charset)));
    }

    private static String failure(Runnable action) {
        return String.valueOf(assertThrows(DataException.class, action::run).getMessage());
    }

    @Test
    void latin1CategoriesAreRefusedWithTheirPlace() {
        String message = failure(() -> FileSource.open(file("t.csv", CITIES, StandardCharsets.ISO_8859_1)));
        assertTrue(message.contains("t.csv:2: column 'stadt': "), message);
        assertTrue(message.contains("byte 0xF6 at offset 13"), message);
        assertTrue(message.contains("withCharset"), message);
    }

    @Test
    void theOffsetCountsFromTheStartOfTheFile() {
        String text = "n,stadt,y\n" + "1,Bonn,1\n".repeat(100_000) + "2,Köln,1\n";
        String message = failure(() -> FileSource.open(file("t.csv", text, StandardCharsets.ISO_8859_1)));
        assertTrue(message.contains("t.csv:100002: "), message);
        assertTrue(message.contains("at offset " + (10 + 900_000 + 3)), message);
    }

    @Test
    void latin1IsReadWhereItIsNamed() {
        FileSource source = FileSource.open(
                file("t.csv", CITIES, StandardCharsets.ISO_8859_1).withCharset(StandardCharsets.ISO_8859_1));
        assertEquals(List.of("n", "stadt=Kàln", "stadt=Köln"), source.columnNames());
        assertEquals(new Labels.Classes(List.of("ä", "ö")), source.labels());
        assertEquals("1 0 1 -> 0\n2 1 0 -> 1\n3 0 1 -> 0", Sample.of(source).text());
    }

    @Test
    void headersAreCheckedAndDecoded() {
        String text = "größe,y\n1,a\n2,b\n";
        assertTrue(failure(() -> FileSource.open(file("t.csv", text, StandardCharsets.ISO_8859_1)))
                .contains("t.csv:1: column 0 (from 0): "));
        Charset windows = Charset.forName("windows-1252");
        FileSource source = FileSource.open(file("t.csv", text, windows).withCharset(windows));
        assertEquals(List.of("größe"), source.columnNames());
    }

    @Test
    void labelFilesAndLibsvmLabelsAreCheckedAndDecoded() {
        DataOptions data = file("x.csv", "1,2\n3,4\n", StandardCharsets.UTF_8);
        String labels = Sample.file(folder, "y.txt", "Köln\nKàln\n".getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(
                failure(() -> FileSource.open(data.withLabelsFile(labels))).contains("y.txt:1: column 0 (from 0): "));
        assertEquals(
                new Labels.Classes(List.of("Kàln", "Köln")),
                FileSource.open(data.withLabelsFile(labels).withCharset(StandardCharsets.ISO_8859_1))
                        .labels());
        DataOptions words = file("t.libsvm", "Köln 1:1\nKàln 1:2\n", StandardCharsets.ISO_8859_1);
        assertTrue(failure(() -> FileSource.open(words)).contains("t.libsvm:1: column label: "));
        assertEquals(
                new Labels.Classes(List.of("Kàln", "Köln")),
                FileSource.open(words.withCharset(StandardCharsets.ISO_8859_1)).labels());
    }

    @Test
    void laterFilesAreCheckedAndDecoded() {
        Encoding encoding = FileSource.open(file("train.csv", CITIES, StandardCharsets.UTF_8))
                .encoding();
        DataOptions later = file("t.csv", CITIES, StandardCharsets.ISO_8859_1).withUnseenAsZeros(true);
        assertTrue(failure(() -> Sample.of(FileSource.open(later, encoding))).contains("t.csv:2: column 'stadt': "));
        assertEquals(
                "1 0 1 -> 0\n2 1 0 -> 1\n3 0 1 -> 0",
                Sample.of(FileSource.open(later.withCharset(StandardCharsets.ISO_8859_1), encoding))
                        .text());
        DataOptions labels = file("u.csv", "n,stadt,y\n1,Köln,\u00e4\n", StandardCharsets.UTF_8);
        assertEquals("1 0 1 -> 0", Sample.of(FileSource.open(labels, encoding)).text());
    }

    @Test
    void utf16IsNamedInTheMessageAndReadWithItsByteOrderMark() {
        String message = failure(() -> FileSource.open(file("t.csv", CITIES, StandardCharsets.UTF_16)));
        assertTrue(message.contains("withCharset(Charset.forName(\"UTF-16\"))"), message);
        for (String name : List.of("UTF-16", "UTF-16LE", "UTF-16BE")) {
            Charset charset = Charset.forName(name);
            String marked = name.equals("UTF-16") ? CITIES : "\uFEFF" + CITIES;
            FileSource source = FileSource.open(file("t.csv", marked, charset).withCharset(charset));
            assertEquals(List.of("n", "stadt=Kàln", "stadt=Köln"), source.columnNames(), name);
        }
    }

    @Test
    void gzipAndStandardInputAreDecodedToo() {
        byte[] packed = Sample.gzip(CITIES.getBytes(StandardCharsets.UTF_16));
        DataOptions options =
                DataOptions.of(Sample.file(folder, "t.csv.gz", packed)).withCharset(StandardCharsets.UTF_16);
        FileSource source = FileSource.open(options);
        assertEquals(List.of("n", "stadt=Kàln", "stadt=Köln"), source.columnNames());
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(CITIES.getBytes(StandardCharsets.UTF_16)));
        try {
            FileSource piped =
                    FileSource.open(DataOptions.of("-").withCharset(StandardCharsets.UTF_16), source.encoding());
            assertEquals("1 0 1 -> 0\n2 1 0 -> 1\n3 0 1 -> 0", Sample.of(piped).text());
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void longTextIsDecodedWithoutAGap() {
        StringBuilder text = new StringBuilder("n,stadt,y\n");
        for (int i = 0; i < 30_000; i++) {
            text.append(i).append(i % 2 == 0 ? ",Köln,\uD83D\uDE00" : ",Kàln,b").append('\n');
        }
        FileSource source = FileSource.open(
                file("t.csv", text.toString(), StandardCharsets.UTF_16LE).withCharset(StandardCharsets.UTF_16LE));
        Sample sample = Sample.of(source, 1000);
        assertEquals(new Labels.Classes(List.of("b", "\uD83D\uDE00")), source.labels());
        for (int i = 0; i < 30_000; i++) {
            assertEquals(i, sample.rows.get(i)[0]);
            assertEquals(1 - i % 2, sample.targets.get(i)[0]);
        }
    }

    @Test
    void bytesThatTheNamedEncodingDoesNotAllowAreRefused() {
        byte[] bytes = "n,y\n1,a\n2,\u0081\n".getBytes(StandardCharsets.ISO_8859_1);
        DataOptions options =
                DataOptions.of(Sample.file(folder, "t.csv", bytes)).withCharset(StandardCharsets.US_ASCII);
        String message = failure(() -> FileSource.open(options));
        assertTrue(message.contains("t.csv:3: byte 0x81 at offset 10 is not US-ASCII text"), message);
    }
}
