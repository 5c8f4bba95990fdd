package org.bochner.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Remedy;
import org.bochner.data.sample.Folds;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Categories that are encoded by means of the targets. */
class CategoryMeansTest {
    private static final int ROWS = 400;
    private static final int SHOPS = 25;

    /** Sums in another order, and results rounded to float32, of values below 4. */
    private static final double ROUNDING = 4 * Math.ulp(1f);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit fills it
    Path folder;

    /** Rows of a shop, a number, a group, and a target that depends on the shop. */
    private static final class Table {
        final int[] shop = new int[ROWS];
        final int[] group = new int[ROWS];
        final double[] y = new double[ROWS];

        Table(long seed) {
            Random random = new Random(seed);
            for (int i = 0; i < ROWS; i++) {
                // Squares make some shops rare.
                double u = random.nextDouble();
                shop[i] = (int) (SHOPS * u * u);
                group[i] = random.nextInt(60);
                y[i] = Math.sin(shop[i]) + random.nextGaussian();
            }
        }

        String csv() {
            return "shop,n,group,y\n"
                    + IntStream.range(0, ROWS)
                            .mapToObj(i -> "s" + shop[i] + "," + i % 7 + ".5,g" + group[i] + "," + y[i] + "\n")
                            .collect(Collectors.joining());
        }
    }

    private DataOptions file(String name, String text) {
        return DataOptions.of(Sample.file(folder, name, text));
    }

    private FileSource open(String text, String spelling) {
        List<String> ignored = text.startsWith("shop,n,group") ? List.of("group") : List.of();
        return FileSource.open(file("t.csv", text).withIgnored(ignored).withCategoryFeatures(spelling));
    }

    private static Encoding encoding(RowSource rows) {
        return Objects.requireNonNull(rows.encoding());
    }

    private static Folds folds(int count) {
        return Folds.of(count, CategoryMeans.SEED);
    }

    /** The smoothed mean of a shop over some rows, less the mean of these rows; computed without sums that are shared. */
    private static double naive(int[] shop, IntToDoubleFunction y, int own, double smoothing, IntPredicate chosen) {
        double mean = IntStream.range(0, shop.length)
                .filter(chosen)
                .mapToDouble(y)
                .average()
                .orElse(0);
        double[] known = IntStream.range(0, shop.length)
                .filter(chosen)
                .filter(i -> shop[i] == own)
                .mapToDouble(y)
                .toArray();
        double sum = Arrays.stream(known).sum() + smoothing * mean;
        double rows = known.length + smoothing;
        return rows == 0 ? 0 : sum / rows - mean;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, 7.5})
    void trainingRowsHaveTheMeansOfOtherFolds(double smoothing) {
        Table table = new Table(1);
        RowSource rows = open(table.csv(), "means(above=5, smoothing=" + smoothing + ", folds=4)")
                .forTraining();
        List<double[]> encoded = Sample.of(rows).rows;
        Folds folds = folds(4);
        for (int i = 0; i < ROWS; i++) {
            int fold = folds.fold(i);
            double expected = naive(table.shop, k -> table.y[k], table.shop[i], smoothing, k -> folds.fold(k) != fold);
            assertEquals(expected, encoded.get(i)[0], ROUNDING, "row " + i);
            assertEquals(i % 7 + 0.5, encoded.get(i)[1]);
        }
    }

    @Test
    void laterRowsHaveTheMeansOfAllRows() {
        Table table = new Table(2);
        FileSource source = open(table.csv(), "means(above=5, smoothing=3)");
        Encoding encoding = encoding(source.forTraining());
        assertTrue(source.encoding().needsMeans() && !encoding.needsMeans());
        assertEquals(List.of("shop mean", "n"), List.copyOf(encoding.columnNames()));
        FileSource later = FileSource.open(file("later.csv", table.csv()), encoding);
        List<double[]> rows = Sample.of(later).rows;
        List<double[]> applied = Sample.of(source.encodedBy(encoding)).rows;
        for (int i = 0; i < ROWS; i++) {
            double expected = naive(table.shop, k -> table.y[k], table.shop[i], 3, k -> true);
            assertEquals(expected, rows.get(i)[0], ROUNDING);
            assertArrayEquals(rows.get(i), applied.get(i));
            double[] record = encoding.encode(Map.of("shop", "s" + table.shop[i], "n", rows.get(i)[1]));
            assertEquals((float) record[0], rows.get(i)[0]);
        }
        assertEquals(encoding, Encoding.load(encoding.state()));
        assertThrows(BochnerException.class, () -> source.encoding().encode(Map.of("shop", "s1", "n", 1)));
    }

    /** Adds 100 to the target of one row at a time: no value of its fold may change, and so not its own. */
    @Test
    void noRowSeesItsOwnLabel() {
        Table table = new Table(3);
        Folds folds = folds(5);
        List<double[]> before = Sample.of(open(table.csv(), "means(above=5)").forTraining()).rows;
        for (int changed : new int[] {0, 17, 200, 399}) {
            table.y[changed] += 100;
            List<double[]> after = Sample.of(open(table.csv(), "means(above=5)").forTraining()).rows;
            table.y[changed] -= 100;
            boolean others = false;
            for (int i = 0; i < ROWS; i++) {
                if (folds.fold(i) == folds.fold(changed)) {
                    assertEquals(before.get(i)[0], after.get(i)[0], "row " + i);
                } else {
                    others |= before.get(i)[0] != after.get(i)[0];
                }
            }
            assertTrue(others);
        }
    }

    @Test
    void noRowSeesTheLabelsOfItsGroup() {
        Table table = new Table(4);
        List<double[]> before = grouped(table);
        for (int i = 0; i < ROWS; i++) {
            table.y[i] += table.group[i] == 7 ? 50 : 0;
        }
        List<double[]> after = grouped(table);
        for (int i = 0; i < ROWS; i++) {
            assertTrue(table.group[i] != 7 || before.get(i)[0] == after.get(i)[0], "row " + i);
        }
    }

    private List<double[]> grouped(Table table) {
        return Sample.of(FileSource.open(
                                file("g.csv", table.csv()).withGroup("group").withCategoryFeatures("means(above=5)"))
                        .forTraining())
                .rows;
    }

    @Test
    void heldOutLabelsDoNotCount() {
        Table table = new Table(5);
        Holdout split = Holdout.split(open(table.csv(), "means(above=5)"), 0.3, new Seed(1));
        RowSource train = split.train().forTraining();
        List<double[]> before = Sample.of(train).rows;
        List<double[]> test = Sample.of(split.test().encodedBy(encoding(train))).rows;
        List<double[]> targets = Sample.of(split.test()).targets;
        List<Double> held = targets.stream().map(target -> target[0]).toList();
        for (int i = 0; i < ROWS; i++) {
            table.y[i] += held.contains(table.y[i]) ? 1000 : 0;
        }
        Holdout changed = Holdout.split(open(table.csv(), "means(above=5)"), 0.3, new Seed(1));
        assertNotEquals(targets.get(0)[0], Sample.of(changed.test()).targets.get(0)[0]);
        RowSource again = changed.train().forTraining();
        assertEquals(encoding(train), encoding(again));
        assertRows(before, Sample.of(again).rows);
        assertRows(test, Sample.of(changed.test().encodedBy(encoding(again))).rows);
    }

    private static void assertRows(List<double[]> expected, List<double[]> rows) {
        assertEquals(expected.size(), rows.size());
        for (int i = 0; i < rows.size(); i++) {
            assertArrayEquals(expected.get(i), rows.get(i), "row " + i);
        }
    }

    /**
     * The value of a row depends on other labels only, so for independent labels the correlation r of values and labels has
     * the mean 0 and about the standard deviation 1/√rows, apart from a constant per fold, which adds at most √(folds/rows).
     * In-sample means of about 2 rows would have r ≈ 0.7.
     */
    @Test
    void noiseIsNotCorrelatedWithItsMeans() {
        int rows = 4000;
        Random random = new Random(6);
        StringBuilder text = new StringBuilder("shop,n,y\n");
        for (int i = 0; i < rows; i++) {
            text.append("s" + random.nextInt(rows / 2) + "," + i % 3 + "," + random.nextGaussian() + "\n");
        }
        for (String spelling : List.of("means(smoothing=0)", "means(smoothing=10)")) {
            FileSource source = FileSource.open(file("t.csv", text.toString())
                    .withCategorical(List.of("shop"))
                    .withCategoryFeatures(spelling));
            Sample sample = Sample.of(source.forTraining(), 1000);
            double r = correlation(sample);
            assertTrue(Math.abs(r) < (5 + Math.sqrt(5)) / Math.sqrt(rows), spelling + ": " + r);
            double inSample = correlation(Sample.of(source.encodedBy(encoding(source.forTraining())), 1000));
            assertTrue(inSample > 0.5, spelling + ": " + inSample);
        }
    }

    private static double correlation(Sample sample) {
        double xx = 0;
        double xy = 0;
        double yy = 0;
        double x = sample.rows.stream().mapToDouble(row -> row[0]).average().orElseThrow();
        double y = sample.targets.stream()
                .mapToDouble(target -> target[0])
                .average()
                .orElseThrow();
        for (int i = 0; i < sample.rows.size(); i++) {
            double dx = sample.rows.get(i)[0] - x;
            double dy = sample.targets.get(i)[0] - y;
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
        return xx == 0 ? 0 : xy / Math.sqrt(xx * yy);
    }

    /** The estimate is that of a one-way analysis of variance, here from its definition. */
    @Test
    void smoothingIsEstimatedFromTheVariances() {
        Table table = new Table(7);
        Map<Integer, List<Double>> byShop = new HashMap<>();
        for (int i = 0; i < ROWS; i++) {
            byShop.computeIfAbsent(table.shop[i], shop -> new ArrayList<>()).add(table.y[i]);
        }
        double all = Arrays.stream(table.y).average().orElseThrow();
        double within = 0;
        double between = 0;
        double squares = 0;
        for (List<Double> own : byShop.values()) {
            double mean = own.stream().mapToDouble(y -> y).average().orElseThrow();
            within += own.stream().mapToDouble(y -> (y - mean) * (y - mean)).sum();
            between += own.size() * (mean - all) * (mean - all);
            squares += (double) own.size() * own.size();
        }
        int shops = byShop.size();
        double ofRows = within / (ROWS - shops);
        double ofShops = (between / (shops - 1) - ofRows) / ((ROWS - squares / ROWS) / (shops - 1));
        double smoothing = ofRows / ofShops;
        assertTrue(smoothing > 0.5 && smoothing < 10, "" + smoothing);
        Encoding encoding = encoding(open(table.csv(), "means(above=5)").forTraining());
        for (int shop = 0; shop < SHOPS; shop++) {
            double expected = naive(table.shop, k -> table.y[k], shop, smoothing, k -> true);
            assertEquals(expected, encoding.encode(Map.of("shop", "s" + shop, "n", 1))[0], 1e-9);
        }
    }

    @Test
    void categoriesThatSayNothingBecomeZeros() {
        StringBuilder text = new StringBuilder("shop,n,y\n");
        // Every shop has the same labels, so shops differ less than chance explains.
        for (int i = 0; i < 200; i++) {
            text.append("s" + i / 4 + "," + i % 3 + "," + i % 4 + ".5\n");
        }
        Encoding encoding = encoding(open(text.toString(), "means").forTraining());
        assertEquals(0, encoding.encode(Map.of("shop", "s7", "n", 1))[0]);
    }

    @Test
    void classesHaveOneColumnEachAndTwoHaveOne() {
        Table table = new Table(8);
        for (int classes = 2; classes <= 3; classes++) {
            int count = classes;
            String text = "shop,n,y\n"
                    + IntStream.range(0, ROWS)
                            .mapToObj(i ->
                                    "s" + table.shop[i] + "," + i % 7 + ",k" + (i * i + table.shop[i]) % count + "\n")
                            .collect(Collectors.joining());
            FileSource source = open(text, "means(above=5, smoothing=2)");
            assertEquals(count == 2 ? 2 : 4, source.columns());
            assertEquals(
                    count == 2 ? "shop mean" : "shop mean of k1",
                    source.columnNames().get(count - 2));
            List<double[]> rows = Sample.of(source.forTraining()).rows;
            Folds folds = folds(5);
            for (int i = 0; i < ROWS; i++) {
                int fold = folds.fold(i);
                IntToDoubleFunction share = k -> (k * k + table.shop[k]) % count == 1 ? 1 : 0;
                double expected = naive(table.shop, share, table.shop[i], 2, k -> folds.fold(k) != fold);
                assertEquals(expected, rows.get(i)[count - 2], ROUNDING);
            }
        }
    }

    @Test
    void everyNumberToPredictHasAColumn() {
        Table table = new Table(9);
        String text = "shop,n,y,z\n"
                + IntStream.range(0, ROWS)
                        .mapToObj(i ->
                                "s" + table.shop[i] + "," + i % 7 + "," + table.y[i] + "," + (1e9 - table.y[i]) + "\n")
                        .collect(Collectors.joining());
        FileSource source = FileSource.open(
                file("t.csv", text).withLabel("y,z").withCategoryFeatures("means(above=5, smoothing=1)"));
        assertEquals(List.of("shop mean of y", "shop mean of z", "n"), List.copyOf(source.columnNames()));
        for (double[] row : Sample.of(source.forTraining()).rows) {
            // float64 targets near 1e9 have the spacing 1.2e-7, and the values are below 4.
            assertEquals(row[0], -row[1], 1e-5);
        }
    }

    /** A row of weight 2 counts as two rows, and one of weight 0 as none. */
    @Test
    void weightsCountAsRows() {
        Table table = new Table(10);
        StringBuilder weighted = new StringBuilder("shop,n,w,y\n");
        StringBuilder repeated = new StringBuilder("shop,n,y\n");
        for (int i = 0; i < ROWS; i++) {
            String row = "s" + table.shop[i] + ",1." + i % 3 + ",";
            weighted.append(row + i % 3 + "," + table.y[i] + "\n");
            repeated.append((row + table.y[i] + "\n").repeat(i % 3));
        }
        Encoding one = encoding(FileSource.open(file("w.csv", weighted.toString())
                        .withRowWeight("w")
                        .withCategoryFeatures("means(above=5, smoothing=3)"))
                .forTraining());
        Encoding other = encoding(
                open(repeated.toString(), "means(above=5, smoothing=3)").forTraining());
        for (int shop = 0; shop < SHOPS; shop++) {
            Map<String, Object> record = Map.of("shop", "s" + shop, "n", 1);
            assertEquals(other.encode(record)[0], one.encode(record)[0], 1e-9);
        }
    }

    /** Nor does a first row of weight 0, whose target is so large that sums of differences from it would lose all digits. */
    @Test
    void theScaleOfWeightsDoesNotMatter() {
        Table table = new Table(10);
        List<Encoding> encodings = new ArrayList<>();
        for (double weight : new double[] {1, 0.001}) {
            StringBuilder weighted = new StringBuilder("shop,n,w,y\ns0,1,0,1e18\n");
            for (int i = 0; i < ROWS; i++) {
                weighted.append("s" + table.shop[i] + ",1." + i % 3 + "," + weight + "," + table.y[i] + "\n");
            }
            encodings.add(encoding(FileSource.open(file("w.csv", weighted.toString())
                            .withRowWeight("w")
                            .withCategoryFeatures("means(above=5)"))
                    .forTraining()));
        }
        for (int shop = 0; shop < SHOPS; shop++) {
            Map<String, Object> record = Map.of("shop", "s" + shop, "n", 1);
            double mean = encodings.get(0).encode(record)[0];
            assertEquals(mean, encodings.get(1).encode(record)[0], 1e-9);
            assertNotEquals(0, mean);
        }
    }

    @Test
    void unknownCategoriesHaveTheMeanOfAllAndAreCounted() {
        FileSource source = open(new Table(11).csv(), "means(above=5)");
        Encoding encoding = encoding(source.forTraining());
        FileSource later = FileSource.open(file("later.csv", "shop,n\nnew,1\ns1,2\nnewer,3\n"), encoding);
        List<double[]> rows = Sample.of(later).rows;
        assertEquals(0, rows.get(0)[0]);
        assertNotEquals(0, rows.get(1)[0]);
        assertEquals(0, rows.get(2)[0]);
        assertEquals(0, encoding.encode(Map.of("shop", "new", "n", 1))[0]);
        String notes = later.notes().stream().map(Note::toString).collect(Collectors.joining("\n"));
        assertTrue(
                notes.contains("column 'shop': 2 cells have categories that training did not have, such as 'new';"
                        + " encoded as the mean of all rows"),
                notes);
        // Test rows may be opened before the training, as the command does.
        FileSource early = FileSource.open(file("later.csv", "shop,n\nnew,1\ns1,2\nnewer,3\n"), source.encoding());
        assertRows(rows, Sample.of(early.encodedBy(encoding)).rows);
    }

    @Test
    void missingCategoriesHaveAMeanOfTheirOwnIfTheyAreMarked() {
        Table table = new Table(12);
        String text = table.csv().replace("\ns3,", "\n,").replace("\ns4,", "\nNA,");
        for (int i = 0; i < ROWS; i++) {
            table.shop[i] = table.shop[i] == 4 ? 3 : table.shop[i];
        }
        DataOptions options =
                file("t.csv", text).withIgnored(List.of("group")).withCategoryFeatures("means(above=5, smoothing=1)");
        Encoding marked =
                encoding(FileSource.open(options.withMissingIndicators(true)).forTraining());
        Map<String, Object> record = new HashMap<>(Map.of("n", 1));
        record.put("shop", null);
        double[] row = marked.encode(record);
        assertEquals(naive(table.shop, k -> table.y[k], 3, 1, k -> true), row[0], 1e-9);
        assertEquals(1, row[1]);
        double[] read = Sample.of(FileSource.open(file("l.csv", "shop,n\n,1\n"), marked))
                .rows
                .get(0);
        assertEquals((float) row[0], read[0]);
        assertEquals(1, read[1]);

        Encoding filled =
                encoding(FileSource.open(options.withMissingFilled(true)).forTraining());
        // s0 is the most frequent category.
        assertEquals(filled.encode(Map.of("shop", "s0", "n", 1))[0], filled.encode(record)[0]);
        assertThrows(BochnerException.class, () -> FileSource.open(options));
    }

    @Test
    void sparseRowsHaveTheSameMeans() {
        Table table = new Table(13);
        String text = "shop,words,y\n"
                + IntStream.range(0, ROWS)
                        .mapToObj(
                                i -> "s" + table.shop[i] + ",word" + i % 9 + " other" + i % 4 + "," + table.y[i] + "\n")
                        .collect(Collectors.joining());
        FileSource source = FileSource.open(file("text.csv", text)
                .withText(List.of("words"))
                .withTextFeatures("words(buckets=64)")
                .withCategoryFeatures("means(above=5)"));
        assertTrue(source.sparse());
        RowSource training = source.forTraining();
        List<double[]> dense = Sample.of(open(table.csv(), "means(above=5)").forTraining()).rows;
        List<double[]> rows = Sample.of(training).rows;
        for (int i = 0; i < ROWS; i++) {
            assertEquals(dense.get(i)[0], rows.get(i)[0]);
        }
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = FileSource.open(
                        file("l.csv", "shop,words\nnew,word1\ns1,word1 word2\n"), source.encoding())
                .encodedBy(encoding(training))
                .open()) {
            cursor.next(builder, 10);
        }
        SparseRows later = (SparseRows) builder.build();
        // An unknown category has no entry, because its value is 0.
        assertArrayEquals(new int[] {0, 1, 4}, Arrays.copyOf(later.starts(), 3));
        assertEquals((float) encoding(training).encode(Map.of("shop", "s1", "words", ""))[0], later.values()[1]);
    }

    @Test
    void tinyTablesHaveNoNaN() {
        for (String spelling : List.of("means(above=0)", "means(above=0, smoothing=0, folds=100)")) {
            FileSource source = open("shop,y\na,1.5\nb,2.5\n", spelling);
            RowSource training = source.forTraining();
            for (double[] row : Sample.of(training).rows) {
                assertTrue(Double.isFinite(row[0]));
            }
            for (String shop : List.of("a", "b", "c")) {
                assertTrue(Double.isFinite(encoding(training).encode(Map.of("shop", shop))[0]));
            }
        }
        assertThrows(
                BochnerException.class,
                () -> FileSource.open(file("large.csv", "shop,y\na,1e60\nb,-1e60\nb,1e60\na,2e60\n")
                                .withTask(Task.REGRESS)
                                .withCategoryFeatures("means(above=0, smoothing=0)"))
                        .forTraining());
    }

    @Test
    void columnsOfFewCategoriesStayOneHot() {
        FileSource source = open("shop,kind,y\n" + "a,u,1.5\nb,v,2.5\nc,u,3.5\n".repeat(9), "means(above=2)");
        assertEquals(List.of("shop mean", "kind=u", "kind=v"), List.copyOf(source.columnNames()));
        assertEquals(1, source.encoding().categoryRanges().size());
        FileSource none = open("kind,y\n" + "u,1.5\nv,2.5\n".repeat(9), "means(above=2)");
        assertTrue(none.notes().stream().anyMatch(note -> note.toString().contains("no column has enough categories")));
        assertSame(none, none.forTraining());
    }

    @Test
    void identifiersAreNoted() {
        String text = "id,y\n"
                + IntStream.range(0, 150)
                        .mapToObj(i -> "i" + i + "," + i % 9 + ".5\n")
                        .collect(Collectors.joining());
        FileSource source = FileSource.open(
                file("t.csv", text).withCategorical(List.of("id")).withCategoryFeatures("means"));
        assertTrue(
                source.notes().stream()
                        .anyMatch(note -> note.toString().contains("column 'id' has fewer than two rows per category")),
                source.notes().toString());
        // Other folds have no row of any category.
        Sample.of(source.forTraining()).rows.forEach(row -> assertEquals(0, row[0]));
    }

    @Test
    void whatCannotBeEncodedIsRefused() {
        String text = new Table(14).csv();
        DataOptions options = file("t.csv", text).withCategoryFeatures("means(above=5)");
        String unlabelled = message(() -> FileSource.open(options.withLabel("none")));
        assertTrue(unlabelled.contains("the rows have no labels"), unlabelled);
        String sets = message(() -> FileSource.open(options.withSet("group")));
        assertTrue(sets.contains("because sets of rows have one label"), sets);
        String sparse =
                message(() -> FileSource.open(file("t.libsvm", "1 1:2\n0 2:1\n").withCategoryFeatures("means")));
        assertTrue(sparse.contains("has no columns of categories"), sparse);

        FileSource source = FileSource.open(options.withIgnored(List.of("group")));
        assertThrows(BochnerException.class, () -> MemorySource.load(source));
        assertThrows(BochnerException.class, () -> source.withoutLabels().forTraining());
        FileSource later =
                FileSource.open(file("t.csv", text).withIgnored(List.of("group")), encoding(source.forTraining()));
        String own = message(later::forTraining);
        assertTrue(own.contains("was read with the category means of a model"), own);
        // Nor are parts of these rows trained on.
        assertEquals(
                own,
                message(() -> Holdout.split(later, 0.3, new Seed(1)).train().forTraining()));
        // Nor are copies of them in memory.
        MemorySource copy = MemorySource.load(later);
        for (MemorySource rows : List.of(
                copy,
                MemorySource.load(later, row -> row < 100),
                copy.withGroups(new long[ROWS]),
                copy.withTargets(new double[ROWS]),
                copy.withRowWeights(IntStream.range(0, ROWS).mapToDouble(i -> 1).toArray()),
                copy.withName(later.name()))) {
            assertEquals(own, message(rows::forTraining));
        }
        Encoding other = encoding(FileSource.open(file("other.csv", "shop,y\n" + "a,1.5\nb,2.5\nc,3.5\n".repeat(9))
                        .withCategoryFeatures("means(above=2)"))
                .forTraining());
        String unlike = message(() -> source.encodedBy(other));
        assertTrue(unlike.endsWith("; open the file with model.open(DataOptions.of(...))"), unlike);
        RowSource applied = source.encodedBy(encoding(source.forTraining()));
        assertEquals(own, message(applied::forTraining).replace(source.name(), later.name()));
    }

    /** Training rows would have no means, and later rows would have some. */
    @Test
    void rowsOfOneFoldAreRefused() {
        Table table = new Table(15);
        Arrays.fill(table.group, 3);
        DataOptions options = file("t.csv", table.csv()).withGroup("group").withIgnored(List.of("group"));
        FileSource one = FileSource.open(options.withCategoryFeatures("means(above=5)"));
        BochnerException e = assertThrows(BochnerException.class, one::forTraining);
        assertTrue(
                e.problem().endsWith("the rows of all groups are in one fold, so no row has a mean from other groups"),
                e.problem());
        assertEquals(
                List.of("means(above=5, smoothing=auto, folds=20)", "hash(buckets=1024)", "one-hot"),
                e.remedies().stream().map(Remedy::value).toList());
        // Two groups may be in one of two folds, and are in different ones of a hundred.
        for (int i = 0; i < ROWS; i++) {
            table.group[i] = i % 2;
        }
        file("t.csv", table.csv());
        assertNotEquals(
                List.of(),
                Sample.of(FileSource.open(options.withCategoryFeatures("means(above=5, folds=100)"))
                                .forTraining())
                        .rows);
    }

    /** Opens rows of 30 shops; the group of a row follows from its shop if {@code nested} says so, else from the row. */
    private FileSource shopsInRegions(IntPredicate nested) {
        Random random = new Random(21);
        StringBuilder text = new StringBuilder("shop,region,y\n");
        for (int i = 0; i < ROWS; i++) {
            int shop = random.nextInt(30);
            int region = nested.test(shop) ? shop / 3 : random.nextInt(10);
            text.append("s" + shop + ",r" + region + "," + (shop % 3 + random.nextGaussian()) + "\n");
        }
        return FileSource.open(
                file("regions.csv", text.toString()).withGroup("region").withCategoryFeatures("means(above=5)"));
    }

    /** No row has a mean from another group, so that a training learns nothing of the means. */
    @Test
    void categoriesWithinGroupsHaveTheValue0() {
        FileSource source = shopsInRegions(shop -> true);
        RowSource training = source.forTraining();
        String notes = training.trainingNotes().toString();
        assertTrue(notes.contains("column 'shop': no category has rows in several groups"), notes);
        assertTrue(notes.contains("one-hot"), notes);
        for (RowSource rows : List.of(training, source.encodedBy(encoding(training)))) {
            Sample.of(rows).rows.forEach(row -> assertEquals(0, row[0]));
        }
        assertEquals(notes, training.withoutLabels().trainingNotes().toString());
    }

    @Test
    void manyCategoriesWithinGroupsAreNoted() {
        FileSource source = shopsInRegions(shop -> shop >= 6);
        RowSource training = source.forTraining();
        String notes = training.trainingNotes().toString();
        assertTrue(notes.matches(".*the categories of (7|8)\\d% of the rows have no rows in other groups.*"), notes);
        // Later rows have the means of all categories.
        List<double[]> later = Sample.of(source.encodedBy(encoding(training))).rows;
        assertEquals(30, later.stream().mapToDouble(row -> row[0]).distinct().count());
        for (IntPredicate nested : List.<IntPredicate>of(shop -> false, shop -> shop >= 18)) {
            assertEquals(List.of(), shopsInRegions(nested).forTraining().trainingNotes());
        }
    }

    /** Values are float32, in which 1e-60 is 0; squares of 1e-200 are 0 in float64 too. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-60, 1e-200})
    void targetsThatFloat32CannotTellApartAreRefused(double scale) {
        Table table = new Table(22);
        for (int i = 0; i < ROWS; i++) {
            table.y[i] *= scale;
        }
        String refused = message(() -> open(table.csv(), "means(above=5)").forTraining());
        assertTrue(refused.contains("of column 'shop' are below 1.2e-38 (float32)"), refused);
        assertTrue(refused.endsWith("; rescale the target"), refused);
    }

    @Test
    void tinyRowWeightsGiveTheMeansOfEqualWeights() {
        String text = new Table(23).csv();
        List<double[]> plain = Sample.of(open(text, "means(above=5)").forTraining()).rows;
        String weighted = text.replace("y\n", "w,y\n").replaceAll("(?m)^(s\\d.*),", "$1,1e-300,");
        FileSource source = FileSource.open(file("w.csv", weighted)
                .withRowWeight("w")
                .withIgnored(List.of("group"))
                .withCategoryFeatures("means(above=5)"));
        List<double[]> rows = Sample.of(source.forTraining()).rows;
        for (int i = 0; i < ROWS; i++) {
            assertEquals(plain.get(i)[0], rows.get(i)[0], ROUNDING);
        }
        assertTrue(plain.stream().anyMatch(row -> Math.abs(row[0]) > 0.1));
    }

    /** Views without labels, and held-out rows, are encoded as the rows themselves. */
    @Test
    void viewsAreEncodedToo() {
        FileSource source = open(new Table(12).csv(), "means(above=5)");
        Encoding encoding = encoding(source.forTraining());
        List<double[]> rows = Sample.of(source.encodedBy(encoding)).rows;
        assertRows(rows, Sample.of(source.withoutLabels().encodedBy(encoding)).rows);
        assertThrows(BochnerException.class, () -> Encoding.requireComplete(source.withoutLabels()));
    }

    private static String message(Runnable failing) {
        return String.valueOf(assertThrows(BochnerException.class, failing::run).getMessage());
    }
}
