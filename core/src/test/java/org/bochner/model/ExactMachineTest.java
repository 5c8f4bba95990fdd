package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.memory.MemoryException;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines without a map: training, prediction, files and failures. */
class ExactMachineTest {
    private static final int ROWS = 120;
    private static final float[] VALUES = values();

    private static float[] values() {
        RandomStream stream = new Seed(7).stream();
        float[] values = new float[2 * ROWS];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) stream.nextUniform();
        }
        return values;
    }

    private static double[] row(int i) {
        return new double[] {VALUES[2 * i], VALUES[2 * i + 1]};
    }

    private static double truth(int i) {
        return Math.sin(5 * VALUES[2 * i]) + VALUES[2 * i + 1] + 0.2 * Math.cos(17 * i);
    }

    private static MemorySource numbers() {
        double[] targets = new double[ROWS];
        Arrays.setAll(targets, ExactMachineTest::truth);
        return MemorySource.of(2, VALUES).withTargets(targets);
    }

    private static MemorySource classes(int count) {
        int[] classes = new int[ROWS];
        Arrays.setAll(classes, i -> (int) Math.max(0, Math.min(count - 1, Math.floor((truth(i) + 0.5) * count / 2.5))));
        return MemorySource.of(2, VALUES).withClasses(List.of("a", "b", "c").subList(0, count), classes);
    }

    private static KernelMachine machine(String kernel, String learner) {
        return KernelMachine.of(kernel)
                .withScaling("none")
                .withMap(FeatureMaps.none())
                .withLearner(learner);
    }

    @ParameterizedTest
    @CsvSource({"gaussian(sigma=0.3), false", "gaussian, true"})
    void rowsAreSampledOnlyIfTheyAreNeeded(String kernel, boolean sampled) {
        List<String> stages = new ArrayList<>();
        KernelMachine.of(kernel)
                .withScaling("none")
                .withMeasuredScales(true)
                .withFeatures(10)
                .fit(numbers(), new Workers(1), (stage, rows, fraction) -> stages.add(stage));
        assertEquals(sampled, stages.contains("sampling rows"), stages.toString());
    }

    private static double[] scores(KernelModel model) {
        double[] scores = new double[ROWS];
        Arrays.setAll(scores, i -> model.score(row(i))[0]);
        return scores;
    }

    /**
     * Landmarks that depend on others up to the cutoff are left out. A cutoff near the rounding of kernel values, which
     * the smooth kernels need, would keep noise of the chi2 kernel.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "gaussian(sigma=0.3); 1e-14",
                "laplacian(sigma=1); 1e-14",
                "chi2; 1e-10",
                "gaussian(sigma=1) + polynomial(gamma=1, degree=2, c=1); 1e-14"
            })
    void ridgeEqualsRidgeWithAllRowsAsLandmarks(String kernel, String cutoff) {
        KernelModel exact = machine(kernel, "ridge(lambda=0.1)").fit(numbers()).model();
        KernelModel landmarks = machine(kernel, "ridge(lambda=0.1)")
                .withMap("landmarks(" + ROWS + ", whitened, cutoff=" + cutoff + ")")
                .withPrecision(Precision.FLOAT64)
                .fit(numbers())
                .model();
        assertArrayEquals(scores(landmarks), scores(exact), 1e-6);
    }

    /** (K + λI)α + b = y with Σα = 0, solved by elimination. */
    @Test
    void ridgeSolvesTheNormalEquations() {
        double lambda = 0.3;
        int n = ROWS + 1;
        double[][] system = new double[n][n + 1];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < ROWS; j++) {
                double[] x = row(i);
                double[] y = row(j);
                double square = Math.pow(x[0] - y[0], 2) + Math.pow(x[1] - y[1], 2);
                system[i][j] = Math.exp(-square / (2 * 0.3 * 0.3)) + (i == j ? lambda : 0);
            }
            system[i][ROWS] = 1;
            system[ROWS][i] = 1;
            system[i][n] = truth(i);
        }
        double[] solution = eliminate(system);
        double[] expected = new double[ROWS];
        // The fit is the target less the residual λα.
        Arrays.setAll(expected, i -> truth(i) - lambda * solution[i]);
        KernelModel model = machine("gaussian(sigma=0.3)", "ridge(lambda=0.3)")
                .fit(numbers())
                .model();
        assertArrayEquals(expected, scores(model), 1e-6);
    }

    private static double[] eliminate(double[][] system) {
        int n = system.length;
        for (int k = 0; k < n; k++) {
            int pivot = k;
            for (int i = k + 1; i < n; i++) {
                pivot = Math.abs(system[i][k]) > Math.abs(system[pivot][k]) ? i : pivot;
            }
            double[] swapped = system[k];
            system[k] = system[pivot];
            system[pivot] = swapped;
            for (int i = 0; i < n; i++) {
                double factor = i == k ? 0 : system[i][k] / system[k][k];
                for (int j = k; j <= n && factor != 0; j++) {
                    system[i][j] -= factor * system[k][j];
                }
            }
        }
        double[] solution = new double[n];
        Arrays.setAll(solution, i -> system[i][n] / system[i][i]);
        return solution;
    }

    @Test
    void weightsOfRowsAreCopiesOfRows() {
        double[] weights = new double[ROWS];
        Arrays.setAll(weights, i -> i % 3);
        float[] repeated = new float[4 * ROWS];
        double[] targets = new double[2 * ROWS];
        int count = 0;
        for (int i = 0; i < ROWS; i++) {
            for (int copy = 0; copy < i % 3; copy++) {
                repeated[2 * count] = VALUES[2 * i];
                repeated[2 * count + 1] = VALUES[2 * i + 1];
                targets[count++] = truth(i);
            }
        }
        MemorySource copies =
                MemorySource.of(2, Arrays.copyOf(repeated, 2 * count)).withTargets(Arrays.copyOf(targets, count));
        for (String learner : List.of("ridge(lambda=0.1)", "svr(C=2, tolerance=1e-7)")) {
            KernelMachine machine = machine("gaussian(sigma=0.3)", learner);
            double[] weighted =
                    scores(machine.fit(numbers().withRowWeights(weights)).model());
            assertArrayEquals(scores(machine.fit(copies).model()), weighted, 1e-4, learner);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ridge", "svm", "svm(C=3)"})
    void severalClassesAndSavedModels(String learner, @TempDir Path folder) {
        TrainingResult result = machine("gaussian(sigma=0.3)", learner).fit(classes(3));
        KernelModel model = result.model();
        assertEquals(3, model.score(row(0)).length);
        assertTrue(
                Evaluation.of(model, classes(3), Workers.all(), Progress.NONE).error() < 0.35);
        assertEquals(model.map().outputDimension(), model.map().dataRows());
        Path file = folder.resolve("exact.model");
        model.save(file);
        KernelModel loaded = KernelModel.load(file);
        assertEquals("none", loaded.training().map().toString());
        assertArrayEquals(scores(model), scores(loaded));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ridge(lambda=0.1)", "svr(C=2, tolerance=1e-7)"})
    void severalNumbersAreLearnedOnTheirOwn(String learner) {
        double[] both = new double[2 * ROWS];
        Arrays.setAll(both, k -> k % 2 == 0 ? Math.cos(k) : truth(k / 2));
        KernelMachine machine = machine("gaussian(sigma=0.3)", learner);
        KernelModel model = machine.fit(MemorySource.of(2, VALUES).withTargets(List.of("a", "b"), both))
                .model();
        double[] second = new double[ROWS];
        Arrays.setAll(second, i -> model.score(row(i))[1]);
        assertArrayEquals(scores(machine.fit(numbers()).model()), second, 1e-9);
    }

    @Test
    void sparseRowsGiveTheModelOfDenseOnes() {
        float[] values = VALUES.clone();
        for (int k = 0; k < values.length; k++) {
            values[k] = k % 5 == 0 ? values[k] : 0;
        }
        int[] starts = new int[ROWS + 1];
        int[] indices = new int[values.length];
        float[] entries = new float[values.length];
        int count = 0;
        for (int i = 0; i < ROWS; i++) {
            for (int l = 0; l < 2; l++) {
                if (values[2 * i + l] != 0) {
                    indices[count] = l;
                    entries[count++] = values[2 * i + l];
                }
            }
            starts[i + 1] = count;
        }
        double[] targets = new double[ROWS];
        Arrays.setAll(targets, ExactMachineTest::truth);
        MemorySource sparse = MemorySource.ofCsr(
                        2, starts, Arrays.copyOf(indices, count), Arrays.copyOf(entries, count))
                .withTargets(targets);
        MemorySource dense = MemorySource.of(2, values).withTargets(targets);
        KernelMachine machine = machine("gaussian(sigma=0.3)", "ridge(lambda=0.1)");
        assertArrayEquals(
                scores(machine.fit(dense).model()), scores(machine.fit(sparse).model()), 1e-12);
    }

    @Test
    void chosenPenaltiesAreReported() {
        TrainingReport report = machine("gaussian(sigma=0.3)", "svr(epsilon=0.05)")
                .fit(numbers())
                .report();
        assertTrue(report.path().size() >= 3);
        assertTrue(report.chosen().lambda() > 0);
    }

    @Test
    void classWeightsMoveTheBoundary() {
        KernelMachine machine = machine("gaussian(sigma=0.5)", "svm(C=0.1)");
        double[] plain = scores(machine.fit(classes(2)).model());
        double[] heavy = scores(
                machine.withClassWeights(Map.of("b", 20.0)).fit(classes(2)).model());
        long before = Arrays.stream(plain).filter(score -> score > 0).count();
        long after = Arrays.stream(heavy).filter(score -> score > 0).count();
        assertTrue(after > before, before + " and " + after);
    }

    @Test
    void probabilitiesComeFromFolds() {
        KernelModel model = machine("gaussian(sigma=0.3)", "svm(C=1)")
                .withCalibration("platt")
                .fit(classes(2))
                .model();
        Map<String, Double> probabilities = model.probabilities(row(0));
        assertEquals(1, probabilities.values().stream().mapToDouble(p -> p).sum(), 1e-12);
    }

    @Test
    void threadsDoNotChangeTheModel() {
        KernelMachine machine = machine("gaussian(sigma=0.3)", "svm");
        assertArrayEquals(
                scores(machine.fit(classes(2), new Workers(1), Progress.NONE).model()),
                scores(machine.fit(classes(2), new Workers(3), Progress.NONE).model()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lasso",
                "svm(l1=0.1)",
                "logistic",
                "huber",
                "ridge(solver=cg)",
                "svm(solver=stream)",
                "svr(gamma=10)"
            })
    void otherLearnersAreRefused(String learner) {
        RowSource rows = learner.startsWith("svm") || learner.equals("logistic") ? classes(2) : numbers();
        assertThrows(
                BochnerException.class,
                () -> machine("gaussian(sigma=0.3)", learner).fit(rows));
    }

    @Test
    void numbersOfFeaturesAndComponentsAreRefused() {
        KernelMachine machine = machine("gaussian(sigma=0.3)", "ridge");
        assertThrows(BochnerException.class, () -> machine.withFeatures(100).fit(numbers()));
        assertThrows(BochnerException.class, () -> machine.withComponents("10").fit(numbers()));
        KernelModel model = machine.fit(numbers()).model();
        assertThrows(BochnerException.class, () -> machine.withStart(model));
    }

    @Test
    void refusalsNameTheMap() {
        KernelMachine machine = machine("gaussian(sigma=0.3)", "ridge");
        assertProblem(
                "the map none works with the learners ridge, svm and svr, not with logistic(l2=auto)",
                machine.withLearner("logistic"));
        assertProblem(
                "the map none has its own solvers and takes no solver=cg", machine.withLearner("ridge(solver=cg)"));
        assertProblem("the map none takes no number of features", machine.withFeatures(9));
        assertProblem("the map none uses all rows, so landmarks cannot be given", machine.withLandmarks(numbers()));
        assertProblem("the map none has no features, so it has no principal components", machine.withComponents("10"));
    }

    private static void assertProblem(String problem, KernelMachine machine) {
        assertEquals(
                problem,
                assertThrows(BochnerException.class, () -> machine.fit(classes(2)))
                        .problem());
    }

    @Test
    void otherUsesOfTheMapAreRefused() {
        KernelMachine machine = machine("gaussian(sigma=0.3)", "ridge");
        assertThrows(BochnerException.class, () -> machine.path(numbers(), numbers(), 3, Workers.all(), Progress.NONE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ridge", "svr"})
    void tooManyRowsAreRefusedBeforeTheyAreRead(String learner) {
        RowSource rows = new ManyRows(4_000_000_000L);
        assertThrows(
                MemoryException.class,
                () -> machine("gaussian(sigma=0.3)", learner).fit(rows));
    }

    /** A source too large to be read. */
    private record ManyRows(long rows) implements RowSource {
        @Override
        public String name() {
            return "many rows";
        }

        @Override
        public int columns() {
            return 2;
        }

        @Override
        public Labels labels() {
            return new Labels.Numbers(List.of("target"));
        }

        @Override
        public boolean sparse() {
            return false;
        }

        @Override
        public RowCursor open() {
            throw new AssertionError("was opened");
        }
    }

    /** K alone takes 8 bytes per pair of rows, or of landmarks. */
    @ParameterizedTest
    @CsvSource({"none, ridge(lambda=1), 120", "landmarks(50), ridge(lambda=1), 50", "'none(threshold=1e-6)', ridge, 0"})
    void memoryIsSaidBefore(String map, String learner, int size) {
        List<Double> said = new ArrayList<>();
        machine("gaussian(sigma=1)", learner).withMap(map).fit(numbers(), new Workers(1), new Progress() {
            @Override
            public void report(String stage, long rows, double fraction) {
                assertTrue(!stage.equals("solving") || !said.isEmpty(), stage);
            }

            @Override
            public void memory(String owner, double bytes) {
                said.add(bytes);
            }
        });
        assertEquals(1, said.size());
        assertTrue(said.get(0) >= 8.0 * size * size, said::toString);
    }
}
