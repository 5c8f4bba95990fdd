package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.data.DenseRows;
import org.bochner.data.Holdout;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.WhitenedMap;
import org.bochner.map.landmark.LandmarkForm;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.MappedRows;
import org.bochner.stats.WeightMatrix;
import org.bochner.tune.KernelLearning;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets of points about ±(1, 0), class "wide", or ±(0, 1), class "high": the means of both have the same law. */
class SetLearningTest {
    private static final int SETS = 120;
    private static final KernelMachine MACHINE = KernelMachine.of("gaussian(sigma=0.7)")
            .withScaling("none")
            .withFeatures(60)
            .withSeed(new Seed(3));

    /** Points, ids and classes, one per row; set s has 1 + 5·(s mod 4) rows, up to 16. */
    private static final class Points {
        final List<float[]> rows = new ArrayList<>();
        final List<String> ids = new ArrayList<>();
        final List<String> classes = new ArrayList<>();
        final int[] starts;

        Points(int sets, long seed) {
            RandomStream random = new Seed(seed).stream();
            starts = new int[sets + 1];
            for (int s = 0; s < sets; s++) {
                boolean wide = random.nextUniform() < 0.5;
                for (int i = 0; i < 1 + 5 * (s % 4); i++) {
                    float sign = random.nextUniform() < 0.5 ? 1 : -1;
                    float x = (float) (0.4 * random.nextGaussian());
                    float y = (float) (0.4 * random.nextGaussian());
                    rows.add(wide ? new float[] {sign + x, y} : new float[] {x, sign + y});
                    ids.add("s" + s);
                    classes.add(wide ? "wide" : "high");
                }
                starts[s + 1] = rows.size();
            }
        }

        MemorySource local() {
            return MemorySource.of(rows.toArray(float[][]::new)).withClasses(classes);
        }

        MemorySource sets() {
            return local().withSets(ids.toArray(String[]::new));
        }

        double[][] set(int s) {
            double[][] set = new double[starts[s + 1] - starts[s]][];
            Arrays.setAll(set, i -> new double[] {rows.get(starts[s] + i)[0], rows.get(starts[s] + i)[1]});
            return set;
        }
    }

    private static final Points TRAINING = new Points(SETS, 1);
    private static final Points TESTS = new Points(SETS, 2);
    private static final TrainingResult TRAINED = MACHINE.fit(TRAINING.sets());

    private static double[][] scores(KernelModel model, RowSource source, int threads) {
        List<double[]> scores = new ArrayList<>();
        model.score(source, new Workers(threads), Progress.NONE, (rows, values) -> {
            int outputs = model.linear().outputs();
            for (int i = 0; i < rows.rows(); i++) {
                scores.add(Arrays.copyOfRange(values, i * outputs, (i + 1) * outputs));
            }
        });
        return scores.toArray(double[][]::new);
    }

    private static float[] transformed(Transformer transformer, RowSource source, int threads) {
        List<Float> values = new ArrayList<>();
        transformer.transform(source, new Workers(threads), Progress.NONE, block -> {
            double[] row = new double[block.columns()];
            for (int i = 0; i < block.rows(); i++) {
                block.copyRow(i, row);
                for (double value : row) {
                    values.add((float) value);
                }
            }
        });
        float[] all = new float[values.size()];
        for (int k = 0; k < all.length; k++) {
            all[k] = values.get(k);
        }
        return all;
    }

    private static RowBlock block(RowSource source) {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            assertTrue(cursor.next(builder, 1000));
        }
        return builder.build();
    }

    @Nested
    class Features {
        @ParameterizedTest
        @ValueSource(
                strings = {"fourier", "orthogonal", "landmarks(by=k-means)", "landmarks(whitened)", "landmarks(raw)"})
        void areTheMeansOfTheFeaturesOfTheRows(String map) {
            Transformer transformer = MACHINE.withMap(map)
                    .withFeatures(20)
                    .prepare(TRAINING.sets(), new Workers(1), Progress.NONE, new Notes());
            int features = transformer.map().outputDimension();
            float[] ofRows = transformed(transformer, TESTS.local(), 1);
            float[] ofSets = transformed(transformer, TESTS.sets(), 1);
            assertEquals(SETS * features, ofSets.length);
            for (int s = 0; s < SETS; s++) {
                for (int j = 0; j < features; j++) {
                    double sum = 0;
                    for (int i = TESTS.starts[s]; i < TESTS.starts[s + 1]; i++) {
                        sum += ofRows[i * features + j];
                    }
                    double mean = sum / (TESTS.starts[s + 1] - TESTS.starts[s]);
                    // The features are float32; those of rows may be mapped in blocks of other sizes.
                    assertEquals(mean, ofSets[s * features + j], 1e-5 * Math.max(1, Math.abs(mean)));
                }
            }
        }

        /** The features of a whitened map are averaged before they are whitened, those of the whitened form after it. */
        @Test
        void innerProductOfLandmarksIsTheGoldenSetKernel() {
            Kernel kernel = Kernels.gaussian(Math.sqrt(0.5 / 1.5e-6));
            DenseRows landmarks = DenseRows.of(3, 2, floats(golden("landmarks")));
            MemorySource rows = MemorySource.of(2, floats(golden("points"))).withSets("a", "a", "a", "b", "b", "b");
            RowBlock sets = block(rows.bySet());
            WeightMatrix identity = WeightMatrix.of(3, 3, new double[] {1, 0, 0, 0, 1, 0, 0, 0, 1});
            for (FeatureMap map : List.of(
                    new LandmarkMap(kernel, landmarks, LandmarkForm.WHITENED),
                    new WhitenedMap(new LandmarkMap(kernel, landmarks, LandmarkForm.KERNEL)))) {
                MappedRows mapped = new MappedRows(
                        Scalings.none().fit(rows, new Workers(1)), List.of(map), Precision.FLOAT64, true);
                double[] means = new double[6];
                mapped.take(sets).features().score(identity, means);
                double product = means[0] * means[3] + means[1] * means[4] + means[2] * means[5];
                assertEquals(golden("set_kernel")[0], product, 1e-10);
            }
        }

        private static float[] floats(double[] values) {
            float[] floats = new float[values.length];
            for (int k = 0; k < floats.length; k++) {
                floats[k] = (float) values[k];
            }
            return floats;
        }

        private static double[] golden(String name) {
            Map<String, String> row = GoldenTable.read("nystrom.csv").stream()
                    .filter(each -> GoldenTable.text(each, "name").equals(name))
                    .findFirst()
                    .orElseThrow();
            return GoldenTable.numbers(row, "values");
        }

        @Test
        void ofSparseRowsAreMeansToo() {
            int[] starts = {0, 1, 2, 4};
            MemorySource rows = MemorySource.ofCsr(3, starts, new int[] {0, 1, 0, 2}, new float[] {1, 2, 3, 4})
                    .withSets("a", "a", "b");
            Transformer linear = KernelMachine.of("linear")
                    .withScaling("none")
                    .prepare(rows, new Workers(1), Progress.NONE, new Notes());
            assertArrayEquals(new float[] {0.5f, 1, 0, 3, 0, 4}, transformed(linear, rows, 1));
        }

        /** A set of 3,000 rows is mapped in parts of 1024. */
        @Test
        void ofALargeSetAreComputedInParts() {
            float[] values = new float[3002];
            String[] ids = new String[3002];
            for (int i = 0; i < values.length; i++) {
                values[i] = i % 5;
                ids[i] = i == 0 ? "a" : i < 3001 ? "b" : "c";
            }
            MemorySource rows = MemorySource.of(1, values).withSets(ids);
            Transformer linear = KernelMachine.of("linear")
                    .withScaling("none")
                    .prepare(rows, new Workers(1), Progress.NONE, new Notes());
            assertArrayEquals(new float[] {0, 2, 1}, transformed(linear, rows, 2));
        }
    }

    @Nested
    class Learning {
        @Test
        void tellsSetsApartWhoseMeansAreAlike() {
            KernelModel model = TRAINED.model();
            assertTrue(model.ofSets());
            // A quarter of the sets have one row. The best rule, |x| > |y|, is wrong for 2p(1 − p) = 7% of these, where
            // p = Φ(−1/(0.4·√2)), and hardly ever for larger sets.
            double error = Evaluation.of(model, TESTS.sets()).error();
            assertTrue(error < 0.15, "error " + error);
            // The means do not depend on the class: an error of 50% with a standard error of 4.6%.
            KernelModel linear = KernelMachine.of("linear")
                    .withScaling("none")
                    .fit(TRAINING.sets())
                    .model();
            assertTrue(Evaluation.of(linear, TESTS.sets()).error() > 0.3);
        }

        @Test
        void countsSets() {
            assertEquals(SETS, TRAINED.report().rows());
            assertEquals(SETS, TRAINED.model().training().rows());
            assertEquals(SETS, Evaluation.of(TRAINED.model(), TESTS.sets()).rows());
            CrossValidation folds =
                    CrossValidation.of(MACHINE, TRAINING.sets(), 2, 1, new Seed(1), new Workers(2), Progress.NONE);
            assertEquals(
                    SETS,
                    folds.results().stream()
                            .mapToLong(CrossValidation.Fold::testRows)
                            .sum());
        }

        /** The learner sees the mean features and nothing else: it learns the same from these as rows. */
        @Test
        void isThatOfTheMeanFeatures() {
            KernelMachine machine = MACHINE.withLearner("ridge(lambda=0.01)").withPrecision(Precision.FLOAT64);
            KernelModel model = machine.fit(TRAINING.sets()).model();
            float[] means = transformed(model.transformer(), TRAINING.sets(), 1);
            float[] testMeans = transformed(model.transformer(), TESTS.sets(), 1);
            String[] classes = new String[SETS];
            Arrays.setAll(classes, s -> TRAINING.classes.get(TRAINING.starts[s]));
            KernelModel plain = KernelMachine.of("linear")
                    .withScaling("none")
                    .withLearner("ridge(lambda=0.01)")
                    .withPrecision(Precision.FLOAT64)
                    .fit(MemorySource.of(60, means).withClasses(classes))
                    .model();
            double[][] expected = scores(plain, MemorySource.of(60, testMeans), 1);
            double[][] found = scores(model, TESTS.sets(), 1);
            for (int s = 0; s < SETS; s++) {
                // The float32 rounding of the means, 6e-8, is amplified by at most 1/λ = 100.
                assertArrayEquals(expected[s], found[s], 1e-4);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"ridge(lambda=0.01)", "svm(C=10)", "logistic(l2=0.01)", "lda", "lasso(lambda=0.01)"})
        void everyLearnerPredictsMeansOfScores(String learner) {
            KernelModel model =
                    MACHINE.withLearner(learner).fit(TRAINING.sets()).model();
            double[][] scores = scores(model, TESTS.sets(), 2);
            for (int s = 0; s < SETS; s += 7) {
                assertArrayEquals(model.score(TESTS.set(s)), scores[s], 1e-4 * (1 + Math.abs(scores[s][0])));
            }
            assertTrue(Evaluation.of(model, TESTS.sets()).error() < 0.2);
        }

        @ParameterizedTest
        @ValueSource(strings = {"landmarks(by=k-means)", "landmarks(raw)"})
        void landmarksAreChosenAmongTheRows(String map) {
            KernelModel model = MACHINE.withMap(map)
                    .withLearner("svm(C=10)")
                    .fit(TRAINING.sets())
                    .model();
            double[][] scores = scores(model, TESTS.sets(), 2);
            assertArrayEquals(model.score(TESTS.set(5)), scores[5], 1e-3 * (1 + Math.abs(scores[5][0])));
            assertTrue(Evaluation.of(model, TESTS.sets()).error() < 0.15);
        }

        @Test
        void principalComponentsAreThoseOfMeanFeatures() {
            KernelModel model =
                    MACHINE.withComponents("20").fit(TRAINING.sets()).model();
            assertTrue(Evaluation.of(model, TESTS.sets()).error() < 0.15);
            KernelModel components = MACHINE.withComponents("2")
                    .fitComponents(TRAINING.sets(), new Workers(1), Progress.NONE, new Notes());
            assertEquals(2 * SETS, transformed(components.transformer(), TESTS.sets(), 1).length);
        }

        @Test
        void scalesAreChosenByTheErrorOnSets() {
            TrainingResult trained =
                    KernelMachine.of("gaussian").withFeatures(60).fit(TRAINING.sets());
            assertTrue(Evaluation.of(trained.model(), TESTS.sets()).error() < 0.15);
            assertTrue(
                    trained.report().notes().stream()
                            .anyMatch(note -> note.text().contains("cross-validation on " + SETS + " sets")),
                    () -> trained.report().notes().toString());
        }

        /** Sets of 400 rows are thinned to about 100 rows each. */
        @Test
        void scalesOfLargeSetsAreChosenOnSomeOfTheirRows() {
            RandomStream random = new Seed(5).stream();
            int sets = 24;
            float[] values = new float[sets * 400];
            String[] ids = new String[values.length];
            String[] classes = new String[values.length];
            for (int i = 0; i < values.length; i++) {
                int set = i / 400;
                ids[i] = "s" + set;
                classes[i] = set % 2 == 0 ? "narrow" : "broad";
                values[i] = (float) (random.nextGaussian() * (1 + set % 2));
            }
            KernelModel model = KernelMachine.of("gaussian")
                    .withFeatures(30)
                    .fit(MemorySource.of(1, values).withSets(ids).withClasses(classes))
                    .model();
            assertEquals(
                    0,
                    Evaluation.of(
                                    model,
                                    MemorySource.of(1, values).withSets(ids).withClasses(classes))
                            .error());
        }

        @Test
        void theNumberOfThreadsChangesNothing(@TempDir Path folder) throws IOException {
            Path one = folder.resolve("one");
            Path three = folder.resolve("three");
            MACHINE.fit(TRAINING.sets(), new Workers(1), Progress.NONE).model().save(one);
            KernelModel model =
                    MACHINE.fit(TRAINING.sets(), new Workers(3), Progress.NONE).model();
            model.save(three);
            assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(three));
            assertArrayEquals(scores(model, TESTS.sets(), 1), scores(model, TESTS.sets(), 3));
        }

        @Test
        void calibratesOnSets() {
            KernelModel model =
                    MACHINE.withCalibration("platt").fit(TRAINING.sets()).model();
            Map<String, Double> sure = model.probabilities(TESTS.set(3));
            assertEquals(1, sure.values().stream().mapToDouble(p -> p).sum(), 1e-12);
            assertTrue(sure.getOrDefault(TESTS.classes.get(TESTS.starts[3]), 0.0) > 0.5);
        }

        @Test
        void aWarmStartIsOneOfSets() {
            KernelModel start =
                    MACHINE.withLearner("svm(C=1)").fit(TRAINING.sets()).model();
            KernelMachine again = MACHINE.withLearner("svm(C=1)").withStart(start);
            assertTrue(again.fit(TRAINING.sets()).model().ofSets());
            assertThrows(BochnerException.class, () -> again.fit(TRAINING.local()));
        }

        @Test
        void pruningKeepsSets() {
            KernelModel model = TRAINED.model();
            PruningResult pruned = Pruning.of(model)
                    .withShare(0.5)
                    .prune(TRAINING.sets(), TESTS.sets(), new Workers(2), Progress.NONE);
            assertTrue(pruned.model().ofSets());
            assertTrue(Evaluation.of(pruned.model(), TESTS.sets()).error() < 0.2);
        }
    }

    @Nested
    class Models {
        private final KernelModel model = TRAINED.model();

        @Test
        void areSavedAndLoaded(@TempDir Path folder) {
            Path file = folder.resolve("sets.bochner");
            model.save(file);
            KernelModel loaded = KernelModel.load(file);
            assertTrue(loaded.ofSets());
            assertArrayEquals(scores(model, TESTS.sets(), 1), scores(loaded, TESTS.sets(), 1));
        }

        @Test
        void predictSetsOfRowsInMemory() {
            assertEquals(TESTS.classes.get(TESTS.starts[7]), model.predictClass(TESTS.set(7)));
            assertArrayEquals(model.score(TESTS.set(0)), model.score(TESTS.set(0)[0]), 0);
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> model.predictClass(new double[0][]));
            assertTrue(String.valueOf(e.getMessage()).contains("empty"), e.getMessage());
        }

        @Test
        void refuseRowsWithoutSets() {
            BochnerException e = assertThrows(BochnerException.class, () -> Evaluation.of(model, TESTS.local()));
            assertTrue(String.valueOf(e.getMessage()).contains("no set ids"), e.getMessage());
            KernelModel ofRows = MACHINE.fit(TRAINING.local()).model();
            assertFalse(ofRows.ofSets());
            assertThrows(BochnerException.class, () -> Evaluation.of(ofRows, TESTS.sets()));
            assertThrows(IllegalArgumentException.class, () -> ofRows.score(TESTS.set(0)));
        }

        @Test
        void exactMachinesAndKernelSearchesRefuseSets() {
            assertThrows(
                    BochnerException.class,
                    () -> KernelMachine.of("gaussian(sigma=1)").withMap("none").fit(TRAINING.sets()));
            BochnerException e = assertThrows(
                    BochnerException.class, () -> KernelLearning.of(MACHINE).learn(TRAINING.sets()));
            assertTrue(String.valueOf(e.getMessage()).contains("not sets"), e.getMessage());
        }

        @Test
        void heldOutRowsAreThoseOfWholeSets() {
            Holdout split = Holdout.split(TRAINING.sets(), 0.3, new Seed(2));
            KernelModel part = MACHINE.fit(split.train()).model();
            long test = Evaluation.of(part, split.test()).rows();
            assertEquals(SETS, part.training().rows() + test);
        }
    }
}
