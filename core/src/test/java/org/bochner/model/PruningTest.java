package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.DataOptions;
import org.bochner.data.FileSource;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.Compaction;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PruningTest {
    private static final Workers WORKERS = new Workers(2);
    private static final Path DIGITS =
            Path.of(System.getProperty("bochner.repository", ".."), "samples", "digits.csv.gz");

    /** Two rings, which no linear function tells apart. */
    private static MemorySource rings(int rows, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[2 * rows];
        int[] classes = new int[rows];
        for (int i = 0; i < rows; i++) {
            double angle = 2 * Math.PI * stream.nextUniform();
            classes[i] = i % 3 == 0 ? 1 : 0;
            double radius = 1 + classes[i] + 0.1 * stream.nextUniform();
            values[2 * i] = (float) (radius * Math.cos(angle));
            values[2 * i + 1] = (float) (radius * Math.sin(angle));
        }
        return MemorySource.of(2, values).withClasses(List.of("inner", "outer"), classes);
    }

    private static KernelMachine machine() {
        return KernelMachine.of("gaussian(sigma=1)")
                .withFeatures(200)
                .withScaling(Scalings.parse("none"))
                .withLearner(Learner.ridge(0.1));
    }

    private static PruningPath path(KernelModel model, RowSource rows) {
        return Pruning.of(model).fit(rows, 1, WORKERS, Progress.NONE);
    }

    private static String failureOf(Runnable action) {
        return String.valueOf(assertThrows(BochnerException.class, action::run).getMessage());
    }

    /** Weights agree to what float32 products leave of them: 1e-7 times a condition number of some thousands. */
    private static void assertSameWeights(LinearModel expected, LinearModel got, double tolerance) {
        assertEquals(expected.features(), got.features());
        for (int o = 0; o < expected.outputs(); o++) {
            assertEquals(expected.intercept(o), got.intercept(o), tolerance);
            for (int j = 0; j < expected.features(); j++) {
                assertEquals(expected.weight(j, o), got.weight(j, o), tolerance);
            }
        }
    }

    @Nested
    class Models {
        @Test
        void areThoseOfRidgeOnTheProjectionsThatAreLeft() {
            RowSource rows = rings(400, 1);
            KernelModel model =
                    machine().withPrecision(Precision.FLOAT64).fit(rows).model();
            PruningPath path = path(model, rows);
            assertEquals(100, path.units());
            KernelModel pruned = path.model(25);
            FeatureMap left =
                    model.map().restrict(FeatureGroups.unitsOf(model.map()).featuresOf(path.kept(25)));
            assertEquals(left.state(), pruned.map().state());
            KernelModel again = machine()
                    .withPrecision(Precision.FLOAT64)
                    .withMap((kernel, sample, features, seed, notes) -> left)
                    .fit(rows)
                    .model();
            assertSameWeights(again.linear(), pruned.linear(), 1e-9);
            assertSameWeights(
                    again.linear(),
                    Pruning.of(model)
                            .keep(path.kept(25), rows, WORKERS, Progress.NONE)
                            .linear(),
                    1e-9);
        }

        @Test
        void ofAllProjectionsAreTheModelItself() {
            RowSource rows = rings(400, 1);
            KernelModel model =
                    machine().withPrecision(Precision.FLOAT64).fit(rows).model();
            assertSameWeights(model.linear(), path(model, rows).model(100).linear(), 1e-12);
        }

        @Test
        void stillTellApartWhatTheWholeModelDid() {
            KernelModel model = machine().fit(rings(1000, 1)).model();
            KernelModel pruned = path(model, rings(1000, 1)).model(12);
            assertEquals(24, pruned.map().outputDimension());
            assertEquals(0, Evaluation.of(pruned, rings(1000, 2)).error());
        }

        @Test
        void knowHowTheyCameToBe() {
            RowSource rows = rings(400, 1);
            KernelModel model = machine().fit(rows).model();
            KernelModel pruned = path(model, rows).model(25);
            TrainingRecord.PruningStep first =
                    new TrainingRecord.PruningStep(25, 100, TrainingRecord.MapUnit.PROJECTIONS, rows.identity());
            assertEquals(List.of(first), pruned.training().pruning());
            assertEquals(50, pruned.map().outputDimension());
            assertEquals(0.1, pruned.training().lambda());
            KernelModel twice = path(pruned, rows).model(10);
            assertEquals(
                    List.of(
                            first,
                            new TrainingRecord.PruningStep(
                                    10, 25, TrainingRecord.MapUnit.PROJECTIONS, rows.identity())),
                    twice.training().pruning());
        }

        @Test
        void comeBackFromTheirFilesWithTheSamePredictions(@TempDir Path folder) throws IOException {
            for (String map : List.of("fourier", "fourier(phase)", "structured", "orthogonal")) {
                KernelModel model = machine()
                        .withMap(FeatureMaps.parse(map))
                        .fit(rings(200, 1))
                        .model();
                int units = model.map().unitCount();
                KernelModel pruned = path(model, rings(200, 1)).model(units / 4);
                Path file = folder.resolve("m.bochner");
                pruned.save(file);
                assertEquals(Files.size(file), pruned.fileBytes());
                // Signs of structured maps go by whole blocks.
                double share = map.equals("structured") ? 1 : 0.5;
                assertTrue(pruned.fileBytes() < share * model.fileBytes(), map);
                assertArrayEquals(
                        pruned.score(new double[] {0.5, -1}),
                        KernelModel.load(file).score(new double[] {0.5, -1}));
            }
        }

        @Test
        void doNotDependOnTheThreads(@TempDir Path folder) throws IOException {
            RowSource rows = rings(3000, 1);
            KernelModel model = machine().fit(rows).model();
            byte[][] bytes = new byte[2][];
            for (int t = 0; t < 2; t++) {
                Path file = folder.resolve("m.bochner");
                Pruning.of(model)
                        .fit(rows, 20, new Workers(1 + 2 * t), Progress.NONE)
                        .model(20)
                        .save(file);
                bytes[t] = Files.readAllBytes(file);
            }
            assertArrayEquals(bytes[0], bytes[1]);
        }

        @Test
        void keepTheWeightsOfTheirClasses() {
            RowSource rows = rings(400, 1);
            KernelModel model = machine().withBalancedClasses(true).fit(rows).model();
            assertSameWeights(model.linear(), path(model, rows).model(100).linear(), 1e-4);
        }
    }

    @Nested
    class ExactMachines {
        private static RowSource waves() {
            RandomStream stream = new Seed(5).stream();
            float[] values = new float[160];
            double[] targets = new double[80];
            for (int i = 0; i < 80; i++) {
                values[2 * i] = (float) (6 * stream.nextUniform());
                values[2 * i + 1] = (float) (6 * stream.nextUniform());
                targets[i] = Math.sin(values[2 * i]) + 0.3 * values[2 * i + 1] + 0.1 * stream.nextUniform();
            }
            return MemorySource.of(2, values).withTargets(targets);
        }

        private static KernelModel exact(String map, String learner, RowSource rows) {
            return machine(map, learner).fit(rows).model();
        }

        private static KernelMachine machine(String map, String learner) {
            return KernelMachine.of("gaussian(sigma=1)")
                    .withScaling(Scalings.parse("none"))
                    .withMap(FeatureMaps.parse(map))
                    .withLearner(learner);
        }

        private static void assertSameScores(KernelModel expected, KernelModel got, double tolerance) {
            for (double[] row : new double[][] {{0.5, -1}, {1, 2}, {3, 3}, {5, 1}}) {
                assertArrayEquals(expected.score(row), got.score(row), tolerance);
            }
        }

        /**
         * The condition number of the factor of K is at most 1e7, so solutions agree to 1e-16·1e7. A threshold of 1e-3
         * can make K indefinite: the number s added to its diagonal is at most twice the 2-norm of what is left out.
         */
        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "none; ridge(lambda=0.1); 1e-8",
                    "none(products=tree); ridge(lambda=0.1); 1e-6",
                    "none(threshold=1e-6); ridge(lambda=0.1); 1e-4",
                    "none(threshold=1e-3); ridge(lambda=0.1); 2e-2",
                    // Solvers that end at a violation of 1e-3 of the conditions of an optimum.
                    "none; svr(C=10, epsilon=0.1); 1e-2"
                })
        void keepTheirPenalty(String map, String learner, double tolerance) {
            RowSource rows = waves();
            KernelModel model = exact(map, learner, rows);
            KernelModel whole = path(model, rows).model(model.map().unitCount());
            assertSameScores(model, whole, tolerance);
            assertEquals(model.training().learner(), whole.training().learner());
        }

        @Test
        void ofClassesKeepTheirPenalty() {
            RowSource rows = rings(80, 1);
            KernelModel model = exact("none", "svm(C=10, tolerance=1e-6)", rows);
            assertSameScores(model, path(model, rows).model(model.map().unitCount()), 1e-2);
        }

        /** A model of some rows is that of the landmark map with these rows, also after a second pruning. */
        @Test
        void ofSomeRowsAreLandmarkMachines() {
            RowSource rows = waves();
            KernelModel half =
                    path(exact("none", "ridge(lambda=0.1)", rows), rows).model(40);
            KernelModel quarter = path(half, rows).model(20);
            for (KernelModel pruned : List.of(half, quarter)) {
                LandmarkMap left = new LandmarkMap(
                        pruned.map().kernel(), ((LandmarkMap) pruned.map()).landmarks(), LandmarkForm.KERNEL);
                KernelModel landmarks = machine("landmarks", "ridge(lambda=0.1)")
                        .withPrecision(Precision.FLOAT64)
                        .withMap((kernel, sample, features, seed, notes) -> left)
                        .fit(rows)
                        .model();
                assertSameScores(landmarks, pruned, 1e-8);
            }
        }
    }

    private static RowSource twoColumnsOfSix(long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[6 * 300];
        double[] targets = new double[300];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) stream.nextUniform();
        }
        for (int i = 0; i < 300; i++) {
            targets[i] = Math.sqrt(values[6 * i]) - values[6 * i + 1];
        }
        return MemorySource.of(6, values).withTargets(targets);
    }

    /** Only the first two of six columns matter, and of the others no feature is left. */
    @Test
    void additiveModelsLoseColumns() {
        RowSource rows = twoColumnsOfSix(3);
        RowSource fresh = twoColumnsOfSix(4);
        for (String map : List.of("sampled(order=1)", "piecewise(bins=5)", "piecewise(bins=5, sparse)")) {
            KernelModel model = KernelMachine.of("intersection")
                    .withMap(FeatureMaps.parse(map))
                    .withLearner(Learner.ridge(0.01))
                    .fit(rows)
                    .model();
            PruningPath path = path(model, rows);
            assertArrayEquals(new int[] {0, 1}, path.kept(2), map);
            KernelModel pruned = path.model(2);
            assertEquals(
                    List.of(new TrainingRecord.PruningStep(2, 6, TrainingRecord.MapUnit.COLUMNS, rows.identity())),
                    pruned.training().pruning());
            double loss = Evaluation.of(pruned, fresh).rmse()
                    - Evaluation.of(model, fresh).rmse();
            assertTrue(loss < 0.01, map + " loses " + loss);
        }
    }

    @Nested
    class Studies {
        private final Holdout split =
                Holdout.split(FileSource.open(DataOptions.of(DIGITS.toString())), 0.4, new Seed(1));
        private final KernelModel model = KernelMachine.of("gaussian(sigma=25)")
                .withFeatures(400)
                .withLearner(Learner.ridge(0.03))
                .fit(split.train())
                .model();

        private PruningStudy study() {
            return new PruningStudy(path(model, split.train()), model, split.test());
        }

        @ParameterizedTest
        @CsvSource({"0.005", "0.03"})
        void findTheSmallestModelWithinALoss(double most) {
            PruningStudy study = study();
            PrunedModel chosen = study.smallestWithin(most);
            double whole = Evaluation.of(model, split.test()).error();
            double error = Evaluation.of(chosen.model(), split.test()).error();
            assertEquals(error - whole, chosen.loss(), 1e-12);
            assertTrue(chosen.loss() <= most && chosen.units() < 200);
            // The next smaller one that was looked at loses more, and is not much smaller.
            PrunedModel next = study.measured().stream()
                    .filter(size -> size.units() < chosen.units())
                    .findFirst()
                    .orElseThrow();
            assertTrue(next.loss() > most && chosen.units() <= Math.max(next.units() + 1, 1.05 * next.units()));
        }

        @Test
        void startWithTheWholeModel() {
            PrunedModel whole = study().measured().get(0);
            assertSame(model, whole.model());
            assertEquals(1, whole.share());
            assertEquals(0, whole.loss());
            assertEquals(model.fileBytes(), whole.bytes());
        }

        @Test
        void lookAtSomeSizesOnTheWayDown() {
            PruningStudy study = study();
            PrunedModel last = study.downTo(50);
            assertEquals(
                    List.of(200, 141, 100, 71, 50),
                    study.measured().stream().map(PrunedModel::units).toList());
            assertEquals(100, last.model().map().outputDimension());
            assertTrue(study.measured().stream().allMatch(size -> size.speed() > 0));
        }

        @Test
        void keepEverythingWhereNothingMayBeLost() {
            // No smaller model can be 100 points better than the whole one.
            assertThrows(IllegalArgumentException.class, () -> study().smallestWithin(-1));
            assertThrows(IllegalArgumentException.class, () -> study().smallestWithin(Double.NaN));
        }
    }

    @Nested
    class WithAnotherLearner {
        private final RowSource rows = rings(300, 1);

        private static KernelMachine small() {
            return machine().withFeatures(20);
        }

        private KernelModel whole(KernelModel model) {
            return path(model, rows).model(model.map().unitCount());
        }

        @ParameterizedTest
        @ValueSource(strings = {"logistic(C=1)", "svm(C=1)", "softmax(l2=0.1)"})
        void theWeightsAreItsOwn(String learner) {
            KernelModel model = small().withLearner(learner).fit(rows).model();
            KernelModel again = whole(model);
            assertEquals(model.training().learner(), again.training().learner());
            assertEquals(model.hasProbabilities(), again.hasProbabilities());
            // Both runs of the solver are the same, from the same features.
            assertSameWeights(model.linear(), again.linear(), 1e-12);
        }

        private static double inner(KernelModel model, double... row) {
            return Objects.requireNonNull(model.probabilities(row).get("inner"));
        }

        @Test
        void calibrationIsFittedAgain() {
            KernelModel model =
                    small().withCalibration("platt(folds=2)").fit(rows).model();
            KernelModel again = whole(model);
            assertEquals(model.training().calibration(), again.training().calibration());
            double[] row = {0.7, 0.7};
            // Features of float32 products, solved twice.
            assertEquals(inner(model, row), inner(again, row), 1e-4);
            assertTrue(path(model, rows).model(5).hasProbabilities());
        }

        @Test
        void quantileLevelsAreSetAgain() {
            RandomStream stream = new Seed(3).stream();
            float[] values = new float[600];
            int[] classes = new int[300];
            for (int i = 0; i < 300; i++) {
                classes[i] = i % 3;
                values[2 * i] = (float) (classes[i] + stream.nextUniform());
                values[2 * i + 1] = (float) stream.nextUniform();
            }
            RowSource three = MemorySource.of(2, values).withClasses(List.of("a", "b", "c"), classes);
            KernelModel model = small().withCalibration("quantile").fit(three).model();
            KernelModel again = path(model, three).model(model.map().unitCount());
            assertArrayEquals(model.score(new double[] {1, 0.5}), again.score(new double[] {1, 0.5}), 1e-4);
        }

        @Test
        void theRecordIsOfTheNewWeights() {
            KernelModel sparse = small().withFeatures(60)
                    .withLearner("svm(group=1, loss=squared-hinge, refit)")
                    .fit(rows)
                    .model();
            TrainingRecord before = sparse.training();
            TrainingRecord after = path(sparse, rows).model(3).training();
            assertEquals(before.refit(), after.learner());
            assertNull(after.refit());
            assertEquals(Objects.requireNonNull(before.refit()).lambda(), after.lambda());
            assertNotEquals(before.convergence(), after.convergence());
            assertEquals(before.pruning().size() + 1, after.pruning().size());
        }

        @Test
        void componentsAreNotUsedAndNotRecorded() {
            KernelModel model = small().withComponents("10").fit(rows).model();
            PruningResult result = Pruning.of(model).withShare(0.5).prune(rows, rings(100, 2), WORKERS, Progress.NONE);
            assertNull(result.model().training().components());
            assertTrue(result.notes().get(0).text().contains("principal components"));
        }

        @Test
        void aPenaltyOfZeroIsReplacedWithANote() {
            KernelModel model = small().withLearner("ridge(lambda=0)").fit(rows).model();
            PruningResult result = Pruning.of(model).withShare(0.5).prune(rows, rings(100, 2), WORKERS, Progress.NONE);
            assertTrue(result.model().training().lambda() > 0);
            assertTrue(result.notes().get(0).text().contains("lambda=0"));
        }
    }

    @Nested
    class Compacting {
        private final KernelModel model = machine().fit(rings(400, 1)).model();

        private KernelModel withZeros(int... zeroUnits) {
            int features = model.linear().features();
            boolean[] zero = new boolean[100];
            Arrays.stream(zeroUnits).forEach(unit -> zero[unit] = true);
            double[] weights = new double[features];
            for (int j = 0; j < features; j++) {
                weights[j] = zero[j % 100] ? 0 : model.linear().weight(j, 0);
            }
            // One of a pair alone saves nothing.
            weights[42] = 0;
            LinearModel linear = new LinearModel(features, 1, weights, new double[] {0.5});
            return ModelAccess.model(ModelFixtures.parts(model).withMap(model.map(), linear, model.training()));
        }

        @Test
        void removesProjectionsWithoutWeightsAndPredictsTheSame() {
            KernelModel sparse = withZeros(0, 7, 99);
            KernelModel compact = ModelFixtures.compact(sparse);
            assertEquals(194, compact.map().outputDimension());
            TrainingRecord.PruningStep step = compact.training().pruning().get(0);
            assertEquals(97, step.kept());
            assertEquals(100, step.of());
            RandomStream stream = new Seed(2).stream();
            for (int i = 0; i < 20; i++) {
                double[] row = {4 * stream.nextUniform() - 2, 4 * stream.nextUniform() - 2};
                // 200 products of numbers below 10 in float32, in another order.
                assertEquals(sparse.score(row)[0], compact.score(row)[0], 1e-4);
            }
        }

        @Test
        void leavesAModelWithoutZerosAlone() {
            assertSame(ModelFixtures.parts(model), Compaction.of(ModelFixtures.parts(model)));
        }

        @Test
        void keepsAProjectionOfAModelThatIsConstant() {
            KernelModel compact =
                    ModelFixtures.compact(withZeros(IntStream.range(0, 100).toArray()));
            assertEquals(2, compact.map().outputDimension());
            assertEquals(0.5, compact.score(new double[] {1, 1})[0]);
        }
    }

    @Nested
    class Refuses {
        private final KernelModel model = machine().fit(rings(100, 1)).model();

        @Test
        void rowsOfOtherColumns() {
            RowSource wide = MemorySource.of(3, new float[6]).withClasses(List.of("inner", "outer"), 0, 1);
            assertTrue(failureOf(() -> path(model, wide)).contains("has 3 columns; the model needs 2"));
        }

        @Test
        void rowsWithoutLabels() {
            RowSource bare = MemorySource.of(2, new float[4]);
            assertTrue(failureOf(() -> path(model, bare)).contains("no labels"));
        }

        @Test
        void rowsOfOtherLabels() {
            for (RowSource other : List.of(
                    MemorySource.of(2, new float[4]).withClasses(List.of("outer", "inner"), 0, 1),
                    MemorySource.of(2, new float[4]).withTargets(1, 2))) {
                assertTrue(failureOf(() -> path(model, other)).contains("labels are not those of the model"));
                assertTrue(failureOf(() -> Pruning.of(model).keep(new int[] {0}, other, WORKERS, Progress.NONE))
                        .contains("labels are not those of the model"));
            }
        }

        @Test
        void unitsThatAreNotThere() {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Pruning.of(model).keep(new int[] {100}, rings(100, 1), WORKERS, Progress.NONE));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Pruning.of(model).fit(rings(100, 1), 0, WORKERS, Progress.NONE));
        }
    }
}
