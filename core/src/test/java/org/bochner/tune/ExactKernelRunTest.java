package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.GoldenTable;
import org.bochner.base.SpellingException;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMaps;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Multiple kernel learning from kernel values, without features. */
class ExactKernelRunTest {
    private static final Workers WORKERS = new Workers(2);

    private static MultipleKernels recipe(String map, String kernel) {
        return MultipleKernels.of(ChannelRows.CHANNELS, kernel)
                .withMap(map)
                .withScaling("none")
                .withPrecision(Precision.FLOAT64)
                .withFolds(3)
                .withSteps(9);
    }

    private static double[] weights(LearnedSum learned) {
        return learned.channels().stream()
                .mapToDouble(LearnedSum.Channel::kernelWeight)
                .toArray();
    }

    private static double[] scores(KernelModel model, RowSource rows) {
        RowBlock block = SmallProblem.block(rows);
        double[] row = new double[block.columns()];
        return IntStream.range(0, 20)
                .boxed()
                .flatMapToDouble(i -> {
                    block.copyRow(i, row);
                    return Arrays.stream(model.score(row));
                })
                .toArray();
    }

    private static void assertNear(double[] expected, double[] actual, double relative) {
        double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], actual[i], relative * largest, "number " + i);
        }
    }

    /**
     * The features of linear kernels are the columns, so the primal problem in the columns is the same problem. Sums of
     * 200 rows in another order differ by about 1e-14, and Newton's steps with them by a few times as much.
     */
    @ParameterizedTest
    @ValueSource(strings = {"1", "1.5", "average"})
    void equalsThePrimalProblemOfAnExactMap(String norm) {
        for (MemorySource rows : new MemorySource[] {ChannelRows.numbers(200), ChannelRows.classes(200)}) {
            // A path for block-l1, whose start does not depend on the number of features.
            MultipleKernels primal = recipe("exact", "linear").withNorm(norm);
            MultipleKernels dual = recipe("none", "linear").withNorm(norm);
            boolean path = norm.equals("1");
            LearnedSum expected = (path ? primal : primal.withLambda(2)).fit(rows, WORKERS, Progress.NONE);
            LearnedSum learned = (path ? dual : dual.withLambda(2)).fit(rows, WORKERS, Progress.NONE);
            assertEquals(expected.path().size(), learned.path().size());
            assertEquals(expected.lambda(), learned.lambda(), 1e-8 * expected.lambda());
            for (int step = 0; step < learned.path().size(); step++) {
                double loss = expected.path().get(step).loss();
                assertEquals(loss, learned.path().get(step).loss(), 1e-8 * loss);
            }
            assertNear(weights(expected), weights(learned), 1e-8);
            // Kernel weights of the model have six digits.
            assertNear(scores(expected.model(), rows), scores(learned.model(), rows), 1e-5);
        }
    }

    @Test
    void plainSolutionIsThatOfTheReferenceSet() {
        MultipleKernels recipe = MultipleKernels.of(MultipleKernels.channels("a=0:2,b=2:5,c=5:7"), "linear")
                .withMap("none")
                .withScaling("none")
                .withFolds(2)
                .withPlainSolution(true);
        for (Map<String, String> golden : GoldenTable.read("mkl_group_lasso.csv")) {
            if (GoldenTable.text(golden, "loss").equals("half_square")) {
                LearnedSum learned = recipe.withLambda(1000 * GoldenTable.number(golden, "lambda"))
                        .fit(SquareLossProblemTest.goldenRows(), WORKERS, Progress.NONE);
                double[] w = GoldenTable.numbers(golden, "w");
                double[] norms = {
                    Math.hypot(w[0], w[1]), Math.hypot(Math.hypot(w[2], w[3]), w[4]), Math.hypot(w[5], w[6])
                };
                for (int c = 0; c < 3; c++) {
                    // Newton's method ends at derivatives of 1e-7.
                    assertEquals(norms[c], 1000 * learned.channels().get(c).norm(), 1e-6);
                }
            }
        }
    }

    @Test
    void theLearnedKernelTrainsTheSameExactMachine() {
        MemorySource rows = ChannelRows.classes(120);
        LearnedSum learned = recipe("none", "gaussian").withScaling("standard").fit(rows, WORKERS, Progress.NONE);
        KernelModel again = KernelMachine.of(learned.kernel().toString())
                .withMap(FeatureMaps.none())
                .withScaling("standard")
                .withLearner(learned.learner())
                .fit(rows)
                .model();
        assertEquals(120, learned.model().map().dataRows());
        // Both solve a system whose condition is below 1e6 in float64.
        assertNear(scores(again, rows), scores(learned.model(), rows), 1e-8);
    }

    @Test
    void continuesWithItsOwnScales() {
        MemorySource rows = ChannelRows.numbers(100);
        MultipleKernels recipe = recipe("none", "gaussian").withSteps(2);
        LearnedSum first = recipe.fit(rows, WORKERS, Progress.NONE);
        LearnedSum next = recipe.withSteps(4).withStart(first.model()).fit(rows, WORKERS, Progress.NONE);
        assertEquals(first.lambda(), next.path().get(0).lambda());
        assertTrue(next.path().size() > first.path().size());
        Exception e = assertThrows(
                RuntimeException.class, () -> recipe("auto", "gaussian").withStart(first.model()));
        assertTrue(String.valueOf(e.getMessage()).contains("none"), e::getMessage);
    }

    @Test
    void learnsScalesBeforeWeights() {
        MemorySource rows = ChannelRows.numbers(100);
        LearnedSum learned =
                recipe("none", "gaussian(sigma=9)").withLearnedScales(true).fit(rows, WORKERS, Progress.NONE);
        LearnedSum given = recipe("none", "gaussian(sigma=9)").fit(rows, WORKERS, Progress.NONE);
        assertTrue(learned.path().get(learned.chosen()).loss()
                < given.path().get(given.chosen()).loss());
    }

    @Test
    void refusesWhatNeedsFeatures() {
        MemorySource rows = ChannelRows.classes(60);
        Map.of(
                        "the square loss", recipe("none", "gaussian").withLoss("logistic"),
                        "no number of features", recipe("none", "gaussian").withFeatures(50),
                        "for maps with features", recipe("none", "gaussian").withJointScales(true),
                        "all kernel values", recipe("none(threshold=1e-3)", "gaussian"))
                .forEach((text, refused) -> {
                    SpellingException e =
                            assertThrows(SpellingException.class, () -> refused.fit(rows, WORKERS, Progress.NONE));
                    assertTrue(String.valueOf(e.getMessage()).contains(text), e::getMessage);
                });
    }
}
