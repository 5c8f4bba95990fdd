package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Setting;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.learn.ridge.Ridge;
import org.bochner.map.FeatureMap;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.Fixtures;
import org.bochner.stats.Fixtures.Table;
import org.bochner.stats.MappedSource;
import org.bochner.stats.SparseTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ConjugateRidgeTest {
    private static final Workers WORKERS = new Workers(2);
    private static final Labels NUMBERS = new Labels.Numbers(List.of("a", "b"));
    private static final Labels TWO = new Labels.Classes(List.of("no", "yes"));
    private static final Labels FOUR = new Labels.Classes(List.of("a", "b", "c", "d"));

    /** Rows whose column j has a standard deviation of 1/(j + 1), around an offset: a spectrum like that of a kernel. */
    private static Table table(int rows, int columns, Labels labels) {
        Table table = new Table(rows, columns, labels.targets(), 0, new Seed(21));
        RandomStream stream = new Seed(22).stream();
        for (double[] x : table.x) {
            for (int j = 0; j < columns; j++) {
                x[j] = (float) (2 + stream.nextGaussian() / (j + 1));
            }
        }
        return labels instanceof Labels.Classes classes
                ? table.withClasses(classes.names().size(), new Seed(23))
                : table;
    }

    private static MemorySource source(Table table, Labels labels) {
        float[] values = new float[table.rows * table.columns];
        double[] targets = new double[table.rows * labels.targets()];
        int[] classes = new int[table.rows];
        for (int i = 0; i < table.rows; i++) {
            for (int j = 0; j < table.columns; j++) {
                values[i * table.columns + j] = (float) table.x[i][j];
            }
            System.arraycopy(table.y[i], 0, targets, i * labels.targets(), labels.targets());
            classes[i] = (int) table.y[i][0];
        }
        MemorySource rows = MemorySource.of(table.columns, values);
        MemorySource labelled = labels instanceof Labels.Classes named
                ? rows.withClasses(named.names(), classes)
                : rows.withTargets(((Labels.Numbers) labels).names(), targets);
        return labelled.withRowWeights(table.weights);
    }

    private static FeatureStore store(Table table, Labels labels, Precision precision, long budget, Workers workers) {
        return FeatureStore.map(
                new MappedSource(
                        source(table, labels),
                        Scalings.identity(table.columns),
                        Fixtures.identity(table.columns),
                        ClassWeights.none(),
                        precision,
                        workers),
                budget,
                (rows, fraction) -> {});
    }

    private static FeatureStore store(Table table, Labels labels) {
        return store(table, labels, Precision.FLOAT64, Long.MAX_VALUE, WORKERS);
    }

    private static Solution solve(FeatureStore store, double lambda, int sketchRows, double tolerance) {
        return new ConjugateRidge(new Objective(store, new Loss.HalfSquare()), sketchRows, new Seed(1), WORKERS)
                .solve(lambda, new StoppingRule(tolerance, 1000), null, Monitor.NONE);
    }

    private static LinearModel model(FeatureStore store, Solution solution) {
        return new Objective(store, new Loss.HalfSquare()).model(solution.point());
    }

    @Nested
    class EqualsTheDirectSolution {
        private void holds(Table table, Labels labels, double lambda) {
            LinearModel direct = Ridge.of(lambda)
                    .fit(
                            Fixtures.accumulate(table, 0, table.rows, 64, labels, Precision.FLOAT64)
                                    .freeze(),
                            Precision.FLOAT64,
                            WORKERS)
                    .model();
            FeatureStore store = store(table, labels);
            double tolerance = 1e-12;
            Solution solution = solve(store, lambda, 60, tolerance);
            assertTrue(solution.convergence().converged(), () -> "" + solution.convergence());
            LinearModel found = model(store, solution);
            // |β − β*| ≤ |r|/λ ≤ tolerance·|b|/λ with |b| ≤ Σ w|y − ȳ||z − z̄|; twice that for both roundings. An
            // intercept
            // has those of all columns, which are at most 2.1 on the average.
            double side = 2 * store.totalRowWeight() * Math.sqrt(store.scatterTrace() / store.totalRowWeight());
            double bound = 2 * tolerance * side / lambda + 1e-13;
            for (int o = 0; o < direct.outputs(); o++) {
                for (int j = 0; j < table.columns; j++) {
                    assertEquals(direct.weight(j, o), found.weight(j, o), bound);
                }
                assertEquals(direct.intercept(o), found.intercept(o), 2.1 * Math.sqrt(table.columns) * bound);
            }
        }

        @Test
        void forNumbers() {
            holds(table(400, 120, NUMBERS), NUMBERS, 0.1);
        }

        @Test
        void forTwoClasses() {
            holds(table(400, 120, TWO), TWO, 0.1);
        }

        @Test
        void forManyClasses() {
            holds(table(400, 120, FOUR), FOUR, 0.1);
        }

        @Test
        void forSmallAndLargePenalties() {
            Table table = table(400, 120, NUMBERS);
            holds(table, NUMBERS, 1e-4);
            holds(table, NUMBERS, 1e4);
        }

        @Test
        void forWeightedRowsOfWhichSomeDoNotCount() {
            Table table = table(400, 120, FOUR);
            for (int i = 0; i < table.rows; i++) {
                table.weights[i] = i % 4 == 0 ? 0 : 0.5 * (i % 4);
            }
            holds(table, FOUR, 0.1);
        }

        @Test
        void forMoreFeaturesThanRows() {
            holds(table(80, 120, NUMBERS), NUMBERS, 0.1);
        }
    }

    @Nested
    class OfSparseFeatures {
        private FeatureStore sparse(SparseTable table, long budget, Workers workers) {
            FeatureMap map = KernelMachine.of("linear")
                    .withScaling(Scalings.parse("none"))
                    .prepare(table, workers, Progress.NONE, new Notes())
                    .map();
            Scaler scaler = Scalings.identity(table.columns());
            return FeatureStore.map(
                    new MappedSource(table, scaler, map, ClassWeights.none(), Precision.FLOAT32, workers),
                    budget,
                    (rows, fraction) -> {});
        }

        private SparseTable table(Labels labels) {
            SparseTable table = new SparseTable(2500, 300, labels, new Seed(31));
            for (int i = 0; i < 2500; i++) {
                table.weights[i] = i % 4 == 0 ? 0 : 0.5 * (i % 4);
            }
            return table;
        }

        private Solution solve(FeatureStore store, int sampled, Workers workers) {
            return new ConjugateRidge(new Objective(store, new Loss.HalfSquare()), sampled, new Seed(1), workers)
                    .solve(0.1, new StoppingRule(1e-10, 500), null, Monitor.NONE);
        }

        @Test
        void theSolutionIsThatOfTheSameFeaturesStoredAsDense() {
            for (Labels labels : List.of(NUMBERS, TWO, FOUR)) {
                SparseTable table = table(labels);
                FeatureStore sparse = sparse(table, Long.MAX_VALUE, WORKERS);
                FeatureStore dense = FeatureStore.map(
                        new MappedSource(
                                table,
                                Scalings.identity(300),
                                Fixtures.identity(300),
                                ClassWeights.none(),
                                Precision.FLOAT64,
                                WORKERS),
                        Long.MAX_VALUE,
                        (rows, fraction) -> {});
                assertTrue(sparse.sparse() && !dense.sparse());
                assertTrue(sparse.entries() < 0.125 * dense.entries(), sparse.entries() + " " + dense.entries());
                Solution one = solve(sparse, 80, WORKERS);
                Solution other = solve(dense, 80, WORKERS);
                assertTrue(one.convergence().converged(), () -> "" + one.convergence());
                // |β − β*| ≤ tolerance·|b|/λ for both, with |b| ≤ Σ w|y − ȳ||z − z̄|, and |y − ȳ| ≤ 2.
                double side = 2 * sparse.totalRowWeight() * Math.sqrt(sparse.scatterTrace() / sparse.totalRowWeight());
                assertArrayEquals(other.point(), one.point(), 2 * 1e-10 * side / 0.1);
                // The samples have the same rows, and differ by the rounding of the dense one to float32.
                assertEquals(other.convergence().iterations(), one.convergence().iterations(), 1);
            }
        }

        @Test
        void bitsDependNeitherOnThreadsNorOnWhatIsKept() {
            SparseTable table = table(FOUR);
            Solution one = solve(sparse(table, Long.MAX_VALUE, new Workers(1)), 80, new Workers(1));
            Solution three = solve(sparse(table, 100_000, new Workers(3)), 80, new Workers(3));
            assertArrayEquals(one.point(), three.point());
        }

        @Test
        void fewNonZerosTakeASmallSample() {
            FeatureStore store = sparse(new SparseTable(500, 4000, TWO, new Seed(32)), Long.MAX_VALUE, WORKERS);
            int rows = ConjugateRidge.sampledRows(new Objective(store, new Loss.HalfSquare()));
            // s³ ≤ 800·non-zeros, and 4000/4 for dense features.
            assertEquals((int) Math.cbrt(800.0 * store.entries()), rows);
            assertTrue(rows < 1000, () -> "" + rows);
        }
    }

    @Test
    void theObjectiveIsThatOfTheRowsAndFallsWithEveryIteration() {
        FeatureStore store = store(table(300, 80, NUMBERS), NUMBERS);
        List<Iteration> iterations = new ArrayList<>();
        double lambda = 0.01;
        Solution solution = new ConjugateRidge(new Objective(store, new Loss.HalfSquare()), 20, new Seed(1), WORKERS)
                .solve(lambda, new StoppingRule(1e-10, 1000), null, (iteration, model) -> iterations.add(iteration));
        double expected = 0;
        for (double value : new Objective(store, new Loss.HalfSquare()).evaluate(solution.point())) {
            expected += value;
        }
        for (int i = 0; i < 80 * 2; i++) {
            expected += lambda / 2 * solution.point()[i] * solution.point()[i];
        }
        assertEquals(expected, solution.convergence().objective(), 1e-12 * expected);
        for (int k = 1; k < iterations.size(); k++) {
            double before = iterations.get(k - 1).objective();
            // Up to the rounding of sums over 300 rows, once there is nothing more to gain.
            assertTrue(iterations.get(k).objective() <= before * (1 + 1e-13), "iteration " + k);
        }
    }

    @Test
    void moreSketchedRowsTakeFewerIterations() {
        FeatureStore store = store(table(1500, 150, NUMBERS), NUMBERS);
        int few = solve(store, 1e-3, 10, 1e-8).convergence().iterations();
        int some = solve(store, 1e-3, 50, 1e-8).convergence().iterations();
        int many = solve(store, 1e-3, 500, 1e-8).convergence().iterations();
        assertTrue(many < some && some < few, few + ", " + some + ", " + many);
    }

    @Test
    void aNearbyStartTakesFewerIterations() {
        FeatureStore store = store(table(1000, 200, NUMBERS), NUMBERS);
        Solution cold = solve(store, 1, 50, 1e-9);
        Solution near = solve(store, 1.01, 50, 1e-9);
        Solution warm = new ConjugateRidge(new Objective(store, new Loss.HalfSquare()), 50, new Seed(1), WORKERS)
                .solve(1, new StoppingRule(1e-9, 1000), near.point(), Monitor.NONE);
        assertTrue(
                warm.convergence().iterations() < cold.convergence().iterations(),
                warm.convergence() + " " + cold.convergence());
        // Both are within tolerance·|b|/λ of the optimum; |b| is below 2000.
        assertArrayEquals(cold.point(), warm.point(), 1e-5);
    }

    @Test
    void theSolutionItselfAsStartTakesNoIteration() {
        FeatureStore store = store(table(500, 50, FOUR), FOUR);
        Solution first = solve(store, 1, 50, 1e-10);
        Solution again = new ConjugateRidge(new Objective(store, new Loss.HalfSquare()), 50, new Seed(1), WORKERS)
                .solve(1, new StoppingRule(1e-8, 1000), first.point(), Monitor.NONE);
        assertEquals(0, again.convergence().iterations());
        assertTrue(again.convergence().converged());
    }

    @Test
    void bitsDependNeitherOnThreadsNorOnWhatIsKept() {
        Table table = table(3000, 100, FOUR);
        Solution one = new ConjugateRidge(
                        new Objective(
                                store(table, FOUR, Precision.FLOAT32, Long.MAX_VALUE, new Workers(1)),
                                new Loss.HalfSquare()),
                        300,
                        new Seed(1),
                        new Workers(1))
                .solve(0.1, new StoppingRule(1e-4, 50), null, Monitor.NONE);
        Solution three = new ConjugateRidge(
                        new Objective(
                                store(table, FOUR, Precision.FLOAT32, 500_000, new Workers(3)), new Loss.HalfSquare()),
                        300,
                        new Seed(1),
                        new Workers(3))
                .solve(0.1, new StoppingRule(1e-4, 50), null, Monitor.NONE);
        assertArrayEquals(one.point(), three.point());
        assertTrue(one.convergence().converged());
    }

    @Nested
    class EndsEarly {
        @Test
        void whenToldTo() {
            FeatureStore store = store(table(300, 80, NUMBERS), NUMBERS);
            List<LinearModel> models = new ArrayList<>();
            Solution solution = new ConjugateRidge(
                            new Objective(store, new Loss.HalfSquare()), 10, new Seed(1), WORKERS)
                    .solve(1e-3, new StoppingRule(1e-12, 1000), null, (iteration, model) -> {
                        models.add(model.get());
                        return iteration.number() < 3;
                    });
            assertEquals(Convergence.End.STOPPED, solution.convergence().end());
            assertEquals(3, solution.convergence().iterations());
            LinearModel last = models.get(2);
            LinearModel returned = model(store, solution);
            for (int j = 0; j < 80; j++) {
                assertEquals(last.weight(j, 1), returned.weight(j, 1));
            }
            assertEquals(last.intercept(1), returned.intercept(1), 1e-12);
        }

        @Test
        void whenTheIterationsAreUsedUp() {
            FeatureStore store = store(table(300, 80, NUMBERS), NUMBERS);
            Solution solution = new ConjugateRidge(
                            new Objective(store, new Loss.HalfSquare()), 10, new Seed(1), WORKERS)
                    .solve(1e-3, new StoppingRule(1e-12, 2), null, Monitor.NONE);
            assertEquals(Convergence.End.ITERATIONS, solution.convergence().end());
            assertTrue(solution.convergence().residual() > 1e-12);
        }
    }

    @Nested
    class Degenerate {
        @Test
        void aConstantTargetHasNoWeights() {
            Table table = table(100, 10, NUMBERS);
            for (double[] y : table.y) {
                y[0] = 3;
                y[1] = 4;
            }
            FeatureStore store = store(table, NUMBERS);
            LinearModel model = model(store, solve(store, 0.1, 20, 1e-6));
            for (int j = 0; j < 10; j++) {
                assertEquals(0, model.weight(j, 0));
            }
            assertEquals(3, model.intercept(0), 1e-12);
            assertEquals(4, model.intercept(1), 1e-12);
        }

        @Test
        void rowsThatAreAllEqualHaveNoWeights() {
            Table table = table(100, 10, NUMBERS);
            for (double[] x : table.x) {
                java.util.Arrays.fill(x, 1);
            }
            FeatureStore store = store(table, NUMBERS);
            LinearModel model = model(store, solve(store, 0, 20, 1e-6));
            assertEquals(0, model.weight(3, 0));
        }

        @Test
        void featuresTooLargeForTheirSquaresAreRefused() {
            Table table = table(100, 10, NUMBERS);
            for (double[] x : table.x) {
                for (int j = 0; j < 10; j++) {
                    x[j] *= 1e30;
                }
            }
            FeatureStore store = store(table, NUMBERS, Precision.FLOAT32, Long.MAX_VALUE, WORKERS);
            BochnerException e = assertThrows(BochnerException.class, () -> solve(store, 0.1, 20, 1e-6));
            assertEquals(Setting.SCALING, e.remedies().get(0).setting());
        }

        @Test
        void negativePenaltiesAreRefused() {
            FeatureStore store = store(table(20, 4, NUMBERS), NUMBERS);
            assertThrows(IllegalArgumentException.class, () -> solve(store, -1, 20, 1e-6));
            assertThrows(IllegalArgumentException.class, () -> solve(store, Double.NaN, 20, 1e-6));
        }
    }
}
