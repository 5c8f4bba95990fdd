package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.data.sample.CountingSource;
import org.bochner.data.sample.Folds;
import org.bochner.data.sample.RowView;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources made of others, and sources in memory. */
class ViewsTest {
    /** Row i holds i. */
    private static MemorySource counting(int rows) {
        float[] values = new float[rows];
        int[] classes = new int[rows];
        double[] weights = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = i;
            classes[i] = i % 3;
            weights[i] = 1 + i;
        }
        return MemorySource.of(1, values)
                .withClasses(List.of("a", "b", "c"), classes)
                .withRowWeights(weights);
    }

    private static Set<Integer> rows(RowSource source, int blockRows) {
        Set<Integer> rows = new TreeSet<>();
        for (double[] row : Sample.of(source, blockRows).rows) {
            assertTrue(rows.add((int) row[0]), "row twice");
        }
        return rows;
    }

    @Nested
    class RandomSamples {
        @Test
        void haveTheNumberOfRowsAskedFor() {
            RowSource source = counting(1000);
            for (int count : new int[] {1, 10, 999, 1000}) {
                RowSource sample = Holdout.sample(source, count, new Seed(1));
                assertEquals(count, sample.rows());
                assertEquals(count, rows(sample, 64).size());
            }
        }

        @Test
        void areNestedAndDependOnTheSeed() {
            RowSource source = counting(1000);
            Set<Integer> few = rows(Holdout.sample(source, 50, new Seed(1)), 64);
            assertTrue(rows(Holdout.sample(source, 100, new Seed(1)), 7).containsAll(few));
            assertNotEquals(few, rows(Holdout.sample(source, 50, new Seed(2)), 64));
        }

        @Test
        void keepGroupsTogether() {
            long[] groups = IntStream.range(0, 1000).mapToLong(i -> i / 4).toArray();
            RowSource sample = Holdout.sample(counting(1000).withGroups(groups), 10, new Seed(1));
            Set<Integer> rows = rows(sample, 64);
            assertEquals(12, sample.rows());
            assertEquals(12, rows.size());
            assertEquals(3, rows.stream().map(row -> row / 4).distinct().count());
        }

        @Test
        void cannotHaveMoreRowsThanTheSource() {
            assertThrows(BochnerException.class, () -> Holdout.sample(counting(10), 11, new Seed(1)));
        }
    }

    @Nested
    class HoldOut {
        @Test
        void partsAreDisjointAndComplete() {
            Holdout split = Holdout.split(counting(1000), 0.3, new Seed(1));
            Set<Integer> train = rows(split.train(), 7);
            Set<Integer> test = rows(split.test(), 100);
            assertEquals(1000, train.size() + test.size());
            train.addAll(test);
            assertEquals(1000, train.size());
        }

        @Test
        void sizesAreKnownAndWithinTheBinomialBound() {
            int n = 20_000;
            for (double fraction : new double[] {0.01, 0.2, 0.5, 0.9}) {
                Holdout split = Holdout.split(counting(n), fraction, new Seed(7));
                assertEquals(n, split.train().rows() + split.test().rows());
                assertEquals(split.test().rows(), rows(split.test(), 999).size());
                // Five standard deviations of a binomial count: exceeded by chance once in 1.7 million.
                double bound = 5 * Math.sqrt(n * fraction * (1 - fraction));
                assertEquals(n * fraction, (double) split.test().rows(), bound);
            }
        }

        @Test
        void dependsOnTheSeedAloneNotOnBlocks() {
            RowSource source = counting(500);
            Set<Integer> once = rows(Holdout.split(source, 0.2, new Seed(5)).test(), 1);
            assertEquals(once, rows(Holdout.split(source, 0.2, new Seed(5)).test(), 64));
            assertNotEquals(once, rows(Holdout.split(source, 0.2, new Seed(6)).test(), 64));
        }

        @Test
        void rowsKeepTargetsAndWeights() {
            Sample sample =
                    Sample.of(Holdout.split(counting(50), 0.5, new Seed(1)).test());
            for (int i = 0; i < sample.rows.size(); i++) {
                int row = (int) sample.rows.get(i)[0];
                assertEquals(row % 3, sample.targets.get(i)[0]);
                assertEquals(1.0 + row, sample.weights.get(i));
            }
        }

        @Test
        void sparseRowsStaySparse(@TempDir Path folder) {
            String file = Sample.file(folder, "t.libsvm", "1 1:1\n2 2:2\n1 3:3\n2 1:4 3:5\n".repeat(5));
            FileSource source = FileSource.open(DataOptions.of(file));
            Holdout split = Holdout.split(source, 0.5, new Seed(3));
            assertTrue(split.train().sparse());
            List<double[]> all = Sample.of(source).rows;
            List<double[]> parts = Sample.of(split.train()).rows;
            parts.addAll(Sample.of(split.test()).rows);
            assertEquals(20, parts.size());
            assertEquals(
                    all.stream().mapToDouble(ViewsTest::sum).sum(),
                    parts.stream().mapToDouble(ViewsTest::sum).sum());
        }

        @Test
        void refusesFractionsThatLeaveNothing() {
            for (double fraction : new double[] {0, 1, -0.5, Double.NaN}) {
                assertThrows(IllegalArgumentException.class, () -> Holdout.split(counting(10), fraction, new Seed(1)));
            }
            assertThrows(BochnerException.class, () -> Holdout.split(counting(3), 1e-9, new Seed(1)));
        }
    }

    @Nested
    class Groups {
        /** Row i is of group i / 4. */
        private static MemorySource grouped(int rows) {
            return counting(rows)
                    .withGroups(IntStream.range(0, rows).mapToLong(i -> i / 4).toArray());
        }

        private static void assertNoGroupOnBothSides(Holdout split, int rows) {
            Set<Integer> train = rows(split.train(), 7);
            Set<Integer> test = rows(split.test(), 100);
            assertEquals(rows, train.size() + test.size());
            assertEquals(split.train().rows(), train.size());
            assertEquals(split.test().rows(), test.size());
            Set<Integer> tested = new TreeSet<>();
            test.forEach(row -> tested.add(row / 4));
            for (int row : train) {
                assertFalse(tested.contains(row / 4), "group of row " + row + " is on both sides");
            }
        }

        @Test
        void stayOnOneSideOfAHoldout() {
            assertNoGroupOnBothSides(Holdout.split(grouped(1000), 0.3, new Seed(1)), 1000);
        }

        @Test
        void stayInOneFold() {
            for (Holdout fold : Holdout.folds(grouped(1000), 5, new Seed(1))) {
                assertNoGroupOnBothSides(fold, 1000);
            }
        }

        @Test
        void areKeptByASplitOfASplitAndByRowsReadIntoMemory() {
            RowSource train = Holdout.split(grouped(1000), 0.3, new Seed(1)).train();
            for (RowSource source : List.of(train, MemorySource.load(train), new CountingSource(train))) {
                for (Holdout fold : Holdout.folds(source, 5, new Seed(1))) {
                    assertNoGroupOnBothSides(fold, (int) train.rows());
                }
            }
        }

        @Test
        void thatAreTooFewAreNamedInTheRefusal() {
            MemorySource source = counting(9).withGroups(new long[9]);
            BochnerException e = assertThrows(BochnerException.class, () -> Holdout.folds(source, 2, new Seed(1)));
            assertTrue(
                    String.valueOf(e.getMessage())
                            .matches(".*: of 2 folds of 9 rows in groups, fold 1 has (none|all);.*"),
                    e.getMessage());
            BochnerException one =
                    assertThrows(BochnerException.class, () -> Holdout.folds(counting(1), 2, new Seed(1)));
            assertTrue(String.valueOf(one.getMessage()).contains("of 2 folds of 1 row, fold 1 has"), one.getMessage());
        }

        @Test
        void mustBeGivenForAllRowsOfABlock() {
            RowBlockBuilder builder = new RowBlockBuilder();
            builder.beginDense(0, 1, 0, false);
            for (int i = 0; i < 2; i++) {
                builder.startDenseRow();
                builder.endRow();
            }
            assertThrows(IllegalArgumentException.class, () -> builder.setGroup(1));
        }
    }

    @Nested
    class CrossValidation {
        @Test
        void everyRowIsTestedOnOnceAndElseTrainedOn() {
            RowSource source = counting(1000);
            Set<Integer> tested = new TreeSet<>();
            List<Holdout> folds = Holdout.folds(source, 5, new Seed(2));
            assertEquals(5, folds.size());
            for (Holdout fold : folds) {
                Set<Integer> test = rows(fold.test(), 13);
                Set<Integer> train = rows(fold.train(), 100);
                assertEquals(fold.test().rows(), test.size());
                assertEquals(fold.train().rows(), train.size());
                assertEquals(1000, train.size() + test.size());
                for (int row : test) {
                    assertTrue(tested.add(row) && !train.contains(row));
                }
            }
            assertEquals(1000, tested.size());
        }

        @Test
        void areThoseOfTheFunctionOfRowsInBlocks() {
            RowSource source = counting(100);
            Folds folds = Folds.of(4, new Seed(2));
            RowBlockBuilder builder = new RowBlockBuilder();
            try (RowCursor cursor = source.open()) {
                while (cursor.next(builder, 30)) {
                    RowBlock block = builder.build();
                    for (int i = 0; i < block.rows(); i++) {
                        int fold = folds.fold(block, i);
                        RowSource test =
                                Holdout.folds(source, 4, new Seed(2)).get(fold).test();
                        assertTrue(rows(test, 10).contains((int) block.firstRow() + i));
                    }
                }
            }
        }

        @Test
        void areOfAboutTheSameSize() {
            for (Holdout fold : Holdout.folds(counting(20_000), 8, new Seed(3))) {
                // Five standard deviations of a binomial count: exceeded by chance once in 1.7 million.
                assertEquals(2500, (double) fold.test().rows(), 5 * Math.sqrt(20_000 * 0.125 * 0.875));
            }
        }

        @Test
        void dependOnTheSeedAndNotOnItsHoldout() {
            RowSource source = counting(400);
            Set<Integer> first =
                    rows(Holdout.folds(source, 2, new Seed(5)).get(0).test(), 50);
            assertEquals(
                    first, rows(Holdout.folds(source, 2, new Seed(5)).get(0).test(), 7));
            assertNotEquals(
                    first, rows(Holdout.folds(source, 2, new Seed(6)).get(0).test(), 50));
            assertNotEquals(first, rows(Holdout.split(source, 0.5, new Seed(5)).test(), 50));
        }

        /** Also of a source that does not know its number of rows. */
        @Test
        void withoutRowsCanBeLeftOut() {
            MemorySource source = counting(30)
                    .withGroups(LongStream.range(0, 30).map(i -> i % 4).toArray());
            for (RowSource grouped : List.of(source, new Uncounted(source))) {
                Set<Integer> tested = new TreeSet<>();
                List<Holdout> folds = Holdout.foldsWithRows(grouped, 20, new Seed(2));
                assertTrue(folds.size() >= 2 && folds.size() <= 4, folds.size() + " folds");
                for (Holdout fold : folds) {
                    Set<Integer> test = rows(fold.test(), 7);
                    assertEquals(fold.test().rows(), test.size());
                    assertEquals(fold.train().rows(), 30 - test.size());
                    assertEquals(fold.train().rows(), rows(fold.train(), 7).size());
                    tested.addAll(test);
                }
                assertEquals(30, tested.size());
            }
            assertEquals(List.of(), Holdout.foldsWithRows(source.withGroups(new long[30]), 5, new Seed(2)));
        }

        @Test
        void ofSourcesThatDoNotKnowTheirSizeHaveNone() {
            Holdout fold =
                    Holdout.folds(new Uncounted(counting(30)), 3, new Seed(1)).get(2);
            assertEquals(-1, fold.train().rows());
            assertEquals(-1, fold.test().rows());
            assertEquals(30, rows(fold.train(), 4).size() + rows(fold.test(), 4).size());
            Holdout split = Holdout.split(new Uncounted(counting(30)), 0.5, new Seed(1));
            assertEquals(-1, split.train().rows());
        }

        @Test
        void thatWouldBeEmptyAreRefused() {
            for (int count : new int[] {1, 0, -1}) {
                assertThrows(IllegalArgumentException.class, () -> Holdout.folds(counting(9), count, new Seed(1)));
            }
            BochnerException e =
                    assertThrows(BochnerException.class, () -> Holdout.folds(counting(3), 50, new Seed(1)));
            assertTrue(String.valueOf(e.getMessage()).contains("use fewer folds"), e.getMessage());
        }
    }

    private static final class Uncounted extends RowView {
        Uncounted(RowSource source) {
            super(source);
        }

        @Override
        public long rows() {
            return -1;
        }

        @Override
        public RowCursor open() {
            return source.open();
        }
    }

    private static double sum(double[] row) {
        double sum = 0;
        for (int j = 0; j < row.length; j++) {
            sum += (j + 1) * row[j];
        }
        return sum;
    }

    @Nested
    class InMemory {
        @Test
        void copiesWhatItIsGiven() {
            float[] values = {1, 2, 3, 4};
            double[] targets = {5, 6};
            MemorySource source = MemorySource.of(2, values).withTargets(targets);
            values[0] = 9;
            targets[0] = 9;
            assertEquals("1 2 -> 5\n3 4 -> 6", Sample.of(source).text());
            assertEquals(
                    "1 2 -> 5\n3 4 -> 6",
                    Sample.of(MemorySource.load(source), 1).text());
        }

        @Test
        void holdsSeveralTargetsAndWeights() {
            MemorySource source =
                    MemorySource.of(1, 1, 2).withRowWeights(3, 4).withTargets(List.of("p", "q"), 5, 6, 7, 8);
            Sample sample = Sample.of(source);
            assertEquals("1 -> 5 6\n2 -> 7 8", sample.text());
            assertEquals(List.of(3.0, 4.0), sample.weights);
        }

        @Test
        void loadsSparseRows(@TempDir Path folder) {
            String file = Sample.file(folder, "t.libsvm", "1 1:1\n2 2:2\n1 3:3\n");
            MemorySource loaded = MemorySource.load(FileSource.open(DataOptions.of(file)));
            assertTrue(loaded.sparse());
            assertEquals(
                    "1 0 0 -> 0\n0 2 0 -> 1\n0 0 3 -> 0", Sample.of(loaded, 2).text());
            assertEquals(3, loaded.rows());
        }

        @Test
        void refusesWhatIsNotFiniteOrDoesNotFit() {
            assertThrows(IllegalArgumentException.class, () -> MemorySource.of(1, Float.NaN));
            assertThrows(IllegalArgumentException.class, () -> MemorySource.of(2, 1, 2, 3));
            assertThrows(IllegalArgumentException.class, () -> MemorySource.of(2));
            MemorySource two = MemorySource.of(1, 1, 2);
            assertThrows(IllegalArgumentException.class, () -> two.withTargets(1));
            assertThrows(IllegalArgumentException.class, () -> two.withTargets(1, Double.NaN));
            assertThrows(IllegalArgumentException.class, () -> two.withClasses(List.of("a"), 0, 1));
            assertThrows(IllegalArgumentException.class, () -> two.withRowWeights(1, -1));
        }
    }

    @Nested
    class Builder {
        @Test
        void reusesItsArraysBetweenDenseAndSparseBlocks() {
            RowBlockBuilder builder = new RowBlockBuilder();
            builder.beginDense(0, 3, 0, false);
            builder.startDenseRow();
            builder.endRow();
            builder.beginSparse(5, 300, 1, true);
            int[] columns = IntStream.range(0, 200).toArray();
            builder.addEntries(columns, new float[200], 200, 100);
            builder.endRow();
            builder.setTarget(0, 7);
            builder.setRowWeight(2);
            builder.addEntry(1, 4);
            builder.endRow();
            SparseRows block = (SparseRows) builder.build();
            assertEquals(201, block.entries());
            assertEquals(299, block.indices()[199]);
            assertEquals(7, block.target(0, 0));
            assertEquals(0, block.target(1, 0));
            assertEquals(2, block.rowWeight(0));
            assertEquals(5, block.firstRow());
            double[] row = new double[300];
            block.copyRow(1, row);
            assertEquals(4, row[1]);
            assertArrayEquals(
                    new int[] {0, 200, 201},
                    IntStream.of(block.starts()).limit(3).toArray());
        }
    }

    @Nested
    class ACensus {
        @Test
        void countsRowsOfZerosAsTheyAreRead() {
            CountingSource rows = new CountingSource(
                    MemorySource.of(2, 1, 0, 0, 0, 0, 2, 0, -0.0f).withTargets(1, 2, 3, 4));
            assertEquals(-1, rows.firstZero());
            // The second reading counts anew, whatever the blocks.
            for (int blockRows : new int[] {3, 1}) {
                RowBlockBuilder builder = new RowBlockBuilder();
                try (RowCursor cursor = rows.open()) {
                    while (cursor.next(builder, blockRows)) {
                        assertEquals(2, builder.build().columns());
                    }
                }
                assertEquals(2, rows.zeros());
                assertEquals(1, rows.firstZero());
            }
        }

        private static List<String> notes(CountingSource rows) {
            MemorySource.load(rows);
            Notes notes = new Notes();
            rows.requireTargets();
            rows.noteLabels(notes);
            return notes.list().stream().map(Note::toString).toList();
        }

        @Test
        void notesClassesWithOneRowOrNone() {
            List<String> notes = notes(
                    new CountingSource(MemorySource.of(1, 1, 2, 3).withClasses(List.of("a", "b\nc", "d"), 0, 0, 2)));
            assertEquals(2, notes.size());
            assertTrue(notes.get(0).startsWith("classes without a training row: b\\nc;"), notes.get(0));
            assertTrue(notes.get(1).startsWith("classes with a single row: d;"), notes.get(1));
        }

        @Test
        void countsCompletePassesOnly() {
            CountingSource rows =
                    new CountingSource(MemorySource.of(1, 1, 2, 0, 4).withClasses(List.of("a", "b"), 0, 0, 1, 1));
            assertEquals(List.of(), notes(rows));
            Notes notes = new Notes();
            try (RowCursor stopped = rows.open()) {
                assertTrue(stopped.next(new RowBlockBuilder(), 1));
                rows.noteLabels(notes);
            }
            assertEquals(List.of(), notes.list());
            assertEquals(1, rows.zeros());
            assertEquals(2, rows.firstZero());
        }

        @Test
        void countsForSeveralCursorsAtOnce() {
            CountingSource rows = new CountingSource(MemorySource.of(1, 0, 2, 0).withClasses("a", "a", "b"));
            RowBlockBuilder builder = new RowBlockBuilder();
            try (RowCursor one = rows.open();
                    RowCursor other = rows.open()) {
                while (one.next(builder, 1)) {
                    other.next(builder, 1);
                }
            }
            assertEquals(2, rows.zeros());
        }

        @Test
        void refusesNumbersToPredictThatOverflowOrVanishWhenSquared() {
            CountingSource large =
                    new CountingSource(MemorySource.of(1, 1, 2, 3).withTargets(1, -1e300, 2));
            BochnerException e = assertThrows(BochnerException.class, () -> MemorySource.load(large));
            assertTrue(String.valueOf(e.getMessage()).contains("too large to compute with"), e.getMessage());
            CountingSource small =
                    new CountingSource(MemorySource.of(1, 1, 2, 3).withTargets(1e-200, 0, -2e-200));
            e = assertThrows(BochnerException.class, () -> notes(small));
            assertTrue(String.valueOf(e.getMessage()).contains("none is larger than 2.0E-200"), e.getMessage());
            assertEquals(
                    List.of(), notes(new CountingSource(MemorySource.of(1, 1, 2).withTargets(0, 0))));
        }

        @Test
        void countsSparseRowsThatAreEmptyOrHoldZeros(@TempDir Path folder) {
            FileSource file = FileSource.open(
                    DataOptions.of(Sample.file(folder, "zeros.libsvm", "a 2:1\nb\na 1:0\nb 1:0 2:3\n")));
            CountingSource rows = new CountingSource(file);
            assertEquals(4, MemorySource.load(rows).rows());
            assertEquals(2, rows.zeros());
            assertEquals(1, rows.firstZero());
            assertEquals(List.of(), notes(rows));
            assertEquals(file.encoding(), rows.encoding());
            assertEquals(file.identity(), rows.identity());
        }
    }
}
