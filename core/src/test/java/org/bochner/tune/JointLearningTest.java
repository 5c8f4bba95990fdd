package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.base.BochnerException;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.kernel.additive.Linear;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.RowLoss;
import org.bochner.learn.solve.Formulation;
import org.bochner.map.additive.ExactMap;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.DescentMonitor;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Lbfgs;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.RowWeights;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.JointObjective;
import org.bochner.tune.scales.Parametrization;
import org.bochner.tune.scales.RidgeCriterion;
import org.bochner.tune.scales.ScaleObjective;
import org.bochner.tune.scales.ScalePenalty;
import org.bochner.tune.scales.WeightCoordinates;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JointLearningTest {
    private static final Criterion TRAIN = Criterion.parse("train");

    private static RowSource source(String learner, int rows) {
        Learner parsed = Learner.parse(learner);
        if (Formulation.of(parsed).loss().forNumbers()) {
            return Problems.numbers(rows, 3);
        }
        return Problems.classes(rows, parsed.name().equals("softmax") ? 3 : 2, 3);
    }

    /** A sum of squares less the square of the sum would be rounded to a hundredth of the variance here. */
    @Test
    void weightsAreInUnitsOfTheSpreadHoweverLargeTheMean() {
        double near = weightSize(0);
        assertEquals(near, weightSize(1e6f), 1e-8 * near);
    }

    /** The unit of weights for rows in the steps that float32 has at 10⁶. */
    private static double weightSize(float mean) {
        RandomStream stream = new Seed(4).stream();
        float[] values = new float[3000];
        double[] targets = new double[1500];
        for (int i = 0; i < values.length; i++) {
            values[i] = mean + 0.0625f * stream.nextInt(5);
        }
        for (int i = 0; i < targets.length; i++) {
            targets[i] = stream.nextUniform();
        }
        RowSource source = MemorySource.of(2, values).withTargets(targets);
        FoldedRows rows = FoldedRows.read(
                source,
                Scalings.identity(2),
                new Linear(),
                (row, group) -> (int) (row % 3),
                3,
                Long.MAX_VALUE,
                new Workers(2));
        WeightCoordinates frame = WeightCoordinates.measure(
                rows,
                new ExactMap(new Linear(), 2),
                new RowLoss(Formulation.of(Learner.parse("ridge")).loss(), source.labels()),
                ClassWeights.none(),
                Precision.FLOAT32,
                Double.NaN,
                1);
        return frame.weightSize();
    }

    /** The objective of a learner, with a smooth loss, and everything that it is a function of. */
    private static final class Setting {
        final Transformer transformer;
        final Parametrization moves;
        final WeightCoordinates frame;
        final JointObjective objective;

        Setting(String kernel, Sharing sharing, String spelling, int rows, ScalePenalty penalty) {
            KernelMachine machine = Problems.machine(kernel, 12, spelling);
            RowSource source = source(spelling, rows);
            transformer = Problems.prepare(machine, source);
            moves = Problems.moves(transformer.map(), sharing);
            FoldedRows folded = Problems.rows(source, transformer, 1);
            RowLoss loss = new RowLoss(Formulation.of(machine.learner()).loss().smoothed(5), source.labels());
            frame = WeightCoordinates.measure(
                    folded,
                    transformer.map(),
                    loss,
                    ClassWeights.none(),
                    Precision.FLOAT64,
                    machine.learner().isRidge() || !machine.learner().sparse() ? 1 : Double.NaN,
                    Formulation.of(machine.learner()).l2());
            objective = new JointObjective(
                    folded,
                    moves,
                    penalty,
                    frame,
                    loss,
                    Formulation.of(machine.learner()).l2(),
                    new RowWeights(source.labels(), ClassWeights.none()),
                    Precision.FLOAT64);
        }

        /** Somewhere that is no minimum of anything. */
        double[] point() {
            RandomStream stream = new Seed(9).stream();
            double[] weights = new double[frame.features() * frame.outputs()];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = 2 * stream.nextUniform() - 1;
            }
            double[] point = objective.origin(
                    new LinearModel(frame.features(), frame.outputs(), weights, new double[frame.outputs()]));
            for (int c = 0; c < moves.count(); c++) {
                point[c] += 0.2 * stream.nextUniform();
            }
            return point;
        }
    }

    @Nested
    class Gradients {
        // Differences of fourth order with steps of 1e-4 leave about 1e-16 times the fifth derivative, and rounding
        // 1e-16/1e-4: 1e-8 leaves room for derivatives that grow by 50 with each order, as heavy tails have them.
        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "gaussian; logistic(l2=0.3)",
                    "laplacian; softmax(l2=0.3)",
                    "skewed-chi2(c=0.1); huber(l2=0.3)",
                    "exp-chi2; svr(C=2, epsilon=0.1, gamma=8)",
                    "gaussian; svm(C=2)",
                    "laplacian; svm(C=2, loss=squared-hinge)",
                    "skewed-chi2(c=0.1); group-lasso(lambda=0.1, l2=0.2)",
                    "exp-chi2; logistic(l2=0.3)"
                })
        void areThoseOfFiniteDifferences(String kernel, String learner) {
            for (Sharing sharing : new Sharing[] {Sharing.ONE, Sharing.RANGE, Sharing.COLUMN}) {
                Setting setting = new Setting(kernel, sharing, learner, 60, new ScalePenalty(0, 0.1));
                double[] point = setting.point();
                assertTrue(
                        Problems.gradientError(setting.objective, point, point.length) < 1e-8,
                        () -> sharing + ": " + Problems.gradientError(setting.objective, point, point.length));
            }
        }

        @Test
        void ofFrequenciesToo() {
            Setting setting = new Setting("gaussian", Sharing.FREQUENCY, "logistic(l2=0.3)", 60, ScalePenalty.NONE);
            double[] point = setting.point();
            assertTrue(Problems.gradientError(setting.objective, point, point.length) < 1e-8);
        }
    }

    @Nested
    class Ridge {
        /** min over weights of the joint objective is the reduced one, so both have the same minimum. */
        @Test
        void hasTheSameMinimumAsTheReducedObjective() {
            Setting setting =
                    new Setting("gaussian(sigma=1)", Sharing.COLUMN, "ridge(lambda=0.5)", 100, ScalePenalty.NONE);
            RowSource source = source("ridge", 100);
            FoldedRows rows = Problems.rows(source, setting.transformer, 1);
            ScaleObjective reduced = new ScaleObjective(
                    setting.moves,
                    ScalePenalty.NONE,
                    new RidgeCriterion(TRAIN.kind(), rows, ClassWeights.none(), Precision.FLOAT64),
                    0.5);
            DescentOptions options = DescentOptions.withDefaults()
                    .withMemory(30)
                    .withIterations(3000)
                    .withTolerance(0, 1)
                    .withGradientTolerance(1e-9);
            Minimum alone = new Lbfgs(options).minimize(reduced, setting.moves.origin());
            double[] start = setting.objective.origin(setting.frame.constant());
            System.arraycopy(alone.point(), 0, start, 0, setting.moves.count());
            Minimum together = new Lbfgs(options).minimize(setting.objective, start, DescentMonitor.NONE);
            assertEquals(alone.value(), together.value(), 1e-10);
            for (int c = 0; c < setting.moves.count(); c++) {
                assertEquals(alone.point()[c], together.point()[c], 1e-5);
            }
        }
    }

    @Nested
    class Learning {
        @ParameterizedTest
        @CsvSource(
                delimiter = ';',
                value = {
                    "logistic(l2=0.1)",
                    "softmax(l2=0.1)",
                    "svm(C=10)",
                    "svm(C=10, loss=squared-hinge)",
                    "svr(C=10, epsilon=0.1)",
                    "svr(C=10, epsilon=0.1, gamma=10)",
                    "huber(l2=0.1)",
                    "lasso(lambda=0.1)",
                    "logistic(l1=0.1)",
                    "group-lasso(lambda=0.1)"
                })
        void gainsWithEveryLossAndPenalty(String learner) {
            LearnedKernel learned = KernelLearning.of(Problems.machine("gaussian(sigma=1)", 40, learner))
                    .withSharing(Sharing.COLUMN)
                    .withCriterion(TRAIN)
                    .withScalePenalty(0, 1e-3)
                    .withIterations(8)
                    .learn(source(learner, 200));
            assertTrue(learned.after() < 0.9 * learned.before());
        }

        /** The kernel of each channel has its own scale, and the channel that says nothing gets no weight. */
        @Test
        void dropsTheChannelThatSaysNothing() {
            String kernel = "gaussian(sigma=1)[0:2] + gaussian(sigma=1)[2:4]";
            String learner = "group-lasso(lambda=2, groups=channels)";
            LearnedKernel learned = KernelLearning.of(Problems.machine(kernel, 60, learner))
                    .withSharing(Sharing.ONE)
                    .withCriterion(TRAIN)
                    .learn(Problems.numbers(200, 3));
            assertEquals(
                    learned.trained().report().features() / 2,
                    learned.trained().report().nonZeros());
            KernelModel model = learned.trained().model();
            double score = model.score(new double[] {0.3, -0.2, 0.1, 0.4})[0];
            assertEquals(score, model.score(new double[] {0.3, -0.2, 0.9, -0.7})[0]);
            assertNotEquals(score, model.score(new double[] {0.9, -0.7, 0.1, 0.4})[0]);
            assertTrue(learned.after() < 0.9 * learned.before());
        }

        @Test
        void choosesTheStrengthFirstAndKeepsIt() {
            LearnedKernel learned = KernelLearning.of(Problems.machine("gaussian(sigma=1)", 40, "logistic"))
                    .withCriterion(TRAIN)
                    .withIterations(5)
                    .learn(source("logistic", 200));
            Learner used = learned.trained().report().learner();
            assertEquals(learned.lambda(), used.lambda());
            assertTrue(learned.notes().stream().anyMatch(note -> note.text().contains("and kept")));
        }

        @Test
        void bringsScalesToZero() {
            LearnedKernel learned = KernelLearning.of(Problems.machine("gaussian(sigma=0.5)", 60, "huber(l2=0.1)"))
                    .withSharing(Sharing.COLUMN)
                    .withCriterion(TRAIN)
                    .withScalePenalty(0.03, 0)
                    .learn(Problems.numbers(200, 3));
            boolean[] dropped = new boolean[Problems.COLUMNS];
            for (LearnedScale scale : learned.scales()) {
                dropped[scale.from()] = scale.dropped();
            }
            assertArrayEquals(new boolean[] {false, false, true, true}, dropped);
        }

        @Test
        void stopsWithTheBestSoFar() {
            int[] reports = new int[1];
            Progress impatient = new Progress() {
                @Override
                public void report(String stage, long rows, double fraction) {}

                @Override
                public void kernelIteration(String stage, int iteration) {
                    reports[0]++;
                }

                @Override
                public boolean stopRequested() {
                    return reports[0] >= 4;
                }
            };
            LearnedKernel learned = KernelLearning.of(Problems.machine("gaussian(sigma=1)", 40, "logistic(l2=0.1)"))
                    .withSharing(Sharing.ONE)
                    .withCriterion(TRAIN)
                    .learn(source("logistic", 200), new Workers(1), impatient);
            assertEquals(Minimum.End.STOPPED.reason(), learned.end());
            assertEquals(4, learned.steps().size());
            assertTrue(learned.after() < learned.before());
            assertTrue(learned.trained().report().convergence().converged());
        }
    }

    @Nested
    class BadInput {
        @Test
        void rejectsTargetsThatOverflow() {
            RowSource source = MemorySource.of(1, 0, 1, 2, 3).withTargets(1e300, -1e300, 1e300, -1e300);
            BochnerException thrown = assertThrows(
                    BochnerException.class,
                    () -> KernelLearning.of(Problems.machine("gaussian(sigma=1)", 4, "huber(l2=1)"))
                            .withCriterion(TRAIN)
                            .learn(source));
            String message = String.valueOf(thrown.getMessage());
            assertTrue(message.contains("too large"), message);
        }
    }
}
