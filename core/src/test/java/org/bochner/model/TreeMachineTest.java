package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Note;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryException;
import org.bochner.data.MemorySource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.stats.ExactRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exact machines whose near rows come from a tree: {@code none(threshold=…)} and {@code none(products=tree)}. */
class TreeMachineTest {
    private static final int ROWS = 150;
    private static final String KERNEL = "gaussian(sigma=0.1)";
    private static final float[] VALUES = values();

    private static float[] values() {
        RandomStream stream = new Seed(17).stream();
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
        Arrays.setAll(targets, TreeMachineTest::truth);
        return MemorySource.of(2, VALUES).withTargets(targets);
    }

    private static MemorySource classes() {
        int[] classes = new int[ROWS];
        Arrays.setAll(classes, i -> (int) Math.max(0, Math.min(2, Math.floor((truth(i) + 0.5) * 1.2))));
        return MemorySource.of(2, VALUES).withClasses(List.of("a", "b", "c"), classes);
    }

    private static KernelMachine machine(String map, String learner) {
        return KernelMachine.of(KERNEL).withScaling("none").withMap(map).withLearner(learner);
    }

    private static double[] scores(KernelModel model) {
        int outputs = model.score(row(0)).length;
        double[] scores = new double[ROWS * outputs];
        for (int i = 0; i < ROWS; i++) {
            System.arraycopy(model.score(row(i)), 0, scores, i * outputs, outputs);
        }
        return scores;
    }

    /** Scores by elimination of (K + Λ)·α + b = y with Σα = 0, where Λ has λ over the weight of each row. */
    private static double[] solution(double threshold, double lambda, double... weights) {
        Kernel kernel = Kernels.parse(KERNEL);
        int n = ROWS + 1;
        double[][] system = new double[n][n + 1];
        double[][] matrix = new double[ROWS][ROWS];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < ROWS; j++) {
                double value = kernel.value(row(i), row(j));
                matrix[i][j] = value >= threshold ? value : 0;
                system[i][j] = matrix[i][j] + (i == j ? lambda / weights[i] : 0);
            }
            system[i][ROWS] = 1;
            system[ROWS][i] = 1;
            system[i][n] = truth(i);
        }
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
        double[] scores = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            scores[i] = system[ROWS][n] / system[ROWS][ROWS];
            for (int j = 0; j < ROWS; j++) {
                scores[i] += matrix[i][j] * system[j][n] / system[j][j];
            }
        }
        return scores;
    }

    /** The relative residual of 1e-9 leaves scores of size 1 an error far below 1e-8. */
    @ParameterizedTest
    @CsvSource({"0, 0.01", "1e-6, 0.01", "0.01, 0.3", "0.5, 2"})
    void thresholdedRidgeSolvesTheThresholdedEquations(double threshold, double lambda) {
        double[] weights = new double[ROWS];
        Arrays.setAll(weights, i -> 1 + i % 3);
        KernelModel model = machine("none(threshold=" + threshold + ")", "ridge(lambda=" + lambda + ")")
                .fit(numbers().withRowWeights(weights))
                .model();
        assertArrayEquals(solution(threshold, lambda, weights), scores(model), 1e-8);
    }

    /** A tolerance of 1e-12 for kernel values and sums of weights below 1e4 leave an error below 1e-8. */
    @Test
    void treeProductsGiveTheExactSolution() {
        double[] ones = new double[ROWS];
        Arrays.fill(ones, 1);
        KernelModel model = machine("none(products=tree, tolerance=1e-12)", "ridge(lambda=0.05)")
                .fit(numbers())
                .model();
        assertArrayEquals(solution(0, 0.05, ones), scores(model), 1e-8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none(threshold=1e-3)", "none(products=tree)"})
    void severalClassesSavedModelsAndFeatures(String map, @TempDir Path folder) {
        KernelModel model = machine(map, "ridge").fit(classes()).model();
        assertTrue(Evaluation.of(model, classes(), Workers.all(), Progress.NONE).error() < 0.3);
        assertEquals(ROWS, model.map().dataRows());
        Path file = folder.resolve("tree.model");
        model.save(file);
        KernelModel loaded = KernelModel.load(file);
        assertEquals(FeatureMaps.parse(map), loaded.training().map());
        assertArrayEquals(scores(model), scores(loaded));
        // Scores are the linear functions of the features; sums of weights of size 1 have the tolerance.
        double[] features = new double[ROWS];
        model.map().apply(row(3), features);
        assertArrayEquals(model.linear().apply(features), model.score(row(3)), 1e-5);
    }

    @Test
    void chosenPenaltiesAreThoseOfTheStoredMatrix() {
        long[] pairs = new long[ROWS];
        // Rows with groups are compared in folds by both solvers.
        Arrays.setAll(pairs, i -> i / 2);
        MemorySource rows = numbers().withGroups(pairs);
        double dense = machine("none", "ridge").fit(rows).report().chosen().lambda();
        double tree = machine("none(threshold=1e-9)", "ridge")
                .fit(rows)
                .report()
                .chosen()
                .lambda();
        assertEquals(dense, tree, 1e-6 * dense);
    }

    private static double bytesSaid(String map) {
        double[] said = new double[1];
        Progress progress = new Progress() {
            @Override
            public void report(String stage, long rows, double fraction) {}

            @Override
            public void memory(String what, double bytes) {
                said[0] = bytes;
            }
        };
        machine(map, "ridge(lambda=1)").fit(classes(), new Workers(1), progress);
        return said[0];
    }

    /** Grids have at most 20 values in float64 per row and output. */
    @Test
    void theMemoryOfGridsIsCounted() {
        double difference = bytesSaid("none(products=tree)") - bytesSaid("none(threshold=0.1)");
        assertEquals(160.0 * ROWS * 3, difference, 1e-6 * difference);
    }

    @Test
    void threadsDoNotChangeTheModel() {
        for (String map : List.of("none(threshold=1e-3)", "none(products=tree)")) {
            KernelMachine machine = machine(map, "ridge");
            assertArrayEquals(
                    scores(machine.fit(classes(), new Workers(1), Progress.NONE).model()),
                    scores(machine.fit(classes(), new Workers(3), Progress.NONE).model()));
        }
    }

    private static double numberIn(List<Note> notes, String before) {
        String text = notes.toString();
        int at = text.indexOf(before);
        assertTrue(at >= 0, text);
        return Double.parseDouble(text.substring(at + before.length()).trim().split("[ ,;\\]]", 2)[0]);
    }

    /** Scores with the fitted weights differ from those of exact kernel values by at most tolerance·k(x, x)·Σ|β|. */
    @Test
    void notesBoundTheScoresOfProducts() {
        double tolerance = 1e-3;
        KernelMachine machine = KernelMachine.of("4*" + KERNEL)
                .withScaling("none")
                .withMap("none(products=tree, tolerance=" + tolerance + ")")
                .withLearner("ridge(lambda=0.1)");
        TrainingResult training = machine.fit(classes());
        KernelModel model = training.model();
        double[] weights = model.linear().weights();
        double largest = 0;
        for (int o = 0; o < 3; o++) {
            double sum = 0;
            for (int j = 0; j < ROWS; j++) {
                sum += Math.abs(weights[3 * j + o]);
            }
            largest = Math.max(largest, sum);
        }
        double printed = numberIn(training.report().notes(), "scores are within");
        // Two digits are printed.
        assertEquals(4 * tolerance * largest, printed, 0.05 * printed);
        double[] features = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            model.map().apply(row(i), features);
            assertArrayEquals(model.linear().apply(features), model.score(row(i)), 1.05 * printed);
        }
    }

    /** The weights solve a system with λ over the row weight, so their bound is proportional to the largest one. */
    @Test
    void notesBoundTheWeightsOfThresholds() {
        double[] weights = new double[ROWS];
        Arrays.setAll(weights, i -> i == 7 ? 10 : 1);
        KernelMachine machine = machine("none(threshold=1e-3)", "ridge(lambda=1)");
        String before = "weights by at most";
        double plain = numberIn(machine.fit(numbers()).report().notes(), before);
        double weighted =
                numberIn(machine.fit(numbers().withRowWeights(weights)).report().notes(), before);
        assertEquals(10 * plain, weighted, 0.1 * weighted);
    }

    /** Neighbours at distance 1 have the value exp(−0.5) = 0.61 and others count as 0: the matrix has 1 − 1.2 &lt; 0. */
    @Test
    void negativeCurvatureIsRefusedWithARemedy() {
        float[] line = new float[100];
        double[] targets = new double[100];
        for (int i = 0; i < 100; i++) {
            line[i] = i;
            targets[i] = i % 2;
        }
        KernelMachine machine = KernelMachine.of("gaussian(sigma=1)").withScaling("none");
        MemorySource rows = MemorySource.of(1, line).withTargets(targets);
        BochnerException refused = assertThrows(
                BochnerException.class,
                () -> machine.withMap("none(threshold=0.5)")
                        .withLearner("ridge(lambda=0.01)")
                        .fit(rows));
        assertTrue(String.valueOf(refused.getMessage()).contains("negative eigenvalue"), refused.getMessage());
        assertTrue(String.valueOf(refused.getMessage()).contains("smaller threshold"), refused.getMessage());
        double chosen = machine.withMap("none(threshold=0.5)")
                .withLearner("ridge")
                .fit(rows)
                .report()
                .chosen()
                .lambda();
        assertTrue(chosen > 0.2, "a penalty with a positive definite matrix, got " + chosen);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none(threshold=-1)",
                "none(threshold=NaN)",
                "none(threshold=1)",
                "none(threshold=x)",
                "none(products=sparse)",
                "none(tolerance=1e-6)",
                "none(products=tree, tolerance=0)",
                "none(products=tree, threshold=0.1)",
                "none(products=dense, tolerance=0.1)",
                "none(other=1)"
            })
    void wrongSpellingsAreRefused(String map) {
        assertThrows(SpellingException.class, () -> FeatureMaps.parse(map));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none",
                "none(threshold=0)",
                "none(threshold=0.001)",
                "none(products=tree)",
                "none(products=tree, tolerance=0.001)"
            })
    void spellingsAreReadBack(String map) {
        assertEquals(map, FeatureMaps.parse(map).toString());
        assertEquals("none", FeatureMaps.parse(map).name());
    }

    @Test
    void otherLearnersAndKernelsAreRefused() {
        assertThrows(
                BochnerException.class,
                () -> machine("none(threshold=0.1)", "svr").fit(numbers()));
        KernelMachine machine = machine("none(products=tree)", "ridge");
        KernelMachine polynomial = KernelMachine.of("polynomial(gamma=1)")
                .withScaling("none")
                .withMap("none(products=tree)")
                .withLearner("ridge");
        String message = String.valueOf(assertThrows(BochnerException.class, () -> polynomial.fit(numbers()))
                .getMessage());
        assertTrue(
                message.startsWith("the map none(products=tree) needs a kernel that decreases with the distance")
                        && message.contains("landmarks"),
                message);
        BochnerException zero = assertThrows(
                BochnerException.class,
                () -> machine("none(threshold=0.1)", "ridge(lambda=0)").fit(numbers()));
        assertTrue(String.valueOf(zero.getMessage()).contains("lambda=auto"), zero.getMessage());
        KernelModel model = machine.fit(numbers()).model();
        assertThrows(BochnerException.class, () -> machine.withStart(model));
    }

    @Test
    void tooLargeMatricesNameTheTree() {
        MemoryException refused =
                assertThrows(MemoryException.class, () -> ExactRows.requireMatrix("rows", 1 << 20, 1e15, true));
        assertTrue(String.valueOf(refused.getMessage()).contains("none(products=tree)"), refused.getMessage());
        BochnerException tooLong =
                assertThrows(BochnerException.class, () -> ExactRows.requireMatrix("rows", 1 << 20, 1, true));
        assertTrue(String.valueOf(tooLong.getMessage()).contains("none(threshold=1e-6)"), tooLong.getMessage());
        BochnerException other =
                assertThrows(BochnerException.class, () -> ExactRows.requireMatrix("rows", 1 << 20, 1, false));
        assertTrue(!String.valueOf(other.getMessage()).contains("threshold"), other.getMessage());
    }
}
