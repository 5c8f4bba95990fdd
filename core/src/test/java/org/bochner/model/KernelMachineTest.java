package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.base.Setting;
import org.bochner.base.memory.MemoryException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.model.train.MemoryCheck;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelMachineTest {
    private static final Path DIGITS =
            Path.of(System.getProperty("bochner.repository", ".."), "samples", "digits.csv.gz");

    /** Two interleaved rings, which no linear function tells apart. */
    private static MemorySource rings(int rows) {
        return rings(rows, 1);
    }

    private static MemorySource rings(int rows, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[2 * rows];
        int[] classes = new int[rows];
        for (int i = 0; i < rows; i++) {
            double angle = 2 * Math.PI * stream.nextUniform();
            classes[i] = i % 2;
            double radius = 1 + classes[i] + 0.1 * stream.nextUniform();
            values[2 * i] = (float) (radius * Math.cos(angle));
            values[2 * i + 1] = (float) (radius * Math.sin(angle));
        }
        return MemorySource.of(2, values).withClasses(List.of("inner", "outer"), classes);
    }

    private static byte[] bytes(KernelModel model, Path folder) throws IOException {
        Path file = folder.resolve("m.bochner");
        model.save(file);
        return Files.readAllBytes(file);
    }

    @Test
    void refusesFeaturesWhoseSquaresAreNoNumbers() {
        MemorySource huge = MemorySource.of(1, new float[] {1e25f, 3e25f, 2e25f, 5e25f})
                .withClasses(List.of("a", "b"), new int[] {0, 1, 0, 1});
        KernelMachine machine = KernelMachine.of("linear");
        BochnerException e = assertThrows(BochnerException.class, () -> machine.fit(huge));
        assertTrue(e.remedies().stream().anyMatch(remedy -> remedy.setting() == Setting.PRECISION), e.getMessage());
        KernelModel model = machine.withPrecision(Precision.FLOAT64).fit(huge).model();
        assertEquals("b", model.predictClass(new double[] {5e25}));
    }

    @Test
    void notesRowsOfZerosOnlyWhereTheyStayZero() {
        MemorySource rows =
                MemorySource.of(1, new float[] {0, 1, 2, 3}).withClasses(List.of("a", "b"), new int[] {0, 0, 1, 1});
        KernelMachine linear = KernelMachine.of("linear");
        assertTrue(linear.withScaling(Scalings.parse("none")).fit(rows).report().notes().stream()
                .anyMatch(note -> note.text().startsWith("all-zero rows: 1")));
        assertTrue(linear.withScaling(Scalings.parse("standard")).fit(rows).report().notes().stream()
                .noneMatch(note -> note.text().startsWith("all-zero rows")));
    }

    @Test
    void tellsApartWhatNoLinearFunctionCan() {
        KernelModel model = KernelMachine.of("gaussian(sigma=0.5)")
                .withFeatures(200)
                .fit(rings(1000))
                .model();
        Evaluation evaluation = Evaluation.of(model, rings(1000, 2));
        assertEquals(0, evaluation.error());
        assertEquals("inner", model.predictClass(new double[] {0, 1}));
        assertEquals("outer", model.predictClass(new double[] {-2, 0}));
    }

    /** Position and angle of two stripes that wind round a cylinder: neither column alone says which one it is. */
    private static MemorySource stripes(int rows, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[2 * rows];
        int[] classes = new int[rows];
        for (int i = 0; i < rows; i++) {
            values[2 * i] = (float) (10 * stream.nextUniform());
            values[2 * i + 1] = (float) (2 * Math.PI * stream.nextUniform());
            classes[i] = Math.sin(values[2 * i + 1] - values[2 * i]) > 0 ? 1 : 0;
        }
        return MemorySource.of(2, values).withClasses(List.of("left", "right"), classes);
    }

    @Test
    void learnsFromAnglesWhichComeRoundAndKeepTheirUnit(@TempDir Path folder) throws IOException {
        TrainingResult trained = KernelMachine.of("gaussian[0:1] * periodic(width=0.5)[1:2]")
                .withFeatures(400)
                .fit(stripes(2000, 1));
        KernelModel model = trained.model();
        // Standardised, which is the default where a sigma is measured, angles would lose their period.
        assertTrue(
                trained.report().notes().stream().noneMatch(note -> note.text().contains("standardised")));
        // Chance errs on a half, borders between the stripes on a few percent.
        assertTrue(Evaluation.of(model, stripes(1000, 2)).error() < 0.1);
        for (double position : new double[] {0.5, 3, 9}) {
            double[] angle = {position, position + Math.PI / 2};
            double[] turned = {position, position + Math.PI / 2 - 6 * Math.PI};
            assertEquals("right", model.predictClass(angle));
            assertEquals("right", model.predictClass(turned));
        }
        Path file = folder.resolve("stripes.bochner");
        model.save(file);
        assertArrayEquals(bytes(model, folder), bytes(KernelModel.load(file), folder));
    }

    @Test
    void readsDigitsWell() {
        FileSource source = FileSource.open(DataOptions.of(DIGITS.toString()));
        Holdout split = Holdout.split(source, 0.25, new Seed(3));
        TrainingResult trained = KernelMachine.of("gaussian")
                .withScaling(Scalings.parse("none"))
                .withFeatures(600)
                .fit(split.train());
        Evaluation evaluation = Evaluation.of(trained.model(), split.test());
        // About 450 rows: a kernel machine errs on 1 to 2%, a linear one on 5%; 3% is four standard errors above 1%.
        assertTrue(evaluation.error() < 0.03, "error " + evaluation.error());
        assertTrue(trained.report().notes().toString().contains("sigma="));
    }

    @Nested
    class TheSameBits {
        private KernelModel fit(int threads) {
            // 5000 rows: several blocks.
            return KernelMachine.of("gaussian")
                    .withFeatures(64)
                    .withScaling(Scalings.parse("standard"))
                    .fit(rings(5000), new Workers(threads), Progress.NONE)
                    .model();
        }

        @Test
        void forEveryNumberOfThreads(@TempDir Path folder) throws IOException {
            byte[] one = bytes(fit(1), folder);
            assertArrayEquals(one, bytes(fit(2), folder));
            assertArrayEquals(one, bytes(fit(3), folder));
        }

        @Test
        void afterSavingAndLoading(@TempDir Path folder) throws IOException {
            KernelModel model = fit(1);
            byte[] first = bytes(model, folder);
            KernelModel loaded = KernelModel.load(folder.resolve("m.bochner"));
            assertArrayEquals(first, bytes(loaded, folder));
            double[] row = {0.3, -1.7};
            assertArrayEquals(model.score(row), loaded.score(row));
        }
    }

    @Test
    void batchesScoreLikeSingleRowsAndInOrder() {
        KernelModel model = KernelMachine.of("gaussian(sigma=0.5)")
                .withFeatures(100)
                .fit(rings(500))
                .model();
        MemorySource rows = rings(3000);
        List<Double> scores = new ArrayList<>();
        model.score(rows, new Workers(3), Progress.NONE, (block, values) -> {
            assertEquals(scores.size(), block.firstRow());
            for (int i = 0; i < block.rows(); i++) {
                scores.add(values[i]);
                if (i % 100 == 0) {
                    double[] row = new double[2];
                    block.copyRow(i, row);
                    // 100 float32 products of weights whose absolute sum stays below 1000: 1000·100·2⁻²⁴.
                    assertEquals(model.score(row)[0], values[i], 6e-3);
                }
            }
        });
        assertEquals(3000, scores.size());
    }

    @Nested
    class Precisions {
        @Test
        void aPenaltyTooSmallForFloat32IsComputedInDouble() {
            TrainingResult trained = KernelMachine.of("gaussian(sigma=0.5)")
                    .withFeatures(50)
                    .withLearner(Learner.ridge(1e-9))
                    .fit(rings(2000));
            assertEquals(Precision.FLOAT64, trained.model().precision());
            assertTrue(
                    trained.report().notes().toString().contains("float64"),
                    trained.report().notes()::toString);
        }

        @Test
        void bothAgreeWhereFloat32IsFineEnough() {
            MemorySource rows = rings(2000);
            KernelMachine machine =
                    KernelMachine.of("gaussian(sigma=0.5)").withFeatures(50).withLearner(Learner.ridge(1));
            KernelModel single = machine.fit(rows).model();
            KernelModel wide =
                    machine.withPrecision(Precision.FLOAT64).fit(rows).model();
            for (double[] row : new double[][] {{0, 1}, {1, 1}, {-2, 0.3}}) {
                // Penalty 1 against rounding errors of some 1e-4 in the statistics, and float32 scores.
                assertEquals(wide.score(row)[0], single.score(row)[0], 1e-3);
            }
        }
    }

    @Test
    void numbersArePredictedSeveralAtOnce() {
        KernelModel model = KernelMachine.of("gaussian(sigma=1)")
                .withFeatures(100)
                .fit(curves(2))
                .model();
        Evaluation evaluation = Evaluation.of(model, curves(3));
        assertEquals(2, evaluation.numbers().size());
        for (Evaluation.NumberResult score : evaluation.numbers()) {
            assertTrue(score.r2() > 0.999, score::toString);
        }
    }

    private static MemorySource curves(long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] x = new float[3000];
        double[] y = new double[6000];
        for (int i = 0; i < 3000; i++) {
            x[i] = (float) (6 * stream.nextUniform());
            y[2 * i] = Math.sin(x[i]);
            y[2 * i + 1] = 5 + x[i] * x[i];
        }
        return MemorySource.of(1, x).withTargets(List.of("sine", "square"), y);
    }

    private static MemorySource commonAndRare(long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] x = new float[4000];
        int[] classes = new int[4000];
        for (int i = 0; i < 4000; i++) {
            classes[i] = i % 20 == 0 ? 1 : 0;
            x[i] = (float) (stream.nextUniform() * 3 + classes[i]);
        }
        return MemorySource.of(1, x).withClasses(List.of("common", "rare"), classes);
    }

    @Test
    void balancedClassesFindTheRareOne() {
        MemorySource rows = commonAndRare(4);
        MemorySource fresh = commonAndRare(5);
        KernelMachine machine = KernelMachine.of("gaussian(sigma=1)").withFeatures(50);
        double plain = recall(machine.fit(rows).model(), fresh);
        double balanced = recall(machine.withBalancedClasses(true).fit(rows).model(), fresh);
        // In [1, 3] the classes overlap with densities 19 to 1; balanced, they are even, and above 3 all is rare.
        assertTrue(plain < 0.5, "plain " + plain);
        assertTrue(balanced > 0.6, "balanced " + balanced);
    }

    private static double recall(KernelModel model, MemorySource rows) {
        return Evaluation.of(model, rows).classes().get(1).recall();
    }

    @Nested
    class Evaluations {
        private final KernelModel model = KernelMachine.of("gaussian(sigma=0.5)")
                .withFeatures(100)
                .fit(rings(500))
                .model();

        private Evaluation evaluate(List<String> names, int... classes) {
            return Evaluation.of(model, MemorySource.of(2, 0, 1, 2, 0, 0, -2).withClasses(names, classes));
        }

        @Test
        void compareClassesByName() {
            assertEquals(0, evaluate(List.of("inner", "outer"), 0, 1, 1).error());
            assertEquals(0, evaluate(List.of("outer", "inner"), 1, 0, 0).error());
        }

        @Test
        void countRowsOfOtherClassesAsErrors() {
            Evaluation evaluation = evaluate(List.of("middle", "inner", "outer"), 1, 2, 0);
            assertEquals(1, evaluation.unseen());
            assertEquals(1.0 / 3, evaluation.error(), 1e-15);
        }

        @Test
        void doNotCompareClassesWithNumbers() {
            assertThrows(
                    BochnerException.class,
                    () -> Evaluation.of(model, MemorySource.of(2, 0, 1).withTargets(1)));
        }
    }

    @Nested
    class Memory {
        private final Workers one = new Workers(1);

        /** 2 million columns: 32 GB of written-out frequencies, 25 MB of signs. */
        @Test
        void structuredMapsAreNotChargedForAMatrixTheyDoNotHave() {
            double dense = FeatureMaps.parse("fourier").bytesNeeded(2_000_000, 2000);
            double structured = FeatureMaps.parse("structured").bytesNeeded(2_000_000, 2000);
            assertEquals(16.0 * 2_000_000 * 1000, dense);
            // Three signs of 4 bytes for each of 2²¹ padded columns, 8 bytes a column, and 12 a frequency.
            assertEquals(12.0 * (1 << 21) + 8 * 2_000_000 + 12 * 1000, structured);
        }

        @Test
        void featuresBeyondAnyMemoryAreRefusedBeforeDataAreRead() {
            assertThrows(
                    BochnerException.class,
                    () -> KernelMachine.of("gaussian")
                            .withFeatures(2_000_000_000)
                            .requireMemory(one));
        }

        /** 1024 rows of so many features would be more numbers than an array holds. */
        @Test
        void transformsToMillionsOfFeatures() {
            Transformer transformer = KernelMachine.of("gaussian(sigma=1)")
                    .withMap(FeatureMaps.parse("structured"))
                    .withFeatures(2_200_000)
                    .prepare(rings(3), one, Progress.NONE, new Notes());
            assertEquals(
                    3,
                    transformer.transform(
                            rings(3), one, Progress.NONE, rows -> assertEquals(2_200_000, rows.columns())));
        }
    }

    @Nested
    class Refuses {
        @Test
        void featuresThatDoNotFitInMemoryBeforeAllocatingThem() {
            MemoryException e = assertThrows(
                    MemoryException.class,
                    () -> KernelMachine.of("gaussian(sigma=1)")
                            .withFeatures(46_000)
                            .fit(rings(10)));
            assertTrue(String.valueOf(e.getMessage()).contains("use at most"), e.getMessage());
        }

        @Test
        void featuresWithTheFoldsOfThePenaltyInTheAdvice() {
            // Half of the heap for the statistics alone; the folds take about as much again per fold.
            int features = (int) Math.sqrt(Runtime.getRuntime().maxMemory() / 16.0);
            MemoryException e = assertThrows(
                    MemoryException.class,
                    () -> new MemoryCheck(FeatureMaps.parse("fourier"), 2, 2, true, new Workers(1))
                            .requireFolds(features, 2, Precision.FLOAT32));
            String message = String.valueOf(e.getMessage());
            assertTrue(message.contains("with the folds that choose the penalty"), message);
            int most = Integer.parseInt(message.replaceAll("(?s).*use at most (\\d+) features.*", "$1"));
            assertTrue(most < features && most > features / 4, message);
        }

        @Test
        void oneClass() {
            MemorySource rows = MemorySource.of(1, 1f, 2f).withClasses(List.of("only"), 0, 0);
            assertThrows(
                    BochnerException.class,
                    () -> KernelMachine.of("gaussian(sigma=1)").fit(rows));
        }

        /** A second file read as a first one was may hold classes that the first one had not: their target is NaN. */
        @Test
        void rowsOfAClassThatIsNotToBeLearned(@TempDir Path folder) throws IOException {
            Path first = Files.writeString(folder.resolve("first.libsvm"), "a 1:1\nb 1:2\n");
            Path second = Files.writeString(folder.resolve("second.libsvm"), "a 1:1\nb 1:2\nc 1:3\n");
            FileSource rows = FileSource.open(
                    DataOptions.of(second.toString()),
                    FileSource.open(DataOptions.of(first.toString())).encoding());
            for (boolean balanced : new boolean[] {false, true}) {
                BochnerException e = assertThrows(
                        BochnerException.class,
                        () -> KernelMachine.of("gaussian(sigma=1)")
                                .withFeatures(4)
                                .withBalancedClasses(balanced)
                                .fit(rows));
                assertTrue(String.valueOf(e.getMessage()).startsWith("row 3: "), e.getMessage());
            }
        }

        @Test
        void rowsThatAllHaveWeightZero() {
            MemorySource rows = rings(4).withRowWeights(0, 0, 0, 0);
            assertThrows(
                    BochnerException.class,
                    () -> KernelMachine.of("gaussian(sigma=1)")
                            .withFeatures(4)
                            .withLearner(Learner.ridge(1))
                            .fit(rows));
        }

        @Test
        void rowsWithoutLabels() {
            assertThrows(
                    BochnerException.class,
                    () -> KernelMachine.of("gaussian(sigma=1)").fit(MemorySource.of(1, 1f, 2f)));
        }

        @Test
        void numbersToPredictThatOverflowOrVanishWhenSquared() {
            KernelMachine machine = KernelMachine.of("gaussian(sigma=1)").withFeatures(10);
            for (double size : new double[] {1e300, 1e-200}) {
                MemorySource rows = MemorySource.of(1, 1, 2, 3, 4).withTargets(size, 2 * size, -size, 0);
                BochnerException e = assertThrows(BochnerException.class, () -> machine.fit(rows));
                assertTrue(String.valueOf(e.getMessage()).contains("to compute with"), e.getMessage());
            }
        }

        @Test
        void channelsBeyondTheColumns() {
            for (String kernel : List.of("gaussian(sigma=1)[0:3]", "gaussian[0:3]")) {
                BochnerException e = assertThrows(
                        BochnerException.class,
                        () -> KernelMachine.of(kernel).withFeatures(10).fit(rings(10)));
                assertEquals(
                        "memory: has 2 columns; the kernel " + kernel
                                + " needs 3 columns; name columns within [0:2], which count from 0 and leave 'to' out",
                        e.getMessage());
            }
        }

        @Test
        void rowsOfAnotherWidthAndValuesThatAreNotFinite() {
            KernelModel model = KernelMachine.of("gaussian(sigma=1)")
                    .withFeatures(10)
                    .fit(rings(50))
                    .model();
            assertThrows(IllegalArgumentException.class, () -> model.score(new double[3]));
            assertThrows(IllegalArgumentException.class, () -> model.score(new double[] {1, Double.NaN}));
            // Finite, but not in float32.
            assertThrows(IllegalArgumentException.class, () -> model.score(new double[] {1, 1e300}));
        }
    }

    @Test
    void everyMapTrainsAndComesBack(@TempDir Path folder) {
        for (String map : List.of("fourier", "fourier(phase)", "orthogonal", "quasi", "structured")) {
            // Only rotation-invariant kernels have orthogonal and structured maps.
            KernelModel model = KernelMachine.of("gaussian(sigma=0.5) + 0.5*matern(nu=1.5, sigma=1)[0:1]")
                    .withMap(FeatureMaps.parse(map))
                    .withFeatures(200)
                    .fit(rings(600))
                    .model();
            Path file = folder.resolve(map + ".bochner");
            model.save(file);
            KernelModel loaded = KernelModel.load(file);
            assertEquals(model.map().kernel(), loaded.map().kernel());
            assertArrayEquals(model.score(new double[] {1, 1}), loaded.score(new double[] {1, 1}));
        }
    }

    @Test
    void notesClassesWithoutATrainingRow() {
        MemorySource rows = MemorySource.of(1, 1, 2, 3, 4).withClasses(List.of("a", "b", "c"), 0, 0, 1, 1);
        assertTrue(KernelMachine.of("gaussian(sigma=1)").withFeatures(10).fit(rows).report().notes().stream()
                .anyMatch(note -> note.toString().startsWith("classes without a training row: c;")));
    }

    @Nested
    class StartedFromAModel {
        private final KernelMachine machine = KernelMachine.of("gaussian(sigma=1)")
                .withFeatures(20)
                .withScaling("none")
                .withLearner("logistic(C=1)")
                .withSeed(new Seed(5));
        private final KernelModel start = machine.fit(rings(100)).model();

        @Test
        void recordsTheKernelMapAndPruningOfTheModel() {
            KernelModel pruned = Pruning.of(start)
                    .fit(rings(100), 5, new Workers(1), Progress.NONE)
                    .model(5);
            KernelModel next = KernelMachine.of("gaussian")
                    .withLearner("logistic(C=1)")
                    .withSeed(new Seed(5))
                    .withStart(pruned)
                    .fit(rings(100))
                    .model();
            assertEquals(
                    "gaussian(sigma=1.0)", next.training().kernel().toString().replace("=1)", "=1.0)"));
            assertEquals(start.training().map(), next.training().map());
            assertEquals(pruned.training().pruning(), next.training().pruning());
            assertEquals(10, next.map().outputDimension());
        }

        @Test
        void refusesSettingsThatDiffer() {
            assertRefused(
                    () -> KernelMachine.of("laplacian").withSeed(new Seed(5)).withStart(start), "kernel");
            assertRefused(
                    () -> KernelMachine.of("gaussian(sigma=2)")
                            .withSeed(new Seed(5))
                            .withStart(start),
                    "kernel");
            assertRefused(() -> machine.withMap("orthogonal").withStart(start), "map");
            assertRefused(() -> machine.withFeatures(40).withStart(start), "number of features");
            assertRefused(() -> machine.withScaling("standard").withStart(start), "scaling");
            assertRefused(() -> machine.withSeed(new Seed(6)).withStart(start), "seed");
            assertRefused(() -> machine.withStart(start).withFeatures(40).fit(rings(100)), "number of features");
        }

        private void assertRefused(Runnable action, String setting) {
            BochnerException e = assertThrows(BochnerException.class, action::run);
            assertTrue(
                    String.valueOf(e.getMessage()).startsWith("the " + setting + " of the model is"), e.getMessage());
        }
    }

    @Nested
    class NotesRowsOfZeros {
        private List<String> notes(String scaling) {
            MemorySource rows = MemorySource.of(2, 1, 2, 0, 0, 3, 1, 0, 0, 0, 5).withTargets(1, 2, 3, 4, 5);
            return KernelMachine.of("gaussian(sigma=1)")
                    .withFeatures(4)
                    .withLearner(Learner.ridge(1))
                    .withScaling(Scalings.parse(scaling))
                    .fit(rows)
                    .report()
                    .notes()
                    .stream()
                    .map(Note::text)
                    .toList();
        }

        @ParameterizedTest
        @ValueSource(strings = {"unit-l1", "unit-l2", "unit-l1[0:2]"})
        void thatHaveNoNorm(String scaling) {
            assertEquals(
                    List.of("all-zero rows: 2 (first: row 2 of those trained on); they stay zero, and the model gives"
                            + " all of them the same answer"),
                    notes(scaling));
        }

        @ParameterizedTest
        @ValueSource(strings = {"none", "standard", "divide(by=2)"})
        void onlyWhereItMatters(String scaling) {
            assertEquals(List.of(), notes(scaling));
        }
    }
}
