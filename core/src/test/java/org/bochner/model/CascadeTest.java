package org.bochner.model;

import static org.bochner.model.CascadeFixtures.ROWS;
import static org.bochner.model.CascadeFixtures.THREE;
import static org.bochner.model.CascadeFixtures.TWO;
import static org.bochner.model.CascadeFixtures.assertSays;
import static org.bochner.model.CascadeFixtures.logarithms;
import static org.bochner.model.CascadeFixtures.parts;
import static org.bochner.model.CascadeFixtures.points;
import static org.bochner.model.CascadeFixtures.recipe;
import static org.bochner.model.CascadeFixtures.scores;
import static org.bochner.model.CascadeFixtures.withThreshold;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.MemorySource;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.model.evaluate.ClassRanking;
import org.bochner.model.file.CascadeParts;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelFile;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cascades of points of the unit square, most of which a linear function tells apart. */
class CascadeTest {
    /** Scores in float32 features: a row scored with other rows may differ by this much of a logarithm. */
    private static final double ROUNDING = 1e-4;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static KernelModel three;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static KernelModel two;

    @BeforeAll
    static void train() {
        three = recipe().fit(points(THREE, 1)).model();
        two = recipe().fit(points(TWO, 1)).model();
    }

    private static List<KernelModel> both() {
        return List.of(two, three);
    }

    @Test
    void theFirstSureStageDecidesARow() {
        for (KernelModel model : both()) {
            MemorySource rows = points(model == two ? TWO : THREE, 2);
            CascadeParts cascade = parts(model);
            assertEquals(3, cascade.stages().size());
            List<double[]> stages = cascade.stages().stream()
                    .map(stage -> logarithms(stage, rows))
                    .toList();
            double[] scores = scores(model, rows, 1);
            int outputs = model.linear().outputs();
            long[] decided = new long[3];
            for (int i = 0; i < ROWS; i++) {
                int by = 0;
                while (CascadeParts.sureness(stages.get(by), i, outputs)
                        < cascade.stages().get(by).threshold()) {
                    by++;
                }
                decided[by]++;
                for (int o = 0; o < outputs; o++) {
                    assertEquals(stages.get(by)[i * outputs + o], scores[i * outputs + o], ROUNDING);
                }
                assertEquals(ClassRanking.highest(stages.get(by), i, outputs), model.classOf(scores, i));
            }
            for (long of : decided) {
                assertTrue(of > 0, Arrays.toString(decided));
            }
            Evaluation evaluation = Evaluation.of(model, rows);
            for (int s = 0; s < 3; s++) {
                assertEquals(decided[s], evaluation.stages().get(s).decided());
            }
        }
    }

    @Test
    void aThresholdAbove1GivesTheLastStage() {
        for (KernelModel model : both()) {
            MemorySource rows = points(model == two ? TWO : THREE, 2);
            assertSameAs(model, 2, withThreshold(model, 1.001), rows);
        }
    }

    @Test
    void aThresholdOf0GivesTheFirstStage() {
        for (KernelModel model : both()) {
            MemorySource rows = points(model == two ? TWO : THREE, 2);
            assertSameAs(model, 0, withThreshold(model, 0), rows);
        }
    }

    private static void assertSameAs(KernelModel model, int index, KernelModel changed, MemorySource rows) {
        CascadeParts.Stage stage = parts(model).stages().get(index);
        double[] scores = scores(changed, rows, 1);
        // All rows of a block reach the stage, so that even the bits are those of the stage by itself.
        assertArrayEquals(logarithms(stage, rows), scores);
        KernelModel alone = ModelAccess.model(stage.model());
        double[] own = scores(alone, rows, 1);
        double[] ofCascade = new double[stage.calibration().classes()];
        double[] ofStage = ofCascade.clone();
        for (int i = 0; i < ROWS; i++) {
            assertEquals(alone.classOf(own, i), changed.classOf(scores, i));
            stage.calibration().probabilities(own, i, ofStage, 0);
            Calibration.softmax(ofCascade.length).probabilities(scores, i, ofCascade, 0);
            assertArrayEquals(ofStage, ofCascade, 1e-12);
        }
    }

    @Test
    void threadsDoNotChangeResults() {
        MemorySource rows = points(THREE, 3);
        assertArrayEquals(scores(three, rows, 1), scores(three, rows, 3));
        KernelModel again =
                recipe().fit(points(THREE, 1), new Workers(3), Progress.NONE).model();
        assertEquals(ModelFixtures.state(three), ModelFixtures.state(again));
    }

    @Test
    void scoresOfARowHardlyDependOnTheOtherRows() {
        for (KernelModel model : both()) {
            MemorySource rows = points(model == two ? TWO : THREE, 4);
            double[] scores = scores(model, rows, 1);
            double[] row = new double[2];
            int outputs = model.linear().outputs();
            int[] place = new int[1];
            model.score(rows, new Workers(1), Progress.NONE, (block, values) -> {
                for (int i = 0; i < block.rows(); i++) {
                    block.copyRow(i, row);
                    int at = place[0]++ * outputs;
                    assertArrayEquals(
                            Arrays.copyOfRange(scores, at, at + outputs), model.score(row), ROUNDING, "row " + i);
                }
            });
            assertEquals(ROWS, place[0]);
        }
    }

    @Test
    void sparseRowsHaveTheScoresOfDenseRows() {
        float[] values = {0.25f, 0, 0, 0.5f, 0.75f, 0.875f};
        double[] dense = scores(three, MemorySource.of(2, values), 1);
        double[] sparse = scores(
                three,
                MemorySource.ofCsr(
                        2, new int[] {0, 1, 2, 4}, new int[] {0, 1, 0, 1}, new float[] {0.25f, 0.5f, 0.75f, 0.875f}),
                1);
        assertArrayEquals(dense, sparse, ROUNDING);
    }

    @Test
    void errorIsNearThatOfTheLastStage() {
        MemorySource rows = points(THREE, 5);
        Evaluation evaluation = Evaluation.of(three, rows);
        List<CascadeStage> stages = evaluation.stages();
        long wrong = stages.stream().mapToLong(CascadeStage::wrong).sum();
        assertEquals(Math.round(evaluation.error() * ROWS), wrong);
        // The tolerance of 3 rows, and three standard deviations of the difference, at most the root of all errors.
        double most = stages.get(2).wrongAlone()
                + 3
                + 3 * Math.sqrt((double) (wrong + stages.get(2).wrongAlone()));
        assertTrue(
                wrong <= most,
                wrong + " errors, the last stage has " + stages.get(2).wrongAlone());
        assertTrue(stages.get(0).errorAlone() > evaluation.error());
        assertTrue(stages.get(0).share() > 0.3, "share " + stages.get(0).share());
        stages.forEach(stage -> assertTrue(stage.microseconds() > 0));
    }

    @Test
    void heldOutCountsAreThoseOfAllRows() {
        for (KernelModel model : both()) {
            List<CascadeStage> stages = model.stages();
            assertEquals(ROWS, stages.get(0).rows());
            assertEquals(ROWS, stages.stream().mapToLong(CascadeStage::decided).sum());
            assertTrue(Double.isNaN(stages.get(0).microseconds()));
            assertTrue(model.timedStages(points(THREE, 1)).get(2).microseconds() > 0);
        }
    }

    @Test
    void probabilitiesAddUpTo1AndGiveTheClass() {
        double[] row = {0.3, 0.9};
        double sum =
                three.probabilities(row).values().stream().mapToDouble(p -> p).sum();
        assertEquals(1, sum, 1e-12);
        String likeliest = three.probabilities(row).entrySet().stream()
                .max(java.util.Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        assertEquals(three.predictClass(row), likeliest);
        assertTrue(three.hasProbabilities());
        assertTrue(three.toString().contains("cascade of 3 stages"), three.toString());
    }

    @Nested
    class ModelFiles {
        @Test
        void savedAndLoadedBitForBit(@TempDir Path folder) throws Exception {
            for (KernelModel model : both()) {
                Path file = folder.resolve("cascade.bochner");
                model.save(file);
                assertEquals(Files.size(file), model.fileBytes());
                KernelModel loaded = KernelModel.load(file);
                MemorySource rows = points(model == two ? TWO : THREE, 6);
                assertArrayEquals(scores(model, rows, 1), scores(loaded, rows, 1));
                assertEquals(ModelFixtures.state(model), ModelFixtures.state(loaded));
                for (int s = 0; s < 3; s++) {
                    CascadeStage saved = model.stages().get(s);
                    CascadeStage read = loaded.stages().get(s);
                    assertEquals(saved.threshold(), read.threshold());
                    assertEquals(saved.decided(), read.decided());
                    assertEquals(saved.wrong(), read.wrong());
                    assertEquals(saved.wrongAlone(), read.wrongAlone());
                }
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "stage.0.threshold=NaN",
                    "stage.0.threshold=-1",
                    "stage.2.threshold=0.5",
                    "stages=4",
                    "stages=2",
                    "stages=0",
                    "stages=2147483647",
                    "rows=-1",
                    "rows=17",
                    "rows=1e3",
                    "stage.0.decided=9999999999999999999",
                    "stage.0.decided=999999999999999999",
                    "stage.0.wrong=100000",
                    "stage.1.wrongAlone=0",
                    "tolerance=NaN",
                    "tolerance=-1",
                    "stage.0.calibration.classes=2",
                    "stage.0.calibration.type=isotonic",
                    "stage.0.linear.outputs=2",
                    "stage.1.scaler.columns=3",
                    "labels.count=2",
                    "labels.type=numbers"
                })
        void aChangedFileIsRefused(String change) {
            State state = ModelFixtures.state(three);
            int equals = change.indexOf('=');
            String key = change.substring(0, equals);
            assertTrue(state.has(key), key);
            state.with(key, change.substring(equals + 1));
            byte[] bytes = ModelFile.toBytes(state);
            BochnerException e = assertThrows(
                    BochnerException.class, () -> ModelFixtures.load("changed", ModelFile.fromBytes("changed", bytes)));
            assertTrue(String.valueOf(e.getMessage()).startsWith("changed: "), e.getMessage());
        }
    }

    @Nested
    class BadInput {
        private BochnerException refused(KernelMachine machine, MemorySource rows) {
            return assertThrows(BochnerException.class, () -> machine.fit(rows));
        }

        @Test
        void numbers() {
            BochnerException e =
                    refused(recipe(), MemorySource.of(2, 1, 2, 3, 4).withTargets(1, 2));
            assertSays("a cascade predicts classes, and the labels are numbers", e);
            assertSays("train one machine for numbers", e);
        }

        @ParameterizedTest
        @ValueSource(strings = {"isotonic", "quantile"})
        void calibrationsWithoutComparableProbabilities(String calibration) {
            BochnerException e = refused(recipe().withCalibration(calibration), points(THREE, 1));
            assertSays("cannot be calibrated by " + calibration, e);
        }

        @Test
        void tolerancesBelow0AndNestedCascades() {
            assertThrows(IllegalArgumentException.class, () -> recipe().withStages(List.of(), -0.1));
            assertThrows(IllegalArgumentException.class, () -> recipe().withStages(List.of(), Double.NaN));
            assertThrows(IllegalArgumentException.class, () -> recipe().withStages(List.of(recipe()), 0));
        }

        @Test
        void whatNeedsOneMap() {
            assertThrows(BochnerException.class, () -> Pruning.of(three));
            assertThrows(
                    BochnerException.class,
                    () -> KernelMachine.of(three.training().kernel()).withStart(three));
            BochnerException e = assertThrows(
                    BochnerException.class,
                    () -> recipe().path(points(THREE, 1), points(THREE, 2), 3, Workers.all(), Progress.NONE));
            assertSays("machine of one stage", e);
        }

        @Test
        void aRowThatOnlyALaterStageCannotScoreIsNamed() {
            // The first stage decides nothing and the second takes no value below 0.
            KernelModel model = KernelMachine.of("exp-chi2(gamma=30)")
                    .withFeatures(200)
                    .withStages(List.of(KernelMachine.of("linear")), 0.5)
                    .fit(points(THREE, 1))
                    .model();
            KernelModel sure = withThreshold(model, 1.001);
            MemorySource rows =
                    MemorySource.of(2, 0.5f, 0.5f, 0.1f, 0.9f, 0.3f, -2f).withName("rows.csv");
            BochnerException e = assertThrows(BochnerException.class, () -> scores(sure, rows, 1));
            assertSays("row 3", e);
        }
    }

    @Test
    void setsOfRowsAreDecidedAsAWhole() {
        // Each set has three rows; the class of a set is that of its mean.
        RandomStream stream = new Seed(11).stream();
        float[] values = new float[6 * ROWS];
        String[] ids = new String[3 * ROWS];
        int[] classes = new int[3 * ROWS];
        for (int set = 0; set < ROWS; set++) {
            double x = stream.nextUniform();
            double y = stream.nextUniform();
            for (int member = 0; member < 3; member++) {
                int row = 3 * set + member;
                values[2 * row] = (float) (x + 0.02 * stream.nextUniform());
                values[2 * row + 1] = (float) (y + 0.02 * stream.nextUniform());
                ids[row] = "s" + set;
                classes[row] = y > 0.5 + 0.15 * Math.sin(9 * x) ? 1 : 0;
            }
        }
        MemorySource sets = MemorySource.of(2, values).withClasses(TWO, classes).withSets(ids);
        KernelModel model = recipe().fit(sets).model();
        assertTrue(model.ofSets());
        List<CascadeStage> stages = Evaluation.of(model, sets).stages();
        assertEquals(ROWS, stages.get(0).rows());
        double[] scores = scores(model, sets, 1);
        assertEquals(ROWS, scores.length);
        KernelModel never = withThreshold(model, 1.001);
        double[] ofLast = scores(never, sets, 1);
        CascadeParts.Stage last = parts(model).stages().get(stages.size() - 1);
        assertArrayEquals(logarithms(last, sets), ofLast);
        assertTrue(stages.get(0).decided() > 0);
        KernelModel rows = recipe().fit(points(TWO, 1)).model();
        assertThrows(BochnerException.class, () -> Evaluation.of(rows, sets));
    }
}
