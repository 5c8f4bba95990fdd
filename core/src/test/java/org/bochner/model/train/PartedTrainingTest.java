package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.data.MemorySource;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines that learn from rows in parts are those that learn from the same rows in one process. */
class PartedTrainingTest {
    private static final int ROWS = 600;
    private static final int COLUMNS = 5;

    /** Statistics of rows in parts are merged in another order; their rounding in float64 is far below this share. */
    private static final double ROUNDING = 1e-9;

    private static MemorySource numbers() {
        RandomStream stream = new Seed(5).stream();
        double[][] rows = new double[ROWS][COLUMNS];
        double[] targets = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < COLUMNS; j++) {
                rows[i][j] = Math.exp(stream.nextGaussian());
            }
            targets[i] = Math.sin(2 * rows[i][0]) + rows[i][1] * 0.3 + 0.1 * stream.nextGaussian();
        }
        return MemorySource.of(rows).withTargets(targets);
    }

    private static MemorySource classes(boolean sparse) {
        RandomStream stream = new Seed(6).stream();
        int[] starts = new int[ROWS + 1];
        int[] indices = new int[ROWS * COLUMNS];
        float[] values = new float[ROWS * COLUMNS];
        int[] labels = new int[ROWS];
        for (int i = 0; i < ROWS; i++) {
            labels[i] = i % 3;
            for (int j = 0; j < COLUMNS; j++) {
                indices[i * COLUMNS + j] = j;
                values[i * COLUMNS + j] = (float) Math.abs(stream.nextGaussian() + (j == labels[i] ? 1.5 : 0));
            }
            starts[i + 1] = starts[i] + COLUMNS;
        }
        List<String> names = List.of("a", "b", "c");
        return sparse
                ? MemorySource.ofCsr(COLUMNS, starts, indices, values).withClasses(names, labels)
                : MemorySource.of(COLUMNS, values).withClasses(names, labels);
    }

    private static KernelMachine machine(String kernel) {
        return KernelMachine.of(kernel).withPrecision(Precision.FLOAT64).withFeatures(60);
    }

    private static void assertEqualModels(KernelMachine machine, MemorySource rows, Consumer<SplitRows> check) {
        KernelModel expected = machine.fit(rows, new Workers(1), Progress.NONE).model();
        // Seven parts of 86 rows, the last of 84; eight parts of 75; and an empty part at the end of 601.
        for (int parts : new int[] {1, 7, 8, 601}) {
            SplitRows split = new SplitRows(rows, parts);
            KernelModel got = machine.fit(split, new Workers(1), Progress.NONE).model();
            check.accept(split);
            assertEquals(expected.training().learner(), got.training().learner());
            double[] wanted = scores(expected, rows);
            double[] found = scores(got, rows);
            double size = Arrays.stream(wanted).map(Math::abs).max().orElseThrow();
            assertArrayEquals(
                    wanted, found, ROUNDING * size / Math.min(1, got.training().lambda()));
        }
    }

    private static double[] scores(KernelModel model, MemorySource rows) {
        List<Double> all = new ArrayList<>();
        int outputs = model.labels().targets() == 1 && model.labels().names().size() > 2
                ? model.labels().names().size()
                : 1;
        model.score(rows, new Workers(1), Progress.NONE, (block, scores) -> {
            for (int i = 0; i < block.rows() * outputs; i++) {
                all.add(scores[i]);
            }
        });
        return all.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static void notReadHere(SplitRows split) {
        assertEquals(0, split.opened, "rows were read in this process");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gaussian", "matern(nu=1.5)", "cauchy", "gaussian(sigma=2) + 0.5*linear"})
    void ridgeReadsRowsWhereTheyAre(String kernel) {
        assertEqualModels(machine(kernel), numbers(), PartedTrainingTest::notReadHere);
        assertEqualModels(machine(kernel), classes(false), PartedTrainingTest::notReadHere);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "standard", "quantile", "log1p then standard", "clip(share=0.05) then quantile"})
    void scalingsAreFittedWhereRowsAre(String scaling) {
        assertEqualModels(
                machine("gaussian").withScaling(Scalings.parse(scaling)), numbers(), PartedTrainingTest::notReadHere);
    }

    @Test
    void additiveKernelsReadRowsWhereTheyAre() {
        KernelMachine machine = KernelMachine.of("chi2").withPrecision(Precision.FLOAT64);
        assertEqualModels(machine, numbers(), PartedTrainingTest::notReadHere);
        assertEqualModels(machine, classes(true), PartedTrainingTest::notReadHere);
    }

    @Test
    void sparseRowsStaySparse() {
        assertEqualModels(machine("exp-chi2"), classes(true), PartedTrainingTest::notReadHere);
    }

    @Test
    void rowsMayHaveWeights() {
        double[] weights = new double[ROWS];
        Arrays.setAll(weights, i -> i % 5);
        assertEqualModels(machine("gaussian"), numbers().withRowWeights(weights), PartedTrainingTest::notReadHere);
        assertEqualModels(
                machine("gaussian").withBalancedClasses(true), classes(false), PartedTrainingTest::notReadHere);
    }

    @Test
    void principalComponentsAreThoseOfAllRows() {
        assertEqualModels(machine("gaussian").withComponents("20"), numbers(), PartedTrainingTest::notReadHere);
    }

    @Test
    void learnersOfStatisticsReadRowsWhereTheyAre() {
        assertEqualModels(
                machine("gaussian").withLearner(Learner.parse("lda")), classes(false), PartedTrainingTest::notReadHere);
        assertEqualModels(
                machine("gaussian").withLearner(Learner.parse("lasso(lambda=0.5)")),
                numbers(),
                PartedTrainingTest::notReadHere);
    }

    /** With the usual tolerance of 1e-3, two solvers that round differently may end a step apart. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "logistic(C=1, tolerance=1e-9)",
                "softmax(C=1, tolerance=1e-9)",
                "svm(C=1, loss=squared-hinge, tolerance=1e-9)",
                "logistic(l1=1, l2=1, tolerance=1e-9)"
            })
    void smoothLossesReadRowsWhereTheyAre(String learner) {
        assertEqualModels(
                machine("gaussian").withLearner(Learner.parse(learner)),
                classes(false),
                PartedTrainingTest::notReadHere);
        assertEqualModels(
                KernelMachine.of("chi2").withPrecision(Precision.FLOAT64).withLearner(Learner.parse(learner)),
                classes(true),
                PartedTrainingTest::notReadHere);
    }

    @Test
    void penaltiesOfSmoothLossesAreChosenWhereRowsAre() {
        assertEqualModels(
                machine("gaussian").withLearner(Learner.parse("logistic(tolerance=1e-9)")),
                classes(false),
                PartedTrainingTest::notReadHere);
        assertEqualModels(
                machine("gaussian").withLearner(Learner.parse("huber(l2=0.1, tolerance=1e-9)")),
                numbers(),
                PartedTrainingTest::notReadHere);
    }

    @Test
    void componentsServeSmoothLosses() {
        assertEqualModels(
                machine("gaussian").withComponents("20").withLearner(Learner.parse("logistic(C=1, tolerance=1e-9)")),
                classes(false),
                PartedTrainingTest::notReadHere);
    }

    @Test
    void learnersThatNeedAllRowsAreRefused() {
        BochnerException failure = Assertions.assertThrows(
                BochnerException.class,
                () -> machine("gaussian")
                        .withLearner(Learner.parse("svm(C=1)"))
                        .fit(new SplitRows(classes(false), 3), new Workers(1), Progress.NONE));
        assertTrue(String.valueOf(failure.getMessage()).contains("in one process"), failure.getMessage());
    }

    @Test
    void landmarksAreTheSame() {
        assertEqualModels(
                machine("gaussian").withMap(FeatureMaps.parse("landmarks(whitened)")),
                numbers(),
                PartedTrainingTest::notReadHere);
        assertEqualModels(
                machine("gaussian").withMap(FeatureMaps.parse("landmarks")),
                classes(false),
                PartedTrainingTest::notReadHere);
    }

    @Test
    void badRowsAreFoundWhereTheyAre() {
        MemorySource rows = MemorySource.of(2, 1, 2, 3, -4, 5, 6, 7, 8).withTargets(1, 2, 3, 4);
        BochnerException failure = Assertions.assertThrows(
                BochnerException.class,
                () -> machine("chi2").fit(new SplitRows(rows, 2), new Workers(1), Progress.NONE));
        assertTrue(String.valueOf(failure.getMessage()).contains("row 2, column 1"), failure.getMessage());
    }
}
