package org.bochner.kernel;

import static org.bochner.GoldenTable.numbers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.kernel.composed.LogWarp;
import org.bochner.kernel.composed.SqrtWarp;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.kernel.shift.Cauchy;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Laplacian;
import org.bochner.kernel.shift.Matern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KernelValueTest {
    @Nested
    class GaussianKernel {
        @Test
        void agreesWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("gaussian.csv")) {
                double expected = numbers(row, "gaussian")[0];
                Kernel kernel = new Gaussian(bandwidth(numbers(row, "sigma")));
                // Rounding of the exponent, below 1 here, and of exp.
                assertEquals(expected, kernel.value(numbers(row, "x"), numbers(row, "y")), 4 * Math.ulp(expected));
            }
        }

        @Test
        void hasItsFamiliarValueAtOneBandwidth() {
            assertEquals(Math.exp(-0.5), new Gaussian(3).value(new double[] {0, 0}, new double[] {0, 3}), 1e-16);
        }
    }

    @Nested
    class LaplacianKernel {
        @Test
        void ofLogarithmsAgreesWithTheSkewedIntersectionReference() {
            for (Map<String, String> row : GoldenTable.read("gaussian.csv")) {
                double expected = numbers(row, "skewed_intersection")[0];
                Kernel kernel = WarpedKernel.of(
                        new Laplacian(bandwidth(numbers(row, "sigma"))), new LogWarp(numbers(row, "c")[0]));
                assertEquals(expected, kernel.value(numbers(row, "x"), numbers(row, "y")), 1e-14 * expected);
            }
        }

        @Test
        void isTheProductOverColumns() {
            double value = Kernels.laplacian(2).value(new double[] {1, -1, 0}, new double[] {0, 1, 0});
            assertEquals(Math.exp(-0.5) * Math.exp(-1), value, 1e-16);
        }
    }

    @Nested
    class CauchyKernel {
        @Test
        void isTheProductOverColumns() {
            Kernel kernel = new Cauchy(Bandwidth.ofRanges(new int[] {1, 3}, new double[] {2, 1}));
            assertEquals(
                    1 / (1 + 0.25) / (1 + 4) / (1 + 0.25),
                    kernel.value(new double[] {1, 2, 0.5}, new double[] {0, 0, 0}),
                    1e-16);
        }
    }

    @Nested
    class WaveletKernel {
        private final ShiftInvariantKernel kernel =
                Kernels.wavelet(1.75, Bandwidth.ofRanges(new int[] {1, 3}, new double[] {2, 1}));

        /** Reference: mpmath 1.3.0 with 40 digits. Each factor has an error of about 1e-16. */
        @Test
        void agreesWithTheReference() {
            assertEquals(-0.040554300297107396, kernel.atOffset(new double[] {1, 2, 0.5}), 1e-15);
            assertEquals(0.026793641540593747, kernel.atOffset(new double[] {-3, 0.25, -1}), 1e-15);
        }

        @Test
        void withoutAFrequencyIsTheGaussian() {
            double[] delta = {1, 2, 0.5};
            assertEquals(
                    Kernels.gaussian(2).atOffset(delta), Kernels.wavelet(0, 2).atOffset(delta), 1e-15);
        }

        /** The factor of the first column is 0; the derivative with respect to it is not. */
        @Test
        void derivativesHoldWhereAFactorVanishes() {
            double[] delta = {Math.PI / 1.75, 0.3, 0.2};
            double[] slope = new double[3];
            assertEquals(0, kernel.slope(delta, slope), 1e-15);
            double[] moved = delta.clone();
            moved[0] += 1e-5;
            double after = kernel.atOffset(moved);
            moved[0] -= 2e-5;
            assertEquals((after - kernel.atOffset(moved)) / 2e-5, slope[0], 1e-9);
        }

        @Test
        void frequenciesOutsideTheRangeAreRefused() {
            assertThrows(IllegalArgumentException.class, () -> Kernels.wavelet(-1, 1));
            assertThrows(IllegalArgumentException.class, () -> Kernels.wavelet(Double.NaN, 1));
        }
    }

    @Nested
    class RationalQuadraticKernel {
        @Test
        void agreesWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("rational_quadratic.csv")) {
                double expected = numbers(row, "value")[0];
                Kernel kernel = Kernels.rationalQuadratic(numbers(row, "alpha")[0], 2.0);
                // The exponent, up to 700, is rounded to 2^-53 relative.
                assertEquals(expected, alongAxis(kernel, 2 * numbers(row, "r")[0]), 1e-13 * expected);
            }
        }
    }

    @Nested
    class MaternKernel {
        @Test
        void agreesWithTheReference() {
            for (Map<String, String> row : GoldenTable.read("matern.csv")) {
                double nu = numbers(row, "nu")[0];
                double r = numbers(row, "r")[0];
                double expected = numbers(row, "value")[0];
                assertEquals(expected, alongAxis(Kernels.matern(nu, 0.5), 0.5 * r), 1e-13 * expected, nu + " at " + r);
            }
        }

        @Test
        void generalFormulaEqualsTheClosedOnes() {
            for (double nu : new double[] {0.5, 1.5, 2.5}) {
                for (double r = 0.01; r < 40; r *= 1.3) {
                    double closed = alongAxis(Kernels.matern(nu, 1), r);
                    assertEquals(closed, Matern.bySum(nu, r * r), 1e-13 * closed, nu + " at " + r);
                }
            }
        }

        /** The frequencies of such a kernel have no precise cosines. */
        @Test
        void ofASmallNuHasNoSpectrum() {
            assertThrows(BochnerException.class, () -> new Matern(0.09, Bandwidth.of(1)).spectrum());
        }

        @Test
        void isOneAtZeroAndFallsToZeroFarAway() {
            for (double nu : new double[] {0.001, 0.5, 1, 1.5, 2.5, 3.3, 1e4, 1e8}) {
                Kernel kernel = Kernels.matern(nu, 1);
                assertEquals(1, alongAxis(kernel, 0));
                assertEquals(0, alongAxis(kernel, 1e90));
                assertEquals(0, alongAxis(kernel, 1e200));
                double last = 1;
                for (double r = 1e-9; r < 1e4; r *= 3) {
                    double value = alongAxis(kernel, r);
                    assertEquals(Math.min(value, last), value, 1e-13, nu + " must not rise at " + r);
                    last = value;
                }
            }
        }

        @Test
        void approachesTheGaussian() {
            // The difference to exp(−r²/2) is of order r⁴/(8ν) · exp(−r²/2) < 2/ν (r⁴ exp(−r²/2) is at most 16 e⁻²).
            for (double nu : new double[] {1e3, 1e6, 1e9}) {
                for (double r : new double[] {0.1, 1, 3}) {
                    assertEquals(Math.exp(-r * r / 2), alongAxis(Kernels.matern(nu, 1), r), 2 / nu + 1e-13);
                }
            }
        }
    }

    @Test
    void rowsOfDifferentWidthsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Gaussian(1).value(new double[2], new double[3]));
    }

    @Nested
    class Warps {
        @Test
        void logNamesTheValueTheRangeAndTheRemedy() {
            Kernel kernel = Kernels.parse("gaussian(sigma=1)@log(c=0.1)");
            BochnerException e = assertThrows(
                    BochnerException.class, () -> kernel.value(new double[] {0, -0.25}, new double[] {0, 0}));
            assertEquals(
                    "column 1 (from 0): log(c=0.1) needs values greater than -0.1, got -0.25; shift the data or choose c > 0.25",
                    e.getMessage());
        }

        @Test
        void logRejectsItsEndAndNaN() {
            assertThrows(BochnerException.class, () -> new LogWarp(0.5).apply(-0.5, 0));
            assertThrows(BochnerException.class, () -> new LogWarp(0).apply(0, 0));
            assertThrows(BochnerException.class, () -> new LogWarp(1).apply(Double.NaN, 0));
        }

        @Test
        void sqrtRejectsNegativeValues() {
            assertEquals(3, new SqrtWarp().apply(9, 0));
            assertThrows(BochnerException.class, () -> new SqrtWarp().apply(-1e-300, 0));
            assertThrows(BochnerException.class, () -> new SqrtWarp().apply(Double.NaN, 0));
        }
    }

    private static double alongAxis(Kernel kernel, double distance) {
        return kernel.value(new double[] {distance, 7}, new double[] {0, 7});
    }

    private static Bandwidth bandwidth(double[] sigmas) {
        int[] ends = new int[sigmas.length];
        for (int l = 0; l < ends.length; l++) {
            ends[l] = l + 1;
        }
        return Bandwidth.ofRanges(ends, sigmas);
    }
}
