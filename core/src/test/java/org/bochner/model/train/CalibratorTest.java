package org.bochner.model.train;

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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Setting;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Learner;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.model.Evaluation;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.ModelFixtures;
import org.bochner.model.Progress;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.ClassWeights;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibratorTest {
    private static final KernelMachine MACHINE =
            KernelMachine.of("gaussian(sigma=1)").withFeatures(60).withLearner(Learner.ridge(0.1));

    /** Clouds round the corners of a polygon, so wide that they overlap. */
    private static MemorySource clouds(int classes, int rows, double width, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[2 * rows];
        int[] labels = new int[rows];
        for (int i = 0; i < rows; i++) {
            labels[i] = stream.nextInt(classes);
            double angle = 2 * Math.PI * labels[i] / classes;
            values[2 * i] = (float) (Math.cos(angle) + width * noise(stream));
            values[2 * i + 1] = (float) (Math.sin(angle) + width * noise(stream));
        }
        List<String> names = IntStream.range(0, classes).mapToObj(c -> "c" + c).toList();
        return MemorySource.of(2, values).withClasses(names, labels);
    }

    /** Nearly normal, of variance 1. */
    private static double noise(RandomStream stream) {
        double sum = -2;
        for (int i = 0; i < 4; i++) {
            sum += stream.nextUniform();
        }
        return sum * Math.sqrt(3);
    }

    private static Calibrator calibrator(String recipe) {
        return new Calibrator(
                CalibrationRecipe.parse(recipe), ClassWeights.none(), new Seed(1), new Workers(2), Progress.NONE);
    }

    private static KernelModel fit(RowSource rows) {
        return MACHINE.fit(rows).model();
    }

    private static KernelModel calibrated(String recipe, RowSource source) {
        return calibrator(recipe).calibrate(fit(source), source, CalibratorTest::fit);
    }

    /** The probability of the class that is said is the largest, wherever classes are said. */
    private static void assertAgrees(KernelModel model, RowSource source) {
        int classes =
                Objects.requireNonNull(ModelAccess.parts(model).calibration()).classes();
        model.score(source, new Workers(1), Progress.NONE, (RowBlock rows, double[] scores) -> {
            double[] probabilities = new double[rows.rows() * classes];
            model.probabilities(scores, rows.rows(), probabilities);
            for (int i = 0; i < rows.rows(); i++) {
                double[] own = Arrays.copyOfRange(probabilities, i * classes, (i + 1) * classes);
                assertEquals(1, Arrays.stream(own).sum(), 1e-12);
                assertEquals(Arrays.stream(own).max().orElseThrow(), own[model.classOf(scores, i)]);
                double[] row = new double[2];
                rows.copyRow(i, row);
                if (i < 20) {
                    // A row by itself may differ from a row of a block in the rounding of float32 products.
                    assertArrayEquals(own, array(model.probabilities(row)), 1e-3);
                    assertEquals("c" + model.classOf(model.score(row), 0), model.predictClass(row));
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"platt", "temperature", "isotonic", "platt(holdout=0.3)", "isotonic(holdout=0.5)"})
    void probabilitiesAgreeWithPredictionsAndWithTheWorld(String recipe) {
        for (int classes : new int[] {2, 4}) {
            MemorySource source = clouds(classes, 1200, 0.6, 1);
            KernelModel model = calibrated(recipe, source);
            MemorySource fresh = clouds(classes, 4000, 0.6, 2);
            assertAgrees(model, fresh);
            Evaluation errors = Evaluation.of(model, fresh);
            // Well calibrated: with 4000 rows in 15 bins chance alone gives about 15·√(0.25·15/4000)/15 = 0.03, and the
            // fit to hundreds of rows as much again. Uncalibrated sigmoids of ridge scores are off by 0.1 and more.
            assertTrue(errors.calibrationError() < 0.07, recipe + ", " + classes + ": " + errors.calibrationError());
            double uncalibrated = Evaluation.of(
                            ModelFixtures.withCalibration(fit(source), Calibration.sigmoid(classes)), fresh)
                    .calibrationError();
            assertTrue(uncalibrated > 0.08, classes + ": " + uncalibrated);
            // No worse than guessing by shares, which are equal.
            assertTrue(errors.logLoss() < Math.log(classes) && errors.logLoss() > 0, recipe + ": " + errors.logLoss());
        }
    }

    @Test
    void temperatureChangesNoPrediction() {
        MemorySource source = clouds(5, 500, 0.5, 3);
        assertEquals(
                Evaluation.of(fit(source), source).error(),
                Evaluation.of(calibrated("temperature", source), source).error());
    }

    @Test
    void everyFoldIsScoredByAModelThatHasNotSeenIt() {
        MemorySource source = clouds(3, 300, 0.5, 4);
        List<Long> sizes = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        calibrator("platt(folds=4)").calibrate(fit(source), source, rows -> {
            sizes.add(rows.rows());
            seen.add(String.valueOf(rows.identity().selections().get("holdout")));
            return fit(rows);
        });
        assertEquals(4, sizes.size());
        assertEquals(4, seen.size());
        assertEquals(3 * 300, sizes.stream().mapToLong(rows -> rows).sum());
    }

    @Test
    void aHeldOutShareTakesOneFit() {
        MemorySource source = clouds(2, 400, 0.5, 4);
        List<Long> sizes = new ArrayList<>();
        KernelModel whole = fit(source);
        KernelModel model = calibrator("temperature(holdout=0.25)").calibrate(whole, source, rows -> {
            sizes.add(rows.rows());
            return fit(rows);
        });
        assertEquals(1, sizes.size());
        assertEquals(300.0, sizes.get(0), 50);
        // The model itself is the one that learned from all rows.
        assertArrayEquals(whole.score(new double[] {0.3, 0.4}), model.score(new double[] {0.3, 0.4}));
    }

    private static double[] array(Map<String, Double> probabilities) {
        return probabilities.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Test
    void classWeightsShiftTheProbabilities() {
        MemorySource source = clouds(2, 1000, 1.2, 5);
        Calibrator heavy = new Calibrator(
                CalibrationRecipe.parse("platt"), ClassWeights.of(1, 9), new Seed(1), new Workers(2), Progress.NONE);
        double[] middle = {0, 0};
        double plain = array(calibrated("platt", source).probabilities(middle))[1];
        double weighted =
                array(heavy.calibrate(fit(source), source, CalibratorTest::fit).probabilities(middle))[1];
        // Odds nine times as high: from about 1/2 to about 9/10.
        assertEquals(0.5, plain, 0.1);
        assertEquals(0.9, weighted, 0.05);
    }

    @Test
    void areSavedWithTheModelAndModelsWithoutStillLoad(@TempDir Path folder) throws IOException {
        MemorySource source = clouds(3, 300, 0.5, 6);
        Path file = folder.resolve("m.bochner");
        double[] row = {0.2, -0.7};
        for (String recipe : List.of("platt", "temperature", "isotonic")) {
            KernelModel model = calibrated(recipe, source);
            model.save(file);
            KernelModel loaded = KernelModel.load(file);
            assertEquals(model.probabilities(row), loaded.probabilities(row));
            Path again = folder.resolve("again.bochner");
            loaded.save(again);
            assertEquals(-1, Files.mismatch(file, again));
        }
        fit(source).save(file);
        assertFalse(KernelModel.load(file).hasProbabilities());
    }

    @Test
    void aClassMissingFromTheRowsThatAFoldTrainsOnDoesNoHarm() {
        MemorySource most = clouds(3, 200, 0.4, 7);
        float[] values = new float[402];
        int[] labels = new int[201];
        int[] at = new int[1];
        fit(most).score(most, new Workers(1), Progress.NONE, (rows, scores) -> {
            for (int i = 0; i < rows.rows(); i++, at[0]++) {
                double[] row = new double[2];
                rows.copyRow(i, row);
                values[2 * at[0]] = (float) row[0];
                values[2 * at[0] + 1] = (float) row[1];
                labels[at[0]] = (int) rows.target(i, 0);
            }
        });
        labels[200] = 3;
        MemorySource source = MemorySource.of(2, values).withClasses(List.of("c0", "c1", "c2", "rare"), labels);
        for (String recipe : List.of("platt", "temperature", "isotonic")) {
            double[] p = array(calibrated(recipe, source).probabilities(new double[] {1, 0}));
            assertEquals(1, Arrays.stream(p).sum(), 1e-12);
            assertTrue(p[0] > p[3] && p[3] > 0, recipe + ": " + Arrays.toString(p));
        }
    }

    @Test
    void modelsWithoutProbabilitiesSayWhatToDo() {
        MemorySource classes = clouds(2, 50, 0.5, 8);
        BochnerException e =
                assertThrows(BochnerException.class, () -> fit(classes).probabilities(new double[2]));
        assertEquals(Setting.CALIBRATION, e.remedies().get(0).setting());
        MemorySource numbers = MemorySource.of(1, 1, 2, 3, 4).withTargets(1, 2, 3, 4);
        KernelModel model = fit(numbers);
        e = assertThrows(BochnerException.class, () -> model.probabilities(new double[1]));
        assertTrue(String.valueOf(e.getMessage()).contains("predicts numbers"), e.getMessage());
        assertThrows(BochnerException.class, () -> calibrator("platt").calibrate(model, numbers, CalibratorTest::fit));
        assertThrows(
                BochnerException.class,
                () -> calibrator("quantile").calibrate(fit(classes), classes, CalibratorTest::fit));
        assertThrows(
                IllegalArgumentException.class,
                () -> ModelFixtures.withCalibration(fit(classes), Calibration.sigmoid(3)));
        assertThrows(
                IllegalArgumentException.class, () -> ModelFixtures.withCalibration(model, Calibration.sigmoid(2)));
    }

    @Nested
    class Categories {
        private double ranked(KernelModel model, RowSource source, int output, int rank) {
            List<Double> scores = new ArrayList<>();
            int outputs = ModelAccess.parts(model).requireLinear().outputs();
            model.score(source, new Workers(1), Progress.NONE, (rows, values) -> {
                for (int i = 0; i < rows.rows(); i++) {
                    if (rows.rowWeight(i) > 0) {
                        scores.add(values[i * outputs + output]);
                    }
                }
            });
            scores.sort((a, b) -> Double.compare(b, a));
            return scores.get(rank - 1);
        }

        private void assertLevel(KernelModel model, RowSource source, int rank) {
            double first = ranked(model, source, 0, rank);
            for (int o = 1; o < ModelAccess.parts(model).requireLinear().outputs(); o++) {
                assertEquals(first, ranked(model, source, o, rank), 1e-12);
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 17, 100, 500})
        void areTheSameForAllClassesAtTheRank(int rank) {
            MemorySource source = clouds(5, 500, 0.5, 9);
            KernelModel model = calibrated("quantile(rank=" + rank + ")", source);
            assertLevel(model, source, rank);
            KernelModel plain = fit(source);
            double before = 0;
            double after = 0;
            for (int o = 0; o < 5; o++) {
                before += ModelAccess.parts(plain).requireLinear().intercept(o);
                after += ModelAccess.parts(model).requireLinear().intercept(o);
                assertEquals(
                        ModelAccess.parts(plain).requireLinear().weight(3, o),
                        ModelAccess.parts(model).requireLinear().weight(3, o));
            }
            assertEquals(before, after, 1e-12);
            assertFalse(model.hasProbabilities());
        }

        @Test
        void areByDefaultAtTwoFifthsOfTheRowsAClass() {
            MemorySource source = clouds(4, 300, 0.5, 10);
            assertLevel(calibrated("quantile", source), source, 30);
        }

        @Test
        void rowsOfNoWeightDoNotCount() {
            double[] weights = new double[200];
            Arrays.setAll(weights, i -> i % 2);
            MemorySource source = clouds(3, 200, 0.5, 11).withRowWeights(weights);
            assertLevel(calibrated("quantile(rank=5)", source), source, 5);
        }

        @Test
        void bringBackAClassThatScoresLowEverywhere() {
            MemorySource source = clouds(4, 800, 0.3, 12);
            KernelModel model = fit(source);
            double[] intercepts = new double[4];
            Arrays.setAll(
                    intercepts, o -> ModelAccess.parts(model).requireLinear().intercept(o) - (o == 2 ? 3 : 0));
            KernelModel low = ModelAccess.model(ModelParts.of(
                    model.transformer(),
                    ModelAccess.parts(model).requireLinear().withIntercepts(intercepts),
                    source,
                    model.precision(),
                    model.training()));
            KernelModel level = calibrator("quantile").calibrate(low, source, CalibratorTest::fit);
            // One class of four is never said; and afterwards the clouds hardly overlap.
            MemorySource fresh = clouds(4, 800, 0.3, 14);
            assertTrue(Evaluation.of(low, fresh).error() > 0.2);
            assertTrue(Evaluation.of(level, fresh).error() < 0.05);
        }

        @Test
        void needAsManyRowsAsTheRank() {
            MemorySource source = clouds(3, 40, 0.5, 13);
            BochnerException e = assertThrows(BochnerException.class, () -> calibrated("quantile(rank=41)", source));
            assertTrue(String.valueOf(e.getMessage()).contains("above the number of rows"), e.getMessage());
            e = assertThrows(BochnerException.class, () -> calibrated("quantile(rank=2000000000)", source));
            assertTrue(String.valueOf(e.getMessage()).contains("smaller rank"), e.getMessage());
        }
    }
}
