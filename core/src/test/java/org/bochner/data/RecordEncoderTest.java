package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Year;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A record becomes the same numbers as the row of a file that holds the same texts. */
class RecordEncoderTest {
    private static final List<String> NAMES =
            List.of("id", "plain", "comma", "percent", "price", "day", "far", "colour", "code", "weight", "label");

    /** All kinds of columns: numbers, decimal commas, percentages, amounts, dates, timestamps, categories, numeric codes. */
    private static final String TRAIN = String.join(";", NAMES) + "\n" + """
            x1;1.5;3,25;12 %;€1.200,50;31.01.2024;1700000001;red;7;1;a
            x2;-2e3;0,5;7,5%;3 €;01.02.2024;1700000002;deep blue;8;2;b
            x3;0;-1,75;100 %;€0,99;29.02.2024;1700000003;red;7.0;1;a
            x4;?;;5 %;€7,00;05.03.2024;1700000005;;8;1;b
            x5;+.25;12;NA;€1,00;;1700000008;green;7;3;a
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    private Path file;
    private FileSource source;

    @BeforeEach
    void open() throws IOException {
        file = folder.resolve("train.csv");
        Files.writeString(file, TRAIN);
        source = FileSource.open(options(file));
    }

    private static DataOptions options(Path path) {
        return DataOptions.of(path.toString())
                .withMissingFilled(true)
                .withCategorical(List.of("code"))
                .withIgnored(List.of("id"))
                .withRowWeight("weight")
                .withLabel("label");
    }

    private static double[][] rows(RowSource from) {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = from.open()) {
            assertTrue(cursor.next(builder, 100));
        }
        RowBlock block = builder.build();
        double[][] rows = new double[block.rows()][from.columns()];
        for (int i = 0; i < rows.length; i++) {
            block.copyRow(i, rows[i]);
        }
        return rows;
    }

    /** What is kept of a row in float32, as KernelModel keeps it. */
    private double[] kept(double[] row) {
        double[] kept = new double[row.length];
        DenseRows.of(row, source.encoding().origin()).copyRow(0, kept);
        return kept;
    }

    private static Map<String, @Nullable Object> record(String line) {
        Map<String, @Nullable Object> record = new HashMap<>();
        String[] cells = line.split(";", -1);
        for (int c = 0; c < cells.length; c++) {
            record.put(NAMES.get(c), cells[c]);
        }
        return record;
    }

    private Map<String, @Nullable Object> first() {
        return record(TRAIN.lines().skip(1).findFirst().orElseThrow());
    }

    @Test
    void textsGiveTheRowsOfTheFile() {
        double[][] rows = rows(source);
        List<String> lines = TRAIN.lines().skip(1).toList();
        for (int i = 0; i < rows.length; i++) {
            assertArrayEquals(rows[i], kept(source.encoding().encode(record(lines.get(i)))), "row " + i);
        }
    }

    @Test
    void numbersDatesAndNullGiveTheRowsOfTheFile() {
        Map<String, @Nullable Object> record = first();
        record.put("plain", 1.5f);
        record.put("comma", 3.25);
        record.put("percent", 0.12);
        record.put("price", 1200.5);
        record.put("day", LocalDate.of(2024, 1, 31));
        record.put("far", 1_700_000_001L);
        record.put("code", 7.0);
        assertArrayEquals(rows(source)[0], kept(source.encoding().encode(record)));
        record.put("code", 7);
        assertArrayEquals(rows(source)[0], kept(source.encoding().encode(record)));

        Map<String, @Nullable Object> missing =
                record(TRAIN.lines().skip(4).findFirst().orElseThrow());
        missing.put("plain", Double.NaN);
        missing.put("comma", null);
        missing.put("colour", null);
        assertArrayEquals(rows(source)[3], kept(source.encoding().encode(missing)));
    }

    @Test
    void aTimeOfDayIsAFractionOfADay() {
        Map<String, @Nullable Object> record = first();
        record.put("day", LocalDateTime.of(2024, 1, 31, 12, 0));
        int day = source.columnNames().indexOf("day");
        assertEquals(
                LocalDate.of(2024, 1, 31).toEpochDay() + 0.5, source.encoding().encode(record)[day]);
    }

    @Test
    void labelWeightAndIgnoredColumnsMayBeAbsent() {
        Map<String, @Nullable Object> record = first();
        record.keySet().removeAll(List.of("label", "weight", "id"));
        assertArrayEquals(rows(source)[0], kept(source.encoding().encode(record)));
    }

    @Test
    void theLoadedEncodingGivesTheSameRow() {
        assertArrayEquals(
                source.encoding().encode(first()),
                Encoding.load(source.encoding().state()).encode(first()));
    }

    private String refusal(Map<String, @Nullable Object> record) {
        return String.valueOf(
                assertThrows(BochnerException.class, () -> source.encoding().encode(record))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "colour  | blue       | no category 'blue'; did you mean 'deep blue'?",
                "colour  | reed       | no category 'reed'; did you mean 'red'?",
                "code    | 9          | the training data has no category '9'",
                "plain   | much       | column 'plain': the value must be a number, got 'much'",
                "plain   | 1,5        | the value must be a number, got '1,5'",
                "percent | 12         | the value must be a number as 1,5%, as in training, got '12'",
                "day     | 2024-01-31 | the value must be a date as 31.01.2024, as in training, got '2024-01-31'",
                "plain   | 1e99       | the value must be finite and within",
                "plain   | inf        | the value must be a number, got 'inf'",
            })
    void refusesTextsThatTheFileCouldNotHold(String column, String text, String message) throws IOException {
        Map<String, @Nullable Object> record = first();
        record.put(column, text);
        String found = refusal(record);
        assertTrue(found.contains(message), found);
        // The reader of files refuses the same row.
        List<String> cells =
                NAMES.stream().map(name -> String.valueOf(record.get(name))).toList();
        Path other = folder.resolve("other.csv");
        Files.writeString(other, String.join(";", NAMES) + "\n" + String.join(";", cells) + "\n");
        assertThrows(
                BochnerException.class,
                () -> rows(FileSource.open(DataOptions.of(other.toString()), source.encoding())));
    }

    @Test
    void refusesWrongNamesAndKinds() {
        Map<String, @Nullable Object> record = first();
        record.remove("colour");
        record.remove("plain");
        assertTrue(refusal(record).startsWith("record: has no value for the columns 'colour', 'plain'; give every"));
        record = first();
        record.put("color", "red");
        assertEquals("record: the training data has no column 'color'; did you mean 'colour'?", refusal(record));
        record = first();
        record.put("plain", List.of(1));
        assertTrue(refusal(record).contains("column 'plain': the value must be a number, a text, a date or null"));
        record = first();
        record.put("plain", Double.POSITIVE_INFINITY);
        assertTrue(refusal(record).contains("the value must be finite"));
        record = first();
        record.put("day", Year.of(2024));
        assertTrue(refusal(record).contains("the value must be a day"));
        record = first();
        record.put("plain", LocalDate.of(2024, 1, 31));
        assertTrue(refusal(record).contains("column 'plain'"));
    }

    @Test
    void refusesMissingValuesWhereTrainingDid() throws IOException {
        Files.writeString(file, "a,b,label\n1,x,0\n2,y,1\n");
        source = FileSource.open(DataOptions.of(file.toString()));
        Map<String, @Nullable Object> record = new HashMap<>();
        record.put("a", null);
        record.put("b", "x");
        assertTrue(refusal(record).contains("column 'a': the value is missing"));
        record.put("a", 1);
        record.put("b", "?");
        assertTrue(refusal(record).contains("column 'b': the value is missing"));
    }

    @Test
    void columnsWithoutAHeaderAreNamedByTheirIndex() throws IOException {
        Files.writeString(file, "1,x,0\n2,y,1\n");
        source = FileSource.open(DataOptions.of(file.toString()));
        assertArrayEquals(rows(source)[1], source.encoding().encode(Map.of("0", 2, "1", "y")));
    }

    @Test
    void columnsOfLibsvmFilesAreNamedByTheirIndexAndMayBeAbsent() throws IOException {
        Path sparse = folder.resolve("train.libsvm");
        Files.writeString(sparse, "0 1:2.5 7:1\n1 3:4\n");
        source = FileSource.open(DataOptions.of(sparse.toString()));
        assertArrayEquals(rows(source)[0], source.encoding().encode(Map.of("1", 2.5, "7", "1")));
        assertTrue(refusal(Map.of("8", 1)).contains("the training data has no column '8'"));
        assertTrue(refusal(Map.of("0", 1)).contains("the training data has no column '0'"));
    }

    @Test
    void columnsOfChannelsHaveTheirName() throws IOException {
        Path other = folder.resolve("other.csv");
        Files.writeString(file, "a,label\n1,0\n2,1\n");
        Files.writeString(other, "a\n5\n6\n");
        source = FileSource.open(DataOptions.channelled()
                .withChannel("one", file.toString())
                .withChannel("two", other.toString())
                .withLabel("label"));
        assertArrayEquals(rows(source)[1], source.encoding().encode(Map.of("one:a", 2, "two:a", 6)));
    }
}
