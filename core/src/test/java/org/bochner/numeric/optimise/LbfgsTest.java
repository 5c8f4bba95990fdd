package org.bochner.numeric.optimise;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LbfgsTest {
    private static final DescentOptions TIGHT = DescentOptions.withDefaults()
            .withIterations(500)
            .withTolerance(0, 1)
            .withGradientTolerance(1e-10);

    /** Chained Rosenbrock function: its minimum is 0 at ones. */
    private static double rosenbrock(double[] x, double[] gradient) {
        double sum = 0;
        Arrays.fill(gradient, 0);
        for (int i = 0; i + 1 < x.length; i++) {
            double a = x[i + 1] - x[i] * x[i];
            double b = 1 - x[i];
            sum += 100 * a * a + b * b;
            gradient[i] += -400 * a * x[i] - 2 * b;
            gradient[i + 1] += 200 * a;
        }
        return sum;
    }

    /** ½ Σ hᵢ (xᵢ − 1)² + 5. */
    private static SmoothFunction bowl(double... curvatures) {
        return (x, gradient) -> {
            double sum = 5;
            for (int i = 0; i < x.length; i++) {
                gradient[i] = curvatures[i] * (x[i] - 1);
                sum += 0.5 * gradient[i] * (x[i] - 1);
            }
            return sum;
        };
    }

    @Nested
    class Minimises {
        @Test
        void rosenbrocksValley() {
            Minimum minimum = new Lbfgs(TIGHT).minimize(LbfgsTest::rosenbrock, -1.2, 1);
            assertEquals(Minimum.End.GRADIENT, minimum.end());
            // The smallest eigenvalue of the Hessian at the minimum is 0.4: |x − 1| ≤ |gradient|/0.4.
            assertEquals(1, minimum.point()[0], 1e-9);
            // More–Thuente searches are known to need 35 to 50 evaluations here.
            assertTrue(minimum.evaluations() < 60, minimum.toString());
        }

        @Test
        void rosenbrocksValleyInManyDimensions() {
            double[] start = new double[50];
            Minimum minimum = new Lbfgs(TIGHT).minimize(LbfgsTest::rosenbrock, start);
            assertEquals(Minimum.End.GRADIENT, minimum.end());
            assertTrue(minimum.value() < 1e-18, minimum.toString());
        }

        @Test
        void quadraticsOfCondition100000InFewIterations() {
            // With exact searches and this memory it would end after six iterations; a quasi-Newton method whose
            // searches
            // are not exact still leaves behind the κ/2·log(1/ε) ≈ 10⁶ steps of gradient descent. Others need 53 here.
            double[] curvatures = {1, 10, 100, 1e3, 1e4, 1e5};
            Minimum minimum = new Lbfgs(TIGHT.withGradientTolerance(1e-6)).minimize(bowl(curvatures), new double[6]);
            assertEquals(Minimum.End.GRADIENT, minimum.end());
            assertTrue(minimum.iterations() < 80, minimum.toString());
            assertEquals(5.0, minimum.value());
        }

        @Test
        void quadraticsWithManyCurvaturesAsFastAsConjugateGradients() {
            // κ = 1000: conjugate gradients bring the error in the energy norm below ε in √κ/2·log(2/ε) = 260 steps for
            // ε = 10⁻⁷.
            double[] curvatures = new double[40];
            for (int i = 0; i < curvatures.length; i++) {
                curvatures[i] = Math.pow(10, 3.0 * i / 39);
            }
            Minimum minimum = new Lbfgs(TIGHT.withGradientTolerance(1e-6)).minimize(bowl(curvatures), new double[40]);
            assertEquals(Minimum.End.GRADIENT, minimum.end());
            assertTrue(minimum.iterations() < 260, minimum.toString());
        }

        @Test
        void mostlyAcceptsTheFirstTrial() {
            double[] curvatures = new double[30];
            for (int i = 0; i < curvatures.length; i++) {
                curvatures[i] = 1 + i;
            }
            Minimum minimum = new Lbfgs(TIGHT).minimize(bowl(curvatures), new double[30]);
            assertTrue(minimum.evaluations() < minimum.iterations() * 5 / 4 + 2, minimum.toString());
        }

        @Test
        void functionsOfAnyScaleAlike() {
            // Powers of two change no bit but the exponent.
            List<double[]> points = new ArrayList<>();
            for (double scale : new double[] {1, 0x1p-60, 0x1p60}) {
                SmoothFunction scaled = (x, gradient) -> {
                    double value = rosenbrock(x, gradient);
                    Vectors.scale(scale, gradient);
                    return scale * value;
                };
                points.add(new Lbfgs(TIGHT.withGradientTolerance(0).withIterations(15))
                        .minimize(scaled, -1.2, 1)
                        .point());
            }
            assertArrayEquals(points.get(0), points.get(1));
            assertArrayEquals(points.get(0), points.get(2));
        }
    }

    @Nested
    class StepsBack {
        /** x − log x, with no value for x ≤ 0; its minimum is at 1. */
        private final SmoothFunction barrier = (x, gradient) -> {
            gradient[0] = 1 - 1 / x[0];
            return x[0] - Math.log(x[0]);
        };

        @Test
        void whereThereIsNoValue() {
            // From 10 a first move of 50 leads to −40, where the logarithm is NaN.
            Minimum minimum = new Lbfgs(TIGHT.withLargestFirstMove(50)).minimize(barrier, 10);
            assertEquals(1, minimum.point()[0], 1e-9);
        }

        @Test
        void whereTheValueIsInfiniteOrTheGradientIsNot() {
            SmoothFunction wall = (x, gradient) -> {
                gradient[0] = x[0] > 2 ? Double.NaN : 2 * (x[0] - 1.9);
                return x[0] > 3 ? Double.POSITIVE_INFINITY : (x[0] - 1.9) * (x[0] - 1.9);
            };
            Minimum minimum = new Lbfgs(TIGHT.withLargestFirstMove(100)).minimize(wall, -50);
            assertEquals(1.9, minimum.point()[0], 1e-9);
        }

        @Test
        void andSaysSoWhenTheStartHasNoValue() {
            BochnerException e = assertThrows(
                    BochnerException.class, () -> new Lbfgs(DescentOptions.withDefaults()).minimize(barrier, -1));
            assertTrue(e.toString().contains("at the start the function is NaN"), e.toString());
        }
    }

    @Nested
    class Stops {
        @Test
        void whereTheMonitorSaysSoWithTheBestItHas() {
            List<Double> seen = new ArrayList<>();
            Minimum minimum = new Lbfgs(TIGHT)
                    .minimize(LbfgsTest::rosenbrock, new double[] {-1.2, 1}, (i, value, x, g) -> {
                        assertEquals(seen.size(), i);
                        seen.add(value);
                        return i < 5;
                    });
            assertEquals(Minimum.End.STOPPED, minimum.end());
            assertEquals(5, minimum.iterations());
            assertEquals(6, seen.size());
            assertEquals(seen.stream().mapToDouble(v -> v).min().orElseThrow(), minimum.value());
            assertEquals(minimum.value(), rosenbrock(minimum.point(), new double[2]));
        }

        @Test
        void whenIterationsTakeTooLittleOff() {
            Minimum loose = new Lbfgs(TIGHT.withTolerance(1e-2, 1)).minimize(bowl(1, 100, 1e4), 0, 0, 0);
            assertEquals(Minimum.End.DECREASE, loose.end());
            assertTrue(loose.converged());
        }

        @Test
        void whereNoStepMakesItSmaller() {
            // A gradient that lies about the direction: the value rises wherever one goes.
            SmoothFunction liar = (x, gradient) -> {
                gradient[0] = -1;
                return x[0] == 0 ? 1 : 2;
            };
            for (double tolerance : new double[] {0, 1e-6}) {
                Minimum minimum = new Lbfgs(TIGHT.withTolerance(tolerance, 1)).minimize(liar, 0);
                assertEquals(Minimum.End.NO_SMALLER, minimum.end());
                assertArrayEquals(new double[1], minimum.point());
                assertEquals(1, minimum.value());
            }
        }

        @Test
        void whereOnlyRoundingIsLeftToGain() {
            // Values in steps of 2⁻²⁰, as of a function that is computed in less precision than its gradient.
            SmoothFunction coarse = (x, gradient) -> {
                double value = bowl(1, 30).at(x, gradient);
                return Math.rint(value * 0x1p20) * 0x1p-20;
            };
            Minimum minimum = new Lbfgs(DescentOptions.withDefaults().withTolerance(1e-12, 1)).minimize(coarse, 3, -2);
            assertTrue(minimum.converged(), minimum.toString());
            assertEquals(5, minimum.value(), 0x1p-19);
            assertTrue(minimum.evaluations() < 100, minimum.evaluations() + " evaluations");
        }

        @Test
        void atOnceWhereItStandsAtTheMinimum() {
            Minimum minimum = new Lbfgs(TIGHT).minimize(bowl(1, 2), 1, 1);
            assertEquals(Minimum.End.GRADIENT, minimum.end());
            assertEquals(1, minimum.evaluations());
        }
    }

    @Test
    void movesNoFurtherThanAllowed() {
        double[] last = {Double.NaN};
        new Lbfgs(TIGHT.withLargestMove(0.25).withLargestFirstMove(0.1))
                .minimize(bowl(1), new double[] {-8}, (i, v, x, g) -> {
                    if (i > 0) {
                        assertTrue(Math.abs(x[0] - last[0]) <= 0.25 + 1e-12);
                    }
                    last[0] = x[0];
                    return true;
                });
        assertEquals(1, last[0]);
    }

    @Test
    void takesTheSameWayEveryTime() {
        Minimum first = new Lbfgs(DescentOptions.withDefaults()).minimize(LbfgsTest::rosenbrock, new double[10]);
        Minimum second = new Lbfgs(DescentOptions.withDefaults()).minimize(LbfgsTest::rosenbrock, new double[10]);
        assertArrayEquals(first.point(), second.point());
        assertEquals(first.evaluations(), second.evaluations());
    }
}
