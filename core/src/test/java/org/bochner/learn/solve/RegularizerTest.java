package org.bochner.learn.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.bochner.GoldenTable;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RegularizerTest {
    /** Returns a regularizer with l1 and group multiplied by a factor. */
    static Regularizer scaled(Regularizer shape, double factor) {
        return new Regularizer(factor * shape.l1(), shape.l2(), factor * shape.group(), shape.groups());
    }

    private static final int FEATURES = 9;
    private static final int OUTPUTS = 3;
    private static final FeatureGroups GROUPS = FeatureGroups.of(0, 1, 0, 2, 2, 2, 1, 3, 2);

    private static final List<Regularizer> ALL = List.of(
            new Regularizer(0, 0.7, 0, null),
            new Regularizer(0.4, 0, 0, null),
            new Regularizer(0.4, 0.7, 0, null),
            new Regularizer(0, 0, 0.5, GROUPS),
            new Regularizer(0.3, 0, 0.5, GROUPS),
            new Regularizer(0.3, 0.7, 0.5, GROUPS));

    private static double[] random(Seed seed, int count) {
        RandomStream stream = seed.stream();
        return IntStream.range(0, count).mapToDouble(i -> stream.nextGaussian()).toArray();
    }

    /** Weights of which some are zero, and one whole group. */
    private static double[] weights(Seed seed) {
        double[] weights = random(seed, FEATURES * OUTPUTS);
        for (int at = 0; at < weights.length; at++) {
            if (at % 4 == 0 || GROUPS.of(at / OUTPUTS) == 1) {
                weights[at] = 0;
            }
        }
        return weights;
    }

    private static double[] steps(double step) {
        double[] steps = new double[OUTPUTS];
        Arrays.fill(steps, step);
        return steps;
    }

    /** Returns the maximum of a concave function on an interval, by golden sections. */
    private static double maximum(DoubleUnaryOperator function, double low, double high) {
        double share = (Math.sqrt(5) - 1) / 2;
        double left = low;
        double right = high;
        double first = right - share * (right - left);
        double second = left + share * (right - left);
        double atFirst = function.applyAsDouble(first);
        double atSecond = function.applyAsDouble(second);
        for (int step = 0; step < 50; step++) {
            if (atFirst < atSecond) {
                left = first;
                first = second;
                atFirst = atSecond;
                second = left + share * (right - left);
                atSecond = function.applyAsDouble(second);
            } else {
                right = second;
                second = first;
                atSecond = atFirst;
                first = right - share * (right - left);
                atFirst = function.applyAsDouble(first);
            }
        }
        return Math.max(atFirst, atSecond);
    }

    /** The conjugate by its definition, the largest xᵀv − R(v), for two features in one group and one output. */
    private static double conjugate(Regularizer of, double first, double second) {
        // Where the maximum lies, l2·|v| is at most |x|.
        double bound = Math.hypot(first, second) / of.l2() + 1;
        return maximum(
                v -> maximum(w -> first * v + second * w - of.value(new double[] {v, w}, 2, 1), -bound, bound),
                -bound,
                bound);
    }

    @Test
    void dualValuesAreThoseOfTheConjugateByItsDefinition() {
        FeatureGroups one = FeatureGroups.of(0, 0);
        for (Regularizer regularizer : List.of(
                new Regularizer(0, 0.7, 0, null),
                new Regularizer(0.4, 0.7, 0, null),
                new Regularizer(0, 0.7, 0.5, one),
                new Regularizer(0.3, 0.7, 0.5, one))) {
            double[] products = {1.3, -0.9};
            // The best θ is 0, inside, and 1.
            for (double linear : new double[] {-0.2, 0.9, 6}) {
                double expected = maximum(
                        theta -> theta * linear - conjugate(regularizer, theta * products[0], theta * products[1]),
                        0,
                        1);
                // 50 golden sections leave 4e-11 of intervals shorter than 7, with slopes of at most 10, in three
                // nested searches.
                assertEquals(expected, regularizer.dualValue(linear, products, 2, 1), 1e-8, regularizer + " " + linear);
            }
        }
    }

    @Nested
    class ProximalOperators {
        @Test
        void areThoseOfTheReference() {
            for (Map<String, String> row : GoldenTable.read("prox.csv")) {
                double[] w = GoldenTable.numbers(row, "w");
                double[] expected = GoldenTable.numbers(row, "proximal");
                double[] step = {GoldenTable.number(row, "t")};
                int[] groupOf = Arrays.stream(GoldenTable.numbers(row, "groups"))
                        .mapToInt(g -> (int) g)
                        .toArray();
                FeatureGroups groups = FeatureGroups.of(groupOf);
                int[] sizes = groups.sizes();
                for (int j = 0; j < w.length; j++) {
                    // The reference's groups all have weight 1, ours √size: one at a time has its weight divided out.
                    double weight = 1 / Math.sqrt(sizes[groups.of(j)]);
                    Regularizer regularizer =
                            switch (GoldenTable.text(row, "operator")) {
                                case "l1" -> new Regularizer(1, 0, 0, null);
                                case "l2sq" -> new Regularizer(0, 2, 0, null);
                                default -> new Regularizer(0, 0, weight, groups);
                            };
                    double[] v = w.clone();
                    regularizer.shrink(v, v.length, 1, step);
                    assertEquals(expected[j], v[j], 1e-14);
                }
            }
        }

        @Test
        void takeAGroupOverAllOutputs() {
            Map<String, String> row = GoldenTable.read("prox.csv").get(3);
            double[] v = GoldenTable.numbers(row, "w");
            double[] steps = new double[v.length];
            Arrays.fill(steps, GoldenTable.number(row, "t"));
            new Regularizer(0, 0, 1, FeatureGroups.each(1)).shrink(v, 1, v.length, steps);
            assertArrayEquals(GoldenTable.numbers(row, "proximal"), v, 1e-14);
        }

        @Test
        void leaveTheIntercepts() {
            double[] point = random(new Seed(3), FEATURES * OUTPUTS + OUTPUTS);
            for (Regularizer regularizer : ALL) {
                double[] v = point.clone();
                regularizer.shrink(v, FEATURES, OUTPUTS, steps(0.5));
                for (int at = FEATURES * OUTPUTS; at < v.length; at++) {
                    assertEquals(point[at], v[at], 0);
                }
            }
        }

        @Test
        void areTheMinimum() {
            double[] w = random(new Seed(4), FEATURES * OUTPUTS);
            for (Regularizer regularizer : ALL) {
                double[] v = w.clone();
                regularizer.shrink(v, FEATURES, OUTPUTS, steps(0.6));
                double least = distance(v, w) / 1.2 + regularizer.value(v, FEATURES, OUTPUTS);
                for (int k = 0; k < 200; k++) {
                    double[] other = random(new Seed(100 + k), v.length);
                    double size = Math.pow(10, -k % 6);
                    for (int at = 0; at < v.length; at++) {
                        other[at] = v[at] + size * other[at];
                    }
                    // Strong convexity: leaving the minimum costs at least |move|²/(2t); rounding is some 1e-15.
                    double cost = distance(other, w) / 1.2 + regularizer.value(other, FEATURES, OUTPUTS);
                    assertTrue(cost >= least + distance(other, v) / 1.2 - 1e-13);
                }
            }
        }

        private static double distance(double[] a, double[] b) {
            double sum = 0;
            for (int i = 0; i < a.length; i++) {
                sum += (a[i] - b[i]) * (a[i] - b[i]);
            }
            return sum;
        }
    }

    @Nested
    class Values {
        @Test
        void addUpWhatIsStated() {
            double[] weights = {1, -2, 0, 3, 4, 0};
            Regularizer regularizer = new Regularizer(0.5, 0.25, 2, FeatureGroups.of(0, 0, 1));
            // Three features, two outputs: groups {1, −2, 0, 3} of two features, and {4, 0} of one.
            double expected = 0.5 * 10 + 0.125 * 30 + 2 * (Math.sqrt(2) * Math.sqrt(14) + 4);
            assertEquals(expected, regularizer.value(weights, 3, 2), 1e-13);
            assertEquals(0.5 * 5 + 0.125 * 17, regularizer.separable(weights, 3, 2, 0), 1e-13);
            assertEquals(3, LinearModel.nonZeros(weights, 3, 2));
        }
    }

    @Nested
    class Subgradients {
        /** The smallest subgradient s is the direction of steepest descent: the derivative along −s is −|s|². */
        @Test
        void ofLeastNormDescendSteepest() {
            for (Regularizer regularizer : ALL) {
                double[] weights = weights(new Seed(5));
                double[] slope = random(new Seed(6), weights.length);
                double[] s = slope.clone();
                regularizer.subgradient(weights, s, FEATURES, OUTPUTS);
                double step = 1e-7;
                double[] moved = weights.clone();
                double linear = 0;
                double squares = 0;
                for (int at = 0; at < s.length; at++) {
                    moved[at] -= step * s[at];
                    linear -= step * slope[at] * s[at];
                    squares += s[at] * s[at];
                }
                double change = linear
                        + regularizer.value(moved, FEATURES, OUTPUTS)
                        - regularizer.value(weights, FEATURES, OUTPUTS);
                assertTrue(squares > 1);
                // Second derivatives are below 20 here: relative 1e-6; rounding of the values is 1e-14/1e-7.
                assertEquals(-squares, change / step, 1e-5 * squares);
            }
        }

        @Test
        void vanishAtAProximalPoint() {
            for (Regularizer regularizer : ALL) {
                double[] w = random(new Seed(7), FEATURES * OUTPUTS);
                double[] v = w.clone();
                regularizer.shrink(v, FEATURES, OUTPUTS, steps(0.8));
                double[] s = new double[v.length];
                Arrays.setAll(s, at -> (v[at] - w[at]) / 0.8);
                regularizer.subgradient(v, s, FEATURES, OUTPUTS);
                assertArrayEquals(new double[s.length], s, 1e-14);
            }
        }
    }

    @Nested
    class LargestStrength {
        @Test
        void isWhereTheFirstWeightAppears() {
            double[] slope = random(new Seed(8), FEATURES * OUTPUTS);
            for (Regularizer regularizer : ALL) {
                if (regularizer.smooth()) {
                    continue;
                }
                double largest = regularizer.largest(slope, FEATURES, OUTPUTS);
                assertEquals(0, kept(scaled(regularizer, largest * (1 + 1e-12)), slope));
                assertTrue(kept(scaled(regularizer, largest * (1 - 1e-9)), slope) > 0);
            }
        }

        /** Zero is optimal if the smallest subgradient there is 0. */
        private static long kept(Regularizer regularizer, double[] slope) {
            double[] s = slope.clone();
            regularizer.subgradient(new double[s.length], s, FEATURES, OUTPUTS);
            return Arrays.stream(s).filter(v -> v != 0).count();
        }

        @Test
        void ofSquaresAloneIsInfinite() {
            double[] slope = {1, 2};
            assertEquals(Double.POSITIVE_INFINITY, Regularizer.squared(1).largest(slope, 2, 1));
        }
    }

    @Nested
    class Refusals {
        @Test
        void ofStrengthsBelowZeroOrNotANumber() {
            assertThrows(IllegalArgumentException.class, () -> new Regularizer(-1, 0, 0, null));
            assertThrows(IllegalArgumentException.class, () -> new Regularizer(Double.NaN, 0, 0, null));
            assertThrows(IllegalArgumentException.class, () -> new Regularizer(0, 0, 1, null));
        }

        @Test
        void ofGroupsOfOtherFeatures() {
            Regularizer regularizer = new Regularizer(0, 0, 1, FeatureGroups.each(3));
            assertThrows(IllegalArgumentException.class, () -> regularizer.requireFeatures(4));
        }
    }
}
