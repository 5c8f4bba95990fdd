package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.Learner;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.Fixtures;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.PiecewiseLinear;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class GramDescentTest {
    private static final int FEATURES = 40;
    private static final FeatureGroups PAIRS = pairs(FEATURES);
    private static final StoppingRule EXACT = new StoppingRule(1e-13, 500);

    private static final List<Regularizer> SHAPES = List.of(
            new Regularizer(1, 0, 0, null),
            new Regularizer(1, 3, 0, null),
            new Regularizer(0, 0, 1, PAIRS),
            new Regularizer(0, 3, 1, PAIRS),
            new Regularizer(0.5, 0, 0.5, PAIRS),
            new Regularizer(0.5, 3, 0.5, PAIRS));

    private static FeatureGroups pairs(int features) {
        int[] groupOf = new int[features];
        Arrays.setAll(groupOf, j -> j % (features / 2));
        return FeatureGroups.of(groupOf);
    }

    private static GramDescent descent(Mapped rows) {
        return new GramDescent(rows.statistics(), Mapped.WORKERS);
    }

    private static Solution solve(GramDescent descent, Regularizer regularizer) {
        return descent.solve(regularizer, EXACT, descent.start(), Monitor.NONE);
    }

    @Nested
    class Optima {
        /** The subgradient of the objective, from a pass over the rows, vanishes. */
        private void assertOptima(Mapped rows) {
            GramDescent descent = descent(rows);
            Objective objective = rows.objective(new Loss.HalfSquare());
            for (Regularizer shape : SHAPES) {
                double largest = descent.largest(shape);
                for (double factor : new double[] {0.5, 0.05, 0.001}) {
                    Regularizer regularizer = RegularizerTest.scaled(shape, factor * largest);
                    Solution solution = solve(descent, regularizer);
                    assertTrue(solution.convergence().converged(), regularizer + " " + solution.convergence());
                    double[] gradient = new double[objective.size()];
                    double[] values = objective.evaluate(solution.point(), gradient);
                    regularizer.subgradient(solution.point(), gradient, FEATURES, objective.outputs());
                    // A gap of 1e-13 bounds the residual of the scaled problem by about its root, 3e-7, times slopes of
                    // 300 rows.
                    assertArrayEquals(new double[gradient.length], gradient, 1e-4 * largest * factor + 1e-5);
                    double value = Arrays.stream(values).sum()
                            + regularizer.value(solution.point(), FEATURES, objective.outputs());
                    assertEquals(value, solution.convergence().objective(), 1e-10 * value);
                    assertArrayEquals(
                            weights(objective.model(solution.point())), weights(descent.model(solution.point())), 1e-9);
                }
            }
        }

        private static double[] weights(LinearModel model) {
            double[] all = new double[(model.features() + 1) * model.outputs()];
            for (int o = 0; o < model.outputs(); o++) {
                for (int j = 0; j < model.features(); j++) {
                    all[j * model.outputs() + o] = model.weight(j, o);
                }
                all[model.features() * model.outputs() + o] = model.intercept(o);
            }
            return all;
        }

        @Test
        void ofNumbers() {
            assertOptima(Mapped.numbers(300, FEATURES, 1, new Seed(1)));
        }

        @Test
        void ofSeveralNumbers() {
            assertOptima(Mapped.numbers(300, FEATURES, 3, new Seed(2)));
        }

        @Test
        void ofTwoClasses() {
            assertOptima(Mapped.classes(300, FEATURES, 2, new Seed(3)));
        }

        @Test
        void ofManyClasses() {
            assertOptima(Mapped.classes(300, FEATURES, 4, new Seed(4)));
        }

        @Test
        void ofMoreFeaturesThanRows() {
            assertOptima(Mapped.numbers(25, FEATURES, 2, new Seed(5)));
        }
    }

    @Test
    void trainingLossIsTheMeanLossOfTheModel() {
        Mapped rows = Mapped.classes(300, FEATURES, 3, new Seed(6));
        Objective objective = rows.objective(new Loss.HalfSquare());
        for (String learner : List.of("lasso(lambda=20)", "elastic-net(lambda=20)", "group-lasso(lambda=20)")) {
            LinearFit fit = new Training(
                            Learner.parse(learner), rows.map(), Mapped.WORKERS, new Seed(1), given -> Monitor.NONE)
                    .fit(rows.statistics(), Precision.FLOAT32);
            double sum = Arrays.stream(objective.evaluate(objective.point(fit.model())))
                    .sum();
            // Sums of 300 rows and 40 features in float64.
            assertEquals(sum / (300 * 3), fit.chosen().trainingLoss(), 1e-10, learner);
        }
    }

    @Nested
    class AgainstReferences {
        @Test
        void groupLasso() {
            GramDescent descent = descent(GroupLassoReference.rows());
            for (GroupLassoReference reference : GroupLassoReference.all()) {
                if (!(reference.loss() instanceof Loss.HalfSquare)) {
                    continue;
                }
                assertEquals(
                        reference.largest(), descent.largest(GroupLassoReference.shape()), 1e-12 * reference.largest());
                Solution solution = descent.solve(
                        reference.regularizer(), new StoppingRule(1e-15, 200), descent.start(), Monitor.NONE);
                assertEquals(reference.objective(), solution.convergence().objective(), 1e-9);
                for (int j = 0; j < 7; j++) {
                    double w = solution.point()[j] * GroupLassoReference.factor(j);
                    assertEquals(reference.weights().get(j), w, 1e-8);
                }
            }
        }

        @Test
        void ridgeWhereOnlySquaresArePenalised() {
            Mapped rows = Mapped.classes(200, FEATURES, 3, new Seed(6));
            GramStatistics statistics = rows.statistics();
            GramDescent descent = new GramDescent(statistics, Mapped.WORKERS);
            LinearModel model =
                    descent.model(solve(descent, Regularizer.squared(2)).point());
            LinearModel ridge = Ridge.of(2)
                    .fit(statistics, Precision.FLOAT64, new Workers(1))
                    .model();
            for (int o = 0; o < 3; o++) {
                // The gap of 1e-13 of at most 200 bounds |Δ|² by 2·2e-11/l2.
                assertEquals(ridge.intercept(o), model.intercept(o), 1e-3);
                for (int j = 0; j < FEATURES; j++) {
                    assertEquals(ridge.weight(j, o), model.weight(j, o), 1e-5);
                }
            }
        }

        @Test
        void proximalStepsOverTheRows() {
            Mapped rows = Mapped.numbers(200, FEATURES, 2, new Seed(7));
            GramDescent descent = descent(rows);
            Objective objective = rows.objective(new Loss.HalfSquare());
            for (Regularizer shape : SHAPES) {
                Regularizer regularizer = RegularizerTest.scaled(shape, 0.1 * descent.largest(shape));
                assertEquals(
                        descent.largest(shape),
                        ProximalGradient.largest(objective, shape),
                        1e-9 * descent.largest(shape));
                double least = ProximalGradient.solve(
                                objective, regularizer, new StoppingRule(1e-9, 20_000), objective.start(), Monitor.NONE)
                        .convergence()
                        .objective();
                assertEquals(least, solve(descent, regularizer).convergence().objective(), 1e-9 * least);
            }
        }
    }

    @Nested
    class Gaps {
        @Test
        void boundTheDistanceToTheMinimum() {
            for (Mapped rows : List.of(
                    Mapped.numbers(100, FEATURES, 1, new Seed(8)), Mapped.numbers(30, FEATURES, 1, new Seed(9)))) {
                GramDescent descent = descent(rows);
                double empty = rows.statistics().targetScatter(0) / 2;
                for (Regularizer shape : SHAPES) {
                    for (double factor : new double[] {0.3, 0.01}) {
                        Regularizer regularizer = RegularizerTest.scaled(shape, factor * descent.largest(shape));
                        List<Iteration> seen = new ArrayList<>();
                        double least = descent.solve(
                                        regularizer, EXACT, descent.start(), (iteration, model) -> seen.add(iteration))
                                .convergence()
                                .objective();
                        assertEquals(empty, seen.get(0).objective(), 1e-10 * empty);
                        assertTrue(seen.get(0).residual() > 1e-3);
                        for (Iteration iteration : seen) {
                            double distance = (iteration.objective() - least) / empty;
                            assertTrue(distance <= iteration.residual() + 2e-13);
                            assertEquals("duality gap", iteration.measure());
                        }
                    }
                }
            }
        }

        @Test
        void areNoneWhereAllWeightsAreZero() {
            GramDescent descent = descent(Mapped.numbers(60, FEATURES, 2, new Seed(10)));
            for (Regularizer shape : SHAPES) {
                Regularizer regularizer = RegularizerTest.scaled(shape, 1.000001 * descent.largest(shape));
                Solution solution = solve(descent, regularizer);
                assertEquals(1, solution.convergence().iterations());
                assertEquals(0, LinearModel.nonZeros(solution.point(), FEATURES, 2));
                Solution less = solve(descent, RegularizerTest.scaled(shape, 0.99 * descent.largest(shape)));
                assertTrue(LinearModel.nonZeros(less.point(), FEATURES, 2) > 0);
            }
        }
    }

    @Nested
    class Paths {
        @Test
        void growAsThePenaltyFalls() {
            GramDescent descent = descent(Mapped.numbers(200, FEATURES, 2, new Seed(11)));
            for (Regularizer shape : SHAPES) {
                double largest = descent.largest(shape);
                double[] point = descent.start();
                double size = -1;
                double objective = Double.POSITIVE_INFINITY;
                for (int k = 0; k <= 12; k++) {
                    double factor = largest * Math.pow(2, -k);
                    Solution solution =
                            descent.solve(RegularizerTest.scaled(shape, factor), EXACT, point, Monitor.NONE);
                    point = solution.point();
                    // What a penalty weighs never falls where its strength does; the gap leaves some 1e-6 of play.
                    double now =
                            new Regularizer(shape.l1(), 0, shape.group(), shape.groups()).value(point, FEATURES, 2);
                    assertTrue(now >= size - 1e-5);
                    assertTrue(solution.convergence().objective() < objective + 1e-9);
                    size = now;
                    objective = solution.convergence().objective();
                }
                assertEquals(FEATURES, LinearModel.nonZeros(point, FEATURES, 2), 6);
            }
        }

        @Test
        void fromNearbyPointsEndWhereColdStartsDo() {
            GramDescent descent = descent(Mapped.classes(200, FEATURES, 3, new Seed(12)));
            for (Regularizer shape : SHAPES) {
                double largest = descent.largest(shape);
                double[] near = solve(descent, RegularizerTest.scaled(shape, 0.02 * largest))
                        .point();
                Regularizer regularizer = RegularizerTest.scaled(shape, 0.015 * largest);
                Solution cold = solve(descent, regularizer);
                Solution warm = descent.solve(regularizer, EXACT, near, Monitor.NONE);
                double least = cold.convergence().objective();
                assertEquals(least, warm.convergence().objective(), 1e-10 * least);
                assertTrue(warm.convergence().iterations() <= cold.convergence().iterations());
            }
        }
    }

    @Nested
    class Runs {
        @Test
        void stopWhenTold() {
            GramDescent descent = descent(Mapped.numbers(200, FEATURES, 2, new Seed(13)));
            Regularizer regularizer = RegularizerTest.scaled(SHAPES.get(0), 0.01 * descent.largest(SHAPES.get(0)));
            Solution solution =
                    descent.solve(regularizer, EXACT, descent.start(), (iteration, model) -> iteration.number() < 2);
            assertEquals(Convergence.End.STOPPED, solution.convergence().end());
            assertEquals(2, solution.convergence().iterations());
        }

        @Test
        void giveTheSameBitsForAnyNumberOfThreads() {
            GramStatistics statistics =
                    Mapped.numbers(100, FEATURES, 3, new Seed(14)).statistics();
            Regularizer regularizer = new Regularizer(1, 0, 0, null);
            assertArrayEquals(
                    solve(new GramDescent(statistics, new Workers(1)), regularizer)
                            .point(),
                    solve(new GramDescent(statistics, new Workers(3)), regularizer)
                            .point(),
                    0);
        }
    }

    @Nested
    class OddData {
        @Test
        void featuresThatAreTheSameShareTheirWeight() {
            Mapped half = Mapped.numbers(80, 6, 1, new Seed(15));
            float[] twice = new float[80 * 12];
            int[] row = {0};
            half.store().inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    double[] z = new double[6];
                    tile.addRow(i, 1, z);
                    for (int j = 0; j < 12; j++) {
                        twice[row[0] * 12 + j] = (float) z[j % 6];
                    }
                    row[0]++;
                }
            });
            double[] targets = new double[80];
            half.store().inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    targets[(int) tile.firstRow() + i] = tile.target(i, 0);
                }
            });
            Mapped both = Mapped.of(MemorySource.of(12, twice).withTargets(targets));
            Regularizer regularizer = new Regularizer(3, 0, 0, null);
            GramDescent single = descent(half);
            GramDescent twin = descent(both);
            double least = solve(single, regularizer).convergence().objective();
            Solution solution = solve(twin, regularizer);
            assertTrue(solution.convergence().converged());
            assertEquals(least, solution.convergence().objective(), 1e-10 * least);
        }

        @Test
        void aColumnThatIsAlwaysTheSameGetsNoWeight() {
            Mapped rows =
                    Mapped.of(Mapped.numbers(50, FEATURES, 1, new Seed(16)).rows(), j -> j == 3 ? 0 : 1);
            GramDescent descent = descent(rows);
            for (Regularizer shape : SHAPES) {
                Solution solution = solve(descent, RegularizerTest.scaled(shape, 0.01 * descent.largest(shape)));
                assertTrue(solution.convergence().converged());
                assertEquals(0, solution.point()[3], 0);
            }
        }

        @Test
        void targetsThatAreAllTheSameNeedNoWeights() {
            Mapped rows = Mapped.of(
                    Mapped.numbers(50, FEATURES, 1, new Seed(17)).rows().withTargets(new double[50]));
            GramDescent descent = descent(rows);
            Solution solution = solve(descent, new Regularizer(0.1, 0, 0, null));
            assertTrue(solution.convergence().converged());
            assertEquals(0, LinearModel.nonZeros(solution.point(), FEATURES, 1));
        }
    }

    @Nested
    class Refusals {
        @Test
        void ofNoPenaltyAtAll() {
            GramDescent descent = descent(Mapped.numbers(50, FEATURES, 1, new Seed(18)));
            assertThrows(IllegalArgumentException.class, () -> solve(descent, Regularizer.squared(0)));
        }

        @Test
        void ofZerosInABasisThatIsNotTheFeatures() {
            Penalty other = Penalty.of(new PiecewiseLinear(1, 4, false));
            Fixtures.Table table = new Fixtures.Table(20, 4, 1, 0, new Seed(19));
            GramStatistics statistics = Fixtures.accumulate(
                            table, 0, 20, 10, new Labels.Numbers(List.of("y")), Precision.FLOAT64)
                    .freeze(other);
            GramDescent descent = new GramDescent(statistics, Mapped.WORKERS);
            assertThrows(BochnerException.class, () -> solve(descent, new Regularizer(1, 0, 0, null)));
            assertTrue(solve(descent, Regularizer.squared(1)).convergence().converged());
        }
    }
}
