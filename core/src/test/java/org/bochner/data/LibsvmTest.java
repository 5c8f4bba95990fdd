package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.bochner.base.DataException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LibsvmTest {
    private final Path folder;

    LibsvmTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private FileSource open(String text) {
        return FileSource.open(DataOptions.of(Sample.file(folder, "t.libsvm", text)));
    }

    private static String failure(Runnable action) {
        return String.valueOf(assertThrows(DataException.class, action::run).getMessage());
    }

    @Nested
    class Reads {
        @Test
        void labelsAndEntries() {
            FileSource source = open("+1 1:0.5 3:-2\n-1 2:1e1\n+1\n");
            assertEquals(3, source.columns());
            assertEquals(3, source.rows());
            assertTrue(source.sparse());
            assertEquals(new Labels.Classes(List.of("-1", "1")), source.labels());
            assertEquals(List.of(1L, 2L), source.classCounts());
            assertEquals(
                    "0.5 0 -2 -> 1\n0 10 0 -> 0\n0 0 0 -> 1", Sample.of(source).text());
        }

        @Test
        void commentsQueriesBlankLinesTabsAndCarriageReturns() {
            FileSource source = open("# head\r\n\r\n2 qid:7 1:1\t3:2 # note 4:4\r\n1 qid:8 2:5#x\r\n   \n1 1:1");
            assertEquals("1 0 2 -> 1\n0 5 0 -> 0\n1 0 0 -> 0", Sample.of(source).text());
        }

        @Test
        void indicesThatCountFromZero() {
            FileSource source = open("1 0:5 2:7\n2 1:1\n");
            assertEquals(3, source.columns());
            assertEquals("5 0 7 -> 0\n0 1 0 -> 1", Sample.of(source).text());
            assertEquals(List.of("0", "1", "2"), source.columnNames());
        }

        @Test
        void spellingsOfOneNumberAsOneClass() {
            FileSource source = open("+1 1:1\n1 1:2\n1.0 1:3\n1e0 1:4\n-1 1:5\n-1.00 1:6\n");
            assertEquals(new Labels.Classes(List.of("-1", "1")), source.labels());
            assertEquals(List.of(2L, 4L), source.classCounts());
        }

        @Test
        void textLabelsInOrder() {
            FileSource source = open("dog 1:1\n10 1:1\ncat 1:1\n9 1:1\nsci:space 1:1\n");
            assertEquals(new Labels.Classes(List.of("9", "10", "cat", "dog", "sci:space")), source.labels());
        }

        @Test
        void explicitZerosCountForTheWidthOnly() {
            FileSource source = open("1 1:1 5:0\n2 1:0\n");
            assertEquals(5, source.columns());
            RowBlockBuilder builder = new RowBlockBuilder();
            try (RowCursor cursor = source.open()) {
                assertTrue(cursor.next(builder, 10));
                assertEquals(
                        1, assertInstanceOf(SparseRows.class, builder.build()).entries());
                assertEquals(1, cursor.progress());
            }
        }

        @Test
        void aFixedWidth() {
            String file = Sample.file(folder, "w.libsvm", "1 1:1\n2 3:1\n");
            assertEquals(7, FileSource.open(DataOptions.of(file).withColumns(7)).columns());
            String message = failure(() -> FileSource.open(DataOptions.of(file).withColumns(2)));
            assertTrue(message.contains("w.libsvm:2: column 3: index 3 is beyond the 2 columns"), message);
        }

        @Test
        void theLargestIndex() {
            FileSource source = open("1 2147483647:1\n2 1:1\n");
            assertEquals(Integer.MAX_VALUE, source.columns());
            String message = failure(() -> open("1 0:1 2147483647:1\n"));
            assertTrue(message.contains("t.libsvm:1: column 2147483647"), message);
        }

        @Test
        void gzipWhateverItsNameAndOfSeveralMembers() {
            byte[] one = Sample.gzip("1 1:1\n2 2".getBytes(StandardCharsets.UTF_8));
            byte[] two = Sample.gzip(":3\n".getBytes(StandardCharsets.UTF_8));
            byte[] both = new byte[one.length + two.length];
            System.arraycopy(one, 0, both, 0, one.length);
            System.arraycopy(two, 0, both, one.length, two.length);
            FileSource source = FileSource.open(DataOptions.of(Sample.file(folder, "data", both)));
            assertEquals("1 0 -> 0\n0 3 -> 1", Sample.of(source).text());
            assertEquals(both.length, source.identity().files().get(0).bytes());
        }

        @Test
        void linesThatStraddleTheWindow() {
            StringBuilder text = new StringBuilder();
            for (int row = 0; row < 60_000; row++) {
                text.append(row % 2).append(" 1:").append(row + 1).append(" 3:0.5\n");
            }
            Sample sample = Sample.of(open(text.toString()), 999);
            assertEquals(60_000, sample.rows.size());
            for (int row = 0; row < 60_000; row++) {
                assertArrayEquals(new double[] {row + 1, 0, 0.5}, sample.rows.get(row));
                assertEquals(row % 2, sample.targets.get(row)[0]);
            }
        }

        @Test
        void linesLongerThanTheWindow() {
            StringBuilder text = new StringBuilder();
            for (int row = 0; row < 3; row++) {
                text.append(row);
                for (int j = 1; j <= 100_000; j++) {
                    text.append(' ').append(j).append(':').append(j + row);
                }
                text.append('\n');
            }
            Sample sample = Sample.of(open(text.toString()), 2);
            assertEquals(3, sample.rows.size());
            assertEquals(100_002, sample.rows.get(2)[99_999]);
        }

        @Test
        void itsIdentity() {
            FileSource source = open("1 1:1\n2 1:2\n");
            // printf '1 1:1\n2 1:2\n' | sha256sum
            DataIdentity.File identity = source.identity().files().get(0);
            assertEquals("t.libsvm", identity.file());
            assertEquals(12, identity.bytes());
            assertEquals(2, identity.rows());
            assertEquals("868f6ab3d1f4fe6d6a5a409865648677798209b2f76f5b1d109ca03211e0addf", identity.sha256());
        }
    }

    @Nested
    class Refuses {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "1 1:1\\n2 2:1 1:1 | :2: column 1: the index stands after 2",
                    "1 1:1 1:2 | :1: column 1: the index occurs twice",
                    "1 2147483648:1 | :1: column 2147483648: the index must be at most 2147483647",
                    "1 99999999999999999999999:1 | :1: column 99999999999999999999999: the index must be at most",
                    "1 -3:1 | :1: column -3: an index must not be negative",
                    "1 1:nan | :1: column 1: the value must be finite, got 'nan'",
                    "1 1:-Infinity | :1: column 1: the value must be finite, got '-Infinity'",
                    "1 1:1e39 | :1: column 1: the value must be within",
                    "1 1:abc | :1: column 1: the value must be a number, got 'abc'",
                    "1 1:1.5x | :1: column 1: the value must be a number, got '1.5x'",
                    "1 1: | :1: column 1: the value is missing",
                    "1 1:1 2 | :1: expected index:value, got '2'",
                    "1 1:1\\n\\n1:1 2:2 | :3: the label is missing",
                    "big dog 1:1 | :1: expected index:value, got 'dog'; a label must be a single word",
                    "nan 1:1 | :1: column label: the label is missing",
                    "inf 1:1 | :1: column label: the label must be finite",
                    "1 1:0x10 | :1: column 1: the value must be a number",
                    "1.5 1:1\\n2.5 1:1\\n3.5 1:1\\nx 1:1 | :4: column label: the labels before are numbers",
                })
        void withFileLineAndColumn(String text, String expected) {
            String message = failure(() -> open(text.replace("\\n", "\n")));
            assertTrue(message.contains("t.libsvm" + expected), message);
        }

        @Test
        void emptyFiles() {
            assertTrue(failure(() -> open("")).contains("t.libsvm: the file is empty"));
            assertTrue(failure(() -> open("# only\n\n")).contains("t.libsvm: has no rows"));
            assertTrue(failure(() -> open("1\n2\n")).contains("no row has a value"));
        }

        @Test
        void indexZeroWhereTheyCountFromOne() {
            String file = Sample.file(folder, "z.libsvm", "1 1:1\n2 0:1\n");
            String message = failure(() -> FileSource.open(DataOptions.of(file).withIndexBase(1)));
            assertTrue(message.contains("z.libsvm:2: column 0: index 0"), message);
        }

        @Test
        void aGzipFileThatIsCutOff() {
            byte[] whole = Sample.gzip("1 1:1\n2 2:2\n".repeat(1000).getBytes(StandardCharsets.UTF_8));
            byte[] half = Arrays.copyOf(whole, whole.length - 12);
            String message =
                    failure(() -> FileSource.open(DataOptions.of(Sample.file(folder, "half.libsvm.gz", half))));
            assertTrue(message.contains("half.libsvm.gz: damaged or cut off"), message);
        }

        @Test
        void aFileThatChangesBetweenReadings() {
            String file = Sample.file(folder, "c.libsvm", "1 1:1\n2 1:2\n");
            FileSource source = FileSource.open(DataOptions.of(file));
            Sample.file(folder, "c.libsvm", "1 1:1\n2 1:2\n2 1:2\n");
            assertTrue(failure(() -> Sample.of(source)).contains("it changed while it was read"));
            Sample.file(folder, "c.libsvm", "1 1:1\n3 1:2\n");
            assertTrue(failure(() -> Sample.of(source)).contains("c.libsvm:2"));
        }

        @Test
        void filesThatAreNone() {
            assertTrue(failure(() -> FileSource.open(DataOptions.of(folder.toString())))
                    .contains("is a folder"));
            assertTrue(failure(() -> FileSource.open(DataOptions.of(folder + "/absent.csv")))
                    .contains("absent.csv: no such file"));
        }
    }

    @Nested
    class DecidesTheTask {
        @Test
        void byTheLabels() {
            assertTask(new Labels.Classes(List.of("0.25", "0.5")), "0.25 1:1\n0.5 1:1\n", "two values");
            assertTask(new Labels.Classes(List.of("1", "2", "3")), "1 1:1\n2 1:1\n3 1:1\n", "whole numbers");
            assertTask(new Labels.Numbers(List.of("label")), "1.5 1:1\n2 1:1\n3 1:1\n", "fractions");
            assertTask(new Labels.Numbers(List.of("label")), "1.5 1:1\n1.5 1:1\n", "fractions");
            assertTask(new Labels.Classes(List.of("1", "x")), "1 1:1\nx 1:1\n", "text");
        }

        private void assertTask(Labels expected, String text, String reason) {
            FileSource source = open(text);
            assertEquals(expected, source.labels());
            assertTrue(
                    source.taskReason().text().contains(reason),
                    source.taskReason().text());
        }

        @Test
        void fewWholeNumbersAreClassesAndManyOnlyIfTheyCountThem() {
            assertInstanceOf(Labels.Classes.class, open(wholeLabels(5, 10)).labels());
            assertInstanceOf(Labels.Numbers.class, open(wholeLabels(5, 11)).labels());
            assertInstanceOf(Labels.Classes.class, open(wholeLabels(0, 100)).labels());
            assertInstanceOf(Labels.Classes.class, open(wholeLabels(1, 100)).labels());
            assertInstanceOf(Labels.Numbers.class, open(wholeLabels(0, 101)).labels());
            assertInstanceOf(
                    Labels.Numbers.class, open(wholeLabels(1, 20) + "22 1:1\n").labels());
        }

        private static String wholeLabels(int first, int count) {
            StringBuilder text = new StringBuilder();
            for (int i = first; i < first + count; i++) {
                text.append((i + " 1:1\n").repeat(2));
            }
            return text.toString();
        }

        @Test
        void manyWholeNumbersAreClassesOnlyIfTheirSizesAreSimilar() {
            assertInstanceOf(Labels.Classes.class, sized(20, i -> 377 + 11 * i).labels(), "newsgroups, 377 to 600");
            assertInstanceOf(Labels.Classes.class, sized(26, i -> 10 + 2 * i).labels(), "10 to 60, 36 the median");
            assertInstanceOf(Labels.Numbers.class, sized(26, i -> 1 << (i / 3)).labels(), "1 to 256");
            assertInstanceOf(Labels.Classes.class, sized(100, i -> 20 + i % 10).labels(), "20 to 29");
            FileSource ages = sized(90, i -> 3 + Math.min(i, 90 - i));
            assertInstanceOf(Labels.Numbers.class, ages.labels(), "3 to 48");
            assertTrue(
                    ages.taskReason().toString().contains("withTask(Task.CLASSIFY)"),
                    ages.taskReason().text());
            FileSource counts = sized(41, i -> Math.max(1, 500 >> (i / 4)));
            assertInstanceOf(Labels.Numbers.class, counts.labels(), "500 to 1");
            assertInstanceOf(Labels.Numbers.class, sized(40, i -> 1).labels(), "ranks");
        }

        /** Labels 0, 1, ... of which each has so many rows. */
        private FileSource sized(int classes, IntUnaryOperator rows) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < classes; i++) {
                text.append((i + " 1:1\n").repeat(rows.applyAsInt(i)));
            }
            return open(text.toString());
        }

        @Test
        void asAsked() {
            String file = Sample.file(folder, "a.libsvm", wholeLabels(2, 40));
            DataOptions options = DataOptions.of(file);
            assertInstanceOf(
                    Labels.Classes.class,
                    FileSource.open(options.withTask(Task.CLASSIFY)).labels());
            String two = Sample.file(folder, "b.libsvm", "0 1:1\n1 1:1\n");
            FileSource numbers = FileSource.open(DataOptions.of(two).withTask(Task.REGRESS));
            assertInstanceOf(Labels.Numbers.class, numbers.labels());
            assertEquals("1 -> 0\n1 -> 1", Sample.of(numbers).text());
            assertInstanceOf(
                    NoLabels.class, FileSource.open(options.withLabel("none")).labels());
        }

        @Test
        void withManyTextClasses() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 50_000; i++) {
                text.append("class").append(i).append(" 1:1\n");
            }
            FileSource source = open(text.toString());
            assertEquals(50_000, source.classCounts().size());
            assertEquals(50_000, Sample.of(source).rows.size());
        }
    }
}
