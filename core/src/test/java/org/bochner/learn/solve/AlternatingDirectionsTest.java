package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.learn.Convergence;
import org.bochner.learn.Iteration;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.learn.linear.Monitor;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Workers;
import org.bochner.numeric.program.LinearProgram;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AlternatingDirectionsTest {
    private static final int FEATURES = 6;
    private static final FeatureGroups PAIRS = FeatureGroups.of(0, 1, 2, 0, 1, 2);
    private static final Loss HINGE = new Loss.Hinge();
    private static final Loss INSENSITIVE = new Loss.EpsilonInsensitive(0.2);
    private static final Workers ONE = new Workers(1);
    private static final StoppingRule EXACT = new StoppingRule(1e-8, 50_000);
    private static final StoppingRule ROUGH = new StoppingRule(1e-3, 50_000);

    private static AlternatingDirections solver(Objective objective) {
        return new AlternatingDirections(objective, new Seed(1), ONE);
    }

    private static Objective objective(Mapped rows, Loss loss) {
        return new Objective(rows.store(ONE), loss);
    }

    private static Solution solve(Objective objective, Regularizer regularizer, StoppingRule stopping) {
        return solver(objective).solve(regularizer, stopping, null, Monitor.NONE);
    }

    /**
     * The minimum by the simplex method, with columns generated. Weights are non-negative combinations of atoms: unit
     * vectors of single weights, or of the weights of a group for all outputs. A weight of an atom costs the norm's
     * factor. The prices of the rows are the dual variables; an atom that lowers the objective has a product with them
     * above its cost, and the best atom of a group is the direction of these products.
     */
    private static final class Program {
        private final Objective objective;
        private final Regularizer regularizer;
        private final int outputs;
        private final int rows;
        private final double[] z;
        private final double[] targets;
        private final double[] weights;
        private final LinearProgram program;

        Program(Objective objective, Regularizer regularizer) {
            this.objective = objective;
            this.regularizer = regularizer;
            outputs = objective.outputs();
            rows = (int) objective.source().rows();
            z = new double[rows * objective.features()];
            targets = new double[rows * outputs];
            weights = new double[rows];
            objective.source().inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    int row = (int) tile.firstRow() + i;
                    double[] values = new double[objective.features()];
                    tile.addRow(i, 1, values);
                    System.arraycopy(values, 0, z, row * values.length, values.length);
                    weights[row] = tile.rowWeight(i);
                    for (int o = 0; o < outputs; o++) {
                        targets[row * outputs + o] = objective.target(tile, i, o);
                    }
                }
            });
            program = new LinearProgram(targets);
            double epsilon = objective.loss() instanceof Loss.EpsilonInsensitive own ? own.epsilon() : 0;
            boolean hinge = objective.loss() instanceof Loss.Hinge;
            for (int k = 0; k < rows * outputs; k++) {
                // f + above − below + free = y, where |free| ≤ ε; beyond its target, a margin is free.
                double sign = hinge ? targets[k] : 0;
                add(k, 1, sign < 0 ? 0 : weights[k / outputs], 0, Double.POSITIVE_INFINITY);
                add(k, -1, sign > 0 ? 0 : weights[k / outputs], 0, Double.POSITIVE_INFINITY);
                if (epsilon > 0) {
                    add(k, 1, 0, -epsilon, epsilon);
                }
            }
            for (int o = 0; o < outputs; o++) {
                double[] ones = new double[rows * outputs];
                for (int k = o; k < ones.length; k += outputs) {
                    ones[k] = 1;
                }
                program.add(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 0, ones);
            }
        }

        private void add(int row, double entry, double cost, double low, double high) {
            double[] column = new double[rows * outputs];
            column[row] = entry;
            program.add(low, high, cost, column);
        }

        /** Adds the atom of some weights, given by a value per feature and output. */
        private void addAtom(double[] atom, double cost) {
            double[] column = new double[rows * outputs];
            int features = objective.features();
            for (int i = 0; i < rows; i++) {
                for (int o = 0; o < outputs; o++) {
                    for (int j = 0; j < features; j++) {
                        column[i * outputs + o] += z[i * features + j] * atom[j * outputs + o];
                    }
                }
            }
            program.add(0, Double.POSITIVE_INFINITY, cost, column);
        }

        double minimum() {
            int features = objective.features();
            if (regularizer.groups() == null) {
                for (int at = 0; at < 2 * features * outputs; at++) {
                    double[] atom = new double[features * outputs];
                    atom[at / 2] = at % 2 == 0 ? 1 : -1;
                    addAtom(atom, regularizer.l1());
                }
                assertEquals(LinearProgram.Status.OPTIMAL, program.solve());
                return program.objective();
            }
            boolean found = true;
            while (found) {
                assertEquals(LinearProgram.Status.OPTIMAL, program.solve());
                found = false;
                for (int[] members : regularizer.groups().members()) {
                    found |= addBest(members);
                }
            }
            return program.objective();
        }

        private boolean addBest(int[] members) {
            int features = objective.features();
            double[] atom = new double[features * outputs];
            double squares = 0;
            for (int j : members) {
                for (int o = 0; o < outputs; o++) {
                    for (int i = 0; i < rows; i++) {
                        atom[j * outputs + o] += z[i * features + j] * program.price(i * outputs + o);
                    }
                    squares += atom[j * outputs + o] * atom[j * outputs + o];
                }
            }
            double norm = Math.sqrt(squares);
            double cost = regularizer.group() * Math.sqrt(members.length);
            if (norm <= cost * (1 + 1e-9)) {
                return false;
            }
            addAtom(Arrays.stream(atom).map(a -> a / norm).toArray(), cost);
            return true;
        }
    }

    private static Mapped weighted(int count, Mapped rows) {
        double[] weights = IntStream.range(0, count)
                .mapToDouble(i -> i % 5 == 0 ? 0 : 0.5 + i % 3)
                .toArray();
        return Mapped.of(rows.rows().withRowWeights(weights));
    }

    /** Problems of every kind: two and more classes, numbers, classes as numbers, more features than rows, weights. */
    private static List<Objective> objectives() {
        return List.of(
                objective(Mapped.classes(30, FEATURES, 2, new Seed(1)), HINGE),
                objective(weighted(20, Mapped.classes(20, FEATURES, 3, new Seed(2))), HINGE),
                objective(Mapped.numbers(20, FEATURES, 2, new Seed(3)), INSENSITIVE),
                objective(weighted(30, Mapped.numbers(30, FEATURES, 1, new Seed(4))), new Loss.EpsilonInsensitive(0)),
                objective(Mapped.classes(30, FEATURES, 2, new Seed(5)), INSENSITIVE),
                objective(Mapped.classes(5, FEATURES, 2, new Seed(6)), HINGE));
    }

    private static List<Regularizer> norms() {
        return List.of(new Regularizer(1, 0, 0, null), new Regularizer(0, 0, 1, PAIRS));
    }

    /** Checks that the gap of each iteration, relative to its objective, bounds the distance from the minimum. */
    private static void requireBounds(List<Iteration> seen, double minimum) {
        assertFalse(seen.isEmpty());
        for (Iteration at : seen) {
            assertTrue(at.objective() >= minimum * (1 - 1e-10));
            assertTrue(at.objective() - minimum <= at.residual() * at.objective() + 1e-9);
        }
    }

    @Nested
    class Minima {
        @Test
        void areThoseOfLinearProgramsAndGapsBoundTheDistanceFromThem() {
            for (Objective objective : objectives()) {
                AlternatingDirections solver = solver(objective);
                for (Regularizer norm : norms()) {
                    for (double share : new double[] {0.05, 0.3}) {
                        Regularizer regularizer = RegularizerTest.scaled(norm, share * solver.largest(norm));
                        List<Iteration> seen = new ArrayList<>();
                        Convergence end = solver.solve(regularizer, EXACT, null, (at, model) -> seen.add(at))
                                .convergence();
                        double minimum = new Program(objective, regularizer).minimum();
                        String text = objective.loss() + " " + regularizer + " " + end + " " + minimum;
                        assertTrue(end.converged(), text);
                        assertEquals("duality gap", end.measure());
                        // The gap is relative to the objective and bounds the error; the program rounds to 1e-11 per
                        // entry.
                        assertEquals(minimum, end.objective(), 1e-8 * end.objective() + 1e-8, text);
                        // The residual of several independent problems is the largest of theirs.
                        if (objective.outputs() == 1 || regularizer.joint()) {
                            requireBounds(seen, minimum);
                        }
                    }
                }
            }
        }

        @Test
        void withSquaredPenaltiesHaveNoBetterNeighbours() {
            for (Objective objective : objectives().subList(0, 4)) {
                for (Regularizer regularizer :
                        List.of(new Regularizer(0.5, 0.5, 0, null), new Regularizer(0.2, 0.1, 0.3, PAIRS))) {
                    Solution solution = solve(objective, regularizer, EXACT);
                    assertTrue(solution.convergence().converged());
                    double value = value(objective, regularizer, solution.point());
                    assertEquals(value, solution.convergence().objective(), 1e-12 * value);
                    // Strongly convex by l2: a point at the distance d is worse by l2·d²/2, less the gap.
                    double[] random = solution.point().clone();
                    RandomStream stream = new Seed(1).stream();
                    for (int trial = 0; trial < 200; trial++) {
                        double size = Math.pow(10, -trial % 5);
                        double squares = 0;
                        for (int at = 0; at < random.length; at++) {
                            double by = size * stream.nextGaussian();
                            random[at] = solution.point()[at] + by;
                            squares += at < FEATURES * objective.outputs() ? by * by : 0;
                        }
                        assertTrue(value(objective, regularizer, random)
                                >= value * (1 - 1.01e-8)
                                        + regularizer.l2() / 2 * squares
                                        - Math.sqrt(2e-8 * value * regularizer.l2() * squares));
                    }
                }
            }
        }

        @Test
        void withTheSquaredPenaltyAloneAreThoseOfTheDual() {
            for (Objective objective : objectives()) {
                Regularizer squared = Regularizer.squared(0.3);
                double own = solve(objective, squared, EXACT).convergence().objective();
                double dual = DualCoordinateDescent.solve(
                                objective, squared, new StoppingRule(1e-8, 10_000), null, new Seed(1), Monitor.NONE)
                        .convergence()
                        .objective();
                assertEquals(dual, own, 2e-8 * dual);
            }
        }

        @Test
        void ofGroupsOfOneAreThoseOfL1() {
            Objective objective = objective(Mapped.classes(40, FEATURES, 2, new Seed(7)), HINGE);
            double l1 = solve(objective, new Regularizer(2, 0, 0, null), EXACT)
                    .convergence()
                    .objective();
            double group = solve(objective, new Regularizer(0, 0, 2, FeatureGroups.each(FEATURES)), EXACT)
                    .convergence()
                    .objective();
            assertEquals(l1, group, 2e-8 * l1);
        }

        @Test
        void ofClassesWithinEpsilonAreZero() {
            // A score of 0 is within 1 of both targets.
            Objective objective =
                    objective(Mapped.classes(40, FEATURES, 2, new Seed(8)), new Loss.EpsilonInsensitive(1));
            Solution solution = solve(objective, new Regularizer(0.1, 0, 0, null), EXACT);
            assertEquals(0, solution.convergence().objective());
            assertEquals(0, LinearModel.nonZeros(solution.point(), FEATURES, 1));
        }

        private static double value(Objective objective, Regularizer regularizer, double[] point) {
            return Arrays.stream(objective.evaluate(point)).sum()
                    + regularizer.value(point, FEATURES, objective.outputs());
        }
    }

    @Nested
    class Gaps {
        @Test
        void areZeroWhereAllWeightsAre() {
            for (Objective objective : objectives()) {
                for (Regularizer norm : norms()) {
                    AlternatingDirections solver = solver(objective);
                    double largest = solver.largest(norm);
                    Solution zero = solver.solve(
                            RegularizerTest.scaled(norm, largest * (1 + 1e-12)), EXACT, null, Monitor.NONE);
                    assertEquals(0, LinearModel.nonZeros(zero.point(), FEATURES, objective.outputs()));
                    // The intercept is found to 1e-10.
                    assertEquals(0, zero.convergence().residual(), 1e-9);
                    Solution some =
                            solver.solve(RegularizerTest.scaled(norm, 0.3 * largest), ROUGH, null, Monitor.NONE);
                    assertTrue(LinearModel.nonZeros(some.point(), FEATURES, objective.outputs()) > 0);
                }
            }
        }
    }

    @Nested
    class Memory {
        /** 5 numbers per row and output, the targets and the weight of a row, and the matrix with a panel of 256 rows. */
        @Test
        void holdsTheTargetsToo() {
            assertEquals(
                    8.0 * (6 * 6 + 256 * 6) + 8.0 * 1000 * (5 * 3 + 4 + 1),
                    AlternatingDirections.bytesNeeded(1000, 6, 3, 4));
        }

        @Test
        void thatIsExceededIsRefusedWithALossThatNeedsLess() {
            Map<Loss, String> advice =
                    Map.of(HINGE, "use loss=squared-hinge", INSENSITIVE, "use loss=squared-insensitive, or gamma=10");
            advice.forEach((loss, words) -> {
                for (long rows : new long[] {1L << 30, 1L << 40}) {
                    BochnerException refused = assertThrows(
                            BochnerException.class,
                            () -> AlternatingDirections.requireMemory(rows, FEATURES, 3, 1, DualLoss.of(loss)));
                    String message = String.valueOf(refused.getMessage());
                    assertTrue(message.contains("exceed the largest array"), message);
                    assertTrue(message.contains(words + ", or use solver=stream, which is approximate"), message);
                }
            });
        }
    }

    @Nested
    class Runs {
        private final Objective objective = objective(Mapped.classes(80, FEATURES, 3, new Seed(9)), HINGE);

        @Test
        void startWarmFromTheLastSolution() {
            AlternatingDirections solver = solver(objective);
            StoppingRule stopping = new StoppingRule(1e-4, 10_000);
            Solution first = solver.solve(new Regularizer(1, 0, 0, null), stopping, null, Monitor.NONE);
            Solution again = solver.solve(new Regularizer(1, 0, 0, null), stopping, first.point(), Monitor.NONE);
            assertTrue(again.convergence().iterations() < first.convergence().iterations() / 2, first + " " + again);
            Regularizer close = new Regularizer(0.98, 0, 0, null);
            Solution warm = solver.solve(close, stopping, again.point(), Monitor.NONE);
            Solution cold = solver(objective).solve(close, stopping, null, Monitor.NONE);
            Solution fromCopy =
                    solver(objective).solve(close, stopping, first.point().clone(), Monitor.NONE);
            for (Solution solution : List.of(warm, fromCopy)) {
                assertTrue(solution.convergence().converged());
                assertEquals(
                        cold.convergence().objective(),
                        solution.convergence().objective(),
                        1e-4 * cold.convergence().objective());
            }
        }

        @Test
        void doNotDependOnThreads() {
            List<double[]> points = new ArrayList<>();
            for (int threads = 1; threads <= 3; threads += 2) {
                Objective own = new Objective(
                        Mapped.classes(80, FEATURES, 3, new Seed(9)).store(new Workers(threads)), HINGE);
                points.add(new AlternatingDirections(own, new Seed(1), new Workers(threads))
                        .solve(new Regularizer(1, 0, 0.5, PAIRS), new StoppingRule(1e-5, 200), null, Monitor.NONE)
                        .point());
            }
            assertArrayEquals(points.get(0), points.get(1));
        }

        @Test
        void endAfterTheirIterations() {
            Convergence end = solve(objective, new Regularizer(1, 0, 0, null), new StoppingRule(1e-9, 15))
                    .convergence();
            assertEquals(Convergence.End.ITERATIONS, end.end());
            assertEquals(15, end.iterations());
            assertTrue(end.residual() > 1e-9);
        }

        @Test
        void stopWhenTheMonitorSays() {
            Solution stopped = solver(objective)
                    .solve(new Regularizer(1, 0, 0, null), EXACT, null, (at, model) -> at.number() < 20);
            assertEquals(Convergence.End.STOPPED, stopped.convergence().end());
            assertEquals(20, stopped.convergence().iterations());
        }
    }
}
