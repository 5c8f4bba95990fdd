package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.kernel.additive.Linear;
import org.bochner.learn.linear.LinearModel;
import org.bochner.learn.linear.Loss;
import org.bochner.map.FeatureMap;
import org.bochner.map.additive.ExactMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.DenseTable;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureStore;
import org.bochner.stats.FeatureTile;
import org.bochner.stats.Fixtures;
import org.bochner.stats.JoinedFeatures;
import org.bochner.stats.MappedSource;
import org.bochner.stats.SparseTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ObjectiveTest {
    private static final int ROWS = 40;
    private static final int COLUMNS = 5;
    private static final List<Loss> FOR_NUMBERS =
            List.of(new Loss.HalfSquare(), new Loss.SmoothInsensitive(0.1, 5), new Loss.Huber(0.35));
    private static final List<Loss> FOR_CLASSES =
            List.of(new Loss.HalfSquare(), new Loss.Logistic(), new Loss.SquaredHinge(), new Loss.Softmax());

    /** Features of size 1 around 3, so that centring matters; weights of 0.5, 1 and, once, 0. */
    private static MemorySource rows() {
        RandomStream stream = new Seed(11).stream();
        float[] values = new float[ROWS * COLUMNS];
        double[] weights = new double[ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (3 + 2 * stream.nextUniform() - 1);
        }
        for (int i = 0; i < ROWS; i++) {
            weights[i] = i == 7 ? 0 : i % 3 == 0 ? 0.5 : 1;
        }
        return MemorySource.of(COLUMNS, values).withRowWeights(weights);
    }

    private static MemorySource numbers() {
        RandomStream stream = new Seed(12).stream();
        double[] targets = new double[2 * ROWS];
        Arrays.setAll(targets, i -> 2 * stream.nextUniform());
        return rows().withTargets(List.of("a", "b"), targets);
    }

    private static MemorySource classes(int count) {
        RandomStream stream = new Seed(13).stream();
        int[] targets = new int[ROWS];
        Arrays.setAll(targets, i -> stream.nextInt(count));
        List<String> names = IntStream.range(0, count).mapToObj(c -> "c" + c).toList();
        return rows().withClasses(names, targets);
    }

    private static FeatureStore store(RowSource source, FeatureMap map, Precision precision, int threads) {
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

    private static FeatureStore store(RowSource source) {
        return store(source, Fixtures.identity(source.columns()), Precision.FLOAT64, 1);
    }

    private static double[] randomPoint(Objective objective, long seed) {
        RandomStream stream = new Seed(seed).stream();
        double[] point = new double[objective.size()];
        Arrays.setAll(point, i -> stream.nextUniform() - 0.5);
        return point;
    }

    private static double sum(double[] values) {
        return Arrays.stream(values).sum();
    }

    private interface Check {
        void on(Objective objective, String what);
    }

    private static void everywhere(Check check) {
        for (Loss loss : FOR_NUMBERS) {
            check.on(new Objective(store(numbers()), loss), loss + " of numbers");
        }
        for (Loss loss : FOR_CLASSES) {
            for (int count : new int[] {2, 3}) {
                check.on(new Objective(store(classes(count)), loss), loss + " of " + count + " classes");
            }
        }
    }

    @Nested
    class Derivatives {
        /**
         * Central differences over h = 1e-5: h²·f‴/6 ≈ 10⁻¹⁰·Σ|z|³ ≤ 40·64·10⁻¹⁰ = 3·10⁻⁷, and rounding ε·f/h ≈ 10⁻⁹. A
         * point of kinks in the second derivative (Huber, squared hinge) within h would add h·40·16 = 6·10⁻³; there is none.
         */
        private static final double TOLERANCE = 1e-6;

        private static final double H = 1e-5;

        @Test
        void gradientIsThatOfDifferences() {
            everywhere((objective, what) -> {
                double[] point = randomPoint(objective, 1);
                double[] gradient = new double[objective.size()];
                double[] values = objective.evaluate(point, gradient);
                assertArrayEquals(values, objective.evaluate(point), 1e-12 * sum(values), what);
                for (int k = 0; k < point.length; k++) {
                    double[] moved = point.clone();
                    moved[k] += H;
                    double above = sum(objective.evaluate(moved));
                    moved[k] -= 2 * H;
                    double below = sum(objective.evaluate(moved));
                    assertEquals((above - below) / (2 * H), gradient[k], TOLERANCE, what + " at " + k);
                }
            });
        }

        @Test
        void curvatureIsThatOfDifferences() {
            everywhere((objective, what) -> {
                double[] point = randomPoint(objective, 1);
                double[] direction = randomPoint(objective, 2);
                double[] product = new double[objective.size()];
                objective.curvature(point, direction, product);
                double[] above = new double[objective.size()];
                double[] below = new double[objective.size()];
                objective.evaluate(sum(point, H, direction), above);
                objective.evaluate(sum(point, -H, direction), below);
                for (int k = 0; k < point.length; k++) {
                    assertEquals((above[k] - below[k]) / (2 * H), product[k], TOLERANCE, what + " at " + k);
                }
            });
        }

        /** The scores that an evaluation keeps are those that the curvature would compute: the same bits. */
        @Test
        void curvatureIsTheSameWithKeptScores() {
            everywhere((objective, what) -> {
                double[] point = randomPoint(objective, 1);
                double[] direction = randomPoint(objective, 2);
                double[] without = new double[objective.size()];
                double[] with = new double[objective.size()];
                objective.curvature(point, direction, without);
                objective.keepScores();
                objective.evaluate(point, new double[objective.size()]);
                objective.curvature(point, direction, with);
                assertArrayEquals(without, with, what);
                objective.evaluate(randomPoint(objective, 3), new double[objective.size()]);
                objective.curvature(point, direction, with);
                assertArrayEquals(without, with, what + ", with those of another point kept");
            });
        }

        @Test
        void valuesAlongALineAreThoseAtItsPoints() {
            everywhere((objective, what) -> {
                double[] point = randomPoint(objective, 1);
                double[] direction = randomPoint(objective, 2);
                double[] steps = {1, 0.25, -2};
                int[] all = IntStream.range(0, objective.outputs()).toArray();
                double[][] values = objective.along(point, direction, steps, all);
                for (int k = 0; k < steps.length; k++) {
                    double[] expected = objective.evaluate(sum(point, steps[k], direction));
                    // Scores of size 10 in another order of additions, 40 of them: 40·10·ε, and slopes of size 10.
                    assertArrayEquals(expected, values[k], 1e-12 * (1 + sum(expected)), what);
                }
            });
        }
    }

    @Nested
    class SomeOutputs {
        @Test
        void areAsAmongAll() {
            Objective objective = new Objective(store(classes(4)), new Loss.Logistic());
            double[] point = randomPoint(objective, 1);
            double[] direction = randomPoint(objective, 2);
            double[] whole = new double[objective.size()];
            double[] values = objective.evaluate(point, whole);
            double[] wholeProduct = new double[objective.size()];
            objective.curvature(point, direction, wholeProduct);
            int[] some = {1, 3};
            double[] part = new double[objective.size()];
            double[] partProduct = new double[objective.size()];
            Arrays.fill(part, 77);
            Arrays.fill(partProduct, 77);
            double[] partValues = objective.evaluate(point, part, some);
            objective.curvature(point, direction, partProduct, some);
            for (int k = 0; k < part.length; k++) {
                boolean chosen = k % 4 == 1 || k % 4 == 3;
                // 40 products of size 4.
                assertEquals(chosen ? whole[k] : 77, part[k], 40 * 4 * 0x1p-52);
                assertEquals(chosen ? wholeProduct[k] : 77, partProduct[k], 40 * 4 * 0x1p-50);
            }
            assertArrayEquals(new double[] {0, values[1], 0, values[3]}, partValues, 1e-13 * sum(values));
        }
    }

    @Nested
    class Centring {
        @Test
        void changesNothingButTheIntercepts() {
            everywhere((objective, what) -> {
                double[] point = randomPoint(objective, 1);
                LinearModel model = objective.model(point);
                double total = 0;
                for (int i = 0; i < ROWS; i++) {
                    double[] z = row(objective.source(), i);
                    total += weight(i) * rowLoss(objective, model.apply(z), i);
                }
                double value = sum(objective.evaluate(point));
                assertEquals(total, value, 1e-12 * total, what);
            });
        }

        @Test
        void pointAndModelAreEachOther() {
            everywhere((objective, what) -> {
                double[] point = randomPoint(objective, 1);
                // Intercepts move by sums of 5 products of size 3·0.5, there and back.
                assertArrayEquals(point, objective.point(objective.model(point)), 1e-14, what);
            });
        }

        private double weight(int row) {
            return row == 7 ? 0 : row % 3 == 0 ? 0.5 : 1;
        }

        private double[] row(FeatureSource source, int row) {
            double[] z = new double[source.features()];
            source.inOrder(tile -> {
                if (row >= tile.firstRow() && row < tile.firstRow() + tile.rows()) {
                    tile.addRow((int) (row - tile.firstRow()), 1, z);
                }
            });
            return z;
        }

        private double rowLoss(Objective objective, double[] scores, int row) {
            double[] loss = new double[1];
            objective.source().inOrder(tile -> {
                int i = (int) (row - tile.firstRow());
                if (i < 0 || i >= tile.rows()) {
                    return;
                }
                if (objective.joint()) {
                    loss[0] = Math.log(Arrays.stream(scores).map(Math::exp).sum()) - scores[(int) tile.target(i, 0)];
                } else {
                    for (int o = 0; o < scores.length; o++) {
                        loss[0] += objective.perScore().value(scores[o], objective.target(tile, i, o));
                    }
                }
            });
            return loss[0];
        }
    }

    @Nested
    class Start {
        /** Where the best intercepts are known, their derivatives are 0 at the weights 0. */
        @Test
        void hasTheBestInterceptsOfClasses() {
            for (Loss loss : FOR_CLASSES) {
                for (int count : new int[] {2, 3}) {
                    Objective objective = new Objective(store(classes(count)), loss);
                    double[] gradient = new double[objective.size()];
                    objective.evaluate(objective.start(), gradient);
                    for (int o = 0; o < objective.outputs(); o++) {
                        // 40 slopes of size 2.
                        assertEquals(0, gradient[COLUMNS * objective.outputs() + o], 1e-13, loss + " of " + count);
                    }
                }
            }
        }

        @Test
        void isFiniteForClassesWithoutRows() {
            int[] none = new int[ROWS];
            for (Loss loss : FOR_CLASSES) {
                for (int count : new int[] {2, 3}) {
                    List<String> names =
                            IntStream.range(0, count).mapToObj(c -> "c" + c).toList();
                    Objective objective = new Objective(store(rows().withClasses(names, none)), loss);
                    assertTrue(Arrays.stream(objective.start()).allMatch(Double::isFinite));
                    for (int p = 0; p < objective.problems(); p++) {
                        assertTrue(objective.settled(p));
                    }
                }
            }
            Objective some = new Objective(store(classes(3)), new Loss.Logistic());
            assertFalse(some.settled(0));
        }
    }

    @Nested
    class LargestLoss {
        @Test
        void isThatOfTheWorstRowWithWeight() {
            MemorySource source =
                    MemorySource.of(1, 0f, 1f, 2f, 9f).withTargets(0, 3, 1, 0).withRowWeights(1, 0.1, 1, 0);
            Objective objective = new Objective(store(source), new Loss.HalfSquare());
            double[] zero = new double[objective.size()];
            objective.evaluate(zero, new double[objective.size()]);
            assertEquals(4.5, objective.largestLoss(0));
        }
    }

    @Nested
    class Tiles {
        private final Labels labels = new Labels.Classes(List.of("a", "b", "c"));

        @Test
        void sparseEqualDense() {
            SparseTable sparse = new SparseTable(1500, 30, labels, new Seed(5));
            for (int i = 0; i < sparse.weights.length; i++) {
                sparse.weights[i] = i % 4;
            }
            RowSource dense = new DenseTable(sparse);
            FeatureMap map = new ExactMap(new Linear(), 30);
            for (Loss loss : FOR_CLASSES) {
                Objective a = new Objective(store(sparse, map, Precision.FLOAT64, 2), loss);
                Objective b = new Objective(store(dense, map, Precision.FLOAT64, 2), loss);
                double[] point = randomPoint(a, 1);
                double[] gradientA = new double[a.size()];
                double[] gradientB = new double[b.size()];
                // Sums over 1500 rows of weights up to 3.
                double tolerance = 1500 * 3 * 1e-14;
                assertArrayEquals(a.evaluate(point, gradientA), b.evaluate(point, gradientB), tolerance);
                assertArrayEquals(gradientA, gradientB, tolerance);
                double[] direction = randomPoint(a, 2);
                a.curvature(point, direction, gradientA);
                b.curvature(point, direction, gradientB);
                assertArrayEquals(gradientA, gradientB, tolerance);
            }
        }

        /** What is summed together does not depend on the threads: the same bits. */
        @Test
        void giveTheSameBitsForAnyNumberOfThreads() {
            RandomStream stream = new Seed(6).stream();
            float[] values = new float[5000 * 7];
            int[] targets = new int[5000];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) stream.nextUniform();
            }
            Arrays.setAll(targets, i -> stream.nextInt(3));
            MemorySource source = MemorySource.of(7, values).withClasses(List.of("a", "b", "c"), targets);
            for (Precision precision : Precision.values()) {
                double[] expected = null;
                for (int threads : new int[] {1, 2, 3}) {
                    Objective objective =
                            new Objective(store(source, Fixtures.identity(7), precision, threads), new Loss.Logistic());
                    double[] point = randomPoint(objective, 1);
                    double[] gradient = new double[objective.size()];
                    objective.evaluate(point, gradient);
                    if (expected != null) {
                        assertArrayEquals(expected, gradient, precision + ", " + threads + " threads");
                    }
                    expected = gradient;
                }
            }
        }
    }

    private static double[] sum(double[] a, double factor, double[] b) {
        double[] sum = a.clone();
        Arrays.setAll(sum, i -> a[i] + factor * b[i]);
        return sum;
    }

    @Test
    void keptScoresOfJoinedRowsAreThoseOfEachRow() {
        RowSource some = MemorySource.load(classes(3), row -> row >= 25);
        FeatureSource joined = new JoinedFeatures(store(classes(3)), store(some));
        Objective objective = new Objective(joined, new Loss.Logistic());
        double[] point = randomPoint(objective, 1);
        double[] direction = randomPoint(objective, 2);
        double[] without = new double[objective.size()];
        double[] with = new double[objective.size()];
        objective.curvature(point, direction, without);
        objective.keepScores();
        objective.evaluate(point, new double[objective.size()]);
        objective.curvature(point, direction, with);
        assertArrayEquals(without, with);
    }

    @Test
    void manyScoresAreNotKept() {
        // So many rows that their scores would not fit: the curvature computes them, and nothing fails.
        FeatureSource many = new ManyRows(store(classes(3)), COLUMNS);
        Objective objective = new Objective(many, new Loss.Logistic());
        Objective few = new Objective(store(classes(3)), new Loss.Logistic());
        double[] point = randomPoint(objective, 1);
        double[] direction = randomPoint(objective, 2);
        double[] expected = new double[few.size()];
        few.curvature(point, direction, expected);
        objective.keepScores();
        double[] product = new double[few.size()];
        objective.evaluate(point, new double[few.size()]);
        objective.curvature(point, direction, product);
        assertArrayEquals(expected, product);
    }

    /** 3 outputs of 2³⁰ features have more weights than an array holds. */
    @Test
    void moreWeightsThanAnArrayHoldsAreRefused() {
        FeatureSource wide = new ManyRows(store(classes(3)), 1 << 30);
        BochnerException e = assertThrows(BochnerException.class, () -> new Objective(wide, new Loss.Logistic()));
        assertTrue(String.valueOf(e.getMessage()).startsWith("the 3221225475 weights of 1073741824 features"));
    }

    /** Says that it has more rows than it hands out, and any number of features. */
    private record ManyRows(FeatureSource source, int features) implements FeatureSource {
        @Override
        public Labels labels() {
            return source.labels();
        }

        @Override
        public OptionalLong knownRows() {
            return OptionalLong.of(1L << 40);
        }

        @Override
        public boolean estimated() {
            return source.estimated();
        }

        @Override
        public double totalRowWeight() {
            return source.totalRowWeight();
        }

        @Override
        public double[] mean() {
            return source.mean();
        }

        @Override
        public double scatterTrace() {
            return source.scatterTrace();
        }

        @Override
        public double targetMean(int target) {
            return source.targetMean(target);
        }

        @Override
        public <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn) {
            source.pass(bench, work, inTurn);
        }

        @Override
        public boolean inOrderWhile(Predicate<FeatureTile> sink) {
            return source.inOrderWhile(sink);
        }
    }
}
