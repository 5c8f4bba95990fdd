package org.bochner.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.shift.Cauchy;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.kernel.shift.Laplacian;
import org.bochner.kernel.shift.Matern;
import org.bochner.kernel.shift.Periodic;
import org.bochner.kernel.shift.RationalQuadratic;
import org.bochner.kernel.shift.Stable;
import org.bochner.kernel.shift.Wavelet;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bochner's theorem: a kernel is the characteristic function of its frequencies. A factor of 2 in a bandwidth fails here. */
class SpectrumTest {
    private static final Bandwidth TWO_BLOCKS = Bandwidth.ofRanges(new int[] {1, 3}, new double[] {2, 0.7});

    static Stream<ShiftInvariantKernel> kernels() {
        return Stream.of(
                new Gaussian(TWO_BLOCKS),
                new Laplacian(TWO_BLOCKS),
                new Cauchy(TWO_BLOCKS),
                new Matern(0.5, TWO_BLOCKS),
                new Matern(1.5, TWO_BLOCKS),
                new Matern(3.2, TWO_BLOCKS),
                new RationalQuadratic(0.4, TWO_BLOCKS),
                new RationalQuadratic(3, TWO_BLOCKS),
                new Periodic(TWO_BLOCKS, 0.4),
                new Periodic(TWO_BLOCKS, 2),
                new Wavelet(1.75, TWO_BLOCKS),
                new Stable(1.5, 1, TWO_BLOCKS),
                new Stable(1.5, 1.5, TWO_BLOCKS),
                new Stable(1, 0.6, TWO_BLOCKS),
                new Stable(0.7, 0.4, TWO_BLOCKS),
                new Stable(2, 1.2, TWO_BLOCKS),
                product("stable(p=1.2, q=0.8, sigma=2)[0:2] * gaussian(sigma=1)[2:3]"),
                product("gaussian(sigma=2)[0:1] * periodic(period=5, width=0.5)[1:3]"),
                product("matern(nu=0.5, sigma=[0:1=2, 1:2=3])[0:2] * matern(nu=0.7, sigma=1)[2:3]"),
                product("periodic(width=1)[0:1] * laplacian(sigma=2)[1:2] * rational-quadratic(sigma=1)[2:3]"));
    }

    private static ShiftInvariantKernel product(String text) {
        return (ProductKernel) Kernels.parse(text);
    }

    static Stream<ShiftInvariantKernel> kernelsWithIndependentColumns() {
        return Stream.of(
                new Gaussian(1.5),
                Kernels.laplacian(1.5),
                Kernels.cauchy(1.5),
                new Periodic(Bandwidth.of(1.5), 0.5),
                new Periodic(Bandwidth.of(1.5), 3),
                new Wavelet(1.75, Bandwidth.of(1.5)));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void meanCosineOfDrawnFrequenciesIsTheKernel(ShiftInvariantKernel kernel) {
        // Hoeffding: the mean of n numbers in [−1, 1] errs by more than √(2 log(2/p)/n) with probability p; p = 1e-9.
        int n = 100_000;
        double bound = Math.sqrt(2 * Math.log(2e9) / n);
        double[][] offsets = {{0.5, 0, 0}, {0, 0.7, 0}, {1, 0.3, -0.4}, {0, 0, 2}, {2, -1, 1}};
        double[] sums = new double[offsets.length];
        RandomStream stream = new Seed(1).stream();
        Spectrum spectrum = kernel.spectrum();
        double[] frequency = new double[3];
        double[] scales = new double[3];
        for (int i = 0; i < n; i++) {
            spectrum.scales(stream, scales);
            for (int l = 0; l < 3; l++) {
                frequency[l] = scales[l]
                        * spectrum.quantile(l, stream.nextUniform())
                        / kernel.sigma().at(l);
            }
            for (int k = 0; k < sums.length; k++) {
                double[] delta = offsets[k];
                sums[k] += Math.cos(frequency[0] * delta[0] + frequency[1] * delta[1] + frequency[2] * delta[2]);
            }
        }
        for (int k = 0; k < sums.length; k++) {
            assertEquals(kernel.atOffset(offsets[k]), sums[k] / n, bound, kernel + " at offset " + k);
        }
    }

    @ParameterizedTest
    @MethodSource("kernelsWithIndependentColumns")
    void integralOfTheCosineOverTheQuantileIsTheKernel(ShiftInvariantKernel kernel) {
        int n = 200_000;
        for (double delta : new double[] {0.1, 1, 2.5}) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += Math.cos(kernel.spectrum().quantile(0, (i + 0.5) / n) * delta / 1.5);
            }
            // The midpoint rule errs where the phase turns by more than π between nodes. Light tails have no such
            // region and leave an error of a few cells. Cauchy's has the width √(δ/(σπ²n)) at both ends, and |cos| ≤ 1.
            double bound = kernel.spectrum().heavyTailed() ? 4 / Math.PI * Math.sqrt(delta / 1.5 / n) : 5.0 / n;
            assertEquals(kernel.atOffset(new double[] {delta}), sum / n, bound, kernel + " at " + delta);
        }
    }
}
