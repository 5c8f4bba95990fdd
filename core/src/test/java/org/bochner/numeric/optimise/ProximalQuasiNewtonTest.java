package org.bochner.numeric.optimise;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.bochner.GoldenTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProximalQuasiNewtonTest {
    private static final DescentOptions TIGHT = DescentOptions.withDefaults()
            .withIterations(1000)
            .withTolerance(0, 1)
            .withGradientTolerance(1e-9);

    /** Rows of features with a target each; ½ Σ r² or Σ of the smooth ε-insensitive loss. */
    private static final class Regression implements SmoothFunction {
        private final double[][] rows;
        private final double[] targets;
        private final double epsilon;
        private final double sharpness;

        Regression(double[][] rows, double[] targets, double epsilon, double sharpness) {
            this.rows = rows;
            this.targets = targets;
            this.epsilon = epsilon;
            this.sharpness = sharpness;
        }

        static Regression squares(double[][] rows, double[] targets) {
            return new Regression(rows, targets, 0, 0);
        }

        static Regression random(int n, int d, long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            double[][] rows = new double[n][d];
            double[] targets = new double[n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < d; j++) {
                    // Columns of very different sizes, all of them correlated.
                    rows[i][j] = (random.nextGaussian() + (j > 0 ? rows[i][0] : 0)) * (1 + j % 7);
                }
                targets[i] = rows[i][0] - 0.5 * rows[i][1] + rows[i][d - 1] + random.nextGaussian();
            }
            return squares(rows, targets);
        }

        @Override
        public double at(double[] w, double[] gradient) {
            Arrays.fill(gradient, 0);
            double sum = 0;
            for (int i = 0; i < rows.length; i++) {
                double r = Vectors.dot(rows[i], w) - targets[i];
                sum += loss(r);
                Vectors.add(slope(r), rows[i], gradient);
            }
            return sum;
        }

        private double loss(double r) {
            double g = sharpness;
            return g == 0
                    ? 0.5 * r * r
                    : (softplus(g * (r - epsilon)) + softplus(-g * (r + epsilon)) - 2 * softplus(-g * epsilon)) / g;
        }

        private double slope(double r) {
            double g = sharpness;
            return g == 0 ? r : sigmoid(g * (r - epsilon)) - sigmoid(-g * (r + epsilon));
        }

        private static double softplus(double t) {
            return Math.max(t, 0) + Math.log1p(Math.exp(-Math.abs(t)));
        }

        private static double sigmoid(double t) {
            return 1 / (1 + Math.exp(-t));
        }
    }

    private static double[] ones(int n, double value) {
        double[] all = new double[n];
        Arrays.fill(all, value);
        return all;
    }

    @Nested
    class GroupLasso {
        private final List<int[]> groups = List.of(new int[] {0, 1}, new int[] {2, 3, 4}, new int[] {5, 6});

        private Regression rows(double epsilon, double sharpness) {
            List<Map<String, String>> table = GoldenTable.read("mkl_rows.csv");
            double[][] rows = new double[table.size()][];
            double[] targets = new double[table.size()];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = GoldenTable.numbers(table.get(i), "features");
                Vectors.scale(1e-3, rows[i]);
                targets[i] = GoldenTable.number(table.get(i), "target");
            }
            return new Regression(rows, targets, epsilon, sharpness);
        }

        @Test
        void findsTheReferenceMinima() {
            for (Map<String, String> row : GoldenTable.read("mkl_group_lasso.csv")) {
                boolean square = GoldenTable.text(row, "loss").equals("half_square");
                Regression loss =
                        rows(GoldenTable.number(row, "epsilon"), square ? 0 : GoldenTable.number(row, "gamma"));
                double lambda = GoldenTable.number(row, "lambda");
                ConvexTerm penalty = ConvexTerms.groups(groups, lambda, lambda, lambda);
                Minimum minimum =
                        new ProximalQuasiNewton(TIGHT).minimize(loss, penalty, new double[7], DescentMonitor.NONE);
                assertEquals(Minimum.End.GRADIENT, minimum.end());
                double objective = GoldenTable.number(row, "objective");
                assertEquals(objective, minimum.value(), 1e-12 * objective);
                // Some 30 rows of unit variance: curvatures of 1 and more carry a residual of 1e-9 over to the weights.
                double[] weights = GoldenTable.numbers(row, "w");
                for (int j = 0; j < 7; j++) {
                    assertEquals(weights[j], minimum.point()[j], 1e-8);
                    if (weights[j] == 0) {
                        assertEquals(0.0, minimum.point()[j], 0.0);
                    }
                }
                assertTrue(minimum.evaluations() < 60, minimum.toString());
            }
        }

        @Test
        void leavesCoordinatesWithoutAGroupFree() {
            Regression loss = rows(0, 0);
            ConvexTerm penalty = ConvexTerms.groups(groups.subList(1, 3), 1e6, 1e6);
            Minimum minimum = new ProximalQuasiNewton(TIGHT).minimize(loss, penalty, ones(7, 0.3), DescentMonitor.NONE);
            double[] gradient = new double[7];
            loss.at(minimum.point(), gradient);
            assertEquals(0, gradient[0], 1e-8);
            assertEquals(0, gradient[1], 1e-8);
            assertArrayEquals(new double[5], Arrays.copyOfRange(minimum.point(), 2, 7));
        }
    }

    @Nested
    class Lasso {
        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3})
        void meetsTheConditionsOfTheMinimum(long seed) {
            int d = 40;
            Regression loss = Regression.random(60, d, seed);
            double[] gradient = new double[d];
            loss.at(new double[d], gradient);
            double lambda = 0.05 * Vectors.maxNorm(gradient);
            Minimum minimum = new ProximalQuasiNewton(TIGHT.withGradientTolerance(1e-8))
                    .minimize(loss, ConvexTerms.l1(ones(d, lambda)), new double[d], DescentMonitor.NONE);
            assertEquals(Minimum.End.GRADIENT, minimum.end(), minimum.toString());
            double[] w = minimum.point();
            loss.at(w, gradient);
            int zeros = 0;
            for (int j = 0; j < d; j++) {
                if (w[j] == 0) {
                    zeros++;
                    assertTrue(Math.abs(gradient[j]) <= lambda + 1e-8);
                } else {
                    assertEquals(-lambda * Math.signum(w[j]), gradient[j], 1e-8);
                }
            }
            assertTrue(zeros > 5, zeros + " zeros");
        }

        @Test
        void agreesWithCoordinateDescent() {
            int d = 10;
            Regression loss = Regression.random(50, d, 7);
            double lambda = 30;
            double[] w = new double[d];
            double[] gradient = new double[d];
            // Each step minimises exactly along one coordinate; 3000 sweeps bring it to rounding.
            for (int sweep = 0; sweep < 3000; sweep++) {
                for (int j = 0; j < d; j++) {
                    loss.at(w, gradient);
                    double squares = 0;
                    for (double[] row : loss.rows) {
                        squares += row[j] * row[j];
                    }
                    double free = w[j] - gradient[j] / squares;
                    w[j] = Math.signum(free) * Math.max(0, Math.abs(free) - lambda / squares);
                }
            }
            Minimum minimum = new ProximalQuasiNewton(TIGHT)
                    .minimize(loss, ConvexTerms.l1(ones(d, lambda)), new double[d], DescentMonitor.NONE);
            assertArrayEquals(w, minimum.point(), 1e-9);
        }

        @Test
        void isAllZeroFromTheLargestPenaltyOn() {
            Regression loss = Regression.random(30, 6, 4);
            double[] gradient = new double[6];
            loss.at(new double[6], gradient);
            ConvexTerm penalty = ConvexTerms.l1(ones(6, Vectors.maxNorm(gradient) * (1 + 1e-12)));
            assertArrayEquals(
                    new double[6],
                    new ProximalQuasiNewton(TIGHT)
                            .minimize(loss, penalty, ones(6, 0.1), DescentMonitor.NONE)
                            .point());
        }
    }

    @Nested
    class NonNegativeLeastSquares {
        @ParameterizedTest
        @ValueSource(doubles = {0, 20})
        void meetsTheConditionsOfTheMinimum(double weight) {
            int d = 25;
            Regression loss = Regression.random(60, d, 11);
            ConvexTerm term = weight == 0 ? ConvexTerms.NON_NEGATIVE : ConvexTerm.nonNegativeL1(ones(d, weight));
            double[] start = ones(d, -1);
            List<Double> least = new ArrayList<>();
            Minimum minimum = new ProximalQuasiNewton(TIGHT.withGradientTolerance(1e-8))
                    .minimize(loss, term, start, (i, v, x, g) -> {
                        least.add(Arrays.stream(x).min().orElseThrow());
                        return true;
                    });
            assertEquals(Minimum.End.GRADIENT, minimum.end(), minimum.toString());
            assertTrue(least.stream().allMatch(x -> x >= 0));
            double[] w = minimum.point();
            double[] gradient = new double[d];
            loss.at(w, gradient);
            int zeros = 0;
            for (int j = 0; j < d; j++) {
                if (w[j] == 0) {
                    zeros++;
                    assertTrue(gradient[j] + weight >= -1e-8);
                } else {
                    assertEquals(0, gradient[j] + weight, 1e-8);
                }
            }
            assertTrue(zeros > 0 && zeros < d, zeros + " zeros");
            assertArrayEquals(ones(d, -1), start);
        }
    }

    @Test
    void withoutATermFindsWhatLbfgsFinds() {
        Regression loss = Regression.random(40, 8, 5);
        Minimum smooth = new Lbfgs(TIGHT).minimize(loss, new double[8]);
        Minimum proximal =
                new ProximalQuasiNewton(TIGHT).minimize(loss, ConvexTerms.NOTHING, new double[8], DescentMonitor.NONE);
        assertArrayEquals(smooth.point(), proximal.point(), 1e-9);
    }

    @Test
    void copesWithFunctionsThatAreNotConvex() {
        // cos has maxima on the way; the constrained minimum of x·0.1 + cos x over x ≥ 0 next to 2 is where sin x =
        // 0.1.
        SmoothFunction wave = (x, gradient) -> {
            gradient[0] = 0.1 - Math.sin(x[0]);
            return 10 + 0.1 * x[0] + Math.cos(x[0]);
        };
        Minimum minimum = new ProximalQuasiNewton(TIGHT.withLargestMove(1))
                .minimize(wave, ConvexTerms.NON_NEGATIVE, new double[] {0.3}, DescentMonitor.NONE);
        assertEquals(Math.PI - Math.asin(0.1), minimum.point()[0], 1e-9);
    }

    @Test
    void stepsBackWhereThereIsNoValue() {
        SmoothFunction barrier = (x, gradient) -> {
            gradient[0] = 1 - 1 / x[0];
            return x[0] - Math.log(x[0]);
        };
        Minimum minimum = new ProximalQuasiNewton(TIGHT.withLargestFirstMove(50))
                .minimize(barrier, ConvexTerms.l1(1.0), new double[] {10}, DescentMonitor.NONE);
        // 2x − log x
        assertEquals(0.5, minimum.point()[0], 1e-9);
    }

    @Test
    void stopsWhereTheMonitorSaysSo() {
        Regression loss = Regression.random(60, 20, 3);
        double[] last = new double[20];
        Minimum minimum = new ProximalQuasiNewton(TIGHT)
                .minimize(loss, ConvexTerms.l1(ones(20, 1)), new double[20], (i, v, x, g) -> {
                    System.arraycopy(x, 0, last, 0, 20);
                    return i < 3;
                });
        assertEquals(Minimum.End.STOPPED, minimum.end());
        assertArrayEquals(last, minimum.point());
    }

    @Nested
    class Terms {
        @Test
        void keepNaN() {
            double[] w = {Double.NaN, 1};
            for (ConvexTerm term : List.of(
                    ConvexTerms.NOTHING,
                    ConvexTerms.l1(1, 1),
                    ConvexTerms.NON_NEGATIVE,
                    ConvexTerm.nonNegativeL1(1, 1),
                    ConvexTerms.groups(List.of(new int[] {0}), 1))) {
                double[] out = new double[2];
                term.proximal(w, 10, out);
                assertTrue(Double.isNaN(out[0]));
            }
        }

        @Test
        void addUpOverRanges() {
            ConvexTerm term = ConvexTerm.ofRanges(List.of(
                    new ConvexTerm.Range(3, 5, ConvexTerms.NON_NEGATIVE),
                    new ConvexTerm.Range(0, 2, ConvexTerms.l1(1, 2))));
            double[] w = {3, -3, -3, -3, 3};
            assertEquals(Double.POSITIVE_INFINITY, term.value(w));
            term.proximal(w, 0.5, w);
            assertArrayEquals(new double[] {2.5, -2, -3, 0, 3}, w);
            assertEquals(6.5, term.value(w));
        }

        @Test
        void refuseWhatIsNoTerm() {
            assertThrows(IllegalArgumentException.class, () -> ConvexTerm.nonNegativeL1(Double.NaN));
            assertThrows(IllegalArgumentException.class, () -> ConvexTerm.nonNegativeL1(-1));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> ConvexTerm.ofRanges(List.of(
                            new ConvexTerm.Range(0, 3, ConvexTerms.NOTHING),
                            new ConvexTerm.Range(2, 4, ConvexTerms.NOTHING))));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> ConvexTerm.nonNegativeL1(1, 1).value(new double[3]));
        }
    }
}
