package org.bochner.kernel.shift;

import static org.bochner.GoldenTable.number;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.Spectrum;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeriodicTest {
    private static double at(Periodic kernel, double delta) {
        return kernel.atOffset(new double[] {delta});
    }

    @Nested
    class Value {
        @Test
        void agreesWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("periodic.csv")) {
                double width = number(row, "width");
                double delta = number(row, "delta");
                double expected = number(row, "value");
                // The exponent, up to 640, is rounded in five places, to 2^-53 relative each.
                double bound = expected * 5 * 0x1p-53 * Math.max(1, -Math.log(expected)) + Math.ulp(expected);
                assertEquals(expected, at(new Periodic(Bandwidth.of(1), width), delta), bound, width + " at " + delta);
            }
        }

        @Test
        void repeatsWithThePeriod() {
            Periodic hours = Periodic.ofPeriod(24, 0.5);
            for (double delta = -12; delta <= 12; delta += 0.75) {
                // Up to 5 turns of a phase are rounded to 2^-50; the slope in the phase is at most 1.2/width.
                assertEquals(at(hours, delta), at(hours, delta + 24), 1e-14);
                assertEquals(at(hours, delta), at(hours, delta - 120), 1e-14);
            }
            assertEquals(Math.exp(-2 / 0.25), at(hours, 12), 1e-17);
        }

        @Test
        void isTheGaussianNearTheDiagonal() {
            // exp(−2 sin²(t/2)/w²) = exp(−t²/(2w²) + t⁴/(24w²) − …): at t = 2w the ratio is exp(2w²/3).
            double width = 1e-3;
            double sigma = width * 360 / (2 * Math.PI);
            for (double r : new double[] {0.1, 1, 2}) {
                assertEquals(1, at(Periodic.ofPeriod(360, width), r * sigma) / Math.exp(-r * r / 2), 1e-6);
            }
        }

        @Test
        void isAProductOverColumnsWithPeriodsOfTheirOwn() {
            Kernel kernel = Kernels.parse("periodic(period=[0:1=1, 1:3=24], width=0.8)");
            assertEquals(
                    at(Periodic.ofPeriod(1, 0.8), 0.3)
                            * at(Periodic.ofPeriod(24, 0.8), 7)
                            * at(Periodic.ofPeriod(24, 0.8), -2),
                    kernel.value(new double[] {0.3, 7, 0}, new double[] {0, 0, 2}),
                    1e-15);
            assertEquals(3, kernel.minimumColumns());
        }
    }

    @Nested
    class Harmonics {
        @Test
        void agreeWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("harmonics.csv")) {
                double width = number(row, "width");
                int harmonic = (int) number(row, "harmonic");
                double expected = number(row, "probability");
                double[] probabilities = new Periodic(Bandwidth.of(1), width).harmonics();
                // A product of as many ratios, over a sum of such products, of which those up to 1/width matter; each
                // ratio
                // is rounded a few times. At widths of at least 0.05 the promise is 1e-14.
                double bound = expected * Math.min(3 * (harmonic + 1 / width) * 0x1p-52, width < 0.05 ? 1 : 1e-14)
                        + 4 * Math.ulp(expected);
                assertEquals(expected, probabilities[harmonic], bound, width + " at " + harmonic);
            }
        }

        @ParameterizedTest
        @ValueSource(doubles = {1e-4, 0.05, 0.3, 1, 7, 100, 1e9, 1e200})
        void sumToTheKernel(double width) {
            Periodic kernel = new Periodic(Bandwidth.of(1), width);
            double[] probabilities = kernel.harmonics();
            for (double delta : new double[] {0, 0.1 * Math.min(1, width), 1, 3}) {
                double sum = probabilities[0];
                for (int j = 1; j < probabilities.length; j++) {
                    sum += 2 * probabilities[j] * Math.cos(j * delta);
                }
                // Terms are rounded in proportion to j, which is 1/width on the average.
                assertEquals(at(kernel, delta), sum, 1e-14 + 1e-15 / width, width + " at " + delta);
            }
        }

        @ParameterizedTest
        @ValueSource(doubles = {1e-4, 0.05, 0.5, 1, 100})
        void areDrawnWithTheirProbabilities(double width) {
            Periodic kernel = new Periodic(Bandwidth.of(1), width);
            Spectrum spectrum = kernel.spectrum();
            double[] probabilities = kernel.harmonics();
            // Just within and just beyond the borders of the cells of 0 and of j.
            double border = 0.5 + probabilities[0] / 2;
            for (int j = 0; j < Math.min(probabilities.length, 2 / width); j++) {
                double within = probabilities[j] * 1e-3;
                assertEquals(j, spectrum.quantile(0, border - within), width + " at " + j);
                border += probabilities[j + 1];
            }
        }

        @Test
        void areSymmetric() {
            Spectrum spectrum = new Periodic(Bandwidth.of(1), 0.3).spectrum();
            RandomStream stream = new Seed(1).stream();
            for (int i = 0; i < 10_000; i++) {
                double u = stream.nextUniform();
                // 1 − u is exact for u of at least ½.
                double upper = Math.max(u, 1 - u);
                assertEquals(spectrum.quantile(0, upper), -spectrum.quantile(0, 1 - upper), 0);
            }
            assertEquals(0, spectrum.quantile(0, 0.5));
            assertTrue(Double.isFinite(spectrum.quantile(0, Double.MIN_VALUE)));
            assertThrows(IllegalArgumentException.class, () -> spectrum.quantile(0, 0));
            assertThrows(IllegalArgumentException.class, () -> spectrum.quantile(0, 1));
            assertThrows(IllegalArgumentException.class, () -> spectrum.quantile(0, Double.NaN));
        }
    }

    @Nested
    class Spelled {
        @Test
        void isInRadiansByDefault() {
            assertEquals(new Periodic(Bandwidth.of(1), 1), Kernels.parse("periodic"));
            assertEquals(
                    "periodic(period=6.283185307179586, width=1)",
                    Kernels.parse("periodic").toString());
            assertEquals(Kernels.parse("periodic"), Kernels.parse("periodic(period=6.283185307179586)"));
            assertFalse(Kernels.recipe("periodic").needsData());
        }

        @ParameterizedTest
        @ValueSource(strings = {"1", "360", "24", "0.1", "3.141592653589793", "365.2425", "1.0E-300", "1.0E300"})
        void printsThePeriodThatWasWritten(String period) {
            assertEquals(
                    "periodic(period=" + period + ", width=0.5)",
                    Kernels.parse("periodic(width=0.5, period=" + period + ")").toString());
        }

        /** A fifth of all length-scales is not a period divided by 2π, whatever the period; they print as they are. */
        @Test
        void printsAndReadsAnyLengthScale() {
            RandomStream stream = new Seed(2).stream();
            int withoutPeriod = 0;
            for (int i = 0; i < 2000; i++) {
                Periodic kernel = new Periodic(Bandwidth.of(1 + stream.nextUniform()), 1);
                assertEquals(kernel, Kernels.parse(kernel.toString()));
                withoutPeriod += kernel.toString().startsWith("periodic(sigma=") ? 1 : 0;
            }
            assertTrue(withoutPeriod > 0 && withoutPeriod < 600, withoutPeriod + " of 2000");
            Periodic largest = new Periodic(Bandwidth.of(Double.MAX_VALUE), 1);
            assertEquals(largest, Kernels.parse(largest.toString()));
            Periodic least = new Periodic(Bandwidth.of(Double.MIN_VALUE), 1);
            assertEquals(least, Kernels.parse(least.toString()));
        }
    }

    @Test
    void keepsTheUnitOfItsColumns() {
        assertFalse(Kernels.recipe("gaussian[0:2] * periodic[2:3]").takesAnyUnit());
        assertFalse(Kernels.recipe("gaussian + 2*periodic[2:3]").takesAnyUnit());
        assertTrue(Kernels.recipe("gaussian[0:2] * matern[2:3] + laplacian").takesAnyUnit());
    }
}
