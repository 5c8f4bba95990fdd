package org.bochner.benchmarks.exact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.memory.MemoryException;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.numeric.Workers;
import org.bochner.numeric.optimise.DescentOptions;
import org.bochner.numeric.optimise.Minimum;
import org.bochner.numeric.optimise.SmoothFunction;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExactRidgeTest {
    private static final int COLUMNS = 4;
    private static final double LAMBDA = 0.3;
    private static final double RHO = 0.05;

    /** Non-negative rows, for histogram kernels too; column 0 and the square of column 1 say what the first target is. */
    private static MemorySource rows(int n, int outputs, long seed) {
        RandomStream stream = new Seed(seed).stream();
        float[] values = new float[n * COLUMNS];
        double[] targets = new double[n * outputs];
        for (int i = 0; i < n; i++) {
            for (int l = 0; l < COLUMNS; l++) {
                values[i * COLUMNS + l] = (float) (2 * stream.nextUniform());
            }
            for (int o = 0; o < outputs; o++) {
                double x = values[i * COLUMNS + o];
                double y = values[i * COLUMNS + o + 1];
                targets[i * outputs + o] = 5 + 2 * x - y * y + 0.2 * (stream.nextUniform() - 0.5);
            }
        }
        List<String> names = List.of("a", "b", "c").subList(0, outputs);
        return MemorySource.of(COLUMNS, values).withTargets(names, targets);
    }

    private static RowBlock block(RowSource source) {
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = source.open()) {
            assertTrue(cursor.next(builder, 1000));
        }
        return builder.build();
    }

    static Stream<Arguments> kernelsAndSharings() {
        Stream.Builder<Arguments> cases = Stream.builder();
        for (String kernel : List.of(
                "gaussian(sigma=0.8)",
                "laplacian(sigma=2)",
                "cauchy(sigma=1.5)",
                "matern(nu=0.5, sigma=2)",
                "matern(nu=1.5, sigma=1)",
                "matern(nu=2.5, sigma=1)",
                "matern(nu=0.8, sigma=1)",
                "rational-quadratic(alpha=0.7, sigma=1)",
                "sech(sigma=1)",
                "periodic(sigma=0.6, width=0.9)",
                "gaussian(sigma=1)[0:2] * laplacian(sigma=1)[2:4]",
                "skewed-chi2(c=0.2, power=0.7)",
                "skewed-intersection(c=0.2, power=0.4)",
                "gaussian(sigma=0.5)@log(c=0.3)")) {
            for (int[] groups : new int[][] {{0, 0, 0, 0}, {1, 1, 0, 0}, {0, 1, 2, 3}}) {
                cases.add(Arguments.of(kernel, groups));
            }
        }
        for (String kernel : List.of(
                "exp-chi2(gamma=0.7)",
                "exp-intersection(gamma=0.4)",
                "exp-jensen-shannon(gamma=0.8)",
                "exp-hellinger(gamma=0.8)",
                "laplace-chi2(beta=0.9)",
                "matern-chi2(nu=0.8, sigma=0.9)",
                "rational-quadratic-intersection(alpha=0.7, sigma=1)")) {
            cases.add(Arguments.of(kernel, new int[COLUMNS]));
        }
        return cases.build();
    }

    @Nested
    class Gradient {
        static Stream<Arguments> kernelsAndSharings() {
            return ExactRidgeTest.kernelsAndSharings();
        }

        @ParameterizedTest
        @MethodSource("kernelsAndSharings")
        void isThatOfTheTrainingObjective(String kernel, int[] groups) {
            check(kernel, groups, false);
        }

        @ParameterizedTest
        @MethodSource("kernelsAndSharings")
        void isThatOfTheLeaveOneOutResiduals(String kernel, int[] groups) {
            check(kernel, groups, true);
        }

        /**
         * Central differences of h = 10⁻⁵ err by h²·|F‴|/6 ≈ 10⁻¹¹·F and by ε·F/h ≈ 10⁻¹¹·F: 10⁻⁷ of the size of F leaves
         * room for the conditions of the matrices.
         */
        private void check(String kernel, int[] groups, boolean leaveOneOut) {
            ExactRidge trained = ExactRidge.of(Kernels.parse(kernel), LAMBDA)
                    .withGroups(groups)
                    .withScalePenalty(RHO);
            ExactRidge ridge = leaveOneOut ? trained.withLeaveOneOut() : trained;
            // More rows than a strip, whose last one is not full.
            SmoothFunction function = ridge.function(rows(150, 2, 5));
            double[] point = ridge.start(COLUMNS);
            double[] gradient = new double[point.length];
            double[] unused = new double[point.length];
            double value = function.at(point, gradient);
            double largest = 0;
            for (int g = 0; g < point.length; g++) {
                double[] moved = point.clone();
                moved[g] += 1e-5;
                double after = function.at(moved, unused);
                moved[g] = point[g] - 1e-5;
                double difference = (after - function.at(moved, unused)) / 2e-5;
                assertEquals(difference, gradient[g], 1e-7 * value, kernel + " " + Arrays.toString(groups));
                largest = Math.max(largest, Math.abs(gradient[g]));
            }
            assertTrue(largest > 1e-3 * value, "nothing was tested: " + largest);
        }
    }

    /** min over a of ½|Ka − y|² + λaᵀKa by its normal equations K(K + 2λI)a = Ky, with plain elimination. */
    private static double[] solution(Kernel kernel, double[][] x, double[] y) {
        int n = x.length;
        double[][] a = new double[n][n + 1];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = kernel.value(x[i], x[j]) + (i == j ? 2 * LAMBDA : 0);
            }
            a[i][n] = y[i];
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                if (i != k) {
                    double factor = a[i][k] / a[k][k];
                    for (int j = k; j <= n; j++) {
                        a[i][j] -= factor * a[k][j];
                    }
                }
            }
        }
        double[] result = new double[n];
        Arrays.setAll(result, i -> a[i][n] / a[i][i]);
        return result;
    }

    @Nested
    class Value {
        private final Kernel kernel = Kernels.parse("gaussian(sigma=0.8)");
        private final MemorySource rows = rows(40, 1, 3);
        private final double[][] x = ExactRows.read(rows).rows();
        private final double[] y = centred();

        private double[] centred() {
            double[] targets = ExactRows.read(rows).targets();
            double mean = Arrays.stream(targets).average().orElseThrow();
            return Arrays.stream(targets).map(t -> t - mean).toArray();
        }

        private double predicted(double[][] from, double[] a, double[] at) {
            double sum = 0;
            for (int i = 0; i < from.length; i++) {
                sum += a[i] * kernel.value(from[i], at);
            }
            return sum;
        }

        @Test
        void isTheObjectiveOfTheBestWeights() {
            double[] a = solution(kernel, x, y);
            double expected = RHO / (0.8 * 0.8);
            for (int i = 0; i < x.length; i++) {
                double f = predicted(x, a, x[i]);
                expected += 0.5 * (f - y[i]) * (f - y[i]) + LAMBDA * a[i] * f;
            }
            ExactRidge ridge = ExactRidge.of(kernel, LAMBDA).withScalePenalty(RHO);
            assertEquals(expected, ridge.function(rows).at(ridge.start(COLUMNS), new double[1]), 1e-11 * expected);
        }

        @Test
        void isThatOfRowsReallyLeftOut() {
            double expected = 0;
            for (int out = 0; out < x.length; out++) {
                int left = out;
                double[][] others = new double[x.length - 1][];
                double[] targets = new double[x.length - 1];
                Arrays.setAll(others, i -> x[i < left ? i : i + 1]);
                Arrays.setAll(targets, i -> y[i < left ? i : i + 1]);
                double r = y[out] - predicted(others, solution(kernel, others, targets), x[out]);
                expected += 0.5 * r * r;
            }
            ExactRidge ridge = ExactRidge.of(kernel, LAMBDA).withLeaveOneOut();
            assertEquals(expected, ridge.function(rows).at(ridge.start(COLUMNS), new double[1]), 1e-10 * expected);
        }

        @Test
        void isTheSameForAnyNumberOfThreads() {
            double[] one = new double[COLUMNS];
            double[] two = new double[COLUMNS];
            MemorySource many = rows(300, 3, 9);
            ExactRidge trained = ExactRidge.of(kernel, LAMBDA).withColumns(COLUMNS);
            for (ExactRidge ridge : List.of(trained, trained.withLeaveOneOut())) {
                double[] start = ridge.start(COLUMNS);
                assertEquals(
                        ridge.withWorkers(new Workers(1)).function(many).at(start, one),
                        ridge.withWorkers(new Workers(3)).function(many).at(start, two));
                assertArrayEquals(one, two);
            }
        }
    }

    @Nested
    class Learning {
        @Test
        void findsWhichColumnsMatter() {
            // The target depends on columns 0 and 1 alone. Leaving rows out tells it; the training objective does not
            // have to.
            MemorySource rows = rows(200, 1, 7);
            ExactModel model = ExactRidge.of(Kernels.parse("gaussian(sigma=1)"), 0.01)
                    .withColumns(COLUMNS)
                    .withLeaveOneOut()
                    .fit(rows);
            double[] logarithms = model.minimum().point();
            assertTrue(Math.min(logarithms[0], logarithms[1]) > Math.max(logarithms[2], logarithms[3]) + 1);
            double[] start = new double[COLUMNS];
            double before = ExactRidge.of(Kernels.parse("gaussian(sigma=1)"), 0.01)
                    .withColumns(COLUMNS)
                    .withLeaveOneOut()
                    .function(rows)
                    .at(start, new double[COLUMNS]);
            assertTrue(model.minimum().value() < 0.6 * before, model.minimum().value() + " of " + before);
        }

        @Test
        void endsWhereTheGradientVanishes() {
            ExactRidge ridge = ExactRidge.of(Kernels.parse("skewed-chi2(c=0.2, power=0.7)"), LAMBDA)
                    .withScalePenalty(0.5)
                    .withOptions(
                            DescentOptions.withDefaults().withTolerance(0, 1).withGradientTolerance(1e-7));
            MemorySource rows = rows(120, 2, 2);
            ExactModel model = ridge.fit(rows);
            assertEquals(Minimum.End.GRADIENT, model.minimum().end());
            double power = Math.exp(model.minimum().point()[0]);
            assertTrue(
                    model.kernel().toString().startsWith("skewed-chi2(c=0.2, power="),
                    model.kernel().toString());
            // The learned kernel is an ordinary one, and starts from what was learned.
            assertEquals(
                    Math.log(power),
                    ExactRidge.of(Kernels.parse(model.kernel().toString()), LAMBDA)
                            .start(COLUMNS)[0],
                    1e-12);
        }

        @ParameterizedTest
        @ValueSource(strings = {"gaussian(sigma=1)", "skewed-intersection(c=0.1, power=0.5)", "exp-chi2(gamma=1)"})
        void predictsByItsCoefficients(String kernel) {
            MemorySource rows = rows(80, 2, 4);
            ExactModel model = ExactRidge.of(Kernels.parse(kernel), LAMBDA)
                    .withOptions(DescentOptions.withDefaults().withIterations(3))
                    .fit(rows);
            double[] predicted = model.predict(block(rows), new Workers(2));
            double[] a = model.coefficients();
            ExactRows read = ExactRows.read(rows);
            double[] targets = read.targets();
            // (K + 2λI)a = y − b, so that K·a + b is y − 2λa.
            for (int at = 0; at < predicted.length; at++) {
                assertEquals(targets[at] - 2 * LAMBDA * a[at], predicted[at], 1e-9);
            }
        }

        @Test
        void keepsTheBestWhereItIsStopped() {
            ExactModel model = ExactRidge.of(Kernels.parse("gaussian(sigma=1)"), LAMBDA)
                    .withColumns(COLUMNS)
                    .fit(rows(60, 1, 8), (iteration, value, point, norm) -> iteration < 2);
            assertEquals(Minimum.End.STOPPED, model.minimum().end());
            assertEquals(2, model.minimum().iterations());
        }

        @Test
        void learnsClassesAgainstTheOthers() {
            MemorySource numbers = rows(90, 1, 6);
            double[] targets = ExactRows.read(numbers).targets();
            int[] classes = new int[90];
            Arrays.setAll(classes, i -> targets[i] < 5 ? 0 : targets[i] < 6.5 ? 1 : 2);
            MemorySource three = numbers.withClasses(List.of("low", "middle", "high"), classes);
            ExactModel model =
                    ExactRidge.of(Kernels.parse("gaussian(sigma=1)"), 0.01).fit(three);
            double[] scores = model.predict(block(three), new Workers(1));
            int right = 0;
            for (int i = 0; i < 90; i++) {
                int best = 0;
                for (int c = 1; c < 3; c++) {
                    best = scores[3 * i + c] > scores[3 * i + best] ? c : best;
                }
                right += best == classes[i] ? 1 : 0;
            }
            assertTrue(right >= 85, right + " of 90");
        }
    }

    @Nested
    class Refuses {
        private final ExactRidge ridge = ExactRidge.of(Kernels.parse("gaussian(sigma=1)"), LAMBDA);

        @Test
        void moreRowsThanFitAndSaysHowMuchTheyNeed() {
            // 100 GB, and more rows than a matrix can have.
            MemorySource many = MemorySource.of(1, new float[112_000]).withTargets(new double[112_000]);
            MemoryException e = assertThrows(MemoryException.class, () -> ridge.fit(many));
            assertEquals(100.81e9, e.needed(), 0.005e9);
        }

        @Test
        void kernelsWithoutAScale() {
            BochnerException e = assertThrows(
                    BochnerException.class,
                    () -> ExactRidge.of(Kernels.parse("chi2"), LAMBDA).fit(rows(10, 1, 1)));
            assertTrue(e.toString().contains("chi2 has no scale to learn"), e.toString());
        }

        @Test
        void groupsThatDoNotFit() {
            assertThrows(
                    IllegalArgumentException.class, () -> ridge.withGroups(0, 0).fit(rows(10, 1, 1)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> ridge.withGroups(0, 0, 2, 2).fit(rows(10, 1, 1)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> ridge.withGroups(0, 0, -1, 1).fit(rows(10, 1, 1)));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> ExactRidge.of(Kernels.parse("gaussian(sigma=[0:1=1, 1:4=2])"), LAMBDA)
                            .fit(rows(10, 1, 1)));
        }

        @Test
        void valuesOutsideOfTheKernelsDomainByRowAndColumn() {
            MemorySource negative = MemorySource.of(2, 1, 1, 1, -1).withTargets(1, 2);
            for (String kernel : List.of("exp-chi2(gamma=1)", "skewed-chi2(c=0.5, power=1)")) {
                DataException e = assertThrows(
                        DataException.class,
                        () -> ExactRidge.of(Kernels.parse(kernel), LAMBDA).fit(negative));
                assertTrue(e.toString().contains("memory: row 2, column 1"), e.toString());
            }
        }

        @Test
        void parametersThatAreNone() {
            assertThrows(IllegalArgumentException.class, () -> ExactRidge.of(Kernels.parse("gaussian(sigma=1)"), 0));
            assertThrows(IllegalArgumentException.class, () -> ridge.withScalePenalty(Double.NaN));
            assertThrows(IllegalArgumentException.class, () -> ridge.fit(MemorySource.of(2, 1, 2)));
        }
    }
}
