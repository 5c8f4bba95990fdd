package org.bochner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.data.Holdout;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.model.evaluate.TestError;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ComparedMethodTest {
    private static final Workers ONE = new Workers(1);

    private static double[][] points(int rows, long seed) {
        RandomStream random = new Seed(seed).stream();
        double[][] points = new double[rows][2];
        for (double[] point : points) {
            point[0] = 2 * random.nextUniform() - 1;
            point[1] = 2 * random.nextUniform() - 1;
        }
        return points;
    }

    /** Points of a square, of which those within a circle are of class "in": no line separates them. */
    private static MemorySource circle(int rows, long seed) {
        double[][] points = points(rows, seed);
        return MemorySource.of(points)
                .withClasses(Arrays.stream(points)
                        .map(x -> x[0] * x[0] + x[1] * x[1] < 0.6 ? "in" : "out")
                        .toList());
    }

    private static MemorySource heights(int rows, long seed) {
        double[][] points = points(rows, seed);
        return MemorySource.of(points)
                .withTargets(
                        Arrays.stream(points).mapToDouble(x -> 3 + x[0] * x[1]).toArray());
    }

    /** A machine whose bandwidth is given, because choosing one takes most of the time of small fits. */
    private static final KernelMachine MACHINE = KernelMachine.of("gaussian(sigma=0.7)");

    private static List<ComparedMethod> compare(
            RowSource train, RowSource test, int seeds, List<Integer> sizes, Peer<?>... peers) {
        return ComparedMethod.compare(MACHINE, train, test, sizes, seeds, List.of(peers), ONE, Progress.NONE);
    }

    private static ComparedMethod named(List<ComparedMethod> methods, String name) {
        return methods.stream()
                .filter(method -> method.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Answers the sign of a point's first coordinate, or fails. */
    private record Halves(boolean fails) implements Peer<Integer> {
        @Override
        public String name() {
            return "halves";
        }

        @Override
        public Optional<String> refuses(Labels labels) {
            return labels instanceof Labels.Numbers ? Optional.of("it predicts classes") : Optional.empty();
        }

        @Override
        public long mostRows() {
            return 50;
        }

        @Override
        public Integer fit(RowSource rows, Seed seed, Workers workers) {
            assertEquals(50, rows.rows());
            if (fails) {
                throw new BochnerException("the library is broken");
            }
            return 1;
        }

        @Override
        public void predict(Integer model, RowBlock rows, double[] predictions) {
            double[] point = new double[2];
            for (int i = 0; i < rows.rows(); i++) {
                rows.copyRow(i, point);
                predictions[i] = point[0] > 0 ? 1 : 0;
            }
        }

        @Override
        public long bytes(Integer model) {
            return 4;
        }
    }

    @Nested
    class OfClasses {
        private static final MemorySource TRAIN = circle(300, 1);
        private static final MemorySource TEST = circle(200, 2);
        private static final List<ComparedMethod> METHODS =
                compare(TRAIN, TEST, 1, List.of(20, 400), new Halves(false));

        @Test
        void areInAFixedOrder() {
            assertEquals(
                    List.of(
                            "constant",
                            "linear",
                            "default map 20",
                            "default map 400",
                            "landmarks 20",
                            "landmarks 400",
                            "exact",
                            "halves"),
                    METHODS.stream().map(ComparedMethod::name).toList());
            assertEquals(
                    List.of("constant", "linear", "map", "map", "landmarks", "landmarks", "exact", "peer"),
                    METHODS.stream().map(ComparedMethod::kind).toList());
        }

        @Test
        void kernelsBeatWhatCannotSeparateACircle() {
            double constant = named(METHODS, "constant").errorOrRmse();
            assertTrue(constant > 0.3 && constant < 0.6, "" + constant);
            assertTrue(named(METHODS, "linear").errorOrRmse() > 0.2);
            assertTrue(named(METHODS, "default map 400").errorOrRmse() < 0.1);
            assertTrue(named(METHODS, "landmarks 20").errorOrRmse() < 0.1);
        }

        @Test
        void haveTheBinomialStandardError() {
            for (ComparedMethod method : METHODS) {
                double e = method.errorOrRmse();
                assertEquals(
                        method.measured() ? Math.sqrt(e * (1 - e) / 200) : Double.NaN, method.standardError(), 1e-12);
            }
        }

        @Test
        void areTheModelsThatTheMachineTrains() {
            TrainingResult trained = MACHINE.withFeatures(20).fit(TRAIN, ONE, Progress.NONE);
            ComparedMethod method = named(METHODS, "default map 20");
            assertEquals(Evaluation.of(trained.model(), TEST).error(), method.errorOrRmse(), 1e-12);
            assertEquals(trained.model().fileBytes(), method.modelBytes());
            assertEquals(trained.model().map().outputDimension(), method.features());
            assertEquals(300, method.trainRows());
            assertEquals(200, method.testRows());
            assertTrue(method.fitSeconds() > 0 && method.predictSeconds() >= 0 && method.memoryBytes() >= 0);
        }

        @Test
        void landmarksNeedAsManyRows() {
            ComparedMethod method = named(METHODS, "landmarks 400");
            assertFalse(method.measured());
            assertEquals("there are only 300 training rows", method.leftOut().orElseThrow());
        }

        @Test
        void haveTheSettingsThatTrainThem() {
            assertEquals(Optional.empty(), named(METHODS, "constant").settings());
            assertEquals("{KERNEL=linear, SCALING=standard}", settings(named(METHODS, "linear")));
            assertEquals("{FEATURES=400}", settings(named(METHODS, "default map 400")));
            assertEquals("{MAP=landmarks(features=20, by=k-means)}", settings(named(METHODS, "landmarks 20")));
            assertEquals("{MAP=none}", settings(named(METHODS, "exact")));
            assertEquals(Optional.empty(), named(METHODS, "halves").settings());
        }

        private static String settings(ComparedMethod method) {
            return method.settings().orElseThrow().toString();
        }

        @Test
        void anExactMachineOnASampleSaysItsNumberOfRows() {
            ComparedMethod exact = named(
                    new ComparisonRun(MACHINE, TRAIN, TEST, 1, ONE, Progress.NONE, method -> {})
                            .run(List.of(), List.of(), 40),
                    "exact");
            assertEquals("{MAP=none, SUBSAMPLE=40}", settings(exact));
            assertEquals(40, exact.trainRows());
            // The sample is that of Holdout.sample, which train --subsample uses.
            TrainingResult trained = MACHINE.withMap("none").fit(Holdout.sample(TRAIN, 40, MACHINE.seed()));
            assertEquals(Evaluation.of(trained.model(), TEST).error(), exact.errorOrRmse(), 1e-12);
        }

        @Test
        void aMapThatFailsForAnyReasonButItsSizeKeepsItsLine() {
            // One number per row and feature, and a matrix of their products: far more than any heap.
            ComparedMethod failed = named(compare(TRAIN, TEST, 1, List.of(100_000_000)), "default map 100000000");
            assertTrue(failed.leftOut().orElseThrow().contains("memory"), failed::toString);
        }

        @Test
        void aMapOfAFixedSizeIsTrainedOnce() {
            double[][] points = points(60, 3);
            MemorySource rows = MemorySource.of(Arrays.stream(points)
                            .map(x -> new double[] {x[0] + 1, x[1] + 1})
                            .toArray(double[][]::new))
                    .withClasses(Arrays.stream(points)
                            .map(x -> x[0] > 0 ? "in" : "out")
                            .toList());
            List<ComparedMethod> methods = ComparedMethod.compare(
                    KernelMachine.of("chi2").withScaling("none"),
                    rows,
                    rows,
                    List.of(5, 6),
                    1,
                    List.of(),
                    ONE,
                    Progress.NONE);
            assertEquals(
                    List.of("constant", "linear", "default map", "landmarks 5", "landmarks 6", "exact"),
                    methods.stream().map(ComparedMethod::name).toList());
            assertEquals("{}", settings(named(methods, "default map")));
        }

        @Test
        void peersAreTrainedOnASample() {
            ComparedMethod method = named(METHODS, "halves");
            assertEquals(50, method.trainRows());
            assertEquals(4, method.modelBytes());
            assertEquals(0.5, method.errorOrRmse(), 0.15);
        }

        @Test
        void aPeerThatFailsIsLeftOut() {
            ComparedMethod failed = named(compare(TRAIN, TEST, 1, List.of(20), new Halves(true)), "halves");
            assertEquals("the library is broken", failed.leftOut().orElseThrow());
        }

        @Test
        void testClassesAreMatchedByName() {
            // The same rows, but classes in another order, and one class that no training row has.
            double[][] points = points(200, 2);
            int[] indices = Arrays.stream(points)
                    .mapToInt(x -> x[0] * x[0] + x[1] * x[1] < 0.6 ? 2 : 1)
                    .toArray();
            MemorySource renamed = MemorySource.of(points).withClasses(List.of("never", "out", "in"), indices);
            assertEquals(
                    named(METHODS, "default map 20").errorOrRmse(),
                    named(compare(TRAIN, renamed, 1, List.of(20)), "default map 20")
                            .errorOrRmse());
        }
    }

    @Nested
    class OfNumbers {
        private final MemorySource train = heights(200, 1);
        private final MemorySource test = heights(100, 2);

        @Test
        void theConstantIsTheMeanWithTheDeltaMethodsStandardError() {
            List<ComparedMethod> methods = compare(train, test, 1, List.of(20), new Halves(false));
            double mean = Arrays.stream(points(200, 1))
                    .mapToDouble(x -> 3 + x[0] * x[1])
                    .average()
                    .orElseThrow();
            double[] squares = Arrays.stream(points(100, 2))
                    .mapToDouble(x -> Math.pow(3 + x[0] * x[1] - mean, 2))
                    .toArray();
            double mse = Arrays.stream(squares).average().orElseThrow();
            double variance =
                    Arrays.stream(squares).map(s -> (s - mse) * (s - mse)).sum() / 99;
            ComparedMethod constant = named(methods, "constant");
            assertEquals(Math.sqrt(mse), constant.errorOrRmse(), 1e-9);
            assertEquals(Math.sqrt(variance / 100) / (2 * Math.sqrt(mse)), constant.standardError(), 1e-9);
            assertTrue(named(methods, "landmarks 20").errorOrRmse() < constant.errorOrRmse() / 2);
            assertEquals(
                    "it predicts classes", named(methods, "halves").leftOut().orElseThrow());
        }

        @Test
        void seedsAddTheirVariance() {
            ComparedMethod both = named(compare(train, test, 2, List.of(4)), "default map 4");
            ComparedMethod first = withSeed(1);
            ComparedMethod second = withSeed(2);
            assertEquals((first.errorOrRmse() + second.errorOrRmse()) / 2, both.errorOrRmse(), 1e-12);
            // Two values have the variance (a − b)²/2, and their mean half of it.
            double between = Math.pow(first.errorOrRmse() - second.errorOrRmse(), 2) / 4;
            double ofRows = (Math.pow(first.standardError(), 2) + Math.pow(second.standardError(), 2)) / 2;
            assertTrue(between > 0);
            assertEquals(Math.sqrt(ofRows + between), both.standardError(), 1e-12);
        }

        private ComparedMethod withSeed(long seed) {
            List<ComparedMethod> methods = ComparedMethod.compare(
                    MACHINE.withSeed(new Seed(seed)), train, test, List.of(4), 1, List.of(), ONE, Progress.NONE);
            return named(methods, "default map 4");
        }
    }

    @Nested
    class Recommendation {
        private static ComparedMethod method(String name, double error, double standardError, long bytes) {
            return new ComparedMethod(
                    name,
                    "map",
                    Optional.empty(),
                    1,
                    100,
                    50,
                    error,
                    standardError,
                    1,
                    1,
                    1e-6,
                    bytes,
                    Optional.empty());
        }

        private static final ComparedMethod FAILED = new ComparedMethod(
                "failed",
                "peer",
                Optional.empty(),
                0,
                0,
                0,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                0,
                Double.NaN,
                0,
                Optional.of("no"));

        @Test
        void isTheSmallestWithinOneStandardErrorOfTheBest() {
            List<ComparedMethod> methods = List.of(
                    FAILED,
                    method("tiny", 0.14, 0.05, 10),
                    method("small", 0.119, 0.01, 100),
                    method("large", 0.115, 0.01, 1000),
                    method("best", 0.10, 0.02, 9999));
            assertEquals("best", ComparedMethod.best(methods).orElseThrow().name());
            assertEquals(
                    "small", ComparedMethod.recommended(methods).orElseThrow().name());
            assertEquals(
                    List.of("small", "large", "best"),
                    ComparedMethod.nearBest(methods).stream()
                            .map(ComparedMethod::name)
                            .toList());
        }

        @Test
        void isEmptyWithoutResults() {
            assertTrue(ComparedMethod.recommended(List.of(FAILED)).isEmpty());
        }
    }

    @Nested
    class BadInput {
        private static String message(RowSource train, RowSource test) {
            return assertThrows(BochnerException.class, () -> compare(train, test, 1, List.of(10)))
                    .problem();
        }

        @Test
        void needsLabels() {
            assertTrue(message(MemorySource.of(points(50, 1)), circle(50, 1)).contains("has no labels"));
        }

        @Test
        void needsTwoClasses() {
            String[] names = new String[50];
            Arrays.fill(names, "same");
            MemorySource one = MemorySource.of(points(50, 1)).withClasses(names);
            assertTrue(message(one, one).contains("all training rows are of one class"));
        }

        @Test
        void needsRows() {
            assertTrue(message(circle(9, 1), circle(50, 1)).contains("has 9 rows to train on"));
            assertTrue(message(circle(50, 1), circle(1, 1)).contains("has 1 row to test on"));
        }

        @Test
        void needsLabelsOfOneKind() {
            assertTrue(message(circle(50, 1), heights(50, 1)).contains("of another kind"));
        }
    }

    @Test
    void aPerfectPredictionHasNoStandardError() {
        TestError error = new TestError(false);
        error.add(0);
        error.add(0);
        assertEquals(0, error.errorOrRmse());
        assertEquals(0, error.variance());
    }
}
