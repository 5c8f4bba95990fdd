package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.bochner.base.BochnerException;
import org.bochner.data.ColumnRange;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.ParameterKind;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.TrainingRecord;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.stats.ClassWeights;
import org.bochner.tune.channels.ChannelFeatures;
import org.bochner.tune.channels.ChannelNorm;
import org.bochner.tune.channels.JointProblem;
import org.bochner.tune.channels.PrimalRows;
import org.bochner.tune.channels.SquareLossProblem;
import org.bochner.tune.folds.FoldStatistics;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.Parametrization;
import org.bochner.tune.scales.ScalePenalty;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights and scales of channels in one training objective. */
class JointKernelsTest {
    private static final Workers WORKERS = new Workers(1);
    private static final int FEATURES = 20;

    private static MultipleKernels recipe(List<String> kernels) {
        return MultipleKernels.of(ChannelRows.CHANNELS, kernels)
                .withMap("fourier")
                .withScaling("none")
                .withFeatures(FEATURES)
                .withFolds(2)
                .withPrecision(Precision.FLOAT64)
                .withPlainSolution(true);
    }

    private static MultipleKernels fixed(double sigma) {
        return recipe(Collections.nCopies(4, "gaussian(sigma=" + sigma + ")"));
    }

    private static LearnedSum learn(MultipleKernels recipe, RowSource rows) {
        return recipe.fit(rows, WORKERS, Progress.NONE);
    }

    private static List<double[]> rows(RowSource source, List<Double> targets) {
        List<double[]> rows = new ArrayList<>();
        try (RowCursor cursor = source.open()) {
            RowBlockBuilder builder = new RowBlockBuilder();
            while (cursor.next(builder, 1024)) {
                RowBlock block = builder.build();
                for (int i = 0; i < block.rows(); i++) {
                    double[] row = new double[block.columns()];
                    block.copyRow(i, row);
                    rows.add(row);
                    targets.add(block.target(i, 0));
                }
            }
        }
        return rows;
    }

    private static TrainingRecord.ChannelWeighting weighting(LearnedSum learned) {
        return Objects.requireNonNull(learned.model().training().channels());
    }

    /** (Σ r²/2 + λ·Σ|w|, or l2/2·Σ|w|² for the average) / Σ (y − ȳ)²/2, by definition. */
    private static double objective(LearnedSum learned, RowSource source) {
        List<Double> targets = new ArrayList<>();
        List<double[]> rows = rows(source, targets);
        double mean = targets.stream().mapToDouble(y -> y).average().orElseThrow();
        double loss = 0;
        double constant = 0;
        for (int i = 0; i < rows.size(); i++) {
            double residual = targets.get(i) - learned.model().score(rows.get(i))[0];
            loss += residual * residual / 2;
            constant += (targets.get(i) - mean) * (targets.get(i) - mean) / 2;
        }
        boolean average = weighting(learned).norm().equals("average");
        for (LearnedSum.Channel channel : learned.channels()) {
            loss += learned.lambda() * (average ? channel.norm() * channel.norm() / 2 : channel.norm());
        }
        return loss / constant;
    }

    /** The spelling of a Gaussian kernel whose length-scale is multiplied. */
    private static String times(Kernel kernel, double factor) {
        return "gaussian(sigma=" + sigma(kernel) * factor + ")";
    }

    private static double sigma(Kernel kernel) {
        return Double.parseDouble(kernel.toString().replaceAll(".*=|\\)", ""));
    }

    @Nested
    class Objective {
        private final RowSource source = ChannelRows.numbers(80);
        private final KernelMachine machine = Problems.machine(
                "gaussian(sigma=1)[0:2] + gaussian(sigma=1)[2:5] + gaussian(sigma=1)[5:7]", 36, "ridge(lambda=1)");
        private final Transformer transformer = Problems.prepare(machine, source);
        private final FoldedRows folded = Problems.rows(source, transformer, 2);
        private final FoldedRows whole = Problems.rows(source, transformer, 1);

        private SquareLossProblem weights(FeatureMap map, ChannelNorm norm) {
            PrimalRows rows = new PrimalRows(
                    new ChannelFeatures(map),
                    FoldStatistics.of(folded, map, ClassWeights.none(), Precision.FLOAT64),
                    source.labels(),
                    Precision.FLOAT64);
            return new SquareLossProblem(norm, rows, WORKERS);
        }

        /**
         * Newton's method ends at slopes of 1e-7, which leaves 1e-7 of the weights and of these derivatives. Differences
         * of fourth order with steps of 1e-4 leave about 1e-10.
         */
        @ParameterizedTest
        @CsvSource({"1, 2", "1, 0.2", "average, 0.5"})
        void hasTheDerivativesOfFiniteDifferences(String norm, double penalty) {
            JointProblem joint = new JointProblem(
                    map -> weights(map, ChannelNorm.parse(norm)),
                    whole,
                    ChannelLoss.square().loss(),
                    ClassWeights.none(),
                    Precision.FLOAT64,
                    transformer.map(),
                    transformer.map(),
                    Progress.NONE);
            joint.restart(new ScalePenalty(0, 0.01, 0.02));
            Parametrization moves =
                    Parametrization.of(Sharing.ONE, false, List.of(), transformer.map(), transformer.map());
            double[] point = {0.2, -0.1, 0.3};
            assertEquals(point.length, moves.count());
            assertTrue(
                    Problems.gradientError(joint.objective(moves, penalty), point, point.length) < 1e-6,
                    () -> "error " + Problems.gradientError(joint.objective(moves, penalty), point, point.length));
        }
    }

    @Nested
    class Solution {
        private static final double LAMBDA = 1.5;
        private static final double PRIOR = 0.02;
        private static final double STEP = 0.02;

        private final RowSource rows = ChannelRows.numbers(150);

        private double value(List<String> kernels, String norm) {
            MultipleKernels of = recipe(kernels).withNorm(norm).withPlainSolution(norm.equals("1"));
            return objective(learn(of.withLambda(LAMBDA), rows), rows);
        }

        /**
         * The derivative of the objective by each log σ, from solutions with fixed scales on both sides, is 0. A central
         * difference with the step h is wrong by h²/6 times the third derivative. The objective is between 0 and 1 and
         * changes over log-scales of about 1, so 1e-3 leaves a factor of ten.
         */
        @ParameterizedTest
        @ValueSource(strings = {"1", "average"})
        void isStationary(String norm) {
            LearnedSum learned = learn(
                    fixed(1).withNorm(norm)
                            .withPlainSolution(norm.equals("1"))
                            .withLambda(LAMBDA)
                            .withJointScales(true)
                            .withScalePenalty(PRIOR, 0),
                    rows);
            double penalty = 0;
            for (LearnedSum.Channel channel : learned.channels()) {
                double log = Math.log(sigma(channel.kernel()));
                penalty += channel.kernelWeight() > 0 ? PRIOR * log * log : 0;
            }
            assertTrue(penalty > 1e-4, "the penalty counts");
            assertEquals(objective(learned, rows) + penalty, learned.after(), 1e-6);
            List<String> kernels = learned.channels().stream()
                    .map(channel -> channel.kernel().toString())
                    .toList();
            // The weights are those of a solution with the learned scales.
            assertEquals(learned.after() - penalty, value(kernels, norm), 1e-7);
            double moved = 0;
            for (int c = 0; c < 4; c++) {
                LearnedSum.Channel channel = learned.channels().get(c);
                double log = Math.log(sigma(channel.kernel()));
                if (channel.kernelWeight() == 0) {
                    assertEquals(0, log, "scales of channels without a weight stay");
                    continue;
                }
                moved = Math.max(moved, Math.abs(log));
                List<String> longer = new ArrayList<>(kernels);
                List<String> shorter = new ArrayList<>(kernels);
                longer.set(c, times(channel.kernel(), Math.exp(STEP)));
                shorter.set(c, times(channel.kernel(), Math.exp(-STEP)));
                double slope = (value(longer, norm) - value(shorter, norm)) / (2 * STEP) + 2 * PRIOR * log;
                assertEquals(0, slope, 1e-3, channel.columns().name());
            }
            assertTrue(moved > 0.1, "scales moved");
        }

        @Test
        void reportsTheObjectiveWithThePenaltyOfScales() {
            double l2 = 0.05;
            MultipleKernels recipe =
                    fixed(1).withNorm("average").withLambda(LAMBDA).withJointScales(true);
            LearnedSum learned = learn(recipe.withScalePenalty(0, l2), rows);
            double penalty = 0;
            for (LearnedSum.Channel channel : learned.channels()) {
                penalty += l2 / (sigma(channel.kernel()) * sigma(channel.kernel()));
            }
            assertEquals(objective(learned, rows) + penalty, learned.after(), 1e-6);
            // Before, the four factors are 1.
            double initial = value(Collections.nCopies(4, "gaussian(sigma=1)"), "average");
            assertEquals(initial + 4 * l2, learned.before(), 1e-6);
            assertTrue(learned.after() < learned.before(), learned.after() + " < " + learned.before());
            assertTrue(learn(recipe.withScalePenalty(0, 1e100), rows).after() < Double.POSITIVE_INFINITY);
            assertThrows(IllegalArgumentException.class, () -> recipe.withScalePenalty(0, 1e300));
            assertThrows(IllegalArgumentException.class, () -> recipe.withScalePenalty(1e300, 0));
        }

        @Test
        void isNotWorseThanFixedScales() {
            LearnedSum learned =
                    learn(fixed(1).withLambda(LAMBDA).withJointScales(true).withScalePenalty(0, 0), rows);
            assertEquals(value(Collections.nCopies(4, "gaussian(sigma=1)"), "1"), learned.before(), 1e-6);
            assertTrue(learned.after() < learned.before() - 0.01, learned.after() + " < " + learned.before());
            assertEquals(
                    Kernels.parse("gaussian(sigma=1)"),
                    learned.channels().get(0).initialKernel());
            assertEquals(4, learned.path().get(0).scaleFactors().size());
        }

        /** Another algorithm on the same features: proximal quasi-Newton steps on weights and scales together. */
        @Test
        void isThatOfKernelLearningWithAPenaltyOnChannels() {
            RowSource rows = ChannelRows.numbers(80);
            LearnedSum learned =
                    learn(fixed(1).withLambda(LAMBDA).withJointScales(true).withScalePenalty(0, 0), rows);
            String kernel = "gaussian(sigma=1)[0:2] + gaussian(sigma=1)[2:5] + gaussian(sigma=1)[5:7]"
                    + " + gaussian(sigma=1)[7:9]";
            // The learner multiplies its penalty by the root of the number of features of a channel.
            String learner = "group-lasso(lambda=" + LAMBDA / Math.sqrt(FEATURES) + ", groups=channels)";
            LearnedKernel other = KernelLearning.of(Problems.machine(kernel, 4 * FEATURES, learner))
                    .withSharing(Sharing.ONE)
                    .withCriterion(Criterion.training())
                    .withIterations(500)
                    .withTolerance(1e-8)
                    .learn(rows);
            // It ends when three steps gain less than 1e-9 of the objective, with up to 500 such steps to go.
            assertEquals(other.after(), learned.after(), 1e-6);
        }

        @Test
        void ofOneKernelIsThatOfKernelLearningWithRidge() {
            LearnedSum learned = learn(
                    MultipleKernels.of(List.of(new ColumnRange("all", 0, 9)), "gaussian(sigma=2)")
                            .withNorm("average")
                            .withJointScales(true)
                            .withMap("fourier")
                            .withScaling("none")
                            .withFeatures(40)
                            .withFolds(2)
                            .withPrecision(Precision.FLOAT64)
                            .withLambda(0.7)
                            .withScalePenalty(0, 0),
                    rows);
            LearnedKernel other = KernelLearning.of(Problems.machine("gaussian(sigma=2)[0:9]", 40, "ridge(lambda=0.7)"))
                    .withSharing(Sharing.ONE)
                    .withCriterion(Criterion.training())
                    .withTolerance(1e-8)
                    .learn(rows);
            assertEquals(other.after(), learned.after(), 1e-6);
            double expected = 1 / other.scales().get(0).after();
            // Scales have five digits, and the objective is flat to 1e-8 over a few of 1e-4 around its minimum.
            assertEquals(expected, sigma(learned.channels().get(0).kernel()), 1e-3 * expected);
        }
    }

    @Nested
    class Runs {
        private final MemorySource rows = ChannelRows.classes(80);

        private MultipleKernels few(String loss) {
            return MultipleKernels.of(ChannelRows.CHANNELS, "gaussian")
                    .withFeatures(12)
                    .withFolds(2)
                    .withSteps(3)
                    .withLoss(loss)
                    .withJointScales(true);
        }

        @ParameterizedTest
        @ValueSource(strings = {"square", "logistic"})
        void reduceTheObjectiveWithEveryLoss(String loss) {
            LearnedSum learned = learn(few(loss).withScalePenalty(0, 0), rows);
            assertTrue(learned.after() < learned.before(), learned.after() + " < " + learned.before());
            assertNotEquals(
                    learned.channels().get(0).initialKernel(),
                    learned.channels().get(0).kernel());
        }

        @Test
        void choosePriorAndPenaltyAndContinue() {
            LearnedSum learned = learn(few("square"), rows);
            assertTrue(weighting(learned).joint());
            assertTrue(weighting(learned).scalePrior() > 0);
            LearnedSum resumed = learn(few("square").withStart(learned.model()), rows);
            assertEquals(learned.lambda(), resumed.path().get(0).lambda());
            assertEquals(weighting(learned).scalePrior(), weighting(resumed).scalePrior());
            refused(
                    "given before the weights",
                    () -> few("square").withJointScales(false).withStart(learned.model()));
            refused(
                    "refitted, not plain",
                    () -> few("square").withPlainSolution(true).withStart(learned.model()));
            refused(
                    "the scale prior",
                    () -> few("square").withScalePenalty(0, 0.5).withStart(learned.model()));
        }

        @Test
        void refuseKernelsWithoutScales() {
            MultipleKernels linear = MultipleKernels.of(ChannelRows.CHANNELS, KernelRecipe.of(Kernels.parse("linear")))
                    .withMap(FeatureMaps.parse("exact"))
                    .withJointScales(true);
            refused("no scale", () -> learn(linear, rows));
        }

        private static void refused(String text, Runnable call) {
            BochnerException e = assertThrows(BochnerException.class, call::run);
            assertTrue(String.valueOf(e.getMessage()).contains(text), e::getMessage);
        }
    }

    @Test
    void parametersOfChannelsAreNumberedByTheirTerms() {
        RowSource source = ChannelRows.numbers(60);
        Transformer transformer = Problems.prepare(
                Problems.machine("linear[0:2] + gaussian(sigma=1)[2:5]", 20, "ridge(lambda=1)")
                        .withMap(FeatureMaps.auto()),
                source);
        assertEquals(
                1, transformer.map().parameters(ParameterKind.SCALES).scope(0).term());
    }
}
