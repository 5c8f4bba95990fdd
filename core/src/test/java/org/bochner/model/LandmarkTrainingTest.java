package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.data.DenseRows;
import org.bochner.data.MemorySource;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Landmark maps in training: the penalty of the kernel gives the function that whitened features give. */
class LandmarkTrainingTest {
    private static final int ROWS = 400;
    private static final String KERNEL = "gaussian(sigma=0.8)";

    private static final float[] VALUES = values();

    private static float[] values() {
        RandomStream stream = new Seed(2).stream();
        float[] values = new float[2 * ROWS];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) (2 * stream.nextUniform() - 1);
        }
        return values;
    }

    private static double truth(int row) {
        return Math.sin(3 * VALUES[2 * row]) + VALUES[2 * row + 1] * VALUES[2 * row + 1];
    }

    private static MemorySource numbers() {
        double[] targets = new double[ROWS];
        Arrays.setAll(targets, LandmarkTrainingTest::truth);
        return MemorySource.of(2, VALUES).withTargets(targets);
    }

    private static MemorySource classes() {
        int[] classes = new int[ROWS];
        // One row in ten has the other class, so that the weights stay bounded.
        Arrays.setAll(classes, i -> (truth(i) > 0.3) == (i % 10 != 0) ? 1 : 0);
        return MemorySource.of(2, VALUES).withClasses(List.of("low", "high"), classes);
    }

    private static KernelMachine machine(String map, String learner) {
        return KernelMachine.of(KERNEL).withScaling("none").withMap(map).withLearner(learner);
    }

    private static double largestDifference(KernelModel a, KernelModel b) {
        double largest = 0;
        for (int i = 0; i < ROWS; i++) {
            double[] row = {VALUES[2 * i], VALUES[2 * i + 1]};
            largest = Math.max(largest, Math.abs(a.score(row)[0] - b.score(row)[0]));
        }
        return largest;
    }

    /**
     * K has a condition number of about 1e8, that of the cut-off, and its factor R one of 1e4. Rounding then changes
     * whitened features by 1e-12, and the function by that number times the scatter, 400, over lambda. Sums of products
     * of the kernel values themselves would be singular in float64.
     */
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void smoothKernelsHaveTheFunctionOfWhitenedFeatures(int sigma) {
        double lambda = 1e-7;
        KernelMachine machine = KernelMachine.of("gaussian(sigma=" + sigma + ")")
                .withScaling("none")
                .withLearner("ridge(lambda=" + lambda + ")");
        KernelModel expected = machine.withMap("landmarks(100, whitened)")
                .withPrecision(Precision.FLOAT64)
                .fit(numbers())
                .model();
        KernelModel model = machine.withMap("landmarks(100)").fit(numbers()).model();
        assertEquals(0, largestDifference(expected, model), 400 / lambda * 1e-12);
    }

    /**
     * Sums of products of the kernel values themselves would be singular at the smaller penalties. Rounding changes functions
     * by 1e-12 times 400 over lambda, as above.
     */
    @Test
    void aPathHasTheFunctionsOfTheFits() {
        KernelMachine machine =
                KernelMachine.of("gaussian(sigma=5)").withScaling("none").withMap("landmarks(100)");
        LearningPath path = machine.withLearner("ridge").path(numbers(), numbers(), 23, new Workers(2), Progress.NONE);
        for (LearningPath.Step step : path.steps()) {
            KernelModel model =
                    machine.withLearner(step.learner()).fit(numbers()).model();
            double squares = 0;
            for (int i = 0; i < ROWS; i++) {
                double residual = model.score(new double[] {VALUES[2 * i], VALUES[2 * i + 1]})[0] - truth(i);
                squares += residual * residual;
            }
            double tolerance = 400 / step.chosen().lambda() * 1e-12;
            assertEquals(Math.sqrt(squares / ROWS), step.errorOrRmse(), tolerance);
        }
    }

    /**
     * Both forms have one minimum, because R⁻¹ maps one problem to the other. Iterative solvers stop within their
     * tolerance of it.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "ridge(lambda=0.01); 1e-6",
                "ridge(lambda=0.01, solver=cg, tolerance=1e-7); 1e-3",
            })
    void regressionHasTheFunctionOfWhitenedFeatures(String learner, double tolerance) {
        KernelModel expected = machine("landmarks(30, whitened)", "ridge(lambda=0.01)")
                .withPrecision(Precision.FLOAT64)
                .fit(numbers())
                .model();
        KernelModel model = machine("landmarks(30)", learner)
                .withPrecision(Precision.FLOAT64)
                .fit(numbers())
                .model();
        assertEquals(0, largestDifference(expected, model), tolerance);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logistic(C=1, tolerance=1e-7)",
                "svm(C=1, tolerance=1e-7)",
                "svm(C=1, loss=squared-hinge, tolerance=1e-7)"
            })
    void classifiersHaveTheFunctionOfWhitenedFeatures(String learner) {
        KernelModel expected = machine("landmarks(30, whitened)", learner)
                .withPrecision(Precision.FLOAT64)
                .fit(classes())
                .model();
        KernelModel model = machine("landmarks(30)", learner)
                .withPrecision(Precision.FLOAT64)
                .fit(classes())
                .model();
        assertEquals(0, largestDifference(expected, model), 1e-3);
    }

    @Test
    void thePenaltyIsChosenOnRowsSetAsideInEitherForm() {
        KernelModel expected =
                machine("landmarks(30, whitened)", "logistic").fit(classes()).model();
        KernelModel model = machine("landmarks(30)", "logistic").fit(classes()).model();
        double ratio = model.training().lambda() / expected.training().lambda();
        assertTrue(ratio > 0.25 && ratio < 4, "lambda differs by " + ratio);
    }

    @Test
    void sparseKernelMachinesKeepFewLandmarks() {
        KernelModel model = machine("landmarks(100, raw)", "lasso(lambda=0.3)")
                .fit(numbers())
                .model();
        assertTrue(model.map().outputDimension() < 60, model.map().toString());
        assertEquals(truth(0), model.predictNumber(new double[] {VALUES[0], VALUES[1]}), 0.2);
    }

    /** A weight is zero in one basis only, so a sparse learner must be told which. */
    @Test
    void sparseLearnersNeedRawLandmarks() {
        BochnerException failure = assertThrows(
                BochnerException.class,
                () -> machine("landmarks(20)", "lasso(lambda=0.3)").fit(numbers()));
        assertTrue(String.valueOf(failure.getMessage()).contains("landmarks(raw)"), failure.getMessage());
    }

    @Test
    void moreLandmarksThanRowsAreRefused() {
        BochnerException failure = assertThrows(
                BochnerException.class, () -> machine("landmarks(401)", "ridge").fit(numbers()));
        assertTrue(String.valueOf(failure.getMessage()).contains("401 landmarks"), failure.getMessage());
    }

    @Test
    void withoutANumberAllRowsOfASmallTableAreLandmarks() {
        TrainingResult result = KernelMachine.of("laplacian(sigma=0.2)")
                .withScaling("none")
                .withMap("landmarks")
                .fit(numbers());
        assertEquals(ROWS, result.model().map().outputDimension());
        assertTrue(
                result.report().notes().stream()
                        .anyMatch(note -> note.toString().contains("all " + ROWS + " rows are landmarks")),
                () -> result.report().notes().toString());
    }

    /** Each stage of the work reports its progress; none is reached. */
    @Test
    void moreLandmarksThanRowsAreRefusedBeforeScalesAreChosen() {
        List<String> stages = new ArrayList<>();
        Progress progress = (stage, rows, share) -> stages.add(stage);
        KernelMachine machine =
                KernelMachine.of("gaussian").withMap("landmarks(401)").withLearner("ridge");
        assertThrows(BochnerException.class, () -> machine.fit(numbers(), new Workers(1), progress));
        assertEquals(List.of(), stages);
    }

    /** Half of the rows are copies: each copy depends on its original and is left out, and the note says it. */
    @Test
    void dependentLandmarksAreLeftOut() {
        float[] twice = new float[4 * ROWS];
        double[] targets = new double[2 * ROWS];
        for (int k = 0; k < twice.length; k++) {
            twice[k] = VALUES[k % VALUES.length];
        }
        Arrays.setAll(targets, i -> truth(i % ROWS));
        TrainingResult result = KernelMachine.of("laplacian(sigma=0.2)")
                .withScaling("none")
                .withMap("landmarks(800)")
                .withLearner("ridge(lambda=0.1)")
                .fit(MemorySource.of(2, twice).withTargets(targets));
        assertEquals(ROWS, result.model().map().outputDimension());
        assertTrue(result.report().notes().stream()
                .filter(note -> note.kind() == Note.Kind.CHOICE)
                .anyMatch(note -> note.text().startsWith("400 of 800 landmarks")));
    }

    @Test
    void aSavedModelPredictsTheSame(@TempDir Path folder) {
        KernelModel model =
                machine("landmarks(30, by=k-means)", "ridge").fit(numbers()).model();
        Path file = folder.resolve("m.bochner");
        model.save(file);
        assertEquals(0, largestDifference(model, KernelModel.load(file)));
    }

    /** Each choice of landmarks fits a smooth function of two columns with 40 of them. */
    @ParameterizedTest
    @ValueSource(
            strings = {"uniform", "k-means", "learned", "k-medoids", "projected", "leverage", "pivots", "random-pivots"
            })
    void everyChoiceFitsASmoothFunction(String by) {
        KernelModel model =
                machine("landmarks(40, by=" + by + ")", "ridge").fit(numbers()).model();
        RandomStream stream = new Seed(77).stream();
        for (int i = 0; i < 50; i++) {
            double x = 1.8 * stream.nextUniform() - 0.9;
            double y = 1.8 * stream.nextUniform() - 0.9;
            assertEquals(Math.sin(3 * x) + y * y, model.predictNumber(new double[] {x, y}), 0.02);
        }
    }

    @Nested
    class Given {
        private final MemorySource landmarks = MemorySource.of(2, Arrays.copyOf(VALUES, 40));

        @Test
        void landmarksAreTheGivenRows() {
            KernelModel model = machine("landmarks", "ridge")
                    .withLandmarks(landmarks)
                    .fit(numbers())
                    .model();
            assertEquals(20, model.map().outputDimension());
            double[] features = new double[20];
            model.map().apply(new double[] {VALUES[6], VALUES[7]}, features);
            assertEquals(1, features[3], 1e-12, "row 3 is landmark 3");
        }

        /** Landmarks are scaled as the rows: features of a landmark's own row are 1 in any scaling. */
        @Test
        void landmarksAreScaledAsTheRows() {
            KernelModel model = machine("landmarks", "ridge")
                    .withScaling("standard")
                    .withLandmarks(landmarks)
                    .fit(numbers())
                    .model();
            double[] features = new double[20];
            double[] row = {VALUES[6], VALUES[7]};
            model.map().apply(scaled(model, row), features);
            assertEquals(1, features[3], 1e-6);
        }

        private double[] scaled(KernelModel model, double[] row) {
            double[] values = new double[2];
            model.scaler().forBlocks().apply(DenseRows.of(row, null)).plain().copyRow(0, values);
            return values;
        }

        @Test
        void otherColumnsAreRefused() {
            KernelMachine machine =
                    machine("landmarks", "ridge").withLandmarks(MemorySource.of(4, Arrays.copyOf(VALUES, 40)));
            assertThrows(BochnerException.class, () -> machine.fit(numbers()));
        }

        @Test
        void anotherNumberIsRefused() {
            KernelMachine machine = machine("landmarks(10)", "ridge").withLandmarks(landmarks);
            assertThrows(BochnerException.class, () -> machine.fit(numbers()));
        }

        @Test
        void otherMapsHaveNoLandmarks() {
            KernelMachine machine = machine("fourier", "ridge").withLandmarks(landmarks);
            assertThrows(BochnerException.class, () -> machine.fit(numbers()));
        }

        @Test
        void givenLandmarksMustBeGiven() {
            KernelMachine machine = machine("landmarks(by=given)", "ridge");
            assertThrows(BochnerException.class, () -> machine.fit(numbers()));
        }
    }

    /** A model at the optimum is the start of a fit that has nothing left to do. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "logistic(l2=0.1, solver=newton)",
                "logistic(l2=0.1, solver=stream)",
                "ridge(lambda=0.1, solver=cg)"
            })
    void trainingStartsFromTheWeightsOfTheModel(String learner) {
        boolean classifies = learner.startsWith("logistic");
        MemorySource rows = classifies ? classes() : numbers();
        for (String map : List.of("landmarks(30)", "landmarks(30, raw)")) {
            KernelModel optimal = machine(map, classifies ? "logistic(l2=0.1, tolerance=1e-9)" : "ridge(lambda=0.1)")
                    .fit(rows)
                    .model();
            KernelMachine again = machine(map, learner);
            TrainingReport report = again.withStart(optimal).fit(rows).report();
            if (learner.contains("stream")) {
                // Rates of gradient steps move the scores of an optimum by a few percent.
                KernelModel moved = again.withStart(optimal).fit(rows).model();
                assertTrue(largestDifference(optimal, moved) < 0.5, map + " " + largestDifference(optimal, moved));
            } else {
                int cold = again.fit(rows).report().convergence().iterations();
                int warm = report.convergence().iterations();
                assertTrue(2 * warm < cold, map + ": " + warm + " iterations, without a start " + cold);
            }
        }
    }

    /** On a machine with one processor, this holds for every program. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "landmarks(60, by=uniform)",
                "landmarks(60, by=k-means)",
                "landmarks(60, by=learned)",
                "landmarks(60, by=k-medoids)",
                "landmarks(60, by=leverage)",
                "landmarks(60, by=pivots)",
                "landmarks(60, by=random-pivots)",
                "landmarks(60, whitened)",
                "none(threshold=0.01)",
                "none(products=tree)"
            })
    void oneThreadIsNoMoreThanOne(String map) {
        KernelMachine machine = machine(map, "ridge(lambda=1)");
        long before = ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
        KernelModel model =
                machine.fit(numbers(), new Workers(1), Progress.NONE).model();
        assertEquals(
                ROWS,
                Evaluation.of(model, numbers(), new Workers(1), Progress.NONE).rows());
        assertEquals(before, ManagementFactory.getThreadMXBean().getTotalStartedThreadCount());
    }
}
