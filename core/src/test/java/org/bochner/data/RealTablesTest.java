package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Missing values with indicator columns, columns with many categories, dates in parts, and row numbers. */
class RealTablesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    private DataOptions file(String name, String text) {
        return DataOptions.of(Sample.file(folder, name, text));
    }

    private static String rows(RowSource source) {
        return Sample.of(source).text();
    }

    private static String notes(FileSource source) {
        return source.notes().stream().map(Note::toString).collect(Collectors.joining("\n"));
    }

    private static void assertSurvives(Encoding encoding) {
        Encoding loaded = Encoding.load(encoding.state());
        assertEquals(encoding, loaded);
        assertEquals(encoding.columnNames(), loaded.columnNames());
        assertEquals(encoding.columns(), loaded.columns());
    }

    @Nested
    class MissingValues {
        private static final String TRAIN = "age,n,colour,y\n1,5,red,a\n?,6,,b\n3,7,red,a\n,8,blue,b\n";

        private FileSource trained() {
            return FileSource.open(file("train.csv", TRAIN).withMissingIndicators(true));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "\t",
                    "\" \"",
                    "\"\t\"",
                    "\u3000",
                    " \u00a0\u2003\t",
                    "\"\n\"",
                    "\tNA",
                    "\" ? \"",
                    "\u3000null"
                })
        void areCellsOfWhiteSpaceToo(String cell) {
            String text = "cat,x,y\n" + (cell + ",0.5,1.5\np," + cell + ",2.5\nq,0.25,2\nq,0,2\n").repeat(3);
            assertThrows(BochnerException.class, () -> FileSource.open(file("refused.csv", text)));
            FileSource source = FileSource.open(file("blank.csv", text).withMissingFilled(true));
            assertEquals(List.of("cat=p", "cat=q", "x"), List.copyOf(source.columnNames()));
            assertEquals("0 1 0.5", rows(source).substring(0, 7), rows(source));
            FileSource later =
                    FileSource.open(file("later.csv", "cat,x\n" + cell + ",1\nq," + cell + "\n"), source.encoding());
            FileSource empty = FileSource.open(file("empty.csv", "cat,x\n,1\nq,\n"), source.encoding());
            assertEquals(rows(empty), rows(later));
            String unquoted = cell.replace("\"", "");
            assertArrayEquals(
                    source.encoding().encode(Map.of("cat", "", "x", 1)),
                    source.encoding().encode(Map.of("cat", unquoted, "x", 1)));
        }

        /** The mean of 1 and 3 is filled in. A missing category is none of the others. */
        @Test
        void haveAColumnOfTheirOwn() {
            FileSource source = trained();
            assertEquals(
                    List.of("age", "age missing", "n", "colour=blue", "colour=red", "colour missing"),
                    source.columnNames());
            assertEquals("""
                    1 0 5 0 1 0 -> 0
                    2 1 6 0 0 1 -> 1
                    3 0 7 0 1 0 -> 0
                    2 1 8 1 0 0 -> 1""", rows(source));
            assertSurvives(source.encoding());
        }

        @Test
        void areCountedPerColumnWithTheirReplacement() {
            assertEquals("""
                    column 'age': 2 of 4 cells are missing, such as '?'; the mean of the column replaces them, and column 'age missing' marks them
                    column 'colour': 1 of 4 cells is missing; column 'colour missing' marks them""", notes(trained()));
            FileSource filled = FileSource.open(
                    file("filled.csv", TRAIN.replace("6,,b", "6,NA,b")).withMissingFilled(true));
            assertEquals("""
                    column 'age': 2 of 4 cells are missing, such as '?'; the mean of the column replaces them
                    column 'colour': 1 of 4 cells is missing, such as 'NA'; the most frequent category, 'red', replaces them""", notes(filled));
        }

        @Test
        void ofManyColumnsShareANote() {
            String header = IntStream.range(0, 11).mapToObj(i -> "c" + i).collect(Collectors.joining(","));
            String empty = ",".repeat(10);
            String full = "1" + ",2".repeat(10);
            FileSource source = FileSource.open(file(
                            "wide.csv",
                            header + ",y\n" + full + ",0\n" + empty + ",1\n" + empty.replace(",", ",3") + ",1\n")
                    .withMissingFilled(true));
            List<Note> found = source.notes();
            assertEquals(9, found.size(), notes(source));
            assertTrue(
                    notes(source).endsWith("3 more columns have 3 missing cells, which are treated in the same way"),
                    notes(source));
        }

        /** A file to predict is not surveyed for columns of its own, so an indicator would not help there. */
        @Test
        void areRefusedInTrainingWithBothWaysToFillThem() {
            BochnerException failure =
                    assertThrows(BochnerException.class, () -> FileSource.open(file("gap.csv", "a,y\n1,0\n?,1\n")));
            assertTrue(String.valueOf(failure.getMessage()).contains("withMissingFilled(true) fills in"));
            assertTrue(String.valueOf(failure.getMessage())
                    .contains("withMissingIndicators(true) also adds a column that marks the missing values"));
            Encoding strict =
                    FileSource.open(file("s.csv", "a,y\n1,0\n2,1\n4,1\n")).encoding();
            FileSource later = FileSource.open(file("later.csv", "a\n?\n"), strict);
            BochnerException refused = assertThrows(BochnerException.class, () -> rows(later));
            assertTrue(!String.valueOf(refused.getMessage()).contains("Indicators"), refused.getMessage());
        }

        @Test
        void ofRecordsAreThoseOfFiles() {
            Map<String, @Nullable Object> record = new HashMap<>();
            record.put("age", null);
            record.put("n", Double.NaN);
            record.put("colour", "NA");
            assertArrayEquals(
                    new double[] {2, 1, 6.5, 0, 0, 1}, trained().encoding().encode(record));
        }

        @Test
        void inAColumnThatHadNoneAreFilledAndCounted() {
            Encoding encoding = Encoding.load(trained().encoding().state());
            FileSource later = FileSource.open(file("later.csv", "age,n,colour\n,?,red\n4,,\n5,1,blue\n"), encoding);
            assertEquals("", notes(later));
            assertEquals("2 1 6.5 0 1 0 -> \n4 0 6.5 0 0 1 -> \n5 0 1 1 0 0 -> ", rows(later));
            assertTrue(notes(later).contains("column 'n': 2 missing values were filled in"), notes(later));
            rows(later);
            assertEquals(1, later.notes().size(), "another pass counts anew");
        }

        @Test
        void needTheRuleOfTraining() {
            Encoding strict =
                    FileSource.open(file("strict.csv", "a,y\n1,0\n2,1\n3,1\n")).encoding();
            BochnerException failure = assertThrows(
                    BochnerException.class,
                    () -> FileSource.open(file("t.csv", "a\n?\n").withMissingIndicators(true), strict));
            assertTrue(String.valueOf(failure.getMessage()).contains("has no columns for missing values"));
        }

        @Test
        void areNoColumnWhereNoneIsMissing() {
            FileSource whole =
                    FileSource.open(file("w.csv", "a,y\n1,0\n2,1\n3,1\n").withMissingIndicators(true));
            assertEquals(1, whole.columns());
        }

        @Test
        void alwaysAreRefusedWithTheWayToLeaveTheColumnOut() {
            BochnerException failure = assertThrows(
                    BochnerException.class,
                    () -> FileSource.open(file("n.csv", "a,b,y\n1,,0\n2,,1\n").withMissingIndicators(true)));
            assertTrue(String.valueOf(failure.getMessage()).contains("has no value in any row"));
            assertTrue(String.valueOf(failure.getMessage()).contains("withIgnored(List.of(\"b\"))"));
        }

        /** Rows with texts are sparse; the text 'x' has one word. */
        @Test
        void ofSparseRowsAreThoseOfDenseRows() {
            String text = TRAIN.replace("\n", ",xx\n").replace("y,xx", "y,text");
            FileSource sparse = FileSource.open(file("sparse.csv", text)
                    .withMissingIndicators(true)
                    .withLabel("y")
                    .withText(List.of("text"))
                    .withTextFeatures("words(buckets=1)"));
            assertTrue(sparse.sparse());
            assertEquals(rows(trained()).replace(" ->", " 1 ->"), rows(sparse));
        }

        /** NumPy: np.save(file, np.array([[1, np.nan], [2, 3], [np.nan, 4]])); both means are filled in. */
        @Test
        void ofArraysHaveAColumnToo() {
            double[][] values = {{1, Double.NaN, 0}, {2, 3, 1}, {Double.NaN, 4, 2}};
            FileSource source = FileSource.open(
                    DataOptions.of(Sample.file(folder, "m.npy", npy(values))).withMissingIndicators(true));
            assertEquals(List.of("0", "0 missing", "1", "1 missing", "2"), source.columnNames());
            assertTrue(notes(source).contains("1 of 3 cells is missing"), notes(source));
            assertEquals("1 0 3.5 1 0\n2 0 3 0 1\n1.5 1 4 0 2", rows(source).replaceAll(" -> *", ""));
            assertSurvives(source.encoding());
            FileSource csv = FileSource.open(file("m.csv", ",7,8\n"), source.encoding());
            assertEquals("1.5 1 7 0 8", rows(csv).replaceAll(" -> *", ""));
            BochnerException failure = assertThrows(
                    BochnerException.class, () -> FileSource.open(file("m.libsvm", "1 1:2\n"), source.encoding()));
            assertTrue(String.valueOf(failure.getMessage()).contains("which tables have"), failure.getMessage());
        }

        private byte[] npy(double[][] values) {
            String header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + values.length + ", "
                    + values[0].length + "), }";
            ByteBuffer bytes = ByteBuffer.allocate(128 + 8 * values.length * values[0].length)
                    .order(ByteOrder.LITTLE_ENDIAN);
            bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) 118);
            bytes.put((header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.US_ASCII));
            for (double[] row : values) {
                for (double value : row) {
                    bytes.putDouble(value);
                }
            }
            return bytes.array();
        }
    }

    @Nested
    class ManyCategories {
        private static final int CATEGORIES = 40;

        private String table() {
            return "zip,y\n"
                    + IntStream.range(0, 5 * CATEGORIES)
                            .mapToObj(i -> "z" + i % CATEGORIES + "," + i % 2 + "\n")
                            .collect(Collectors.joining());
        }

        private FileSource hashed(int buckets) {
            return FileSource.open(file("zip.csv", table()).withCategoryFeatures("hash(buckets=" + buckets + ")"));
        }

        @Test
        void areHashedAboveTheNumberOfBuckets() {
            assertEquals(CATEGORIES, hashed(CATEGORIES).columns());
            assertEquals("zip=z0", hashed(CATEGORIES).columnNames().get(0));
            FileSource source = hashed(16);
            assertEquals(16, source.columns());
            assertEquals("zip#3", source.columnNames().get(3));
            assertTrue(notes(source).contains("has 40 categories, which a hash assigns to 16 columns"), notes(source));
            assertEquals(
                    CATEGORIES,
                    FileSource.open(file("zip.csv", table()).withCategoryFeatures("one-hot"))
                            .columns());
            assertSurvives(source.encoding());
        }

        /** Rows of one category are equal, each has a single 1, and no bucket has far more categories than the others. */
        @Test
        void keepOneColumnEach() {
            List<double[]> rows = Sample.of(hashed(16)).rows;
            double[] used = new double[16];
            for (int i = 0; i < rows.size(); i++) {
                assertArrayEquals(rows.get(i % CATEGORIES), rows.get(i));
                double sum = 0;
                for (int j = 0; j < 16; j++) {
                    sum += rows.get(i)[j];
                    used[j] += rows.get(i)[j] / 5;
                }
                assertEquals(1, sum);
            }
            for (double count : used) {
                // A bucket has 2.5 categories on average; more than 10 have the probability 16 · 1e-4, about.
                assertTrue(count <= 10);
            }
        }

        @Test
        void takeNewCategoriesAndMissingOnes() {
            Encoding encoding = FileSource.open(file("zip.csv", table().replace("z39,1", ",1"))
                            .withCategoryFeatures("hash(buckets=16)")
                            .withMissingIndicators(true))
                    .encoding();
            assertEquals(17, encoding.columns());
            List<double[]> rows = Sample.of(FileSource.open(file("new.csv", "zip\nnever\nNA\nz0\n"), encoding)).rows;
            assertEquals(0, rows.get(0)[16]);
            assertEquals(1, rows.get(1)[16]);
            for (int i = 0; i < 3; i++) {
                double sum = 0;
                for (double value : rows.get(i)) {
                    sum += value;
                }
                assertEquals(1, sum, "row " + i);
            }
            assertArrayEquals(rows.get(0), encoding.encode(Map.of("zip", "never")));
            assertArrayEquals(rows.get(2), encoding.encode(Map.of("zip", "z0")));
        }

        /** Computed in Python from FNV-1a and the multiplication that follows it. Saved models depend on the hash. */
        @Test
        void haveFixedBuckets() {
            Encoding encoding = hashed(16).encoding();
            String buckets = IntStream.range(0, 8)
                    .mapToObj(i -> {
                        double[] row = encoding.encode(Map.of("zip", "z" + i));
                        return Integer.toString(IntStream.range(0, 16)
                                .filter(j -> row[j] == 1)
                                .findFirst()
                                .orElse(-1));
                    })
                    .collect(Collectors.joining(" "));
            assertEquals("3 6 1 6 15 9 10 8", buckets);
        }

        @Test
        void thatTrainingDidNotHaveAreCountedWhereTheyAreZeros() {
            Encoding encoding = hashed(CATEGORIES).encoding();
            FileSource later =
                    FileSource.open(file("later.csv", "zip\nz1\nnew\nnewer\n").withUnseenAsZeros(true), encoding);
            assertEquals(
                    2,
                    Sample.of(later).rows.stream().filter(RealTablesTest::zeros).count());
            assertTrue(
                    notes(later)
                            .contains(
                                    "column 'zip': 2 cells have categories that training did not have, such as 'new'"),
                    notes(later));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "hash(buckets=1)",
                    "hash(buckets=0)",
                    "hash(buckets=1e9)",
                    "onehot",
                    "one-hot(5)",
                    "target",
                    "means(above=-1)",
                    "means(smoothing=-1)",
                    "means(smoothing=NaN)",
                    "means(smoothing=few)",
                    "means(folds=1)",
                    "means(folds=101)",
                    "means(buckets=3)"
                })
        void refuseBadSpellings(String spelling) {
            assertThrows(SpellingException.class, () -> file("a.csv", "").withCategoryFeatures(spelling));
        }
    }

    private static boolean zeros(double[] row) {
        for (double value : row) {
            if (value != 0) {
                return false;
            }
        }
        return true;
    }

    @Nested
    class Dates {
        /** A Wednesday, the 31st day of a leap year, and a Sunday. */
        private static final String TRAIN = "day,y\n2024-01-31,1\n2023-12-31,2\n,3\n";

        private FileSource open(String text, String features) {
            return FileSource.open(file("dates.csv", text)
                    .withMissingFilled(true)
                    .withTask(Task.REGRESS)
                    .withDateFeatures(features));
        }

        /** The mean of the two dates, which are 31 days apart, is noon of 2024-01-15, a Monday. */
        @Test
        void splitIntoNumbers() {
            FileSource source = open(TRAIN, "parts");
            assertEquals(List.of("day year", "day month", "day weekday", "day yearday"), source.columnNames());
            assertEquals("2024 1 3 31 -> 1\n2023 12 7 365 -> 2\n2024 1 1 15 -> 3", rows(source));
            assertTrue(notes(source).contains("dates, which become year, month, weekday, yearday"), notes(source));
            assertSurvives(source.encoding());
        }

        @Test
        void becomeDaysWithANoteOnTheTimesThatPartsWouldAdd() {
            String dated = notes(open(TRAIN, "days"));
            assertTrue(dated.contains("adds the times of the year and the week, or"), dated);
            String timed = notes(open("day,y\n2024-02-29T18:45:00,1\n2024-03-01,2\n", "days"));
            assertTrue(timed.contains("holds dates with times, which become days since 1970-01-01"), timed);
            assertTrue(timed.contains("adds the times of the year, the week and the day, or"), timed);
        }

        @Test
        void splitWithTheHourWhereTheyHaveTimes() {
            FileSource source = open("day,y\n2024-02-29T18:45:00,1\n2024-03-01,2\n", "parts");
            assertEquals(5, source.columns());
            assertEquals("2024 2 4 60 18.75 -> 1\n2024 3 5 61 0 -> 2", rows(source));
            Map<String, Object> record = Map.of("day", LocalDateTime.of(2024, 2, 29, 18, 45));
            assertArrayEquals(
                    new double[] {2024, 2, 4, 60, 18.75}, source.encoding().encode(record), 1e-6);
        }

        @Test
        void goRound() {
            FileSource source = open("day,y\n2024-07-02,1\n2023-12-31,2\n", "cyclic");
            assertEquals(5, source.columns());
            assertEquals(
                    List.of("day days", "day year sine", "day year cosine", "day week sine", "day week cosine"),
                    source.columnNames());
            double[] july = source.encoding().encode(Map.of("day", LocalDate.of(2024, 7, 2)));
            double year = 2 * Math.PI * 183 / 366;
            double week = 2 * Math.PI / 7;
            double[] expected = {19906, Math.sin(year), Math.cos(year), Math.sin(week), Math.cos(week)};
            assertArrayEquals(expected, july, 1e-12);
            double[] last = source.encoding().encode(Map.of("day", LocalDate.of(2023, 12, 31)));
            double[] first = source.encoding().encode(Map.of("day", LocalDate.of(2024, 1, 1)));
            for (int j = 1; j < 3; j++) {
                assertEquals(first[j], last[j], 2 * Math.PI / 365, "a day apart");
            }
            assertSurvives(source.encoding());
        }

        @Test
        void stayDaysUnlessAskedFor() {
            assertEquals(List.of("day"), open(TRAIN, "days").columnNames());
            assertThrows(SpellingException.class, () -> file("a.csv", "").withDateFeatures("months"));
        }

        @Test
        void damagedPartsAreRefused() {
            Encoding encoding = open(TRAIN, "parts").encoding();
            for (String bad : new String[] {"\"YEAR,YEAR\"", "\"EON\"", "\"\"", "\"YEAR\",\"MONTH\""}) {
                State state = encoding.state().with("part0.dateParts", bad);
                assertThrows(BochnerException.class, () -> Encoding.load(state), bad);
            }
            assertThrows(
                    BochnerException.class,
                    () -> Encoding.load(encoding.state().with("part0.indicators", new int[] {2})));
            assertThrows(
                    BochnerException.class, () -> Encoding.load(encoding.state().with("part0.hashed", new int[] {8})));
        }
    }

    @Nested
    class Constants {
        @Test
        void areNoted() {
            FileSource source = FileSource.open(file("c.csv", "one,two,x,y\n1,u,3,0\n1.0,u,4,1\n1,u,5,1\n"));
            assertTrue(notes(source).contains("columns 'one', 'two' have one value in all rows"), notes(source));
            assertEquals(3, source.columns());
            assertEquals("", notes(FileSource.open(file("pixels.csv", "0,3,0\n0,4,1\n0,5,1\n"))));
        }
    }

    @Nested
    class RowNumbers {
        private String table(int from, int step) {
            return IntStream.range(0, 60)
                    .mapToObj(i -> (from + step * i) + "," + i * i % 7 + "," + i % 2 + "\n")
                    .collect(Collectors.joining());
        }

        @Test
        void areNoted() {
            assertTrue(notes(FileSource.open(file("id.csv", "id,x,y\n" + table(17, 1))))
                    .contains("column 'id' counts the rows"));
            assertEquals("", notes(FileSource.open(file("two.csv", "id,x,y\n" + table(17, 2)))));
        }
    }
}
