package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Setting;
import org.bochner.data.Labels;
import org.bochner.kernel.additive.Linear;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.map.FeatureMap;
import org.bochner.map.additive.ExactMap;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Precision;
import org.bochner.random.Seed;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.Fixtures;
import org.bochner.stats.SparseTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DualCoordinateDescentTest {
    private static final Loss.PerScore HINGE = new Loss.Hinge();
    private static final StoppingRule TIGHT = new StoppingRule(1e-8, 20000);

    private static Solution solve(FeatureSource source, Loss.PerScore loss, double l2, StoppingRule stopping) {
        return solve(new Objective(source, loss), l2, stopping, Monitor.NONE);
    }

    private static Solution solve(Objective objective, double l2, StoppingRule stopping, Monitor monitor) {
        return DualCoordinateDescent.solve(objective, Regularizer.squared(l2), stopping, null, new Seed(1), monitor);
    }

    private static LinearModel model(SmallData data, Loss.PerScore loss, double l2) {
        Objective objective = new Objective(data.store(), loss);
        return objective.model(solve(objective, l2, TIGHT, Monitor.NONE).point());
    }

    /**
     * The least objective, by sequential minimal optimisation in the dual: two variables at a time, those that violate
     * their conditions most, move by opposite amounts, so that their sum, which the intercept is about, stays 0.
     */
    private static double reference(SmallData data, DualLoss dual, double l2, int output) {
        int n = data.rows;
        // Each row has a variable for each sign it may have, as |β| is linear on either side.
        double[] slopes = new double[2 * n];
        double[] low = new double[2 * n];
        double[] high = new double[2 * n];
        double[] ridge = new double[2 * n];
        for (int i = 0; i < n; i++) {
            double y = data.target(i, output);
            slopes[i] = y - dual.epsilon();
            slopes[n + i] = y + dual.epsilon();
            high[i] = dual.upper(y, data.weights[i]);
            low[n + i] = dual.lower(y, data.weights[i]);
            ridge[i] = data.weights[i] > 0 ? dual.ridge(data.weights[i]) : 0;
            ridge[n + i] = ridge[i];
        }
        // Gradients are in the units of the targets, and cannot be told from 0 below their rounding.
        double size = Arrays.stream(slopes).map(Math::abs).max().orElse(1);
        double[] beta = new double[2 * n];
        double[] w = new double[data.columns];
        double[] gradient = new double[2 * n];
        for (int step = 0; step < 2_000_000; step++) {
            int up = -1;
            int down = -1;
            for (int k = 0; k < 2 * n; k++) {
                gradient[k] = slopes[k] - ridge[k] * beta[k];
                for (int j = 0; j < data.columns; j++) {
                    gradient[k] -= w[j] * data.value(k % n, j);
                }
                if (beta[k] < high[k] && (up < 0 || gradient[k] > gradient[up])) {
                    up = k;
                }
                if (beta[k] > low[k] && (down < 0 || gradient[k] < gradient[down])) {
                    down = k;
                }
            }
            if (up < 0 || down < 0 || gradient[up] - gradient[down] < 1e-11 * size) {
                break;
            }
            double square = (ridge[up] + ridge[down]) * l2;
            for (int j = 0; j < data.columns; j++) {
                double d = data.value(up % n, j) - data.value(down % n, j);
                square += d * d;
            }
            double move = (gradient[up] - gradient[down]) * l2 / Math.max(square, 1e-12);
            move = Math.min(move, Math.min(high[up] - beta[up], beta[down] - low[down]));
            beta[up] = move == high[up] - beta[up] ? high[up] : beta[up] + move;
            beta[down] = move == beta[down] - low[down] ? low[down] : beta[down] - move;
            for (int j = 0; j < data.columns; j++) {
                w[j] += move * (data.value(up % n, j) - data.value(down % n, j)) / l2;
            }
        }
        double value = 0;
        for (int k = 0; k < 2 * n; k++) {
            value += slopes[k] * beta[k] - ridge[k] * beta[k] * beta[k] / 2;
        }
        for (double weight : w) {
            value -= l2 / 2 * weight * weight;
        }
        return value;
    }

    private static void assertOptimal(SmallData data, Loss.PerScore loss, double l2) {
        LinearModel model = model(data, loss, l2);
        for (int o = 0; o < model.outputs(); o++) {
            double least = reference(data, DualLoss.of(loss), l2, o);
            // The gap allows 1e-8; the reference is exact to its rows times 1e-11 of the largest target.
            assertEquals(least, data.objective(model, loss, l2, o), 1e-7 * least);
        }
    }

    @Nested
    class FindsTheOptimum {
        @Test
        void ofTheHinge() {
            for (double l2 : new double[] {0.05, 1, 50}) {
                assertOptimal(SmallData.classes(90, 4, 2, 0, 2, 1), HINGE, l2);
            }
        }

        @Test
        void ofTheSquaredHinge() {
            assertOptimal(SmallData.classes(90, 4, 2, 0, 2, 2), new Loss.SquaredHinge(), 0.5);
        }

        @Test
        void ofTheEpsilonInsensitiveLoss() {
            for (double epsilon : new double[] {0, 0.1, 0.8}) {
                SmallData data = SmallData.numbers(90, 4, 3, 1, 1, 3);
                assertOptimal(data, new Loss.EpsilonInsensitive(epsilon), 0.5);
            }
        }

        @Test
        void ofEveryClass() {
            assertOptimal(SmallData.classes(150, 5, 4, 0, 1.5, 4), HINGE, 0.3);
        }

        @Test
        void withWeightsSomeOfThemZero() {
            SmallData data = SmallData.classes(120, 3, 2, 0, 2, 5);
            for (int i = 0; i < data.rows; i++) {
                data.weights[i] = i % 4 == 0 ? 0 : 0.2 * (i % 7);
            }
            assertOptimal(data, HINGE, 0.5);
            assertOptimal(data, new Loss.SquaredHinge(), 0.5);
        }

        @Test
        void farFromTheOrigin() {
            // The intercept is some hundred times a weight; with a penalty on it, the objective would be another.
            assertOptimal(SmallData.classes(90, 4, 2, 100, 2, 6), HINGE, 1);
            assertOptimal(SmallData.numbers(90, 4, 1000, 1, 1, 6), new Loss.EpsilonInsensitive(0.1), 1);
        }

        @Test
        void whenRowsAreSortedByClass() {
            assertOptimal(SmallData.classes(150, 4, 2, 1, 2, 7).sorted(), HINGE, 0.5);
        }

        @Test
        void whenOneClassIsRare() {
            SmallData data = SmallData.classes(200, 4, 2, 0, 2, 8);
            for (int i = 3; i < data.rows; i++) {
                data.targets[i] = 0;
            }
            data.targets[0] = 1;
            assertOptimal(data, HINGE, 0.5);
        }

        @Test
        void whenClassesAreSeparable() {
            assertOptimal(SmallData.classes(100, 4, 2, 0, 0.1, 9), HINGE, 1e-3);
        }

        @Test
        void whateverTheScaleOfTheTargets() {
            for (double scale : new double[] {1e-6, 1e6}) {
                SmallData data = SmallData.numbers(100, 3, 2, 1, scale, 10);
                // In units of the scale it is the same problem.
                assertOptimal(data, new Loss.EpsilonInsensitive(0.1 * scale), 0.5 / scale);
            }
        }
    }

    /** Units by powers of two, by which float64 numbers are scaled without rounding. */
    @Test
    void equalProblemsInOtherUnitsTakeEqualWork() {
        for (int seed : new int[] {10, 11, 12}) {
            Solution one = inUnits(1, seed);
            for (double unit : new double[] {0x1p-20, 0x1p20}) {
                Solution other = inUnits(unit, seed);
                assertEquals(one.convergence().iterations(), other.convergence().iterations());
                assertEquals(one.convergence().end(), other.convergence().end());
                assertEquals(one.convergence().objective(), other.convergence().objective() / unit);
                for (int i = 0; i < one.point().length; i++) {
                    assertEquals(one.point()[i], other.point()[i] / unit);
                }
            }
        }
    }

    private static Solution inUnits(double unit, int seed) {
        SmallData data = SmallData.numbers(100, 3, 2, 1, 1, seed);
        for (int i = 0; i < data.targets.length; i++) {
            data.targets[i] *= unit;
        }
        Objective objective = new Objective(data.store(), new Loss.EpsilonInsensitive(0.125 * unit));
        return solve(objective, 0.5 / unit, TIGHT, Monitor.NONE);
    }

    @Nested
    class AgreesWithLiblinear {
        /**
         * Mirrored rows have the best intercept 0, so that it does not matter that LIBLINEAR has none here. It gives up
         * after 300 sweeps, so problems are such that these are enough.
         */
        private void compare(SmallData half, Loss.PerScore loss, SolverType type, double c, double epsilon) {
            SmallData data = half.mirrored();
            Problem problem = new Problem();
            problem.l = data.rows;
            problem.n = data.columns;
            problem.x = new Feature[data.rows][];
            problem.y = new double[data.rows];
            for (int i = 0; i < data.rows; i++) {
                problem.y[i] = data.target(i, 0);
                problem.x[i] = new Feature[data.columns];
                for (int j = 0; j < data.columns; j++) {
                    problem.x[i][j] = new FeatureNode(j + 1, data.value(i, j));
                }
            }
            de.bwaldvogel.liblinear.Linear.disableDebugOutput();
            double[] w = de.bwaldvogel.liblinear.Linear.train(problem, new Parameter(type, c, 1e-8, 300, epsilon))
                    .getFeatureWeights();
            LinearModel theirs = new LinearModel(data.columns, 1, w, new double[1]);
            double expected = data.objective(theirs, loss, 1 / c);
            double found = data.objective(model(data, loss, 1 / c), loss, 1 / c);
            assertEquals(expected, found, 1e-6 * expected);
        }

        @Test
        void onTheHinge() {
            compare(SmallData.classes(40, 20, 2, 0.2, 2, 11), HINGE, SolverType.L2R_L1LOSS_SVC_DUAL, 0.1, 0);
        }

        @Test
        void onTheSquaredHinge() {
            SmallData data = SmallData.classes(40, 20, 2, 0.2, 2, 12);
            compare(data, new Loss.SquaredHinge(), SolverType.L2R_L2LOSS_SVC_DUAL, 0.1, 0);
        }

        @Test
        void onSupportVectorRegression() {
            SmallData data = SmallData.numbers(40, 20, 0, 1, 1, 13);
            compare(data, new Loss.EpsilonInsensitive(0.2), SolverType.L2R_L1LOSS_SVR_DUAL, 0.1, 0.2);
        }
    }

    @Nested
    class ItsMeasure {
        @Test
        void boundsTheErrorOfTheObjectiveAfterEverySweep() {
            SmallData data = SmallData.classes(200, 5, 2, 1, 2, 14);
            double least = reference(data, DualLoss.of(HINGE), 0.1, 0);
            List<Iteration> seen = new ArrayList<>();
            Objective objective = new Objective(data.store(), HINGE);
            solve(objective, 0.1, new StoppingRule(1e-7, 1000), (iteration, model) -> {
                double value = data.objective(model.get(), HINGE, 0.1);
                assertEquals(iteration.objective(), value, 1e-9 * value);
                assertTrue(value - least <= iteration.residual() * value + 1e-9 * value);
                assertTrue(value >= least * (1 - 1e-9));
                seen.add(iteration);
                return true;
            });
            assertTrue(seen.size() > 5);
            for (int k = 1; k < seen.size(); k++) {
                assertTrue(seen.get(k).residual() <= seen.get(k - 1).residual());
                assertTrue(seen.get(k).number() > seen.get(k - 1).number());
            }
            assertTrue(seen.get(seen.size() - 1).residual() <= 1e-7);
        }

        @Test
        void isZeroWhereNothingHasToBeLearned() {
            SmallData data = SmallData.numbers(50, 3, 1, 0.1, 0.01, 15);
            Solution solution = solve(data.store(), new Loss.EpsilonInsensitive(1), 1, new StoppingRule(1e-6, 10));
            assertEquals(Convergence.End.CONVERGED, solution.convergence().end());
            assertEquals(0, solution.convergence().objective());
            for (int j = 0; j < data.columns; j++) {
                assertEquals(0, solution.point()[j]);
            }
        }
    }

    @Nested
    class TheResult {
        private double[] point(SmallData data, Precision precision, long budget, int threads) {
            FeatureSource source = data.store(precision, budget, threads);
            return solve(source, HINGE, 0.5, new StoppingRule(1e-5, 40)).point();
        }

        @Tag("long")
        @Test
        void isTheSameForEveryNumberOfThreadsAndWhateverIsHeld() {
            SmallData data = SmallData.classes(3000, 6, 3, 1, 2, 16);
            for (Precision precision : Precision.values()) {
                double[] one = point(data, precision, Long.MAX_VALUE, 1);
                assertArrayEquals(one, point(data, precision, Long.MAX_VALUE, 3));
                assertArrayEquals(one, point(data, precision, 0, 2));
            }
        }

        @Test
        void inSinglePrecisionIsThatOfDouble() {
            SmallData data = SmallData.classes(500, 6, 2, 1, 2, 17);
            Objective single = new Objective(data.store(Precision.FLOAT32, Long.MAX_VALUE, 1), HINGE);
            LinearModel model = single.model(solve(single, 0.5, new StoppingRule(1e-5, 5000), Monitor.NONE)
                    .point());
            double least = data.objective(model(data, HINGE, 0.5), HINGE, 0.5);
            assertEquals(least, data.objective(model, HINGE, 0.5), 2e-5 * least);
        }

        @Test
        void ofSparseRowsIsThatOfDenseOnes() {
            SparseTable table = new SparseTable(1500, 40, new Labels.Classes(List.of("a", "b", "c")), new Seed(18));
            StoppingRule stopping = new StoppingRule(1e-7, 1000);
            FeatureMap linear = new ExactMap(new Linear(), 40);
            Convergence sparse = solve(SmallData.store(table, linear, Precision.FLOAT64, 0, 2), HINGE, 0.5, stopping)
                    .convergence();
            FeatureMap dense = Fixtures.identity(40);
            Convergence expected = solve(
                            SmallData.store(table, dense, Precision.FLOAT64, Long.MAX_VALUE, 1), HINGE, 0.5, stopping)
                    .convergence();
            assertTrue(sparse.converged() && expected.converged());
            // Either is within its gap.
            assertEquals(expected.objective(), sparse.objective(), 2e-7 * expected.objective());
        }
    }

    @Nested
    class Ends {
        @Test
        void byIterationsWhereTheyAreTooFew() {
            SmallData data = SmallData.classes(200, 4, 2, 0, 2, 19);
            Solution solution = solve(data.store(), HINGE, 0.01, new StoppingRule(1e-9, 5));
            assertEquals(Convergence.End.ITERATIONS, solution.convergence().end());
            assertEquals(5, solution.convergence().iterations());
        }

        @Test
        void withFiniteWeightsWhereThePenaltyIsTiny() {
            for (double noise : new double[] {2, 0.1}) {
                SmallData data = SmallData.classes(200, 4, 2, 0, noise, 19);
                for (double l2 : new double[] {1e-12, 1e-300}) {
                    Solution solution = solve(data.store(), HINGE, l2, new StoppingRule(1e-9, 100));
                    assertTrue(Arrays.stream(solution.point()).allMatch(Double::isFinite));
                    // Without weights, every row of the rarer class costs 2.
                    assertTrue(solution.convergence().objective() <= 200);
                }
            }
        }

        @Test
        void whenTheMonitorSaysSo() {
            SmallData data = SmallData.classes(200, 4, 2, 0, 2, 20);
            Objective objective = new Objective(data.store(), HINGE);
            Solution solution =
                    solve(objective, 0.01, new StoppingRule(1e-12, 1000), (iteration, model) -> iteration.number() < 3);
            assertEquals(Convergence.End.STOPPED, solution.convergence().end());
            assertEquals(3, solution.convergence().iterations());
            double value = data.objective(objective.model(solution.point()), HINGE, 0.01);
            assertEquals(solution.convergence().objective(), value, 1e-9 * value);
        }

        @Test
        void soonerWhereItStartsAtASolutionNearBy() {
            SmallData data = SmallData.classes(1000, 8, 2, 0, 2, 21);
            Objective objective = new Objective(data.store(), HINGE);
            StoppingRule stopping = new StoppingRule(1e-4, 5000);
            double[] near = solve(objective, 0.11, TIGHT, Monitor.NONE).point();
            int cold =
                    solve(objective, 0.1, stopping, Monitor.NONE).convergence().iterations();
            Solution warm = DualCoordinateDescent.solve(
                    objective, Regularizer.squared(0.1), stopping, near, new Seed(1), Monitor.NONE);
            assertTrue(warm.convergence().converged());
            assertTrue(
                    warm.convergence().iterations() < cold, warm.convergence().iterations() + " against " + cold);
        }
    }

    @Nested
    class Refuses {
        private String message(Loss.PerScore loss, Regularizer regularizer, SmallData data) {
            return String.valueOf(assertThrows(
                            BochnerException.class,
                            () -> DualCoordinateDescent.solve(
                                    new Objective(data.store(), loss),
                                    regularizer,
                                    TIGHT,
                                    null,
                                    new Seed(1),
                                    Monitor.NONE))
                    .getMessage());
        }

        @Test
        void otherPenalties() {
            SmallData data = SmallData.classes(20, 2, 2, 0, 1, 22);
            FeatureGroups groups = FeatureGroups.each(2);
            assertTrue(message(HINGE, new Regularizer(1, 1, 0, null), data).contains("l2"));
            assertTrue(message(HINGE, new Regularizer(0, 1, 1, groups), data).contains("l2"));
            assertTrue(message(HINGE, Regularizer.squared(0), data).contains("above 0"));
        }

        /** A larger heap would not help, so it is not advised. */
        @Test
        void moreRowsThanAnArrayHolds() {
            for (Loss loss : List.of(HINGE, new Loss.EpsilonInsensitive(0.1))) {
                BochnerException e = assertThrows(
                        BochnerException.class,
                        () -> DualPoint.requireMemory(Integer.MAX_VALUE / 2, 3, DualLoss.of(loss)));
                assertTrue(e.remedies().stream().noneMatch(remedy -> remedy.setting() == Setting.HEAP), e.getMessage());
                String own = loss.forNumbers() ? "use loss=squared-insensitive" : "use loss=squared-hinge";
                assertTrue(String.valueOf(e.getMessage()).contains(own), e.getMessage());
            }
        }

        @Test
        void smoothLosses() {
            SmallData data = SmallData.classes(20, 2, 2, 0, 1, 23);
            assertTrue(
                    message(new Loss.Logistic(), Regularizer.squared(1), data).contains("hinge"));
        }
    }
}
