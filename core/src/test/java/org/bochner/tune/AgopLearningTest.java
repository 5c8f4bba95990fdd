package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.data.ColumnRange;
import org.bochner.data.MemorySource;
import org.bochner.map.FeatureMap;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels from average gradient outer products, on rows of which one column says much, one little and two nothing. */
class AgopLearningTest {
    private static final int ROWS = 250;

    /** Derivatives below a hundredth of the largest count as a hundredth. */
    private static final double LARGEST_RATIO = 100;

    /** Scales are rounded to five digits. */
    private static final double ROUNDING = 1e-3;

    /** A wave along the first column, a slope along the second, a column of noise, and perhaps a constant one. */
    private static MemorySource waves(boolean constant) {
        return waves(constant, 0);
    }

    private static MemorySource waves(boolean constant, double noise) {
        RandomStream stream = new Seed(2).stream();
        int columns = 4;
        float[] values = new float[ROWS * columns];
        double[] targets = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            for (int l = 0; l < columns; l++) {
                values[i * columns + l] = constant && l == 3 ? 7 : (float) stream.nextUniform();
            }
            targets[i] = Math.sin(9 * values[i * columns]) + 0.2 * values[i * columns + 1];
            targets[i] += noise > 0 ? noise * stream.nextUniform() : 0;
        }
        return MemorySource.of(columns, values).withTargets(List.of("height"), targets);
    }

    private static KernelLearning learning() {
        return KernelLearning.of(KernelMachine.of("gaussian(sigma=3)")
                .withFeatures(80)
                .withScaling(Scalings.standard())
                .withSeed(new Seed(4)));
    }

    /**
     * Checks that scales are proportional to the derivatives of sin(9x₀) + x₁/5, whose root mean squares are in the ratio
     * 9·√(½ + sin(18)/36)/0.2 = 31. With 250 rows, the estimates of the mean square and of the standard deviations by which columns are
     * scaled move the ratio by 14%, three standard errors. A fit with errors of at most 0.005, whose frequencies are at most four
     * times the initial scale of a third, has derivatives with errors of at most 0.007, a tenth of that of the second column,
     * 0.2·√(1/12) = 0.058. For the other columns this is less than a hundredth of the derivative of the first one, 1.8,
     * to which smaller ones are raised.
     */
    private static void requireScalesOfWaves(LearnedKernel learned) {
        double[] scales = scales(learned);
        String shown = learned.scales().toString();
        assertEquals(31, scales[0] / scales[1], 0.25 * 31, shown);
        assertEquals(LARGEST_RATIO, scales[0] / scales[2], ROUNDING * LARGEST_RATIO, shown);
        assertEquals(LARGEST_RATIO, scales[0] / scales[3], ROUNDING * LARGEST_RATIO, shown);
    }

    private static double[] scales(LearnedKernel learned) {
        return learned.scales().stream().mapToDouble(LearnedScale::after).toArray();
    }

    @Test
    void scalesAreProportionalToDerivatives() {
        LearnedKernel learned = learning().withMethod("agop").learn(waves(false));
        requireScalesOfWaves(learned);
        // A mean of 250 squared errors has a relative standard error of about √(2/250) = 9%; a half is five of them
        // below 1.
        assertTrue(learned.after() < 0.5 * learned.before(), learned.before() + " to " + learned.after());
        assertTrue(learned.reproducible());
    }

    @Test
    void columnsOfARangeShareAScale() {
        LearnedKernel learned = learning()
                .withMethod("agop")
                .withSharing(Sharing.RANGE)
                .withRanges(List.of(new ColumnRange("first", 0, 2), new ColumnRange("rest", 2, 4)))
                .learn(waves(false));
        assertEquals(2, learned.scales().size(), learned.scales().toString());
        double[] scales = scales(learned);
        assertEquals(LARGEST_RATIO, scales[0] / scales[1], ROUNDING * LARGEST_RATIO);
    }

    @Test
    void threadsDoNotChangeTheScales() {
        MemorySource rows = waves(false);
        KernelLearning agop = learning().withMethod("agop(rounds=2)");
        assertArrayEquals(
                scales(agop.learn(rows, new Workers(1), Progress.NONE)),
                scales(agop.learn(rows, new Workers(3), Progress.NONE)));
    }

    @Test
    void derivativesGoOnFromThere() {
        MemorySource rows = waves(false);
        LearnedKernel start = learning().withMethod("agop").learn(rows);
        LearnedKernel both =
                learning().withMethod("gradient(start=agop)").withIterations(5).learn(rows);
        assertTrue(both.after() <= start.after(), both.after() + " after " + start.after());
        assertTrue(both.steps().get(0).stage().contains("agop"), both.steps().toString());
    }

    @ParameterizedTest
    @CsvSource({"none", "landmarks(features=40)", "binning(grids=16)"})
    void otherMapsTakeTheScales(String map) {
        KernelMachine machine = KernelMachine.of(map.startsWith("binning") ? "laplacian(sigma=3)" : "gaussian(sigma=3)")
                .withMap(map)
                .withScaling(Scalings.standard());
        LearnedKernel learned = KernelLearning.of(machine)
                .withMethod("agop")
                .withCriterion("validation")
                .learn(waves(false));
        requireScalesOfWaves(learned);
        assertEquals(map, learned.trained().model().training().map().toString());
        assertEquals(learned.kernel(), learned.trained().model().map().kernel());
    }

    @Test
    void aSmoothKernelStandsInForARoughOneOnASampleOfTheRows() {
        LearnedKernel learned = KernelLearning.of(KernelMachine.of("laplacian")
                        .withMap("binning(grids=16)")
                        .withFeatures(4)
                        .withScaling(Scalings.standard()))
                .learn(manyWaves(3000));
        assertTrue(learned.hasOtherMap());
        assertEquals(
                "gaussian",
                Spelling.parse("kernel", learned.initialMap().kernel().toString())
                        .name());
        assertEquals(
                "laplacian",
                Spelling.parse("kernel", learned.kernel().toString()).name());
        // Length-scales of the features, times one factor. Of the second column nothing depends, so that any large
        // ratio is as
        // good; 5 only tells the columns apart.
        double[] scales = scales(learned);
        assertTrue(scales[0] > 5 * scales[1], learned.scales().toString());
        assertTrue(
                learned.notes().stream().anyMatch(note -> note.text().contains("a sample of 2,000 of 3,000 rows")),
                learned.notes().toString());
    }

    /** A wave along the first of two columns. */
    private static MemorySource manyWaves(int rows) {
        RandomStream stream = new Seed(6).stream();
        float[] values = new float[2 * rows];
        double[] targets = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[2 * i] = (float) stream.nextUniform();
            values[2 * i + 1] = (float) stream.nextUniform();
            targets[i] = Math.sin(9 * values[2 * i]);
        }
        return MemorySource.of(2, values).withTargets(List.of("height"), targets);
    }

    @Test
    void aConstantColumnIsIgnoredAndNoted() {
        LearnedKernel learned = learning().withMethod("agop").learn(waves(true));
        assertTrue(learned.scales().get(3).dropped());
        assertTrue(
                learned.notes().stream().anyMatch(note -> note.text().contains("1 column is constant")),
                learned.notes().toString());
    }

    @Test
    void aColumnThatIsConstantInASampleIsKeptWithTheLongestScale() {
        int rows = 15_200;
        RandomStream stream = new Seed(2).stream();
        float[] values = new float[2 * rows];
        double[] targets = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[2 * i] = (float) stream.nextUniform();
            values[2 * i + 1] = 3;
            targets[i] = Math.sin(9 * values[2 * i]);
        }
        LearnedKernel learned = KernelLearning.of(
                        KernelMachine.of("gaussian(sigma=3)").withFeatures(10).withScaling(Scalings.none()))
                .withMethod("agop(rounds=1)")
                .withCriterion("gcv")
                .learn(MemorySource.of(2, values).withTargets(List.of("height"), targets));
        double[] scales = scales(learned);
        assertEquals(100, scales[0] / scales[1], 0.1);
    }

    @Test
    void worseScalesAreNotKept() {
        // Targets of noise: whatever the gradients say, the result is at least as good as the start.
        RandomStream stream = new Seed(8).stream();
        MemorySource rows = waves(false)
                .withTargets(
                        List.of("noise"),
                        IntStream.range(0, ROWS)
                                .mapToDouble(i -> stream.nextUniform())
                                .toArray());
        LearnedKernel learned = learning().withMethod("agop").learn(rows);
        // Scales are rounded to five digits, and penalties are compared in steps.
        assertTrue(learned.after() <= learned.before() * (1 + 1e-3), learned.before() + " to " + learned.after());
    }

    @Test
    void smallEntriesAreRaisedAndZerosDropColumns() {
        FeatureMap map = SmallProblem.map("fourier", "gaussian(sigma=0.5)");
        ColumnMetric metric = new ColumnMetric(learning(), new Transformer(Scalings.identity(4), map));
        double[] scales = metric.of(new double[] {4, 1, 1e-12, 0});
        // The sum of squares stays 4/0.5², and the smallest entry counts as 1e-4 of the largest: a hundredth in scale.
        assertEquals(
                4 / 0.25,
                IntStream.range(0, 4).mapToDouble(l -> scales[l] * scales[l]).sum(),
                1e-9);
        assertEquals(2, scales[0] / scales[1], 1e-12);
        assertEquals(100, scales[0] / scales[2], 1e-9);
        assertEquals(0, scales[3]);
        assertEquals(0, metric.trace(new double[4]));
    }

    @Test
    void stepsGoOnInLogarithmsOfScales() {
        FeatureMap map = SmallProblem.map("fourier", "gaussian(sigma=0.5)");
        ColumnMetric metric = new ColumnMetric(learning(), new Transformer(Scalings.identity(4), map));
        double[] from = metric.of(new double[] {4, 1, 1, 1});
        double[] to = metric.of(new double[] {16, 1, 4, 0});
        assertArrayEquals(to, metric.step(from, to, 1), 1e-12);
        // Ratios of squares: 4 and 16 between the first two columns become 16·(16/4)² two steps further.
        double[] beyond = metric.step(from, to, 3);
        assertEquals(Math.sqrt(16 * 16), beyond[0] / beyond[1], 1e-9);
        assertEquals(Math.sqrt(64), beyond[2] / beyond[1], 1e-9);
        assertEquals(0, beyond[3]);
        // A step back from a dropped column cannot restore it, but gradients can.
        assertEquals(0, metric.step(to, to, 0.5)[3]);
        assertTrue(metric.step(to, from, 0.5)[3] > 0);
        assertEquals(4 / 0.25, Arrays.stream(beyond).map(scale -> scale * scale).sum(), 1e-9);
        // A column at the limit is not moved by parts of a step: its gradients say nothing.
        double[] ignored = metric.of(new double[] {4, 1, 1e-12, 1});
        double[] half = metric.step(from, ignored, 0.5);
        assertEquals(Math.sqrt(from[0] * ignored[0]) / ignored[2], half[0] / half[2], 1e-9);
        // Far steps stop at a hundredth of the largest scale.
        assertEquals(100, metric.step(from, to, 9)[0] / metric.step(from, to, 9)[1], 1e-9);
    }

    @Test
    void theObjectiveIsThatOfTheLearnedKernel() {
        MemorySource rows = waves(false, 0.5);
        LearnedKernel learned = learning().withMethod("agop").learn(rows);
        LearnedKernel again = KernelLearning.of(
                        KernelMachine.of(learned.kernel().toString())
                                .withFeatures(80)
                                .withScaling(Scalings.standard())
                                .withLearner(learned.trained().report().learner())
                                .withSeed(new Seed(4)))
                .withSharing(Sharing.ONE)
                .withIterations(1)
                .learn(rows);
        // Scales and penalty are rounded to five digits; the criterion moves by about as much, relative to itself.
        assertEquals(again.before(), learned.after(), 1e-3 * learned.after());
    }

    @Test
    void aGivenPenaltyIsKept() {
        // Below and above what a search would choose.
        for (String lambda : List.of("1.0E-6", "0.5")) {
            KernelLearning given = KernelLearning.of(KernelMachine.of("gaussian(sigma=3)")
                    .withFeatures(80)
                    .withLearner("ridge(lambda=" + lambda + ")")
                    .withSeed(new Seed(4)));
            LearnedKernel learned = given.withMethod("agop").learn(waves(false, 0.5));
            assertEquals(
                    "ridge(lambda=" + lambda + ")",
                    learned.trained().report().learner().toString());
        }
    }

    @ParameterizedTest
    @CsvSource({"gradient", "agop", "agop(rounds=3)", "agop(full)", "gradient(start=agop)"})
    void spellingsParseBack(String spelling) {
        assertEquals(spelling, LearningMethod.parse(spelling).toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"newton", "agop(half)", "agop(rounds=0)", "gradient(start=newton)", "gradient(rounds=2)"})
    void wrongSpellingsAreRefused(String spelling) {
        assertThrows(SpellingException.class, () -> LearningMethod.parse(spelling));
    }

    @Test
    void otherSettingsThatDoNotFitAreRefused() {
        MemorySource rows = waves(false);
        KernelLearning agop = learning().withMethod("agop");
        KernelMachine hinge = KernelMachine.of("gaussian").withFeatures(20).withLearner("svr");
        for (KernelLearning wrong : List.of(
                agop.withSharing(Sharing.ONE),
                agop.withSharing(Sharing.FREQUENCY),
                agop.withScalePenalty(0.1, 0),
                KernelLearning.of(hinge).withMethod("agop").withCriterion("train"),
                KernelLearning.of(KernelMachine.of("exp-chi2").withFeatures(20)).withMethod("agop"))) {
            assertThrows(SpellingException.class, () -> wrong.learn(rows));
        }
    }
}
