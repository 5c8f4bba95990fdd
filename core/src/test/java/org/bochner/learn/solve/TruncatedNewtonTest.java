package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Model;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.MemorySource;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.Fixtures;
import org.bochner.stats.MappedSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TruncatedNewtonTest {
    private static final int ROWS = 600;
    private static final int COLUMNS = 4;
    private static final int FEATURES = 40;

    private static final List<Loss> FOR_CLASSES =
            List.of(new Loss.Logistic(), new Loss.SquaredHinge(), new Loss.HalfSquare(), new Loss.Softmax());

    /** Points of the unit cube, with a class by the sign of a wave and, for a tenth of them, by chance. */
    private static MemorySource classes(int count) {
        RandomStream stream = new Seed(31).stream();
        float[] values = new float[ROWS * COLUMNS];
        int[] targets = new int[ROWS];
        for (int i = 0; i < ROWS; i++) {
            double wave = 0;
            for (int j = 0; j < COLUMNS; j++) {
                double value = stream.nextUniform();
                values[i * COLUMNS + j] = (float) value;
                wave += Math.sin(4 * value + j);
            }
            int right = (int) Math.floor((wave + 4) / 8 * count * 0.999);
            targets[i] = stream.nextUniform() < 0.1 ? stream.nextInt(count) : right;
        }
        List<String> names = IntStream.range(0, count).mapToObj(c -> "c" + c).toList();
        return MemorySource.of(COLUMNS, values).withClasses(names, targets);
    }

    private static MemorySource numbers() {
        RandomStream stream = new Seed(32).stream();
        float[] values = new float[ROWS * COLUMNS];
        double[] targets = new double[2 * ROWS];
        for (int i = 0; i < ROWS; i++) {
            double wave = 0;
            for (int j = 0; j < COLUMNS; j++) {
                double value = stream.nextUniform();
                values[i * COLUMNS + j] = (float) value;
                wave += Math.sin(4 * value + j);
            }
            targets[2 * i] = wave + 0.3 * stream.nextUniform();
            targets[2 * i + 1] = 100 + 10 * wave + (i % 50 == 0 ? 300 : 0);
        }
        return MemorySource.of(COLUMNS, values).withTargets(List.of("a", "b"), targets);
    }

    private static FeatureStore store(MemorySource source, FeatureMap map, Precision precision, int threads) {
        return FeatureStore.map(
                new MappedSource(
                        source,
                        Scalings.identity(source.columns()),
                        map,
                        ClassWeights.none(),
                        precision,
                        new Workers(threads)),
                Long.MAX_VALUE,
                (rows, fraction) -> {});
    }

    private static FeatureStore store(MemorySource source) {
        FeatureMap map = FeatureMaps.parse("fourier").build(new Gaussian(0.7), COLUMNS, FEATURES, new Seed(3));
        return store(source, map, Precision.FLOAT64, 2);
    }

    private static Solution solve(Objective objective, double l2, double tolerance) {
        return TruncatedNewton.solve(
                objective, Regularizer.squared(l2), new StoppingRule(tolerance, 200), objective.start(), Monitor.NONE);
    }

    private static double[] gradient(Objective objective, double l2, double[] point) {
        double[] gradient = new double[objective.size()];
        objective.evaluate(point, gradient);
        for (int i = 0; i < objective.features() * objective.outputs(); i++) {
            gradient[i] += l2 * point[i];
        }
        return gradient;
    }

    private static double norm(double[] vector) {
        return Math.sqrt(Arrays.stream(vector).map(v -> v * v).sum());
    }

    private static double value(Objective objective, double l2, double[] point) {
        double sum = Arrays.stream(objective.evaluate(point)).sum();
        for (int i = 0; i < objective.features() * objective.outputs(); i++) {
            sum += l2 / 2 * point[i] * point[i];
        }
        return sum;
    }

    @Nested
    class AgainstLiblinear {
        private final FeatureSource source = store(classes(2));

        /** The same features; the bias is a feature of value 1 whose weight is not penalised. */
        private Model train(SolverType type, double c) {
            Linear.disableDebugOutput();
            Problem problem = new Problem();
            problem.l = ROWS;
            problem.n = FEATURES + 1;
            problem.bias = 1;
            problem.x = new Feature[ROWS][];
            problem.y = new double[ROWS];
            source.inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    int row = (int) tile.firstRow() + i;
                    double[] z = new double[FEATURES];
                    tile.addRow(i, 1, z);
                    problem.x[row] = IntStream.rangeClosed(1, FEATURES + 1)
                            .mapToObj(j -> new FeatureNode(j, j <= FEATURES ? z[j - 1] : 1))
                            .toArray(Feature[]::new);
                    problem.y[row] = tile.target(i, 0);
                }
            });
            Parameter parameter = new Parameter(type, c, 1e-10, 10_000);
            parameter.setRegularizeBias(false);
            return Linear.train(problem, parameter);
        }

        private void assertSameObjective(Loss loss, SolverType type) {
            for (double c : new double[] {0.01, 1, 100}) {
                Objective objective = new Objective(source, loss);
                Solution ours = solve(objective, 1 / c, 1e-9);
                Model model = train(type, c);
                double sign = model.getLabels()[0] == 1 ? 1 : -1;
                double[] weights = new double[FEATURES];
                Arrays.setAll(weights, j -> sign * model.getFeatureWeights()[j]);
                LinearModel theirs = new LinearModel(
                        FEATURES, 1, weights, new double[] {sign * model.getFeatureWeights()[FEATURES]});
                double expected = value(objective, 1 / c, objective.point(theirs));
                double got = value(objective, 1 / c, ours.point());
                assertTrue(ours.convergence().converged(), ours.convergence().toString());
                assertEquals(got, ours.convergence().objective(), 1e-12 * got);
                assertEquals(expected, got, 1e-6 * expected, loss + ", C = " + c);
                // Both are within rounding of the minimum; ours may not be above by more than that.
                assertTrue(got <= expected * (1 + 1e-9), loss + ", C = " + c);
            }
        }

        @Test
        void logisticHasTheSameObjective() {
            assertSameObjective(new Loss.Logistic(), SolverType.L2R_LR);
        }

        @Test
        void squaredHingeHasTheSameObjective() {
            assertSameObjective(new Loss.SquaredHinge(), SolverType.L2R_L2LOSS_SVC);
        }
    }

    @Nested
    class Minimum {
        @Test
        void hasNoGradient() {
            for (Loss loss : FOR_CLASSES) {
                for (int count : new int[] {2, 3}) {
                    for (double l2 : new double[] {10, 0.01}) {
                        Objective objective = new Objective(store(classes(count)), loss);
                        Solution solution = solve(objective, l2, 1e-9);
                        double[] start = gradient(objective, l2, objective.start());
                        double[] end = gradient(objective, l2, solution.point());
                        String what = loss + ", " + count + " classes, l2 = " + l2 + ": " + solution.convergence();
                        assertTrue(solution.convergence().converged(), what);
                        assertTrue(norm(end) <= 1e-9 * norm(start), what);
                        assertEquals(
                                value(objective, l2, solution.point()),
                                solution.convergence().objective(),
                                1e-8);
                    }
                }
            }
        }

        /** The second of the numbers is a hundred times larger and has outliers of fifty times their spread. */
        @Test
        void ofRegressionLossesHasNoGradient() {
            List<Loss> losses = List.of(
                    new Loss.HalfSquare(),
                    new Loss.Huber(0.1),
                    new Loss.Huber(5),
                    new Loss.SmoothInsensitive(0.1, 10),
                    new Loss.SmoothInsensitive(1, 2));
            for (Loss loss : losses) {
                Objective objective = new Objective(store(numbers()), loss);
                Solution solution = solve(objective, 0.1, 1e-9);
                double[] start = gradient(objective, 0.1, objective.start());
                double[] end = gradient(objective, 0.1, solution.point());
                String what = loss + ": " + solution.convergence();
                assertTrue(solution.convergence().converged(), what);
                for (int o = 0; o < 2; o++) {
                    assertTrue(norm(column(end, o)) <= 1e-9 * norm(column(start, o)), what);
                }
            }
        }

        private double[] column(double[] point, int output) {
            return IntStream.range(0, point.length / 2)
                    .mapToDouble(j -> point[2 * j + output])
                    .toArray();
        }

        @Test
        void ofSquaresIsThatOfTheNormalEquations() {
            Objective objective = new Objective(store(numbers()), new Loss.HalfSquare());
            double l2 = 0.5;
            double[] point = solve(objective, l2, 1e-12).point();
            // (H + l2·I)β = Zᵀr: the curvature at any point, applied to the solution, is the slope at 0 turned round.
            double[] zero = objective.start();
            double[] product = new double[objective.size()];
            double[] difference = new double[objective.size()];
            Arrays.setAll(difference, i -> point[i] - zero[i]);
            objective.curvature(zero, difference, product);
            double[] gradient = gradient(objective, l2, zero);
            for (int i = 0; i < product.length; i++) {
                double penalty = i < FEATURES * 2 ? l2 * difference[i] : 0;
                // Gradients of size 10⁴ to twelve digits.
                assertEquals(-gradient[i], product[i] + penalty, 1e-7);
            }
        }

        @Test
        void existsWithoutPenaltyWhereClassesOverlap() {
            for (Loss loss : FOR_CLASSES) {
                for (int count : new int[] {2, 3}) {
                    MemorySource source = classes(count);
                    Objective objective =
                            new Objective(store(source, Fixtures.identity(COLUMNS), Precision.FLOAT64, 1), loss);
                    Solution solution = solve(objective, 0, 1e-9);
                    assertTrue(solution.convergence().converged(), loss + ": " + solution.convergence());
                }
            }
        }

        /** More features than rows and no penalty: many minima, all of them as good. */
        @Test
        void ofSquaresWithoutPenaltyIsZeroWhereFeaturesAreMany() {
            MemorySource some = first(30);
            Objective objective = new Objective(store(some), new Loss.HalfSquare());
            Solution solution = solve(objective, 0, 1e-8);
            assertTrue(
                    solution.convergence().converged(), solution.convergence().toString());
            assertEquals(0, solution.convergence().objective(), 1e-8);
        }

        private MemorySource first(int rows) {
            RandomStream stream = new Seed(33).stream();
            float[] values = new float[rows * COLUMNS];
            int[] targets = new int[rows];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) stream.nextUniform();
            }
            Arrays.setAll(targets, i -> stream.nextInt(2));
            return MemorySource.of(COLUMNS, values).withClasses(List.of("a", "b"), targets);
        }
    }

    @Nested
    class SeveralProblems {
        @Test
        void areSolvedAsOneByOne() {
            MemorySource three = classes(3);
            Objective together = new Objective(store(three), new Loss.Logistic());
            double[] point = solve(together, 0.1, 1e-10).point();
            int[] labels = new int[ROWS];
            together.source().inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    labels[(int) tile.firstRow() + i] = (int) tile.target(i, 0);
                }
            });
            for (int c = 0; c < 3; c++) {
                int one = c;
                int[] against = Arrays.stream(labels).map(l -> l == one ? 1 : 0).toArray();
                Objective alone =
                        new Objective(store(three.withClasses(List.of("rest", "one"), against)), new Loss.Logistic());
                double[] expected = solve(alone, 0.1, 1e-10).point();
                for (int j = 0; j <= FEATURES; j++) {
                    // Gradients of 10⁻¹⁰·|g₀| ≈ 10⁻⁹ over curvatures of at least 0.1.
                    assertEquals(expected[j], point[j * 3 + c], 1e-7);
                }
            }
        }

        @Test
        void classesWithoutRowsAreLeftAlone() {
            MemorySource source = classes(2);
            int[] labels = new int[ROWS];
            new Objective(store(source), new Loss.Logistic()).source().inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    labels[(int) tile.firstRow() + i] = 2 * (int) tile.target(i, 0);
                }
            });
            MemorySource gap = source.withClasses(List.of("a", "none", "b"), labels);
            for (Loss loss : FOR_CLASSES) {
                Objective objective = new Objective(store(gap), loss);
                Solution solution = solve(objective, 1, 1e-6);
                assertTrue(solution.convergence().converged(), loss + ": " + solution.convergence());
                LinearModel model = objective.model(solution.point());
                double[] z = new double[FEATURES];
                double[] scores = model.apply(z);
                assertTrue(scores[1] < scores[0] && scores[1] < scores[2], loss.toString());
            }
        }

        @Test
        void rowsOfOneClassAloneTeachNothing() {
            MemorySource source = classes(2).withClasses(List.of("a", "b"), new int[ROWS]);
            for (Loss loss : FOR_CLASSES) {
                Objective objective = new Objective(store(source), loss);
                Solution solution = solve(objective, 0, 1e-6);
                assertTrue(solution.convergence().converged());
                assertEquals(0, solution.convergence().iterations());
                assertTrue(objective.model(solution.point()).intercept(0) < 0);
            }
        }

        @Test
        void constantTargetsAreTheIntercept() {
            double[] targets = new double[ROWS];
            Arrays.fill(targets, 1e6 / 3);
            Objective objective = new Objective(store(classes(2).withTargets(targets)), new Loss.HalfSquare());
            Solution solution = solve(objective, 1e-3, 1e-6);
            assertTrue(
                    solution.convergence().converged(), solution.convergence().toString());
            LinearModel model = objective.model(solution.point());
            assertEquals(1e6 / 3, model.apply(new double[FEATURES])[0], 1e-3);
        }
    }

    @Nested
    class WithoutMinimum {
        private final MemorySource apart =
                MemorySource.of(1, 1, 2, 3, 4, 5, 6).withClasses(List.of("low", "high"), 0, 0, 0, 1, 1, 1);

        private Objective objective(MemorySource source, Loss loss) {
            return new Objective(store(source, Fixtures.identity(1), Precision.FLOAT64, 1), loss);
        }

        @Test
        void separableRowsWithoutPenaltyAreAnError() {
            for (Loss loss : List.of(new Loss.Logistic(), new Loss.Softmax())) {
                BochnerException e =
                        assertThrows(BochnerException.class, () -> solve(objective(apart, loss), 0, 1e-12));
                assertEquals(
                        "the rows of the two classes are perfectly separable and there is no penalty: the weights would"
                                + " grow without end; set a penalty, l2 > 0",
                        e.getMessage());
            }
        }

        @Test
        void theErrorNamesTheClass() {
            MemorySource three = MemorySource.of(1, 1, 2, 3, 4, 5, 6, 5.5f, 4.5f)
                    .withClasses(List.of("low", "middle", "high"), 0, 0, 0, 1, 2, 1, 2, 1);
            BochnerException e =
                    assertThrows(BochnerException.class, () -> solve(objective(three, new Loss.Logistic()), 0, 1e-12));
            assertTrue(String.valueOf(e.getMessage()).startsWith("the rows of class 'low' and the others are"));
        }

        @Test
        void separableRowsWithPenaltyAreSolved() {
            for (Loss loss : List.of(new Loss.Logistic(), new Loss.Softmax(), new Loss.SquaredHinge())) {
                assertTrue(
                        solve(objective(apart, loss), 1e-4, 1e-8).convergence().converged(), loss.toString());
            }
        }

        /** Beyond the margin the squared hinge is 0: a minimum there is. */
        @Test
        void separableRowsHaveASquaredHingeOfZero() {
            Solution solution = solve(objective(apart, new Loss.SquaredHinge()), 0, 1e-8);
            assertTrue(solution.convergence().converged());
            assertEquals(0, solution.convergence().objective(), 1e-12);
        }
    }

    @Nested
    class Ending {
        private final Objective objective = new Objective(store(classes(2)), new Loss.Logistic());

        @Test
        void warmStartsEndAtOnce() {
            double[] answer = solve(objective, 0.1, 1e-8).point();
            Solution again = TruncatedNewton.solve(
                    objective, Regularizer.squared(0.1), new StoppingRule(1e-7, 100), answer, Monitor.NONE);
            assertTrue(again.convergence().converged());
            assertEquals(0, again.convergence().iterations());
            assertArrayEquals(answer, again.point());
            assertEquals(1e-7, again.convergence().tolerance());
        }

        @Test
        void iterationsCanBeUsedUp() {
            Solution solution = TruncatedNewton.solve(
                    objective, Regularizer.squared(0.1), new StoppingRule(1e-12, 1), objective.start(), Monitor.NONE);
            assertEquals(Convergence.End.ITERATIONS, solution.convergence().end());
            assertEquals(1, solution.convergence().iterations());
            assertFalse(solution.convergence().converged());
            assertTrue(solution.convergence().residual() > 1e-12);
        }

        @Test
        void monitorsHearOfEveryIterationAndCanStop() {
            List<Iteration> heard = new ArrayList<>();
            List<LinearModel> models = new ArrayList<>();
            Solution solution = TruncatedNewton.solve(
                    objective,
                    Regularizer.squared(0.1),
                    new StoppingRule(1e-12, 100),
                    objective.start(),
                    (iteration, model) -> {
                        heard.add(iteration);
                        models.add(model.get());
                        return iteration.number() < 3;
                    });
            assertEquals(Convergence.End.STOPPED, solution.convergence().end());
            assertEquals(3, heard.size());
            for (int k = 0; k < 3; k++) {
                assertEquals(k + 1, heard.get(k).number());
                assertEquals("gradient", heard.get(k).measure());
                assertEquals(FEATURES, heard.get(k).nonZeros());
            }
            assertTrue(heard.get(2).objective() < heard.get(1).objective());
            assertTrue(heard.get(1).objective() < heard.get(0).objective());
            LinearModel last = objective.model(solution.point());
            assertEquals(last.weight(0, 0), models.get(2).weight(0, 0));
            assertEquals(value(objective, 0.1, solution.point()), heard.get(2).objective(), 1e-9);
        }

        /** float32 features cannot have gradients of 10⁻¹⁴; that is said, and the answer is as good as they allow. */
        @Tag("long")
        @Test
        void precisionCanBeUsedUp() {
            FeatureMap map = FeatureMaps.parse("fourier").build(new Gaussian(0.7), COLUMNS, FEATURES, new Seed(3));
            for (Loss loss : FOR_CLASSES) {
                Objective rounded = new Objective(store(classes(3), map, Precision.FLOAT32, 2), loss);
                Solution solution = solve(rounded, 0.1, 1e-14);
                assertEquals(Convergence.End.PRECISION, solution.convergence().end(), solution.convergence()::toString);
                // Sums of float32 products err by up to 2⁻²⁴ of their size per term: those of the scores over the
                // features,
                // those of the gradient over the rows. How near to that it comes depends on the processor's order of
                // sums.
                assertTrue(
                        solution.convergence().residual() < (FEATURES + ROWS) * 0x1p-24,
                        solution.convergence()::toString);
                Objective exact = new Objective(store(classes(3)), loss);
                double best = solve(exact, 0.1, 1e-9).convergence().objective();
                assertEquals(best, solution.convergence().objective(), 1e-6 * best);
            }
        }

        @Test
        void answersDoNotDependOnTheThreads() {
            FeatureMap map = FeatureMaps.parse("fourier").build(new Gaussian(0.7), COLUMNS, FEATURES, new Seed(3));
            for (Loss loss : List.of(new Loss.Logistic(), new Loss.Softmax())) {
                double[] one = solve(new Objective(store(classes(3), map, Precision.FLOAT32, 1), loss), 0.1, 1e-5)
                        .point();
                double[] three = solve(new Objective(store(classes(3), map, Precision.FLOAT32, 3), loss), 0.1, 1e-5)
                        .point();
                assertArrayEquals(one, three);
            }
        }
    }

    @Nested
    class BadInput {
        @Test
        void kinksAreNotForIt() {
            Objective hinge = new Objective(store(classes(2)), new Loss.Hinge());
            assertThrows(IllegalArgumentException.class, () -> solve(hinge, 1, 1e-3));
            Objective logistic = new Objective(store(classes(2)), new Loss.Logistic());
            for (Regularizer kinked :
                    List.of(new Regularizer(1, 0, 0, null), new Regularizer(0, 0, 1, FeatureGroups.each(FEATURES)))) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> TruncatedNewton.solve(
                                logistic, kinked, new StoppingRule(1e-3, 10), logistic.start(), Monitor.NONE));
            }
        }

        @Test
        void objectivesThatOverflowAreAnError() {
            MemorySource source = classes(2)
                    .withTargets(IntStream.range(0, ROWS)
                            .mapToDouble(i -> i % 2 == 0 ? 1e200 : -1e200)
                            .toArray());
            Objective objective = new Objective(store(source), new Loss.HalfSquare());
            BochnerException e = assertThrows(BochnerException.class, () -> solve(objective, 1, 1e-3));
            assertTrue(String.valueOf(e.getMessage()).contains("scale the columns, targets or weights"));
        }
    }
}
