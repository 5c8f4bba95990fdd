package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.SpellingException;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelFamily;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.Spectrum;
import org.bochner.kernel.Warp;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.kernel.composed.SumKernel;
import org.bochner.kernel.shift.Periodic;
import org.bochner.random.RandomStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class KernelContractTest {
    @Nested
    class GaussianKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.gaussian(2);
        }
    }

    @Nested
    class GaussianOfBlocksKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.gaussian(Bandwidth.ofRanges(new int[] {2, 5}, new double[] {1, 3}));
        }
    }

    @Nested
    class LaplacianKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.laplacian(1.5);
        }
    }

    @Nested
    class CauchyKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.cauchy(1.5);
        }
    }

    @Nested
    class WaveletKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.wavelet(1.75, 2);
        }
    }

    @Nested
    class RoughMaternKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.matern(0.5, 2);
        }
    }

    @Nested
    class MaternKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.matern(1.5, 2);
        }
    }

    @Nested
    class SmoothMaternKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.matern(2.5, Bandwidth.ofRanges(new int[] {1, 4}, new double[] {1, 3}));
        }
    }

    @Nested
    class MaternOfAnySmoothnessKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.matern(0.8, 2);
        }

        @Override
        public double accuracy() {
            return 1e-13;
        }
    }

    @Nested
    class RationalQuadraticKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.rationalQuadratic(0.7, 2);
        }
    }

    @Nested
    class StableKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.stable(1.5, 1, 2);
        }
    }

    @Nested
    class StableOfTheDistanceAndBlocksKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.stable(2, 1.3, Bandwidth.ofRanges(new int[] {1, 3}, new double[] {1, 3}));
        }
    }

    @Nested
    class PeriodicKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return Kernels.periodic(3, 0.5);
        }
    }

    @Nested
    class PeriodicOfBlocksKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return new Periodic(Bandwidth.ofRanges(new int[] {1, 3}, new double[] {1, 7}), 2);
        }
    }

    @Nested
    class ProductKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return new ProductKernel(List.of(
                    new ProductKernel.Factor(Kernels.periodic(3, 0.5), 2, 3),
                    new ProductKernel.Factor(
                            Kernels.gaussian(Bandwidth.ofRanges(new int[] {1, 2}, new double[] {2, 1})), 0, 2),
                    new ProductKernel.Factor(new Logistic(Bandwidth.of(2)), 3, 5)));
        }
    }

    @Nested
    class ProductOfMixturesKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return new ProductKernel(List.of(
                    new ProductKernel.Factor(Kernels.matern(0.5, 2), 0, 2),
                    new ProductKernel.Factor(Kernels.rationalQuadratic(0.7, 2), 2, 4)));
        }
    }

    @Nested
    class ScaledChannelOfAProductKeepsIt implements KernelContract {
        @Override
        public Kernel kernel() {
            ProductKernel product = new ProductKernel(List.of(
                    new ProductKernel.Factor(Kernels.cauchy(1), 0, 1),
                    new ProductKernel.Factor(Kernels.periodic(1, 1), 1, 2)));
            return Kernels.scaled(2, Kernels.channel(product, 3, 5));
        }

        @Override
        public double diagonal() {
            return 2;
        }
    }

    @Nested
    class AKernelFromOutsideKeepsIt implements ShiftInvariantKernelContract {
        @Override
        public ShiftInvariantKernel kernel() {
            return new Logistic(Bandwidth.of(1.5));
        }
    }

    @Nested
    class SumKeepsIt implements KernelContract {
        @Override
        public Kernel kernel() {
            return Kernels.sum(Kernels.gaussian(1), Kernels.scaled(2.5, Kernels.laplacian(3)));
        }

        @Override
        public double diagonal() {
            return 3.5;
        }
    }

    @Nested
    class ScaledKeepsIt implements KernelContract {
        @Override
        public Kernel kernel() {
            return Kernels.scaled(1e-7, Kernels.matern(1.5, 2));
        }

        @Override
        public double diagonal() {
            return 1e-7;
        }
    }

    @Nested
    class ChannelKeepsIt implements KernelContract {
        @Override
        public Kernel kernel() {
            return Kernels.channel(Kernels.cauchy(Bandwidth.ofRanges(new int[] {1, 2}, new double[] {1, 2})), 3, 5);
        }
    }

    @Nested
    class LogWarpedKeepsIt implements KernelContract {
        @Override
        public Kernel kernel() {
            return Kernels.warped(Kernels.laplacian(2), Warp.log(0.1));
        }

        @Override
        public double[] row(RandomStream stream) {
            return positiveRow(stream, columns());
        }
    }

    @Nested
    class SumOfScaledWarpedChannelsKeepsIt implements KernelContract {
        @Override
        public Kernel kernel() {
            return new SumKernel(List.of(
                    Kernels.scaled(0.5, Kernels.channel(Kernels.warped(Kernels.gaussian(1), Warp.sqrt()), 0, 4)),
                    Kernels.channel(Kernels.warped(new Logistic(Bandwidth.of(2)), Warp.log(1)), 4, 6)));
        }

        @Override
        public double diagonal() {
            return 1.5;
        }

        @Override
        public double[] row(RandomStream stream) {
            return positiveRow(stream, columns());
        }
    }

    /** A contract that cannot fail is no contract: functions that are no kernels must be found out. */
    @Nested
    class Finds {
        @Test
        void aFunctionThatIsNotPositiveSemiDefinite() {
            assertThrows(AssertionError.class, broken(r -> r < 1.5 ? 1 : 0)::isPositiveSemiDefiniteOnRandomRows);
        }

        @Test
        void aSpectrumThatBelongsToAnotherKernel() {
            // The bandwidth off by √2, which has happened to others.
            assertThrows(AssertionError.class, broken(r -> Math.exp(-r * r))::isTheCharacteristicFunctionOfItsSpectrum);
            broken(r -> Math.exp(-r * r / 2)).isTheCharacteristicFunctionOfItsSpectrum();
        }

        @Test
        void aWrongDiagonal() {
            assertThrows(AssertionError.class, broken(r -> 2 * Math.exp(-r))::hasItsValueOnTheDiagonal);
            assertThrows(AssertionError.class, broken(r -> 2 * Math.exp(-r))::isFiniteAndBoundedByItsDiagonal);
        }

        @Test
        void valuesThatAreNotNumbers() {
            assertThrows(AssertionError.class, broken(r -> Double.NaN)::isFiniteAndBoundedByItsDiagonal);
        }

        @Test
        void aSpellingThatDoesNotReadBack() {
            assertThrows(SpellingException.class, broken(r -> 1)::printsAndParsesBackToAnEqualKernel);
        }

        private ShiftInvariantKernelContract broken(DoubleUnaryOperator profile) {
            return () -> new Isotropic(profile, Bandwidth.of(1));
        }
    }

    @Test
    void everyFamilyPrintsWhatItReads() {
        List<String> names = Kernels.families().stream().map(KernelFamily::name).toList();
        assertTrue(names.containsAll(
                List.of("gaussian", "chi2", "exp-chi2", "laplace-hellinger", "skewed-chi2", "logistic")));
        for (KernelFamily family : Kernels.families()) {
            List<String> given = new ArrayList<>();
            family.scale().ifPresent(scale -> given.add(scale + "=2"));
            if (family.parameters().contains("c")) {
                given.add("c=0.25");
            }
            Kernel kernel = Kernels.parse(family.name() + "(" + String.join(", ", given) + ")");
            assertEquals(kernel, Kernels.parse(kernel.toString()));
        }
    }

    /** A function of the distance, kernel or not, that claims the Gaussian's spectrum. */
    private record Isotropic(DoubleUnaryOperator profile, Bandwidth sigma) implements ShiftInvariantKernel {
        @Override
        public double atOffset(double[] delta) {
            double square = 0;
            for (double d : delta) {
                square += d * d;
            }
            return profile.applyAsDouble(Math.sqrt(square));
        }

        @Override
        public Spectrum spectrum() {
            return Kernels.gaussian(1).spectrum();
        }

        @Override
        public ShiftInvariantKernel withSigma(Bandwidth sigma) {
            return new Isotropic(profile, sigma);
        }
    }

    private static double[] positiveRow(RandomStream stream, int columns) {
        double[] row = new double[columns];
        for (int l = 0; l < columns; l++) {
            row[l] = 3 * stream.nextUniform();
        }
        return row;
    }
}
