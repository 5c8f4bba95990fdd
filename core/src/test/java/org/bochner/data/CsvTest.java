package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.bochner.base.DataException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTest {
    private final Path folder;

    CsvTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private DataOptions file(String text) {
        return DataOptions.of(Sample.file(folder, "t.csv", text));
    }

    private FileSource open(String text) {
        return FileSource.open(file(text));
    }

    private static String failure(Runnable action) {
        return String.valueOf(assertThrows(DataException.class, action::run).getMessage());
    }

    @Nested
    class Reads {
        @Test
        void withHeaderAndLastColumnAsLabel() {
            FileSource source = open("a,b,y\n1,2,cat\n3,4.5,dog\n");
            assertEquals("1 2 -> 0\n3 4.5 -> 1", Sample.of(source).text());
            assertEquals(List.of("a", "b"), source.columnNames());
            assertEquals(new Labels.Classes(List.of("cat", "dog")), source.labels());
        }

        @Test
        void withoutHeader() {
            FileSource source = open("1,2,0\n3,4,1\n");
            assertEquals("1 2 -> 0\n3 4 -> 1", Sample.of(source).text());
            assertEquals(List.of("0", "1"), source.columnNames());
        }

        @Test
        void tabsSemicolonsAndAChosenDelimiter() {
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1", Sample.of(open("1\t2\t0\n3\t4\t1\n")).text());
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1",
                    Sample.of(open("a;b;y\n1;2;0\n3;4;1\n")).text());
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1",
                    Sample.of(FileSource.open(file("1|2|0\n3|4|1\n").withDelimiter('|')))
                            .text());
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1",
                    Sample.of(FileSource.open(file("1 2 0\n3 4 1\n").withDelimiter(' ')))
                            .text());
        }

        @Test
        void blanksInARowSeparateAsOneWhereTheyAreTheDelimiter() {
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1\n5 6 -> 0",
                    Sample.of(FileSource.open(file("  1   2 a \r\n \n\"3\" 4  \"b\"  \n5 6 a ")
                                    .withDelimiter(' ')))
                            .text());
            assertEquals(
                    "1 2 -> 0\n3 4 -> 1", Sample.of(open("1 2 0\n3  4 1\n")).text());
        }

        @Test
        void binaryFilesAreRefused() {
            assertTrue(failure(() -> open("\u007fELF\u0000\u0000,1\n")).contains("is neither text (LIBSVM, CSV) nor"));
        }

        @Test
        void quotesCarriageReturnsByteOrderMarksAndNoLastLineEnd() {
            FileSource source = open(
                    "\uFEFFa,\"b \"\"x\"\", c\",y\r\n\"1\", 2 ,\"new\nline\"\r\n\r\n 3 ,\"4\" ,\"say \"\"hi\"\"\"");
            assertEquals(List.of("a", "b \"x\", c"), source.columnNames());
            assertEquals(new Labels.Classes(List.of("new\nline", "say \"hi\"")), source.labels());
            assertEquals("1 2 -> 0\n3 4 -> 1", Sample.of(source).text());
        }

        @Test
        void linesAreCountedThroughQuotedLineEnds() {
            String message = failure(() -> open("a,b,y\n1,\"x\ny\",0\n\n2,z,1\n3,1,1\n"));
            assertTrue(message.contains("t.csv:6: column 'b'"), message);
        }

        @Test
        void labelsByNameIndexAndPlace() {
            String text = "a,b,c\n1,2,3\n4,5,6\n7,8,9\n";
            assertEquals("1 3 -> 0\n4 6 -> 1\n7 9 -> 2", labelled(text, "b"));
            assertEquals("1 3 -> 0\n4 6 -> 1\n7 9 -> 2", labelled(text, "1"));
            assertEquals("2 3 -> 0\n5 6 -> 1\n8 9 -> 2", labelled(text, "first"));
            assertEquals("1 2 -> 0\n4 5 -> 1\n7 8 -> 2", labelled(text, "last"));
            assertEquals("1 2 3 -> \n4 5 6 -> \n7 8 9 -> ", labelled(text, "none"));
            assertEquals("2 -> 3 1\n5 -> 6 4\n8 -> 9 7", labelled(text, "c, a"));
        }

        private String labelled(String text, String label) {
            return Sample.of(FileSource.open(file(text).withLabel(label))).text();
        }

        @Test
        void aHeaderOfTextColumnsWhereTheLabelIsNamed() {
            FileSource source = FileSource.open(file("a,y\nu,p\nv,q\n").withLabel("y"));
            assertEquals(List.of("a=u", "a=v"), source.columnNames());
            assertEquals("1 0 -> 0\n0 1 -> 1", Sample.of(source).text());
            assertEquals(
                    3, FileSource.open(file("a,y\nu,p\nv,q\n")).rows(), "nothing says that the first line is a header");
            assertEquals(
                    2, FileSource.open(file("a,y\nu,p\nv,q\n").withHeader(true)).rows());
        }

        @Test
        void categoriesAsOneHotColumns() {
            FileSource source = open("n,color,y\n1,red,0\n2,blue,1\n3,red,1\n");
            assertEquals(List.of("n", "color=blue", "color=red"), source.columnNames());
            assertEquals("1 0 1 -> 0\n2 1 0 -> 1\n3 0 1 -> 1", Sample.of(source).text());
        }

        @Test
        void numbersAsCategoriesWhereAsked() {
            FileSource source =
                    FileSource.open(file("zip,y\n10,0\n9,1\n10.0,1\n").withCategorical(List.of("zip")));
            assertEquals(List.of("zip=9", "zip=10"), source.columnNames());
            assertEquals("0 1 -> 0\n1 0 -> 1\n0 1 -> 1", Sample.of(source).text());
        }

        @Test
        void missingValuesAsMeanAndMode() {
            FileSource source = FileSource.open(file("a,c,y\n1,u,0\n?,v,1\nNA,v,1\n4,,0\nnan,N/A,1\n,null,0\n")
                    .withMissingFilled(true));
            assertEquals(
                    "1 1 0 -> 0\n2.5 0 1 -> 1\n2.5 0 1 -> 1\n4 0 1 -> 0\n2.5 0 1 -> 1\n2.5 0 1 -> 0",
                    Sample.of(source).text());
        }

        @Test
        void weights() {
            FileSource source = FileSource.open(file("a,w,y\n1,0.5,0\n2,2,1\n").withRowWeight("w"));
            Sample sample = Sample.of(source);
            assertEquals(List.of(0.5, 2.0), sample.weights);
            assertEquals("1 -> 0\n2 -> 1", sample.text());
            assertTrue(source.hasRowWeights());
        }

        @Test
        void oneClassAgainstTheRest() {
            FileSource source = FileSource.open(file("1,a\n2,b\n3,c\n4,b\n").withPositive("b"));
            assertEquals(new Labels.Classes(List.of("not b", "b")), source.labels());
            assertEquals(List.of(2L, 2L), source.classCounts());
            assertEquals("1 -> 0\n2 -> 1\n3 -> 0\n4 -> 1", Sample.of(source).text());
            assertTrue(failure(() -> FileSource.open(file("1,a\n2,b\n").withPositive("d")))
                    .contains("no class 'd'"));
        }

        @Test
        void recordsThatStraddleTheWindow() {
            StringBuilder text = new StringBuilder("a,\"b\",y\n");
            for (int i = 0; i < 60_000; i++) {
                text.append(i)
                        .append(",\"")
                        .append(i % 2 == 0 ? "x\"\"\n" : "z")
                        .append("\",")
                        .append(i % 3)
                        .append('\n');
            }
            Sample sample = Sample.of(open(text.toString()), 1000);
            assertEquals(60_000, sample.rows.size());
            for (int i = 0; i < 60_000; i++) {
                assertEquals(i, sample.rows.get(i)[0]);
                assertEquals(i % 2, sample.rows.get(i)[2]);
                assertEquals(i % 3, sample.targets.get(i)[0]);
            }
        }

        @Test
        void rowsWiderThanTheFirstLook() {
            StringBuilder text = new StringBuilder();
            for (int row = 0; row < 3; row++) {
                text.append("0.25,".repeat(40_000)).append(row).append('\n');
            }
            FileSource source = open(text.toString());
            assertEquals(40_000, source.columns());
            assertEquals(3, source.rows());
        }
    }

    @Nested
    class Refuses {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "1,2,0\\n1,2\\n | :2: expected 3 cells, found 2",
                    "a,b,y\\n1,2,0\\n1,2,3,4\\n | :3: expected 3 cells, found 4",
                    "a,b,y\\n1,2,0\\n1,x,1\\n | :3: column 'b': 'x' is no number, but cells before it are; DataOptions.withCategorical(List.of(\"b\"))",
                    "a,b,y\\n1,x,0\\n1,2,1\\n | :3: column 'b': '2' is a number, but line 2 has text there; DataOptions.withCategorical(List.of(\"b\"))",
                    "a,1.5,y\\n1,2,0\\n | :1: has the text 'y' in a column in which the rows below have numbers; DataOptions.withHeader(true)",
                    "1,2,0\\n1,,1\\n | :2: column 1 (from 0): the value is missing; DataOptions.withMissingFilled(true)",
                    "1,2,0\\n1,NA,1\\n | :2: column 1 (from 0): the value is missing ('NA')",
                    "1,2,0\\n1,Infinity,1\\n | :2: column 1 (from 0): the value must be finite, got 'Infinity'",
                    "1,-inf,0\\n1,2,1\\n | :1: column 1 (from 0): the value must be finite, got '-inf'",
                    "1,2,0\\n1,-1e40,1\\n | :2: column 1 (from 0): the value must be within",
                    "a,a,y\\n1,2,0\\n | :1: column 'a': the header has this name twice",
                    "a,b,y\\n1,2,\\n | :2: column 'y': the label is missing",
                    "1,\"2,0\\n3,4,5\\n | :1: a quoted cell is not closed",
                    "1,\"2\"x,0\\n3,4,5\\n | :1: column 1: text follows the closing quote",
                    "5\\n6\\n | : has no column besides the label",
                })
        void withFileLineAndColumn(String text, String expected) {
            String message = failure(() -> open(text.replace("\\n", "\n")));
            assertTrue(message.contains("t.csv" + expected), message);
        }

        @Test
        void emptyFiles() {
            assertTrue(failure(() -> open("")).contains("t.csv: the file is empty"));
            assertTrue(failure(() -> open("\n\n")).contains("t.csv: the file is empty"));
            assertTrue(failure(() -> FileSource.open(file("a,b\n").withHeader(true)))
                    .contains("t.csv: has no rows after its header"));
        }

        @Test
        void columnsThatDoNotExist() {
            String text = "alpha,beta,gamma\n1,2,3\n";
            assertTrue(failure(() -> FileSource.open(file(text).withLabel("zzzzzz")))
                    .contains("t.csv: no label column"));
            assertTrue(failure(() -> FileSource.open(file(text).withLabel("bete")))
                    .contains("no label column 'bete'; did you mean 'beta'?"));
            assertTrue(failure(() -> FileSource.open(file(text).withLabel("3")))
                    .contains("no label column '3'; indices go from 0 to 2"));
            assertTrue(failure(() -> FileSource.open(file("1,2\n3,4\n").withLabel("y")))
                    .contains("the file has no header"));
            assertTrue(failure(() -> FileSource.open(file(text).withRowWeight("w")))
                    .contains("no weight column 'w'"));
            assertTrue(failure(() -> FileSource.open(file(text).withCategorical(List.of("delta"))))
                    .contains("no categorical column 'delta'"));
        }

        @Test
        void weightsBelowZero() {
            String message =
                    failure(() -> FileSource.open(file("a,w,y\n1,1,0\n2,-1,1\n").withRowWeight("w")));
            assertTrue(message.contains("t.csv:3: column 'w': a row weight must be a finite number"), message);
        }

        @Test
        void columnsWithoutAnyValue() {
            String message =
                    failure(() -> FileSource.open(file("a,b,y\n1,,0\n2,NA,1\n").withMissingFilled(true)));
            assertTrue(message.contains("column 'b' has no value in any row"), message);
        }

        @Test
        void utf16() {
            byte[] bytes = {(byte) 0xff, (byte) 0xfe, '1', 0, ',', 0, '2', 0};
            String path = Sample.file(folder, "u.csv", bytes);
            assertTrue(failure(() -> FileSource.open(DataOptions.of(path))).contains("UTF-16"));
        }

        @Test
        void textWhereNumbersAreToBePredicted() {
            String message =
                    failure(() -> FileSource.open(file("a,y\n1,2.5\n2,x\n").withTask(Task.REGRESS)));
            assertTrue(message.contains("t.csv:3: column 'y': the label must be a number, got 'x'"), message);
        }
    }
}
