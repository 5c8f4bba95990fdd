package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.MemorySource;
import org.bochner.learn.Learner;
import org.bochner.learn.PathPoint;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Discriminant analysis from rows to a saved model. */
class DiscriminantAnalysisTest {
    /** The features are the columns, so the golden values of scikit-learn hold for the same numbers. */
    private static final KernelMachine MACHINE =
            KernelMachine.of("linear").withScaling("none").withPrecision(Precision.FLOAT64);

    /**
     * Golden values: scikit-learn 1.2.1, {@code LinearDiscriminantAnalysis(solver='eigen', shrinkage=None or 0.3)} of
     * the rows of {@link #source}; {@code decision_function}, {@code predict_proba} and {@code X @ scalings_}. All
     * numbers are of order 1 and the condition numbers are below 100, so 1e-8 leaves a factor of 1e5 to rounding.
     */
    private static final double GOLDEN = 1e-8;

    private static double value(int row, int column, int classes) {
        return (row * row * 7 + 31 * column * row + 17 * column) % 61 / 16.0
                + label(row, classes) * (column + 1) % classes / 2.0;
    }

    private static int label(int row, int classes) {
        return (row % 7 < 3 ? 0 : row % 7 < 5 ? 1 : 2) % classes;
    }

    private static MemorySource source(int classes) {
        float[] values = new float[40 * 4];
        int[] labels = new int[40];
        for (int i = 0; i < 40; i++) {
            labels[i] = label(i, classes);
            for (int j = 0; j < 4; j++) {
                values[4 * i + j] = (float) value(i, j, classes);
            }
        }
        return MemorySource.of(4, values).withClasses(List.of("a", "b", "c").subList(0, classes), labels);
    }

    private static double[] row(int row, int classes) {
        return IntStream.range(0, 4).mapToDouble(j -> value(row, j, classes)).toArray();
    }

    private static KernelModel fit(String learner, int classes) {
        return MACHINE.withLearner(learner).fit(source(classes)).model();
    }

    /** Returns the scores minus their mean, which discriminant analysis leaves open for more than two classes. */
    private static double[] scores(KernelModel model, int row, int classes) {
        double[] scores = model.score(row(row, classes));
        double mean = classes == 2 ? 0 : Arrays.stream(scores).average().orElseThrow();
        return Arrays.stream(scores).map(score -> score - mean).toArray();
    }

    private static double[] axes(KernelModel model, int row, int classes) {
        Transformer axes = model.axes().orElseThrow();
        double[] coordinates = new double[axes.map().outputDimension()];
        axes.map().apply(row(row, classes), coordinates);
        return coordinates;
    }

    @Nested
    class EqualsScikitLearn {
        private void scores(KernelModel model, double[][] expected) {
            int classes = expected[0].length == 1 ? 2 : 3;
            for (int i = 0; i < expected.length; i++) {
                assertArrayEquals(expected[i], DiscriminantAnalysisTest.scores(model, i, classes), GOLDEN);
            }
        }

        @Test
        void withTwoClasses() {
            scores(
                    fit("lda(shrinkage=0)", 2),
                    new double[][] {{-0.4188017116489231}, {-1.0594565131089815}, {-1.8704870379996597}});
            scores(
                    fit("lda(shrinkage=0.3)", 2),
                    new double[][] {{-0.5455756262669202}, {-1.0387950193029525}, {-1.8438659707011742}});
        }

        @Test
        void withThreeClasses() {
            scores(fit("lda(shrinkage=0)", 3), new double[][] {
                {2.5862125276383967, 0.34812955842520665, -2.9343420860636034},
                {1.97375846158719, 0.7445134658514174, -2.7182719274386073},
                {0.5124659529315139, 0.017474472223810267, -0.5299404251553241}
            });
            scores(fit("lda(shrinkage=0.3)", 3), new double[][] {
                {2.42147061179771, 0.2659275109513497, -2.6873981227490593},
                {1.769072437340883, 0.7828033500567191, -2.551875787397602},
                {0.6199496281459305, 0.0917001704221101, -0.711649798568041}
            });
        }

        @Test
        void inItsProbabilities() {
            assertProbabilities(
                    fit("lda(shrinkage=0)", 2).probabilities(row(2, 2)), 0.8665146217634079, 0.13348537823659212);
            assertProbabilities(
                    fit("lda(shrinkage=0)", 3).probabilities(row(0, 3)),
                    0.9003603511411667,
                    0.09603494197340487,
                    0.0036047068854284346);
            assertProbabilities(
                    fit("lda(shrinkage=0.3)", 3).probabilities(row(1, 3)),
                    0.7213691060919669,
                    0.26904586188083857,
                    0.009585032027194582);
        }

        private void assertProbabilities(Map<String, Double> found, double... expected) {
            assertArrayEquals(
                    expected,
                    found.values().stream().mapToDouble(Double::doubleValue).toArray(),
                    GOLDEN);
        }

        /** Equal priors of scikit-learn weight the covariances of the classes equally too, as balanced weights do. */
        @Test
        void withBalancedClasses() {
            KernelMachine balanced = MACHINE.withLearner("lda(shrinkage=0.3)").withBalancedClasses(true);
            scores(
                    balanced.fit(source(2)).model(),
                    new double[][] {{0.40552970242826536}, {-0.10999198033770119}, {-0.9958503208249364}});
            scores(balanced.fit(source(3)).model(), new double[][] {
                {2.0987580353763455, 0.34206198882049854, -2.440820024196844},
                {1.3676766298773027, 0.8345146450340666, -2.20219127491137},
                {0.2620768730856109, 0.19705521705340479, -0.45913209013901524}
            });
        }

        @Test
        void inItsAxes() {
            axes(fit("lda(shrinkage=0)", 3), new double[][] {
                {2.6995671017510174, -0.8666393846213749},
                {2.2765599624463837, 0.010748018628800126},
                {0.005163864925515718, -0.05443207479722125}
            });
            axes(
                    fit("lda(shrinkage=0)", 2),
                    new double[][] {{0.8650750547918574}, {-0.2576951792508006}, {-1.6790549039761595}});
            assertArrayEquals(
                    new double[] {0.70105177655336, 0.29894822344664},
                    fit("lda(shrinkage=0)", 3).axes().orElseThrow().varianceShares(),
                    GOLDEN);
        }

        /** Golden values: scipy 1.10, {@code eigh} of the covariance of the class means and the shrunk covariance. */
        @Test
        void inItsAxesWithShrinkage() {
            KernelModel model = fit("lda(shrinkage=0.3)", 3);
            axes(model, new double[][] {
                {2.482779868228363, -1.0130793687647404},
                {2.124079313620958, 0.06928256185670112},
                {0.20010982169761019, -0.01807545222150675}
            });
            assertArrayEquals(
                    new double[] {0.4086897717642944, 0.18159263991662672},
                    model.axes().orElseThrow().variances(),
                    GOLDEN);
        }

        private void axes(KernelModel model, double[][] expected) {
            int count = expected[0].length;
            for (int a = 0; a < count; a++) {
                double sign = Math.signum(expected[0][a] * DiscriminantAnalysisTest.axes(model, 0, count + 1)[a]);
                for (int i = 0; i < expected.length; i++) {
                    double found = DiscriminantAnalysisTest.axes(model, i, count + 1)[a];
                    assertEquals(expected[i][a], sign * found, GOLDEN);
                }
            }
        }
    }

    @Nested
    class Shrinkage {
        /** The Rao-Blackwell form, computed in numpy from the pooled covariance of scikit-learn. */
        @Test
        void isThatOfLedoitAndWolf() {
            TrainingReport report = MACHINE.withLearner("lda").fit(source(3)).report();
            assertEquals(0.9120401811981034, report.chosen().lambda(), 1e-12);
            assertEquals(
                    "lda(shrinkage=" + report.chosen().lambda() + ")",
                    report.learner().toString());
        }

        /** The estimate converges to the covariance as 1/n, so the shrinkage does: ten times the rows, a tenth of it. */
        @Test
        void vanishesWithMoreRows() {
            double few = shrinkage(300);
            double many = shrinkage(3000);
            assertEquals(10, few / many, 2);
        }

        private double shrinkage(int rows) {
            RandomStream stream = new Seed(1).stream();
            float[] values = new float[rows * 10];
            int[] labels = new int[rows];
            for (int i = 0; i < rows; i++) {
                labels[i] = i % 2;
                for (int j = 0; j < 10; j++) {
                    values[10 * i + j] = (float) (labels[i] + Math.pow(2, -j) * stream.nextGaussian());
                }
            }
            MemorySource source = MemorySource.of(10, values).withClasses(List.of("a", "b"), labels);
            return MACHINE.withLearner("lda").fit(source).report().chosen().lambda();
        }

        @Test
        void makesMoreFeaturesThanRowsPossible() {
            KernelMachine machine =
                    KernelMachine.of("gaussian(sigma=2)").withFeatures(200).withLearner("lda");
            KernelModel model = machine.fit(source(3)).model();
            assertEquals(2, model.axes().orElseThrow().map().outputDimension());
            KernelMachine without = machine.withLearner("lda(shrinkage=0)");
            BochnerException e = assertThrows(BochnerException.class, () -> without.fit(source(3)));
            assertTrue(
                    String.valueOf(e.getMessage())
                            .contains("with shrinkage 0, the covariance within the classes is singular"),
                    e.getMessage());
            assertTrue(String.valueOf(e.getMessage()).contains("shrinkage=auto"), e.getMessage());
        }

        @Test
        void hasAPathFromTheIdentityToTheCovariance() {
            LearningPath path = MACHINE.withLearner("lda").path(source(3), source(3), 5, new Workers(1), Progress.NONE);
            assertArrayEquals(
                    new double[] {1, Math.sqrt(0.1), 0.1, Math.sqrt(0.001), 0.01},
                    path.steps().stream()
                            .map(LearningPath.Step::chosen)
                            .mapToDouble(PathPoint::lambda)
                            .toArray(),
                    1e-15);
        }
    }

    @Test
    void dependentFeaturesAreReportedWithoutShrinkage() {
        float[] values = new float[80];
        int[] labels = new int[40];
        for (int i = 0; i < 40; i++) {
            values[2 * i] = i * i % 17;
            values[2 * i + 1] = 3 * values[2 * i];
            labels[i] = i % 2;
        }
        MemorySource twice = MemorySource.of(2, values).withClasses(List.of("a", "b"), labels);
        BochnerException e = assertThrows(
                BochnerException.class,
                () -> MACHINE.withLearner("lda(shrinkage=0)").fit(twice));
        assertTrue(String.valueOf(e.getMessage()).contains("depends on"), e.getMessage());
    }

    @Test
    void oneRowPerClassIsReported() {
        MemorySource rows =
                MemorySource.of(1, new float[] {1, 2, 3}).withClasses(List.of("a", "b", "c"), new int[] {0, 1, 2});
        BochnerException e = assertThrows(
                BochnerException.class, () -> MACHINE.withLearner("lda").fit(rows));
        assertTrue(String.valueOf(e.getMessage()).contains("two different rows"), e.getMessage());
    }

    /** A class that a fold lacks is never predicted, and all numbers stay finite. */
    @Test
    void anAbsentClassHasNoProbability() {
        MemorySource two = source(2);
        float[] values = new float[40 * 4];
        int[] labels = new int[40];
        for (int i = 0; i < 40; i++) {
            labels[i] = 2 * label(i, 2);
            for (int j = 0; j < 4; j++) {
                values[4 * i + j] = (float) value(i, j, 2);
            }
        }
        MemorySource three = MemorySource.of(4, values).withClasses(List.of("a", "b", "c"), labels);
        KernelModel without = MACHINE.withLearner("lda(shrinkage=0.1)").fit(two).model();
        KernelModel with = MACHINE.withLearner("lda(shrinkage=0.1)").fit(three).model();
        Map<String, Double> probabilities = with.probabilities(row(5, 2));
        double second = without.probabilities(row(5, 2)).getOrDefault("b", Double.NaN);
        assertEquals(0, probabilities.getOrDefault("b", Double.NaN));
        assertEquals(second, probabilities.getOrDefault("c", Double.NaN), 1e-12);
        assertEquals(1, with.axes().orElseThrow().map().outputDimension());
    }

    /** Equal priors change the constants of the scores by the logarithms of the priors, and nothing else. */
    @Test
    void equalPriorsMoveTheConstantsOnly() {
        double counted = fit("lda(shrinkage=0.1)", 2).score(row(1, 2))[0];
        double equal = MACHINE.withLearner(Learner.lda().withShrinkage(0.1).withEqualPriors())
                .fit(source(2))
                .model()
                .score(row(1, 2))[0];
        double second = IntStream.range(0, 40).filter(i -> label(i, 2) == 1).count() / 40.0;
        assertEquals(Math.log(second / (1 - second)), counted - equal, 1e-10);
    }

    /** Landmarks at all rows give the kernel exactly, whether their features are whitened or not. */
    @Test
    void landmarksGiveOneAnswerWhitenedOrNot() {
        double[][] scores = new double[2][];
        for (int w = 0; w < 2; w++) {
            KernelMachine machine = KernelMachine.of("gaussian(sigma=2)")
                    .withScaling("none")
                    .withMap(w == 0 ? "landmarks(10)" : "landmarks(10, whitened)")
                    .withPrecision(Precision.FLOAT64)
                    .withLearner("lda(shrinkage=0.2)");
            scores[w] = machine.fit(source(3)).model().score(row(3, 3));
        }
        assertArrayEquals(scores[0], scores[1], 1e-6);
    }

    @Test
    void axesAreSavedAndSurviveComponentsAndQuantiles(@TempDir Path folder) {
        KernelMachine machine = MACHINE.withLearner("lda(shrinkage=0.2)");
        double[] expected = axes(machine.fit(source(3)).model(), 4, 3);
        // All four components span the features, and the shrunk covariance does not depend on the basis.
        KernelModel components = machine.withComponents("4").fit(source(3)).model();
        KernelModel levelled =
                machine.withCalibration("quantile").fit(source(3)).model();
        for (KernelModel model : List.of(components, levelled)) {
            Path file = folder.resolve("lda.bochner");
            model.save(file);
            assertArrayEquals(expected, axes(KernelModel.load(file), 4, 3), 1e-10);
        }
    }

    @Test
    void otherLearnersHaveNoAxes() {
        assertTrue(fit("ridge(lambda=1)", 3).axes().isEmpty());
    }
}
