package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns of texts in files, records and saved encodings. */
class TextColumnTest {
    /** "good" and "bad" in 8 columns; the hashes are those of scikit-learn. */
    private static final String FEATURES = "words(n=1, buckets=2^3)";

    private static final int GOOD = 1;
    private static final int BAD = 3;

    private static final String TRAIN = """
            price,body,colour,label
            1.5,"good, ""good""
            bad",red,yes
            0,,blue,no
            -2,Bad,red,no
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    private DataOptions file(String name, String text) {
        return DataOptions.of(Sample.file(folder, name, text))
                .withText(List.of("body"))
                .withTextFeatures(FEATURES);
    }

    private FileSource train() {
        return FileSource.open(file("train.csv", TRAIN));
    }

    private static String failure(Runnable action) {
        return String.valueOf(assertThrows(BochnerException.class, action::run).getMessage());
    }

    @Test
    void becomeCountsBesideNumbersAndCategories() {
        FileSource source = train();
        assertTrue(source.sparse());
        assertEquals(11, source.columns());
        List<double[]> rows = Sample.of(source).rows;
        double[] first = new double[11];
        first[0] = 1.5;
        first[1 + GOOD] = 2;
        first[1 + BAD] = 1;
        first[10] = 1;
        assertArrayEquals(first, rows.get(0));
        double[] second = new double[11];
        second[9] = 1;
        assertArrayEquals(second, rows.get(1));
        assertEquals(1, rows.get(2)[1 + BAD]);
        assertEquals(
                List.of("price", "body#0", "body#7", "colour=blue", "colour=red"),
                List.of(0, 1, 8, 9, 10).stream().map(source.columnNames()::get).toList());
        assertEquals(
                List.of(
                        new ColumnRange("price", 0, 1),
                        new ColumnRange("body", 1, 9),
                        new ColumnRange("colour", 9, 11)),
                source.encoding().columnRanges());
    }

    @Test
    void areNeverTheLabelByDefault() {
        FileSource source = FileSource.open(file("last.csv", "label,body\nyes,good\nno,bad\n"));
        assertEquals(List.of("label"), source.labelColumns());
        assertEquals(8, source.columns());
        assertTrue(failure(() -> FileSource.open(
                        file("last.csv", "label,body\nyes,good\nno,bad\n").withLabel("body")))
                .contains("label"));
    }

    @Test
    void areFoundByNameInLaterFiles() {
        FileSource source = train();
        DataOptions later = DataOptions.of(
                Sample.file(folder, "later.csv", "body,label,colour,price\n\"good bad good\",yes,red,1.5\n"));
        FileSource read = FileSource.open(later, source.encoding());
        assertTrue(read.sparse());
        assertArrayEquals(Sample.of(source).rows.get(0), Sample.of(read).rows.get(0));
    }

    @Test
    void ofRecordsAreEncodedAsThoseOfFiles() {
        FileSource source = train();
        Map<String, Object> record = new HashMap<>(Map.of("price", 1.5, "colour", "red", "body", "good, good\nbad"));
        assertArrayEquals(Sample.of(source).rows.get(0), source.encoding().encode(record));
        record.put("body", null);
        record.put("price", 0);
        record.put("colour", "blue");
        assertArrayEquals(Sample.of(source).rows.get(1), source.encoding().encode(record));
        record.put("body", 7);
        assertTrue(failure(() -> source.encoding().encode(record)).contains("must be a text"));
        record.put("body", "\ud800");
        assertTrue(failure(() -> source.encoding().encode(record)).contains("surrogate"));
        record.remove("body");
        assertTrue(failure(() -> source.encoding().encode(record)).contains("'body'"));
    }

    /** An array of all 2^28 columns would take 2 GB. */
    @Test
    void ofRecordsBecomeSparseRowsWithoutAnArrayOfAllColumns() {
        Encoding encoding = train().encoding();
        Map<String, Object> record = Map.of("colour", "red", "body", "good, good\nbad", "price", -0.1);
        double[] expected = encoding.encode(record);
        expected[0] = -0.1f;
        double[] found = new double[11];
        RowBlock row = encoding.encodeSparse(record);
        row.copyRow(0, found);
        assertArrayEquals(expected, found);
        assertEquals(4, ((SparseRows) row).starts()[1]);
        Encoding wide = FileSource.open(file("train.csv", TRAIN).withTextFeatures("words(buckets=2^28)"))
                .encoding();
        SparseRows entries = (SparseRows) wide.encodeSparse(Map.of("colour", "blue", "body", "bad", "price", 0));
        assertEquals(3 + (1 << 28), entries.columns());
        assertEquals(2, entries.starts()[1]);
        assertEquals(1 + (1 << 28), entries.indices()[1]);
        assertTrue(failure(() -> wide.encodeSparse(Map.of("colour", "blue"))).contains("'body'"));
    }

    @Test
    void joinOtherFilesAsSparseRows() {
        String numbers = Sample.file(folder, "numbers.csv", "a,label\n1700000001,yes\n0,no\n1700000002,no\n");
        DataOptions joined = DataOptions.channelled()
                .withChannel("numbers", numbers)
                .withChannel("texts", Sample.file(folder, "texts.csv", "body\ngood\nbad\ngood bad\n"))
                .withText(List.of("body"))
                .withTextFeatures(FEATURES)
                .withLabel("label");
        FileSource source = FileSource.open(joined);
        assertTrue(source.sparse());
        List<double[]> rows = Sample.of(source).rows;
        assertEquals(1_700_000_000f, rows.get(0)[0]);
        assertEquals(0, rows.get(1)[0]);
        assertEquals(1, rows.get(2)[1 + BAD]);
    }

    /** Dense rows would keep all digits: their values are float32 differences from an origin. */
    @Test
    void numbersFarFromZeroBesideTextsAreNoted() {
        String rows = "time,size,body,label\n1700000001,1,good,yes\n1700000002,2,bad,no\n1700000005,3,good,no\n";
        FileSource source = FileSource.open(file("times.csv", rows));
        assertEquals(
                1,
                source.notes().stream()
                        .filter(note -> note.text().contains("'time'"))
                        .count());
        assertEquals(
                1,
                source.notes().stream()
                        .filter(note -> note.text().contains("float32"))
                        .count());
        assertEquals(1_700_000_000f, Sample.of(source).rows.get(0)[0]);
    }

    @Test
    void severalHaveTheirOwnColumns() {
        FileSource source = FileSource.open(
                file("two.csv", "body,title,label\ngood,bad,yes\nbad,bad,no\n").withText(List.of("title", "body")));
        double[] row = Sample.of(source).rows.get(0);
        assertEquals(16, row.length);
        assertEquals(1, row[GOOD]);
        assertEquals(1, row[8 + BAD]);
    }

    @Test
    void savedEncodingsReadTheSame() {
        Encoding encoding = train().encoding();
        Encoding loaded = Encoding.load(encoding.state());
        assertEquals(encoding, loaded);
        assertEquals(encoding.columnNames(), loaded.columnNames());
        assertEquals(List.of(new ColumnRange("body", 1, 9)), loaded.textRanges());
        assertEquals(null, loaded.differenceFrom(encoding, true));
        Encoding other = FileSource.open(file("train.csv", TRAIN).withTextFeatures("words(n=1:2, buckets=2^3)"))
                .encoding();
        assertTrue(String.valueOf(other.differenceFrom(encoding, true)).contains("words(n=1:2, buckets=2^3)"));
        Encoding numbers = FileSource.open(DataOptions.of(
                        Sample.file(folder, "n.csv", "price,body,colour,label\n1,2,red,yes\n2,3,blue,no\n")))
                .encoding();
        assertTrue(String.valueOf(numbers.differenceFrom(encoding, true)).contains("text"));
    }

    @Test
    void savedEncodingsThatDoNotFitTogetherAreRefused() {
        Encoding encoding = train().encoding();
        assertEquals("\"\",\"" + FEATURES + "\",\"\"", encoding.state().text("part0.texts"));
        refuses(encoding.state().with("part0.texts", "\"\",\"words(n=1, buckets=9)\",\"\""));
        refuses(encoding.state().with("part0.texts", "\"\",\"words(n=1, buckets=2^28)\",\"\""));
        refuses(encoding.state().with("part0.texts", "\"\",\"poems\",\"\""));
        refuses(encoding.state().with("part0.texts", "\"" + FEATURES + "\""));
        refuses(encoding.state().with("part0.texts", ""));
        refuses(encoding.state().with("part0.texts", "\"\",\"\",\"" + FEATURES + "\""));
        refuses(encoding.state().with("part0.width", 12));
    }

    private static void refuses(State state) {
        assertThrows(BochnerException.class, () -> Encoding.load(state));
    }

    @Test
    void inAnUnknownEncodingAreRefusedWithTheirLine() {
        byte[] latin = "label,body\nyes,good\nno,Grüße\n".getBytes(StandardCharsets.ISO_8859_1);
        DataOptions options = DataOptions.of(Sample.file(folder, "latin.csv", latin))
                .withText(List.of("body"))
                .withTextFeatures(FEATURES);
        String refused = failure(() -> FileSource.open(options));
        assertTrue(
                refused.contains("latin.csv:3") && refused.contains("0xFC") && refused.contains("withCharset"),
                refused);
        FileSource read = FileSource.open(options.withCharset(StandardCharsets.ISO_8859_1));
        FileSource utf8 = FileSource.open(file("utf8.csv", "\ufefflabel,body\nyes,good\nno,Grüße\n"));
        assertArrayEquals(Sample.of(utf8).rows.get(1), Sample.of(read).rows.get(1));
        // Later files are not surveyed, and checked while they are read.
        FileSource later = FileSource.open(DataOptions.of(Sample.file(folder, "later.csv", latin)), utf8.encoding());
        assertTrue(failure(() -> Sample.of(later)).contains("later.csv:3"));
    }

    @Test
    void withoutAnyWordAreRefused() {
        assertTrue(failure(() -> FileSource.open(file("none.csv", "label,body\nyes,\nno,a !\n")))
                .contains("'body'"));
    }

    @Test
    void existInCsvFilesOnly() {
        String refused = failure(() -> FileSource.open(file("a.libsvm", "1 1:2\n2 1:3\n")));
        assertTrue(refused.contains("LIBSVM") && refused.contains("CSV"), refused);
        Encoding encoding = train().encoding();
        DataOptions sparse = DataOptions.of(Sample.file(folder, "b.libsvm", "yes 1:2\nno 1:3\n"));
        assertTrue(failure(() -> FileSource.open(sparse, encoding)).contains("texts"));
    }

    @Test
    void areSuggestedWhereFreeTextIsLeftOut() {
        StringBuilder text = new StringBuilder("size,body,label\n");
        for (int i = 0; i < 120; i++) {
            text.append(i).append(",some text number ").append(i).append(i % 2 == 0 ? ",yes\n" : ",no\n");
        }
        FileSource source = FileSource.open(DataOptions.of(Sample.file(folder, "free.csv", text.toString())));
        assertFalse(source.sparse());
        assertTrue(
                source.notes().toString().contains("withText(List.of(\"body\"))"),
                source.notes().toString());
    }
}
