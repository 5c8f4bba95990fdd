package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.DataException;
import org.bochner.data.bytes.ByteFeed;
import org.bochner.data.bytes.Readings;
import org.bochner.data.format.CsvReader;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CSV files that other programs write: understood, or refused with the flag that helps, but never misread. */
class CsvMeaningTest {
    private final Path folder;

    CsvMeaningTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private DataOptions file(String text) {
        return DataOptions.of(Sample.file(folder, "t.csv", text));
    }

    private FileSource open(String text) {
        return FileSource.open(file(text));
    }

    private String read(String text, Encoding encoding) {
        return Sample.of(FileSource.open(file(text), encoding)).text();
    }

    private static String failure(Runnable action) {
        return String.valueOf(assertThrows(DataException.class, action::run).getMessage());
    }

    private static void assertNote(FileSource source, String part) {
        assertTrue(
                source.notes().stream().anyMatch(note -> note.toString().contains(part)),
                () -> "notes: " + source.notes());
    }

    private static String rows(int count, IntFunction<String> row) {
        return IntStream.range(0, count).mapToObj(row).collect(Collectors.joining("\n", "", "\n"));
    }

    @Nested
    class DecimalCommas {
        @Test
        void areUnderstoodBetweenSemicolonsAndTabs() {
            for (String separator : List.of(";", "\t", "|")) {
                FileSource source = open("a;b;y\n3,5;2;x\n-0,25;1e3;z\n".replace(";", separator));
                assertEquals("3.5 2 -> 0\n-0.25 1000 -> 1", Sample.of(source).text());
            }
        }

        @Test
        void areUnderstoodWithoutAHeaderAndInLabels() {
            FileSource source = open("3,14;2,5\n1,5;2,25\n0,5;1,75\n");
            assertInstanceOf(Labels.Numbers.class, source.labels());
            Sample sample = Sample.of(source);
            assertEquals((float) 3.14, sample.rows.get(0)[0]);
            assertEquals(2.5, sample.targets.get(0)[0]);
            assertEquals(1.75, sample.targets.get(2)[0]);
        }

        @Test
        void areRememberedForLaterFiles() {
            Encoding encoding = Encoding.load(open("a;b;y\n3,5;2;1,5\n-0,25;1;2,5\n1,5;1;3,5\n")
                    .encoding()
                    .state());
            assertEquals("1.5 2.5 -> 4.5", read("a;b;y\n1,5;2,5;4,5\n", encoding));
            String message = failure(() -> read("a;b;y\n1.5;2;4,5\n", encoding));
            assertTrue(message.contains("withDecimal(DataOptions.Decimal.POINT)"), message);
            assertEquals(
                    "1.5 2.5 -> 4.5",
                    Sample.of(FileSource.open(
                                    file("a;b;y\n1.5;2.5;4.5\n").withDecimal(DataOptions.Decimal.POINT), encoding))
                            .text());
        }

        @Test
        void ofALaterFileAreRefusedWhereTrainingHadPoints() {
            Encoding encoding = open("a,b,y\n3.5,2,1\n-0.25,1,2\n").encoding();
            String message = failure(() -> read("a;b;y\n1,5;2;1\n", encoding));
            assertTrue(
                    message.contains("t.csv:2: column 'a'")
                            && message.contains("withDecimal(DataOptions.Decimal.COMMA)"),
                    message);
            assertEquals(
                    "1.5 2 -> 0",
                    Sample.of(FileSource.open(
                                    file("a;b;y\n1,5;2;1\n").withDecimal(DataOptions.Decimal.COMMA), encoding))
                            .text());
        }

        @Test
        void thatMayBeThousandsAreRefusedUnlessTheFlagOrAnotherColumnDecides() {
            String text = "a;y\n1,234;x\n2,500;z\n";
            assertTrue(failure(() -> open(text)).contains("withDecimal(DataOptions.Decimal.POINT) if the point"));
            assertEquals(
                    "1.25 -> 0",
                    Sample.of(FileSource.open(file("a;y\n1,250;x\n").withDecimal(DataOptions.Decimal.COMMA)))
                            .text());
            assertEquals(
                    "1234 -> 0\n2500 -> 1",
                    Sample.of(FileSource.open(file(text).withDecimal(DataOptions.Decimal.POINT)))
                            .text());
            assertEquals(
                    "1.25 0.5 -> 0", Sample.of(open("a;b;y\n1,250;0,5;x\n")).text());
            assertEquals(
                    "1250 0.5 -> 0", Sample.of(open("a;b;y\n1,250;0.5;x\n")).text());
        }

        @Test
        void besidePointsInOneColumnAreRefused() {
            String message = failure(() -> open("a;y\n1.5;x\n1,25;z\n"));
            assertTrue(
                    message.contains("t.csv:3: column 'a'") && message.contains("withCategorical(List.of(\"a\"))"),
                    message);
        }

        @Test
        void inQuotesBetweenCommasNeedTheFlag() {
            String text = "a,y\n\"3,5\",x\n\"2,25\",z\n";
            assertTrue(failure(() -> open(text)).contains("withDecimal(DataOptions.Decimal.COMMA)"));
            assertEquals(
                    "3.5 -> 0\n2.25 -> 1",
                    Sample.of(FileSource.open(file(text).withDelimiter(',').withDecimal(DataOptions.Decimal.COMMA)))
                            .text());
        }

        @Test
        void fillMissingCellsWithTheirMean() {
            FileSource source = FileSource.open(file("a;y\n1,5;x\n;z\n2,5;x\n").withMissingFilled(true));
            assertEquals("1.5 -> 0\n2 -> 1\n2.5 -> 0", Sample.of(source).text());
        }

        @Test
        void doNotHideTextThatHoldsCommas() {
            FileSource source = open("a;n;y\n1,2,3;1;x\n4,5,6;2;z\n1,2,3;3;x\n");
            assertEquals(List.of("a=1,2,3", "a=4,5,6", "n"), source.columnNames());
        }
    }

    @Nested
    class Signs {
        @Test
        void percentagesAreDividedByAHundred() {
            FileSource source = open("a,y\n12%,x\n50 %,z\n");
            assertEquals((float) 0.12, Sample.of(source).rows.get(0)[0]);
            assertEquals(0.5, Sample.of(source).rows.get(1)[0]);
            assertNote(source, "percentages");
            Encoding encoding = Encoding.load(source.encoding().state());
            assertEquals("0.25 -> 0", read("a,y\n25%,x\n", encoding));
            assertTrue(failure(() -> read("a,y\n25,x\n", encoding)).contains("as in training"));
        }

        @Test
        void percentagesBesidePlainNumbersAreRefused() {
            String message = failure(() -> open("a,y\n12%,x\n5,z\n"));
            assertTrue(message.contains("column 'a'") && message.contains("withIgnored(List.of(\"a\"))"), message);
        }

        @ParameterizedTest
        @CsvSource(delimiter = '!', textBlock = """
                $5!5
                $ 5!5
                -$5!-5
                €3!3
                3 €!3
                £0.5!0.5
                """)
        void currencySignsAreDropped(String cell, double value) {
            FileSource source = open("a,y\n" + cell + ",x\n" + cell + ",z\n");
            assertEquals(value, Sample.of(source).rows.get(0)[0]);
            assertNote(source, "amounts in");
        }

        @Test
        void thousandsInQuotesAreNumbers() {
            FileSource source = open("a,b,y\n\"1,000\",\"$1,200.50\",x\n7,$3.5,z\n\"1,234,567\",4,x\n");
            assertEquals(
                    "1000 1200.5 -> 0\n7 3.5 -> 1\n1234567 4 -> 0",
                    Sample.of(source).text());
            Encoding encoding = Encoding.load(source.encoding().state());
            assertEquals("2000 5 -> 1", read("a,b,y\n\"2,000\",$5,z\n", encoding));
        }

        @Test
        void pointsSetThousandsApartBesideDecimalCommas() {
            FileSource source = open("a;y\n1.234,5 €;x\n0,5 €;z\n");
            assertEquals("1234.5 -> 0\n0.5 -> 1", Sample.of(source).text());
        }

        @Test
        void differentCurrenciesInOneColumnAreRefused() {
            String message = failure(() -> open("a,y\n$5,x\n€3,z\n"));
            assertTrue(message.contains("t.csv:3: column 'a': '€3' has another sign"), message);
        }

        @Test
        void besideTextAreRefused() {
            assertTrue(failure(() -> open("a,n,y\nlow,1,x\n12%,2,z\n"))
                    .contains("'12%' is a number, but line 2 has text"));
            assertTrue(failure(() -> open("a,n,y\n12%,1,x\nlow,2,z\n")).contains("'low' is no number"));
        }

        @Test
        void areKeptInCategoriesThatAreAskedFor() {
            FileSource source = FileSource.open(file("a,y\n12%,x\n50%,z\n").withCategorical(List.of("a")));
            assertEquals(List.of("a=12%", "a=50%"), source.columnNames());
        }

        @Test
        void inLabelsMakeNumbersToPredict() {
            FileSource source = open("a,y\n1,$10.50\n2,$20.25\n3,$30\n");
            assertInstanceOf(Labels.Numbers.class, source.labels());
            assertEquals("1 -> 10.5\n2 -> 20.25\n3 -> 30", Sample.of(source).text());
            assertEquals(
                    "4 -> 5",
                    read("a,y\n4,$5\n", Encoding.load(source.encoding().state())));
        }
    }

    @Nested
    class Dates {
        @ParameterizedTest
        @CsvSource({
            "2024-01-31, 2024-02-01, 19753",
            "2024-01-31T12:00:00Z, 2024-02-01T00:00:00Z, 19753.5",
            "2024-01-31 12:00, 2024-02-01 00:00, 19753.5",
            "2024-01-31T12:00:00.000+06:00, 2024-02-01T00:00:00Z, 19753.25",
            "31/01/2024, 01/02/2024, 19753",
            "01/31/2024, 02/01/2024, 19753",
            "31.01.2024, 01.02.2024, 19753",
            "1970-01-01, 1970-01-02, 0"
        })
        void becomeDaysSince1970(String first, String second, double days) {
            FileSource source = open("d,y\n" + first + ",x\n" + second + ",z\n" + first + ",x\n");
            assertEquals(days, Sample.of(source).rows.get(0)[0]);
            assertNote(source, "column 'd' holds dates");
            Encoding encoding = Encoding.load(source.encoding().state());
            assertTrue(read("d,y\n" + second + ",x\n", encoding).endsWith(" -> 0"));
            assertTrue(failure(() -> read("d,y\n5,x\n", encoding)).contains("a date as"));
        }

        @Test
        void inWhichDayAndMonthCannotBeToldApartAreRefused() {
            String message = failure(() -> open("d,y\n01/02/2024,x\n03/04/2024,z\n"));
            assertTrue(
                    message.contains("withIgnored(List.of(\"d\"))")
                            && message.contains("withCategorical(List.of(\"d\"))"),
                    message);
        }

        @Test
        void inTwoFormsAreRefused() {
            assertTrue(failure(() -> open("d,y\n2024-01-31,x\n31.01.2024,z\n")).contains("t.csv:3: column 'd'"));
            assertTrue(failure(() -> open("d,y\n13/01/2024,x\n01/13/2024,z\n")).contains("t.csv:3: column 'd'"));
        }

        @Test
        void thatDoNotExistAreText() {
            assertEquals(
                    List.of("d=2023-02-29", "d=2023-13-01", "n"),
                    open("d,n,y\n2023-02-29,1,x\n2023-13-01,2,z\n").columnNames());
        }

        @Test
        void asTheLastColumnAreNoLabels() {
            String message = failure(() -> open("a,d\n1,2024-01-31\n2,2024-02-01\n3,2024-02-02\n"));
            assertTrue(message.contains("the labels are dates") && message.contains("withLabel"), message);
        }
    }

    @Nested
    class Headers {
        @Test
        void ofNumbersBesideATextAreKnownByTheirTextOccurringNowhereElse() {
            FileSource source = open("2019,2020,species\n" + rows(30, i -> i + "." + i + ",5." + i + ",k" + i % 3));
            assertEquals(30, source.rows());
            assertEquals(List.of("2019", "2020"), source.columnNames());
            assertEquals(new Labels.Classes(List.of("k0", "k1", "k2")), source.labels());
            assertNote(source, "withHeader(false)");
        }

        @Test
        void ofNumbersThatMayBeValuesAreRefused() {
            String text = "1,2,species\n" + rows(30, i -> i + "," + i + ",k" + i % 3);
            String message = failure(() -> open(text));
            assertTrue(message.contains("t.csv:1: ") && message.contains("withHeader(true)"), message);
            assertEquals(30, FileSource.open(file(text).withHeader(true)).rows());
            assertEquals(31, FileSource.open(file(text).withHeader(false)).rows());
        }

        @Test
        void areNotSeenInARowOfARareClassButANoteIsMade() {
            FileSource source = open("1.5,-2,rare\n" + rows(30, i -> i + "," + i + ",k" + i % 3));
            assertEquals(31, source.rows());
            assertNote(source, "withHeader(true)");
        }

        @Test
        void ofTextOverNumbersMayHoldNumbers() {
            FileSource source = open("a,1,y\n1,2,0\n");
            assertEquals(List.of("a", "1"), source.columnNames());
            assertEquals(1, source.rows());
        }

        @Test
        void ofCountedNumbersAreKnown() {
            FileSource source = open("0,1,2,3\n" + rows(20, i -> i + ".5,2,7," + i % 2));
            assertEquals(20, source.rows());
            assertNote(source, "withHeader(false)");
            assertEquals(3, open("1,2,3\n2,3,4\n3,4,5\n").rows(), "rows like it follow");
        }

        @Test
        void ofTextTablesAreKnownByTextsThatOccurNowhereElse() {
            FileSource source =
                    open("colour,shape,label\nred,round,a\nblue,square,b\nred,square,a\nblue,round,b\nred,round,a\n");
            assertEquals(5, source.rows());
            assertEquals(List.of("colour=blue", "colour=red", "shape=round", "shape=square"), source.columnNames());
            assertEquals(new Labels.Classes(List.of("a", "b")), source.labels());
        }

        @Test
        void areNotSeenInATextTableWhoseFirstValuesOccurAgain() {
            FileSource source = open("red,round,a\nblue,square,b\nred,square,a\nblue,round,b\n");
            assertEquals(4, source.rows());
            assertEquals(List.of(), source.notes());
        }

        @Test
        void thatNothingTellsFromARowMakeANote() {
            FileSource source = open("a,y\nu,p\nv,q\n");
            assertEquals(3, source.rows());
            assertNote(source, "withHeader(true)");
        }

        @Test
        void areKnownByAnIgnoredColumnThatIsCalledNone() {
            FileSource source = FileSource.open(file("a,none,y\nu,p,k\nv,q,l\n").withIgnored(List.of("none")));
            assertEquals(2, source.rows());
        }

        @Test
        void thatHoldWordsOfTheLabelLeaveThemTheirMeaning() {
            String text = "none,auto,first\n1,2,3\n4,5,7\n";
            assertEquals(3, FileSource.open(file(text).withLabel("none")).columns());
            assertEquals(List.of("none", "auto"), open(text).columnNames());
            assertEquals(
                    List.of("none", "auto"),
                    FileSource.open(file(text).withLabel("first")).columnNames());
            assertEquals(
                    List.of("auto", "first"),
                    FileSource.open(file(text).withLabel("0")).columnNames());
        }

        @Test
        void overNumbersAreRefusedWhereATextOccursAgain() {
            String message = failure(() -> open("red,unknown,a\nblue,5,b\nred,6,a\n"));
            assertTrue(message.contains("t.csv:1: ") && message.contains("withHeader(false)"), message);
        }

        @Test
        void withoutRowsAreNamed() {
            String message = failure(() -> open("a,b,y\n"));
            assertTrue(message.contains("no rows follow") && message.contains("withHeader(false)"), message);
        }

        @Test
        void ofLaterFilesAreKnownByTheNamesOfTraining() {
            Encoding encoding = open("colour,shape,label\n" + rows(20, i -> "c" + i % 3 + ",s" + i % 2 + ",k" + i % 2))
                    .encoding();
            assertEquals("0 1 0 0 1 -> 1", read("shape,colour,label\ns1,c1,k1\n", encoding));
            assertEquals("0 1 0 0 1 -> ", read("shape,colour\ns1,c1\n", encoding));
            assertEquals("0 1 0 0 1 -> ", read("c1,s1\n", encoding));
            assertEquals(
                    "1 0 0 0 1 -> 0\n0 1 0 1 0 -> 0\n0 1 0 1 0 -> 0", read("c0,s1,k0\nc1,s0,k0\nc1,s0,k0\n", encoding));
        }

        @Test
        void ofLabelFilesAreKnown() {
            DataOptions data = file("1,2\n3,4\n5,6\n7,8\n")
                    .withLabelsFile(Sample.file(folder, "y.txt", "species\ncat\ndog\ncat\ndog\n"));
            assertEquals(
                    new Labels.Classes(List.of("cat", "dog")),
                    FileSource.open(data).labels());
        }
    }

    @Nested
    class Lines {
        @Test
        void endInCarriageReturnsOnly() {
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1",
                    Sample.of(open("a,b,y\r1,2,u\r3,4,v\r")).text());
            assertEquals("1 2 -> 0\n3 4 -> 1", Sample.of(open("1,2,u\r3,4,v")).text());
            FileSource sparse = FileSource.open(DataOptions.of(Sample.file(folder, "t.libsvm", "u 1:1\rv 2:1\r")));
            assertEquals("1 0 -> 0\n0 1 -> 1", Sample.of(sparse).text());
        }

        @Test
        void endInCarriageReturnsOnlyInLongFiles() {
            String text = "a,b,y\r" + rows(100_000, i -> i + ",2," + i % 2).replace('\n', '\r');
            assertEquals(100_000, open(text).rows());
        }

        @Test
        void keepCarriageReturnsWithinTextWhereLinesEndOtherwise() {
            assertEquals(
                    new Labels.Classes(List.of("u\rx", "v")),
                    open("a,y\n1,\"u\rx\"\n2,v\n").labels());
        }

        @Test
        void mayBeLongerThanAllBeforeThemAndEndWithTheFile() {
            assertEquals(
                    "1 2 -> 0\n100000 200000 -> 1",
                    Sample.of(open("1,2,a\n100000,200000,bbbbbbbbbbb")).text());
        }

        @Test
        void ofAMegabyteAreReadInPieces() {
            StringBuilder text = new StringBuilder("0");
            for (int i = 1; i < 200_000; i++) {
                text.append(i % 7 == 0 ? ",\"" + i % 100 + "\"" : "," + i % 100);
            }
            text.append(",x\n");
            byte[] bytes = (text + text.toString()).getBytes(StandardCharsets.UTF_8);
            Pieces pieces = new Pieces(bytes, 1000);
            try (CsvReader reader = new CsvReader(feed(pieces), ',')) {
                for (int row = 0; row < 2; row++) {
                    assertTrue(reader.next());
                    assertEquals(200_001, reader.count);
                    for (int i = 0; i < 200_000; i++) {
                        assertEquals(Integer.toString(i % 100), reader.text(i));
                    }
                }
                assertFalse(reader.next());
                // A record that is split again from its start for every piece takes 1000 times as much.
                assertTrue(reader.scanned() < 3L * bytes.length, () -> "bytes scanned: " + reader.scanned());
            }
        }

        @Test
        void withALongQuotedCellAreReadInPieces() {
            byte[] bytes = ("1,\"" + "text\n\"\"".repeat(200_000) + "\",x\n2,b,y\n").getBytes(StandardCharsets.UTF_8);
            try (CsvReader reader = new CsvReader(feed(new Pieces(bytes, 1000)), ',')) {
                assertTrue(reader.next());
                assertEquals("text\n\"".repeat(200_000), reader.text(1));
                assertTrue(reader.next());
                assertEquals(200_002, reader.line);
                assertTrue(reader.scanned() < 4L * bytes.length, () -> "bytes scanned: " + reader.scanned());
            }
        }

        private ByteFeed feed(InputStream stream) {
            return new ByteFeed("pieces", stream, -1, new Readings());
        }
    }

    /** A stream that gives few bytes at a time, as a pipe does. */
    private static final class Pieces extends ByteArrayInputStream {
        private final int size;

        Pieces(byte[] bytes, int size) {
            super(bytes);
            this.size = size;
        }

        @Override
        public int read(byte[] to, int offset, int length) {
            return super.read(to, offset, Math.min(length, size));
        }
    }

    @Nested
    class Separators {
        @Test
        void areFoundBarsAndBlanksIncluded() {
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1",
                    Sample.of(open("a|b|y\n1|2|u\n3|4|v\n")).text());
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1", Sample.of(open("  1   2 u\n3 4  v\n")).text());
        }

        @Test
        void areNotBlanksWhereTextHasThem() {
            assertEquals(
                    List.of("a=New York", "a=Rome"),
                    open("a,y\nNew York,1\nRome,2\nNew York,1\n").columnNames());
        }

        @Test
        void areWhatGivesRowsOfEqualWidth() {
            assertEquals("1.5 2.5 -> 0", Sample.of(open("1,5;2,5;u\n")).text());
            FileSource source = open("1,a;b,u\n2,c;d,v\n");
            assertEquals(List.of("0", "1=a;b", "1=c;d"), source.columnNames());
        }

        @ParameterizedTest
        @ValueSource(strings = {"big dog\nsmall cat\n", "dog\ncat\n"})
        void ofLabelFilesAreNoBlanks(String labels) {
            DataOptions data = file("1,2\n3,4\n").withLabelsFile(Sample.file(folder, "y.txt", labels));
            assertEquals(1, FileSource.open(data).labels().targets());
        }
    }

    @Nested
    class Identifiers {
        private final String text =
                "id,n,colour,y\n" + rows(300, i -> "user-" + i + "," + 7 * (i % 9) + ",c" + i % 4 + "," + i % 2);

        @Test
        void areLeftOutWithANote() {
            FileSource source = open(text);
            assertEquals(5, source.columns());
            assertNote(source, "column 'id' is left out");
            assertNote(source, "withCategorical(List.of(\"id\"))");
            assertEquals(
                    "49 0 0 0 1 -> 1", Sample.of(source).text().lines().toList().get(7));
        }

        @Test
        void areKeptWhereAskedFor() {
            FileSource source = FileSource.open(file(text).withCategorical(List.of("id")));
            assertEquals(305, source.columns());
            assertEquals(List.of(), source.notes());
        }

        @Test
        void mayBeInLaterFilesOrNot() {
            Encoding encoding = Encoding.load(open(text).encoding().state());
            assertEquals("7 0 0 0 1 -> 1", read("id,n,colour,y\nnew,7,c3,1\n", encoding));
            assertEquals("7 0 0 0 1 -> 1", read("n,colour,y\n7,c3,1\n", encoding));
            assertEquals("7 0 0 0 1 -> 1", read("new,7,c3,1\n", encoding));
            assertEquals("7 0 0 0 1 -> ", read("7,c3\n", encoding));
            String message = failure(() -> read("7,c3,1\n", encoding));
            assertTrue(message.contains("name the columns in a header"), message);
        }

        @Test
        void areNotSeenInFewRowsOrFewLevels() {
            assertEquals(
                    81,
                    open("c,n,y\n" + rows(80, i -> "c" + i + "," + i + "," + i % 2))
                            .columns());
            assertEquals(
                    121,
                    open("c,n,y\n" + rows(300, i -> "c" + i % 120 + "," + i + "," + i % 2))
                            .columns());
        }

        @Test
        void areNoLabels() {
            String message = failure(() -> open("n,id\n" + rows(300, i -> i + ",user-" + i)));
            assertTrue(message.contains("300 different texts") && message.contains("withLabel"), message);
        }

        @Test
        void aloneLeaveNothingToLearnFrom() {
            String message = failure(() -> open("id,y\n" + rows(300, i -> "user-" + i + "," + i % 2)));
            assertTrue(message.contains("withCategorical(List.of(\"id\"))"), message);
        }
    }

    @Nested
    class IgnoredColumns {
        private static final String TEXT = "id,a,b,note,y\n1,2,3,x,u\n4,5,6,7,v\n";

        @ParameterizedTest
        @ValueSource(strings = {"id,note", "0,3", "-5,-2", "id,-2"})
        void areLeftOut(String names) {
            FileSource source = FileSource.open(file(TEXT).withIgnored(List.of(names.split(","))));
            assertEquals(List.of("a", "b"), source.columnNames());
            assertEquals("2 3 -> 0\n5 6 -> 1", Sample.of(source).text());
        }

        @Test
        void mayBeAbsentLater() {
            Encoding encoding = Encoding.load(FileSource.open(file(TEXT).withIgnored(List.of("id", "note")))
                    .encoding()
                    .state());
            assertEquals("2 3 -> 0", read("b,a,y\n3,2,u\n", encoding));
            assertEquals("2 3 -> 0", read("note,b,a,y,id\n?,3,2,u,?\n", encoding));
            assertEquals("2 3 -> 0", read("9,2,3,?,u\n", encoding));
            assertEquals("2 3 -> ", read("9,2,3,?\n", encoding));
            assertEquals("2 3 -> 0", read("2,3,u\n", encoding));
            assertEquals("2 3 -> ", read("2,3\n", encoding));
            assertTrue(failure(() -> read("c,b,a,y\n1,3,2,u\n", encoding)).contains("no such column"));
        }

        @Test
        void moveTheLabelWhereTheLastIsOne() {
            FileSource source = FileSource.open(file("a,y,z\n1,u,5\n2,v,6\n").withIgnored(List.of("z")));
            assertEquals("1 -> 0\n2 -> 1", Sample.of(source).text());
        }

        @Test
        void mustExistAndBeNoLabel() {
            assertTrue(failure(() -> FileSource.open(file(TEXT).withIgnored(List.of("nota"))))
                    .contains("no ignored column 'nota'; did you mean 'note'?"));
            assertTrue(failure(() ->
                            FileSource.open(file(TEXT).withIgnored(List.of("y")).withLabel("y")))
                    .contains("cannot be left out"));
            assertTrue(failure(() -> FileSource.open(file(TEXT).withIgnored(List.of("-6"))))
                    .contains("or from -1, the last, to -5"));
        }

        @Test
        void labelsMayCountFromTheEnd() {
            FileSource source = FileSource.open(file("a,y,z\n1,u,5\n2,v,6\n").withLabel("-2"));
            assertEquals("1 5 -> 0\n2 6 -> 1", Sample.of(source).text());
        }
    }
}
