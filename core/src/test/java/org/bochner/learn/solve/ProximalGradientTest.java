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
import de.bwaldvogel.liblinear.SolverType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Setting;
import org.bochner.data.MemorySource;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.FeatureTile;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProximalGradientTest {
    private static final int FEATURES = 12;
    private static final FeatureGroups PAIRS = FeatureGroups.of(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5);
    private static final StoppingRule EXACT = new StoppingRule(1e-10, 20_000);

    private static final List<Loss> FOR_CLASSES =
            List.of(new Loss.Logistic(), new Loss.Softmax(), new Loss.SquaredHinge(), new Loss.HalfSquare());
    private static final List<Loss> FOR_NUMBERS = List.of(
            new Loss.HalfSquare(),
            new Loss.Huber(0.3),
            new Loss.SmoothInsensitive(0.1, 4),
            new Loss.SquaredInsensitive(0.2));

    /** Penalties of every kind, with the largest strength that leaves a weight as their unit. */
    private static List<Regularizer> shapes() {
        return List.of(
                new Regularizer(1, 0, 0, null),
                new Regularizer(1, 0.5, 0, null),
                new Regularizer(0, 0, 1, PAIRS),
                new Regularizer(0.5, 0.5, 0.5, PAIRS));
    }

    private static Solution plain(Objective objective, Regularizer regularizer) {
        return ProximalGradient.solve(objective, regularizer, EXACT, objective.start(), Monitor.NONE);
    }

    /** The gradient of the loss by the weights, then the intercepts, row by row as it is defined. */
    private static double[] gradient(Objective objective, LinearModel model) {
        int outputs = objective.outputs();
        int features = objective.features();
        double[] gradient = new double[(features + 1) * outputs];
        objective.source().inOrder(tile -> {
            for (int i = 0; i < tile.rows(); i++) {
                double[] z = new double[features];
                tile.addRow(i, 1, z);
                double[] scores = model.apply(z);
                double sum = Arrays.stream(scores).map(Math::exp).sum();
                for (int o = 0; o < outputs; o++) {
                    double target = objective.target(tile, i, o);
                    double slope = objective.joint()
                            ? Math.exp(scores[o]) / sum - (target + 1) / 2
                            : objective.perScore().slope(scores[o], target);
                    for (int j = 0; j < features; j++) {
                        gradient[j * outputs + o] += tile.rowWeight(i) * slope * z[j];
                    }
                    gradient[features * outputs + o] += tile.rowWeight(i) * slope;
                }
            }
        });
        return gradient;
    }

    /** The conditions of optimality, written down anew for each kind of weight. */
    private static void assertOptimal(Objective objective, Regularizer regularizer, LinearModel model, double slack) {
        int outputs = objective.outputs();
        int features = objective.features();
        double[] gradient = gradient(objective, model);
        for (int o = 0; o < outputs; o++) {
            assertEquals(0, gradient[features * outputs + o], slack);
        }
        FeatureGroups groups = regularizer.groups() == null ? FeatureGroups.each(features) : regularizer.groups();
        for (int[] members : groups.members()) {
            double strength = regularizer.group() * Math.sqrt(members.length);
            double norm = 0;
            double over = 0;
            for (int j : members) {
                for (int o = 0; o < outputs; o++) {
                    norm = Math.hypot(norm, model.weight(j, o));
                    over = Math.hypot(over, Math.max(0, Math.abs(gradient[j * outputs + o]) - regularizer.l1()));
                }
            }
            if (norm == 0) {
                assertTrue(over <= strength + slack, over + " > " + strength);
                continue;
            }
            for (int j : members) {
                for (int o = 0; o < outputs; o++) {
                    double w = model.weight(j, o);
                    double smooth = gradient[j * outputs + o] + regularizer.l2() * w + strength * w / norm;
                    if (w == 0) {
                        assertTrue(Math.abs(smooth) <= regularizer.l1() + slack);
                    } else {
                        assertEquals(-regularizer.l1() * Math.signum(w), smooth, slack);
                    }
                }
            }
        }
    }

    @Nested
    class Optima {
        private final Mapped classes = Mapped.classes(120, FEATURES, 3, new Seed(1));
        private final Mapped twoClasses = Mapped.classes(120, FEATURES, 2, new Seed(2));
        private final Mapped numbers = Mapped.numbers(120, FEATURES, 2, new Seed(3));

        /** Checks every second pair of loss and shape from the first one, or from the second one. */
        private void assertOptima(Mapped rows, List<Loss> losses, int first) {
            for (int l = 0; l < losses.size(); l++) {
                Loss loss = losses.get(l);
                for (int s = (first + l) % 2; s < shapes().size(); s += 2) {
                    Regularizer shape = shapes().get(s);
                    Objective objective = rows.objective(loss);
                    Regularizer regularizer =
                            RegularizerTest.scaled(shape, 0.3 * ProximalGradient.largest(objective, shape));
                    Solution plain = plain(objective, regularizer);
                    assertTrue(plain.convergence().converged(), loss + " " + regularizer);
                    // Residuals are relative to slopes of at most 120 rows times features of size 5, on centred
                    // features; the mean of size 5 makes the others' intercepts differ by 5 times that.
                    assertOptimal(objective, regularizer, objective.model(plain.point()), 1e-6);
                    int zeros = (int)
                            Arrays.stream(plain.point()).filter(w -> w == 0).count();
                    assertTrue(zeros > 0 && zeros < FEATURES * objective.outputs());
                }
            }
        }

        @Test
        void ofManyClasses() {
            assertOptima(classes, FOR_CLASSES, 0);
        }

        @Test
        void ofTwoClasses() {
            assertOptima(twoClasses, FOR_CLASSES, 1);
        }

        @Test
        void ofNumbers() {
            assertOptima(numbers, FOR_NUMBERS, 0);
            assertOptima(numbers, FOR_NUMBERS, 1);
        }

        @Test
        void ofOutputsThatNothingTiesTogetherAreThoseOfEachAlone() {
            Objective together = numbers.objective(new Loss.Huber(0.5));
            Regularizer regularizer = new Regularizer(8, 0, 0, null);
            double[] point = plain(together, regularizer).point();
            MemorySource source = numbers.rows();
            for (int o = 0; o < 2; o++) {
                double[] targets = new double[120];
                together.source().inOrder(column(o, targets));
                Objective alone = Mapped.of(source.withTargets(targets)).objective(new Loss.Huber(0.5));
                double[] own = plain(alone, regularizer).point();
                for (int j = 0; j <= FEATURES; j++) {
                    // The loss is strongly convex with a constant above 1 where rows are not outliers.
                    assertEquals(own[j], point[j * 2 + o], 1e-7);
                }
            }
        }

        private static Consumer<FeatureTile> column(int o, double[] targets) {
            return tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    targets[(int) tile.firstRow() + i] = tile.target(i, o);
                }
            };
        }
    }

    @Nested
    class AgainstReferences {
        @Test
        void groupLasso() {
            Mapped rows = GroupLassoReference.rows();
            for (GroupLassoReference reference : GroupLassoReference.all()) {
                Objective objective = rows.objective(reference.loss());
                assertEquals(
                        reference.largest(),
                        ProximalGradient.largest(objective, GroupLassoReference.shape()),
                        1e-12 * reference.largest());
                Regularizer regularizer = reference.regularizer();
                StoppingRule stopping = new StoppingRule(1e-13, 20_000);
                Solution solution =
                        ProximalGradient.solve(objective, regularizer, stopping, objective.start(), Monitor.NONE);
                assertEquals(reference.objective(), solution.convergence().objective(), 1e-9);
                for (int j = 0; j < 7; j++) {
                    double w = solution.point()[j] * GroupLassoReference.factor(j);
                    assertEquals(reference.weights().get(j), w, 1e-8);
                }
                assertEquals(0, solution.point()[7], 1e-9);
            }
        }

        @Test
        void liblinearsL1Machines() {
            Mapped rows = Mapped.classes(200, FEATURES, 2, new Seed(4));
            assertSameObjective(rows, new Loss.Logistic(), SolverType.L1R_LR);
            assertSameObjective(rows, new Loss.SquaredHinge(), SolverType.L1R_L2LOSS_SVC);
        }

        private void assertSameObjective(Mapped rows, Loss loss, SolverType type) {
            Objective objective = rows.objective(loss);
            for (double c : new double[] {0.05, 1, 20}) {
                Regularizer regularizer = new Regularizer(1 / c, 0, 0, null);
                double own = plain(objective, regularizer).convergence().objective();
                double[] point = liblinear(objective, type, c);
                double theirs = objective.evaluate(point)[0] + regularizer.value(point, FEATURES, 1);
                assertEquals(theirs, own, 1e-6 * own);
                assertTrue(own <= theirs * (1 + 1e-9));
            }
        }

        /**
         * LIBLINEAR minimises C·Σ loss + |w|₁; its bias is a feature of value 1, here without a penalty. It is given
         * centred features, which change nothing but the bias, because it does not converge on others.
         */
        private static double[] liblinear(Objective objective, SolverType type, double c) {
            Linear.disableDebugOutput();
            de.bwaldvogel.liblinear.Problem problem = new de.bwaldvogel.liblinear.Problem();
            int rows = (int) objective.source().rows();
            problem.l = rows;
            problem.n = FEATURES + 1;
            problem.bias = 1;
            problem.x = new Feature[rows][];
            problem.y = new double[rows];
            double[] mean = objective.source().mean();
            objective.source().inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    int row = (int) tile.firstRow() + i;
                    double[] z = new double[FEATURES];
                    tile.addRow(i, 1, z);
                    problem.x[row] = IntStream.rangeClosed(1, FEATURES + 1)
                            .mapToObj(j -> new FeatureNode(j, j <= FEATURES ? z[j - 1] - mean[j - 1] : 1))
                            .toArray(Feature[]::new);
                    problem.y[row] = objective.target(tile, i, 0);
                }
            });
            Parameter parameter = new Parameter(type, c, 1e-9, 100_000);
            parameter.setRegularizeBias(false);
            Model model = Linear.train(problem, parameter);
            double sign = model.getLabels()[0];
            double[] w = model.getFeatureWeights();
            double[] point = new double[FEATURES + 1];
            Arrays.setAll(point, j -> sign * w[j]);
            return point;
        }
    }

    @Nested
    class LargestStrength {
        @Test
        void isWhereTheFirstWeightAppears() {
            Mapped numbers = Mapped.numbers(80, FEATURES, 2, new Seed(5));
            Mapped classes = Mapped.classes(80, FEATURES, 3, new Seed(6));
            for (Loss loss : List.of(new Loss.Huber(0.2), new Loss.SmoothInsensitive(0.2, 10), new Loss.Softmax())) {
                Objective objective = (loss instanceof Loss.Softmax ? classes : numbers).objective(loss);
                for (Regularizer shape : shapes()) {
                    double largest = ProximalGradient.largest(objective, shape);
                    assertEquals(0, kept(objective, RegularizerTest.scaled(shape, 1.0001 * largest)));
                    assertTrue(kept(objective, RegularizerTest.scaled(shape, 0.99 * largest)) > 0);
                }
            }
        }

        private static int kept(Objective objective, Regularizer regularizer) {
            return LinearModel.nonZeros(plain(objective, regularizer).point(), FEATURES, objective.outputs());
        }

        @Test
        void standsOnTheBestIntercepts() {
            Mapped numbers = Mapped.numbers(81, FEATURES, 2, new Seed(7));
            Mapped classes = Mapped.classes(81, FEATURES, 3, new Seed(8));
            for (Loss loss : List.of(
                    new Loss.Huber(0.01),
                    new Loss.SmoothInsensitive(0.1, 100),
                    new Loss.Softmax(),
                    new Loss.SquaredInsensitive(0.3),
                    new Loss.SquaredHinge())) {
                List<Mapped> fitting = new ArrayList<>();
                if (loss.forClasses()) {
                    fitting.add(classes);
                }
                if (loss.forNumbers()) {
                    fitting.add(numbers);
                }
                for (Mapped rows : fitting) {
                    Objective objective = rows.objective(loss);
                    double[] gradient = new double[objective.size()];
                    objective.evaluate(InterceptFit.point(objective), gradient);
                    for (int at = FEATURES * objective.outputs(); at < gradient.length; at++) {
                        assertEquals(0, gradient[at], 1e-10, loss.toString());
                    }
                }
            }
        }
    }

    @Nested
    class Runs {
        private final Objective objective =
                Mapped.classes(100, FEATURES, 3, new Seed(9)).objective(new Loss.Logistic());
        private final Regularizer regularizer = new Regularizer(2, 0, 0, null);

        @Test
        void reportObjectivesThatOnlyFall() {
            List<Iteration> seen = new ArrayList<>();
            Solution solution = ProximalGradient.solve(
                    objective, regularizer, EXACT, objective.start(), (iteration, model) -> seen.add(iteration));
            for (int k = 1; k < seen.size(); k++) {
                assertEquals(k + 1, seen.get(k).number());
                // Where a problem ends, its last point counts, whose objective may be larger in the last bits.
                assertTrue(seen.get(k).objective() <= seen.get(k - 1).objective() * (1 + 1e-12));
            }
            Iteration last = seen.get(seen.size() - 1);
            assertEquals(last.objective(), solution.convergence().objective(), 0);
            assertEquals(last.residual(), solution.convergence().residual(), 0);
            assertEquals(LinearModel.nonZeros(solution.point(), FEATURES, 3), last.nonZeros());
        }

        @Test
        void stopWhenToldAndReturnTheBestSoFar() {
            List<LinearModel> models = new ArrayList<>();
            Solution solution =
                    ProximalGradient.solve(objective, regularizer, EXACT, objective.start(), (iteration, model) -> {
                        models.add(model.get());
                        return iteration.number() < 7;
                    });
            assertEquals(Convergence.End.STOPPED, solution.convergence().end());
            assertEquals(7, solution.convergence().iterations());
            assertArrayEquals(objective.point(models.get(6)), solution.point(), 1e-12);
            double value = Arrays.stream(objective.evaluate(solution.point())).sum()
                    + regularizer.value(solution.point(), FEATURES, 3);
            assertEquals(solution.convergence().objective(), value, 1e-10 * value);
        }

        @Test
        void endAfterTheGivenIterations() {
            Solution solution = ProximalGradient.solve(
                    objective, regularizer, new StoppingRule(1e-10, 5), objective.start(), Monitor.NONE);
            assertEquals(Convergence.End.ITERATIONS, solution.convergence().end());
            assertFalse(solution.convergence().converged());
        }

        @Test
        void endWherePrecisionDoes() {
            Solution solution = ProximalGradient.solve(
                    objective, regularizer, new StoppingRule(1e-300, 100_000), objective.start(), Monitor.NONE);
            assertEquals(Convergence.End.PRECISION, solution.convergence().end());
            assertTrue(solution.convergence().residual() < 1e-9);
        }

        @Test
        void startFromASolutionNearby() {
            double[] near = plain(objective, regularizer).point();
            Regularizer next = new Regularizer(1.9, 0, 0, null);
            Solution warm = ProximalGradient.solve(objective, next, EXACT, near, Monitor.NONE);
            Solution cold = plain(objective, next);
            assertTrue(warm.convergence().iterations() < cold.convergence().iterations());
            assertEquals(
                    cold.convergence().objective(),
                    warm.convergence().objective(),
                    1e-9 * cold.convergence().objective());
        }

        @Test
        void areTheSameBitsForAnyNumberOfThreads() {
            Mapped rows = Mapped.classes(3000, FEATURES, 3, new Seed(9));
            StoppingRule some = new StoppingRule(1e-4, 100);
            List<double[]> points = new ArrayList<>();
            for (int threads = 1; threads <= 3; threads++) {
                Objective own = new Objective(rows.store(new Workers(threads)), new Loss.Logistic());
                points.add(ProximalGradient.solve(own, regularizer, some, own.start(), Monitor.NONE)
                        .point());
            }
            assertArrayEquals(points.get(0), points.get(1), 0);
            assertArrayEquals(points.get(0), points.get(2), 0);
        }
    }

    @Nested
    class OddData {
        @Test
        void targetsThatAreAllTheSameNeedNoWeights() {
            double[] targets = new double[50];
            Arrays.fill(targets, 3.5);
            Mapped rows = Mapped.of(
                    Mapped.numbers(50, FEATURES, 1, new Seed(10)).rows().withTargets(targets));
            Objective objective = rows.objective(new Loss.HalfSquare());
            Solution solution = plain(objective, new Regularizer(0.1, 0, 0, null));
            assertTrue(solution.convergence().converged());
            assertEquals(0, LinearModel.nonZeros(solution.point(), FEATURES, 1));
            assertEquals(3.5, objective.model(solution.point()).intercept(0), 1e-12);
        }

        @Test
        void aColumnThatIsAlwaysTheSameGetsNoWeight() {
            Mapped rows =
                    Mapped.of(Mapped.numbers(50, FEATURES, 1, new Seed(11)).rows(), j -> j == 0 ? 0 : 1);
            Objective objective = rows.objective(new Loss.HalfSquare());
            Solution solution = plain(objective, new Regularizer(0.1, 0, 0, null));
            assertTrue(solution.convergence().converged());
            assertEquals(0, solution.point()[0], 0);
        }

        @Test
        void numbersBeyondAllBoundsAreRefused() {
            double[] targets = new double[50];
            Arrays.fill(targets, 1e200);
            targets[0] = -1e200;
            Mapped rows = Mapped.of(
                    Mapped.numbers(50, FEATURES, 1, new Seed(12)).rows().withTargets(targets));
            Objective objective = rows.objective(new Loss.HalfSquare());
            BochnerException e =
                    assertThrows(BochnerException.class, () -> plain(objective, new Regularizer(0.1, 0, 0, null)));
            assertEquals(Setting.SCALING, e.remedies().get(0).setting());
        }
    }
}
