package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other files read as the training data was, labels in files of their own, and channels. */
class EncodingTest {
    private final Path folder;

    EncodingTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private DataOptions file(String name, String text) {
        return DataOptions.of(Sample.file(folder, name, text));
    }

    private Encoding trained(String name, String text) {
        return FileSource.open(file(name, text)).encoding();
    }

    private static String failure(Runnable action) {
        return String.valueOf(assertThrows(BochnerException.class, action::run).getMessage());
    }

    private String read(DataOptions options, Encoding encoding) {
        return Sample.of(FileSource.open(options, encoding)).text();
    }

    @Nested
    class SavedAndLoaded {
        @Test
        void isTheSame() {
            assertSurvives(trained("a.libsvm", "dog 0:1\n\"cat\" 7:1\n"));
            assertSurvives(trained("a.csv", "a,\"x,\"\"y\",c,y\n1,u,\"w\nz\",0\n2,\"v,\",z,1\n"));
            assertSurvives(FileSource.open(file("b.csv", "w,a,y,z\n1,?,0.5,1\n1,3,0.25,1\n1,4,1,2\n")
                            .withMissingFilled(true)
                            .withRowWeight("w")
                            .withLabel("y,z"))
                    .encoding());
            assertSurvives(FileSource.open(file("c.csv", "1,a\n2,b\n3,c\n").withPositive("b"))
                    .encoding());
            assertSurvives(FileSource.open(file("d.csv", "1,2\n2,3\n").withLabel("none"))
                    .encoding());
            assertSurvives(FileSource.open(file("f.csv", "9,1,2\n8,2,3\n").withLabel("first"))
                    .encoding());
        }

        private void assertSurvives(Encoding encoding) {
            Encoding loaded = Encoding.load(encoding.state());
            assertEquals(encoding, loaded);
            assertEquals(encoding.columnNames(), loaded.columnNames());
            assertEquals(encoding.labels(), loaded.labels());
            assertEquals(encoding.channels(), loaded.channels());
        }

        @Test
        void refusesWhatDoesNotFitTogether() {
            Encoding encoding = trained("a.csv", "a,b,y\n1,u,0\n2,v,1\n");
            State good = encoding.state();
            assertTrue(good.has("part0.levels"));
            refuses(encoding.state().with("part0.width", 7));
            refuses(encoding.state().with("part0.levels", "\"u\""));
            refuses(encoding.state().with("part0.levels", "u,v"));
            refuses(encoding.state().with("part0.names", "\"a\""));
            refuses(encoding.state().with("part0.format", "XML"));
            refuses(encoding.state().with("part0.labelPlaces", new int[] {3}));
            refuses(encoding.state().with("part0.fill", new double[] {0, 5}));
            refuses(encoding.state().with("part0.cells", 1e9));
            refuses(encoding.state().with("labels.kind", "poems"));
            refuses(encoding.state().with("labels.names", "\"0\",\"0\""));
            refuses(encoding.state().with("parts", 0));
            refuses(encoding.state().with("parts", 2));
            refuses(State.of("scaler"));
        }

        private void refuses(State state) {
            assertThrows(BochnerException.class, () -> Encoding.load(state));
        }
    }

    @Nested
    class Libsvm {
        private final Encoding encoding = trained("train.libsvm", "1 1:1 4:1\n2 2:1\n3 1:1\n");

        @Test
        void mayBeNarrowerAndHaveOtherLabels() {
            assertEquals(
                    "5 0 0 0 -> 1\n0 6 0 0 -> 9",
                    read(file("t.libsvm", "+2.0 1:5\n99 2:6\n"), encoding).replace("NaN", "9"));
        }

        @Test
        void mayLackLabelsWhereNobodyLooksAtThem() {
            FileSource source = FileSource.open(file("t.libsvm", "2 1:5\n2:7\n"), encoding);
            String message = failure(() -> Sample.of(source));
            assertTrue(
                    message.contains("t.libsvm:2: column label: the label is missing; DataOptions.withLabel(\"none\")"),
                    message);
            assertEquals(
                    "5 0 0 0 -> \n0 7 0 0 -> ",
                    Sample.of(source.withoutLabels()).text());
        }

        @Test
        void mayNotBeWider() {
            FileSource source = FileSource.open(file("t.libsvm", "1 1:1\n1 5:1\n"), encoding);
            String message = failure(() -> Sample.of(source));
            assertTrue(
                    message.contains("t.libsvm:2: column 5: index 5 is beyond the 4 columns of the training data"),
                    message);
        }

        @Test
        void mayNotCountFromZeroWhereTrainingCountedFromOne() {
            FileSource source = FileSource.open(file("t.libsvm", "1 0:1\n"), encoding);
            assertTrue(failure(() -> Sample.of(source)).contains("t.libsvm:1: column 0: index 0"));
        }

        @Test
        void mayComeAsATable() {
            assertEquals("1 2 3 4 -> 2", read(file("t.csv", "1,2,3,4,3\n"), encoding));
            assertEquals("1 2 3 4 -> ", read(file("t.csv", "1,2,3,4\n"), encoding));
            assertTrue(failure(() -> read(file("t.csv", "1,2,3\n"), encoding))
                    .contains("t.csv:1: expected 4 columns, as in training, with or without the label; found 3"));
        }
    }

    @Nested
    class Csv {
        private final Encoding encoding = trained("train.csv", "n,color,y\n1,red,cat\n2,blue,dog\n3,red,dog\n");

        @Test
        void matchesColumnsByName() {
            assertEquals("5 1 0 -> 1", read(file("t.csv", "y,color,n\ndog,blue,5\n"), encoding));
            assertEquals("5 1 0 -> ", read(file("t.csv", "color,n\nblue,5\n"), encoding));
            assertEquals(
                    "5 1 0 -> 1", read(file("t.csv", "color,n,y\nblue,5,dog\n").withLabel("y"), encoding));
        }

        @Test
        void matchesColumnsByPositionWithoutAHeader() {
            assertEquals("5 1 0 -> 1", read(file("t.csv", "5,blue,dog\n"), encoding));
            assertEquals("5 1 0 -> ", read(file("t.csv", "5,blue\n"), encoding));
            assertEquals("5 1 0 -> 1", read(file("t.csv", "dog,5,blue\n").withLabel("first"), encoding));
        }

        @Test
        void refusesAColumnByPositionThatMayBeLabelOrWeight() {
            Encoding weighted = FileSource.open(
                            file("w.csv", "5,1,2,a\n1,2,1,b\n5,1,3,a\n").withRowWeight("0"))
                    .encoding();
            String message = failure(() -> read(file("t.csv", "5,1,2\n1,2,1\n"), weighted));
            assertTrue(
                    message.contains("t.csv:1: 3 columns may be 2 features, the row weight, or 2 features, the label;"
                            + " name the columns in a header, or give all 4 columns of the training data"),
                    message);
            assertEquals("1 2 -> 0", read(file("t.csv", "5,1,2,a\n"), weighted));
            assertEquals("1 2 -> ", read(file("t.csv", "1,2\n"), weighted));
            assertEquals("1 2 -> 0", read(file("t.csv", "1,2,a\n").withLabel("last"), weighted));
        }

        @Test
        void readsAllColumnsByPositionWhereLabelsWereInAnotherFile() {
            DataOptions options = file("w.csv", "5,1,2\n1,2,1\n").withRowWeight("0");
            Encoding weighted = FileSource.open(options.withLabelsFile(Sample.file(folder, "y.txt", "b\na\n")))
                    .encoding();
            assertEquals("1 2 -> ", read(file("t.csv", "5,1,2\n"), weighted));
            assertEquals("1 2 -> 1", read(file("t.csv", "5,1,2,b\n"), weighted));
        }

        @Test
        void knowsAHeaderOfNumbers() {
            Encoding numbered = FileSource.open(
                            file("h.csv", "1,2,3\n10,20,0\n30,40,1\n").withHeader(true))
                    .encoding();
            assertEquals("7 8 -> 1", read(file("t.csv", "3,2,1\n1,8,7\n"), numbered));
        }

        @Test
        void knowsAHeaderOfLongNames() {
            String header = "the name of a column that has more than forty characters,y\n";
            Encoding encoding = FileSource.open(
                            file("a.csv", header + "red,yes\nblue,no\n").withHeader(true))
                    .encoding();
            assertEquals("0 1 -> ", read(file("b.csv", header.replace(",y", "") + "red\n"), encoding));
        }

        @Test
        void refusesOtherColumns() {
            assertTrue(failure(() -> read(file("t.csv", "n,y\n1,cat\n"), encoding))
                    .contains("t.csv:1: lacks column 'color' of the training data"));
            assertTrue(failure(() -> read(file("t.csv", "n,color,size,y\n1,red,4,cat\n"), encoding))
                    .contains("t.csv:1: column 'size': the training data has no such column"));
            assertTrue(failure(() -> read(file("t.csv", "1,red,4,cat\n"), encoding))
                    .contains("t.csv:1: expected 2 columns"));
            assertTrue(failure(() -> read(file("t.csv", "1,red,cat\n2,red\n"), encoding))
                    .contains("t.csv:2: expected 3 cells, found 2"));
        }

        @Test
        void refusesBadCellsWithLineAndColumn() {
            assertTrue(failure(() -> read(file("t.csv", "n,color,y\n1,red,cat\nx,red,cat\n"), encoding))
                    .contains("t.csv:3: column 'n': the value must be a number, got 'x'"));
            assertTrue(failure(() -> read(file("t.csv", "n,color,y\n1e99,red,cat\n"), encoding))
                    .contains("t.csv:2: column 'n': the value must be within"));
            assertTrue(failure(() -> read(file("t.csv", "n,color,y\ninf,red,cat\n"), encoding))
                    .contains("t.csv:2: column 'n': the value must be finite"));
            assertTrue(failure(() -> read(file("t.csv", "n,color,y\n,red,cat\n"), encoding))
                    .contains("t.csv:2: column 'n': the value is missing"));
        }

        @Test
        void fillsMissingValuesFromTraining() {
            assertEquals("2 0 1 -> 0", read(file("t.csv", "n,color,y\n?,,cat\n").withMissingFilled(true), encoding));
        }

        @Test
        void takesABlankLineOfAFileWithOneColumnAsAMissingValue() {
            DataOptions training = file("one.csv", "x\n1\n3\n")
                    .withMissingFilled(true)
                    .withLabelsFile(Sample.file(folder, "y.txt", "b\na\n"));
            Encoding one = FileSource.open(training).encoding();
            assertEquals("5 -> \n2 -> \n2 -> \n7 -> ", read(file("t.csv", "x\n5\n\n \r\n7\n\n"), one));
            assertEquals("2 -> \n5 -> ", read(file("t.csv", "x\n\n5\n"), one));
            Encoding strict = FileSource.open(training.withMissingFilled(false)).encoding();
            assertTrue(failure(() -> read(file("t.csv", "x\n5\n\n7\n"), strict))
                    .contains("t.csv:3: column 'x': the value is missing"));
        }

        @Test
        void refusesUnseenCategoriesUnlessZerosWillDo() {
            DataOptions options = file("t.csv", "n,color,y\n1,rad,cat\n");
            String message = failure(() -> read(options, encoding));
            assertTrue(
                    message.contains(
                            "t.csv:2: column 'color': the training data has no category 'rad'; did you mean 'red'?"),
                    message);
            assertEquals("1 0 0 -> 0", read(options.withUnseenAsZeros(true), encoding));
        }

        @Test
        void mayLackLabelsWhereNobodyLooksAtThem() {
            FileSource source = FileSource.open(file("t.csv", "n,color,y\n1,red,\n"), encoding);
            String message = failure(() -> Sample.of(source));
            assertTrue(
                    message.contains("t.csv:2: column 'y': the label is missing; DataOptions.withLabel(\"none\")"),
                    message);
            assertEquals("1 0 1 -> ", Sample.of(source.withoutLabels()).text());
            assertInstanceOf(
                    NoLabels.class,
                    FileSource.open(file("t.csv", "n,color\n1,red\n"), encoding).labels());
            assertInstanceOf(
                    NoLabels.class,
                    FileSource.open(file("t.csv", "n,color,y\n1,red,cat\n").withLabel("none"), encoding)
                            .labels());
        }

        @Test
        void keepsOneAgainstTheRest() {
            Encoding against = FileSource.open(file("p.csv", "1,a\n2,b\n3,c\n").withPositive("b"))
                    .encoding();
            assertEquals("4 -> 1\n5 -> 0\n6 -> 0", read(file("t.csv", "4,b\n5,a\n6,new\n"), against));
        }
    }

    @Nested
    class StandardInput {
        private <T> T withInput(String text, Supplier<T> action) {
            InputStream before = System.in;
            System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            try {
                return action.get();
            } finally {
                System.setIn(before);
            }
        }

        @Test
        void canBeReadAgainAfterASurvey() {
            FileSource source = withInput("1 1:1\n2 2:1\n", () -> FileSource.open(DataOptions.of("-")));
            assertEquals("1 0 -> 0\n0 1 -> 1", Sample.of(source).text());
            assertEquals("1 0 -> 0\n0 1 -> 1", Sample.of(source).text());
            assertEquals("stdin", source.identity().files().get(0).file());
        }

        @Test
        void canBeReadOnceWithAnEncoding() {
            Encoding encoding = trained("train.csv", "a,b,y\n1,2,0\n3,4,1\n");
            FileSource source =
                    withInput("b,a\n" + "7,8\n".repeat(100_000), () -> FileSource.open(DataOptions.of("-"), encoding));
            assertEquals(100_000, Sample.of(source, 1000).rows.size());
            assertTrue(failure(source::open).contains("stdin: can be read only once"));
        }

        @Test
        void namesItselfInErrors() {
            assertTrue(failure(() -> withInput("1 2:1 1:1\n", () -> FileSource.open(DataOptions.of("-"))))
                    .contains("stdin:1: column 1"));
        }
    }

    @Nested
    class LabelsOfTheirOwn {
        @Test
        void asTextLinesCsvOrNumbers() {
            DataOptions data = file("x.csv", "1,2\n3,4\n");
            DataOptions words = data.withLabelsFile(Sample.file(folder, "y.txt", "big dog\ncat\n"));
            FileSource source = FileSource.open(words);
            assertEquals("1 2 -> 0\n3 4 -> 1", Sample.of(source).text());
            assertEquals(new Labels.Classes(List.of("big dog", "cat")), source.labels());
            assertEquals(2, source.columns());
            DataOptions numbers = data.withLabelsFile(Sample.file(folder, "y.csv", "price\n1.5\n2.5\n"))
                    .withTask(Task.REGRESS);
            FileSource priced = FileSource.open(numbers);
            assertEquals(new Labels.Numbers(List.of("price")), priced.labels());
            assertEquals("1 2 -> 1.5\n3 4 -> 2.5", Sample.of(priced).text());
        }

        @Test
        void takeTheirMeaningFromTraining() {
            Encoding encoding = FileSource.open(
                            file("x.csv", "1,2\n3,4\n").withLabelsFile(Sample.file(folder, "y.txt", "b\na\n")))
                    .encoding();
            String labels = Sample.file(folder, "z.txt", "a\nb\n");
            assertEquals("5 6 -> 0\n7 8 -> 1", read(file("t.csv", "5,6\n7,8\n").withLabelsFile(labels), encoding));
            assertEquals("5 6 -> ", read(file("t.csv", "5,6\n"), encoding));
            assertEquals("5 6 -> 1", read(file("t.csv", "5,6,b\n"), encoding));
        }

        @Test
        void sparseRowsStaySparse() {
            FileSource source = FileSource.open(
                    file("x.libsvm", "0 1:1\n0 2:1\n").withLabelsFile(Sample.file(folder, "y.txt", "b\na\n")));
            assertTrue(source.sparse());
            assertEquals("1 0 -> 1\n0 1 -> 0", Sample.of(source).text());
        }

        @Test
        void mustBeAsManyAsTheRows() {
            DataOptions options = file("x.csv", "1,2\n3,4\n").withLabelsFile(Sample.file(folder, "y.txt", "b\na\nc\n"));
            String message = failure(() -> FileSource.open(options));
            assertTrue(message.contains("x.csv: has 2 rows, but ") && message.contains("y.txt has 3"), message);
        }
    }

    @Nested
    class Channels {
        private DataOptions channels(String... files) {
            DataOptions options = DataOptions.channelled();
            for (int i = 0; i < files.length; i += 2) {
                String name = files[i].substring(0, files[i].indexOf('.'));
                options = options.withChannel(name, Sample.file(folder, files[i], files[i + 1]));
            }
            return options;
        }

        @Test
        void areJoinedRowByRow() {
            DataOptions options = channels("a.libsvm", "x 1:1 2:2\ny 2:3\n", "b.libsvm", "0 0:4\n0 1:5\n");
            FileSource source = FileSource.open(options);
            assertTrue(source.sparse());
            assertEquals("1 2 4 0 -> 0\n0 3 0 5 -> 1", Sample.of(source).text());
            assertEquals(List.of(new ColumnRange("a", 0, 2), new ColumnRange("b", 2, 4)), source.channels());
            assertEquals(List.of("a:1", "a:2", "b:0", "b:1"), source.columnNames());
            assertEquals(2, source.identity().files().size());
            assertEquals(source.encoding(), Encoding.load(source.encoding().state()));
            assertEquals("1 2 4 0 -> 0\n0 3 0 5 -> 1", read(options, source.encoding()));
        }

        @Test
        void sparseAndDenseMakeDense() {
            FileSource source = FileSource.open(channels("a.libsvm", "x 1:1 2:2\ny 2:3\n", "b.csv", "7,u\n8,v\n"));
            assertEquals("1 2 7 1 0 -> 0\n0 3 8 0 1 -> 1", Sample.of(source).text());
            assertEquals(List.of("a:1", "a:2", "b:0", "b:1=u", "b:1=v"), source.columnNames());
        }

        @Test
        void labelsByNameFromAnyOfThem() {
            DataOptions options = channels("a.csv", "p,q\n1,2\n3,4\n", "b.csv", "r,y\n5,0\n6,1\n");
            FileSource source = FileSource.open(options.withLabel("y"));
            assertEquals("1 2 5 -> 0\n3 4 6 -> 1", Sample.of(source).text());
            assertEquals("1 2 5 -> 0\n3 4 6 -> 1", read(options, source.encoding()));
            assertEquals("1 2 5 -> 0\n3 4 6 -> 1", read(options.withLabel("y"), source.encoding()));
        }

        @Test
        void mustHaveAsManyRows() {
            DataOptions options = channels("a.libsvm", "1 1:1\n2 1:2\n", "b.libsvm", "1 1:1\n");
            String message = failure(() -> FileSource.open(options));
            assertTrue(message.contains("a.libsvm: has 2 rows, but ") && message.contains("b.libsvm has 1"), message);
            Encoding encoding = FileSource.open(channels("a.libsvm", "1 1:1\n2 1:2\n", "b.libsvm", "1 1:1\n1 1:1\n"))
                    .encoding();
            DataOptions later = channels("a.libsvm", "1 1:1\n2 1:2\n", "b.libsvm", "1 1:1\n");
            assertTrue(failure(() -> read(later, encoding)).contains("b.libsvm: has 1 rows, but "));
        }

        @Test
        void areFoundByNameLater() {
            DataOptions options = channels("a.libsvm", "1 1:1\n2 1:2\n", "b.libsvm", "1 1:3\n2 1:4\n");
            Encoding encoding = FileSource.open(options).encoding();
            DataOptions turned = channels("b.libsvm", "1 1:3\n2 1:4\n", "a.libsvm", "1 1:1\n2 1:2\n");
            assertEquals("1 3 -> 0\n2 4 -> 1", read(turned, encoding));
            assertTrue(failure(() -> FileSource.open(DataOptions.of("a.libsvm"), encoding))
                    .contains("withChannel(name, file) is needed for a, b"));
        }
    }
}
