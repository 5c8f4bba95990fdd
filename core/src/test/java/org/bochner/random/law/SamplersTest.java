package org.bochner.random.law;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.RegularizedGamma;
import org.bochner.GoldenTable;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SamplersTest {
    /** A change of a single bit would give other models for old seeds, so it must not pass unseen. */
    @Nested
    class SameBitsForEver {
        @Test
        void drawnValuesEqualTheRecordedOnes() {
            Map<String, double[]> drawn = drawAll();
            for (Map<String, String> row : GoldenTable.read("samplers.csv")) {
                String name = row.get("sampler");
                int index = Integer.parseInt(row.get("index"));
                assertEquals(
                        row.get("value"),
                        Double.toHexString(Objects.requireNonNull(drawn.get(name))[index]),
                        name + " number " + index);
            }
        }

        /** Four values of everything that is drawn, each from its own stream of seed 1. */
        private static Map<String, double[]> drawAll() {
            Map<String, double[]> drawn = new LinkedHashMap<>();
            drawn.put("gaussian", four("gaussian", RandomStream::nextGaussian));
            drawn.put("cauchy", four("cauchy", stream -> Laws.cauchyQuantile(stream.nextUniform())));
            drawn.put("sech", four("sech", stream -> Laws.sechQuantile(stream.nextUniform())));
            drawn.put("laplace", four("laplace", stream -> Laws.laplaceQuantile(stream.nextUniform())));
            drawn.put("gamma(0.3)", four("gamma(0.3)", stream -> Samplers.gamma(stream, 0.3)));
            drawn.put("gamma(1.5)", four("gamma(1.5)", stream -> Samplers.gamma(stream, 1.5)));
            drawn.put("gamma(40)", four("gamma(40)", stream -> Samplers.gamma(stream, 40)));
            drawn.put("chi(2.5)", four("chi(2.5)", stream -> Samplers.chi(stream, 2.5)));
            drawn.put(
                    "stable(1.5)",
                    four(
                            "stable(1.5)",
                            stream ->
                                    Laws.stableFactor(stream.nextUniform(), 1.5) * Samplers.stableScale(stream, 1.5)));
            drawn.put(
                    "log-positive-stable(0.4)",
                    four("log-positive-stable(0.4)", stream -> Samplers.logPositiveStable(stream, 0.4)));
            int[] signs = new int[4];
            Samplers.signs(stream("signs"), signs);
            drawn.put("signs", Arrays.stream(signs).asDoubleStream().toArray());
            drawn.put("haar", Arrays.copyOfRange(Haar.rows(stream("haar"), 37, 37), 37 * 37 - 4, 37 * 37));
            drawn.put("halton", Arrays.copyOfRange(Halton.points(new Seed(1), 100, 30), 3000 - 4, 3000));
            return drawn;
        }

        private static RandomStream stream(String name) {
            return new Seed(1).derive(name).stream();
        }

        private static double[] four(String name, java.util.function.ToDoubleFunction<RandomStream> sampler) {
            RandomStream stream = stream(name);
            double[] values = new double[4];
            for (int i = 0; i < 4; i++) {
                values[i] = sampler.applyAsDouble(stream);
            }
            return values;
        }
    }

    /**
     * Distribution functions of n draws lie within √(log(2/p)/(2n)) of the true one except with probability p (Dvoretzky,
     * Kiefer, Wolfowitz and Massart); p = 1e-9 here.
     */
    @Nested
    class FollowTheirLaw {
        private static final int N = 50_000;
        private static final double BOUND = Math.sqrt(Math.log(2e9) / (2 * N));

        private final RandomStream stream = new Seed(7).stream();

        @Test
        void gaussian() {
            assertLaw(stream::nextGaussian, w -> 0.5 * Erfc.value(-w / Math.sqrt(2)));
        }

        @Test
        void cauchy() {
            assertLaw(() -> Laws.cauchyQuantile(stream.nextUniform()), w -> 0.5 + Math.atan(w) / Math.PI);
        }

        @Test
        void sech() {
            assertLaw(
                    () -> Laws.sechQuantile(stream.nextUniform()),
                    w -> 2 / Math.PI * Math.atan(Math.exp(Math.PI * w / 2)));
        }

        @Test
        void laplace() {
            assertLaw(
                    () -> Laws.laplaceQuantile(stream.nextUniform()),
                    w -> w < 0 ? Math.exp(w) / 2 : 1 - Math.exp(-w) / 2);
        }

        @Test
        void gammaOfShapesBelowAndAboveOne() {
            for (double shape : new double[] {0.05, 0.5, 0.99, 1, 1.5, 7.25, 300}) {
                assertLaw(() -> Samplers.gamma(stream, shape), w -> RegularizedGamma.P.value(shape, w));
            }
        }

        @Test
        void chi() {
            assertLaw(() -> Samplers.chi(stream, 3.5), w -> RegularizedGamma.P.value(1.75, w * w / 2));
        }

        /** The distribution function is the inverse Fourier transform of exp(−|t|^p), here at some points. */
        @Test
        void stable() {
            for (double p : new double[] {0.8, 1.3, 1.7, 2}) {
                double[] values = new double[N];
                Arrays.setAll(
                        values, i -> Laws.stableFactor(stream.nextUniform(), p) * Samplers.stableScale(stream, p));
                for (double w : new double[] {-20, -3, -1, -0.2, 0, 0.1, 0.6, 2, 9}) {
                    long below =
                            Arrays.stream(values).filter(value -> value < w).count();
                    assertEquals(0.5 + inverse(w, p) / Math.PI, (double) below / N, BOUND, p + " at " + w);
                }
            }
        }

        /**
         * Returns ∫₀^∞ sin(tw)/t · exp(−t^p) dt by the midpoint rule, whose error is below 1e-4 for a step of 0.02
         * periods of the sine.
         */
        private static double inverse(double w, double p) {
            double step = 0.02 / Math.max(1, Math.abs(w));
            double sum = 0;
            for (double t = step / 2; Math.pow(t, p) < 20; t += step) {
                sum += Math.sin(t * w) / t * Math.exp(-Math.pow(t, p)) * step;
            }
            return sum;
        }

        /** A half-stable number is one over the square of a Gaussian one, times ½. */
        @Test
        void positiveStableOfOneHalf() {
            assertLaw(() -> Math.exp(Samplers.logPositiveStable(stream, 0.5)), w -> Erfc.value(1 / (2 * Math.sqrt(w))));
        }

        /** Hoeffding: the mean of n numbers in [0, 1] errs by more than √(log(2/p)/(2n)) with probability p. */
        @Test
        void positiveStableHasItsLaplaceTransform() {
            for (double alpha : new double[] {0.1, 0.4, 0.75, 0.99}) {
                for (double lambda : new double[] {0.2, 1, 5}) {
                    double mean = 0;
                    for (int i = 0; i < N; i++) {
                        mean += Math.exp(-lambda * Math.exp(Samplers.logPositiveStable(stream, alpha))) / N;
                    }
                    assertEquals(Math.exp(-Math.pow(lambda, alpha)), mean, BOUND, alpha + " at " + lambda);
                }
            }
        }

        private static void assertLaw(DoubleSupplier sampler, DoubleUnaryOperator distribution) {
            double[] values = new double[N];
            for (int i = 0; i < N; i++) {
                values[i] = sampler.getAsDouble();
            }
            Arrays.sort(values);
            double largest = 0;
            for (int i = 0; i < N; i++) {
                double f = distribution.applyAsDouble(values[i]);
                largest = Math.max(largest, Math.max((i + 1.0) / N - f, f - (double) i / N));
            }
            assertTrue(largest < BOUND, "distance " + largest + ", bound " + BOUND);
        }
    }

    @Nested
    class Moments {
        @Test
        void gaussianHasMeanZeroVarianceOneAndKurtosisThree() {
            // Six standard deviations of the means of x, x² and x⁴: √(1/n), √(2/n), √(96/n).
            int n = 200_000;
            RandomStream stream = new Seed(11).stream();
            double first = 0;
            double second = 0;
            double fourth = 0;
            for (int i = 0; i < n; i++) {
                double x = stream.nextGaussian();
                first += x;
                second += x * x;
                fourth += x * x * x * x;
            }
            assertEquals(0, first / n, 6 * Math.sqrt(1.0 / n));
            assertEquals(1, second / n, 6 * Math.sqrt(2.0 / n));
            assertEquals(3, fourth / n, 6 * Math.sqrt(96.0 / n));
        }

        @Test
        void signsAreBalanced() {
            int[] signs = new int[100_000];
            Samplers.signs(new Seed(2).stream(), signs);
            assertTrue(Arrays.stream(signs).allMatch(s -> s == 1 || s == -1));
            assertEquals(0, Arrays.stream(signs).sum(), 6 * Math.sqrt(signs.length));
        }
    }

    @Nested
    class Extremes {
        @Test
        void tinyShapesNeverGiveZero() {
            RandomStream stream = new Seed(9).stream();
            for (int i = 0; i < 10_000; i++) {
                double value = Samplers.gamma(stream, 0.001);
                assertTrue(value >= Double.MIN_NORMAL && value < Double.POSITIVE_INFINITY);
            }
        }

        @Test
        void rejectsShapesThatAreNotPositive() {
            RandomStream stream = new Seed(9).stream();
            for (double shape : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
                assertThrows(IllegalArgumentException.class, () -> Samplers.gamma(stream, shape));
                assertThrows(IllegalArgumentException.class, () -> Samplers.chi(stream, shape));
                assertThrows(IllegalArgumentException.class, () -> Samplers.logPositiveStable(stream, shape));
            }
            assertThrows(IllegalArgumentException.class, () -> Samplers.logPositiveStable(stream, 1));
        }
    }
}
