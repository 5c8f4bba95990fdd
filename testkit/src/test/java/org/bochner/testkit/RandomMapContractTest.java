package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The library's random maps keep the contract, and the contract finds maps with known faults. */
class RandomMapContractTest {
    private static final int FEATURES = 64;

    private static final double[][] ROWS = {{0, 0, 0}, {0.3, -0.2, 0.15}, {0.8, -0.5, 0.4}, {-0.6, 0.9, 0.3}};

    /** A recipe of the library with a kernel. */
    private record Library(String recipe, ShiftInvariantKernel kernel, boolean varianceIsAnUpperBound)
            implements RandomMapContract {
        private static final int COLUMNS = 3;

        @Override
        public FeatureMap map(Seed seed) {
            return FeatureMaps.parse(recipe).build(kernel, COLUMNS, FEATURES, seed);
        }

        @Override
        public double variance(double[] x, double[] y) {
            return recipe.contains("phase")
                    ? RandomMapContract.varianceWithPhases(kernel, x, y, FEATURES)
                    : RandomMapContract.varianceOfPairs(kernel, x, y, FEATURES);
        }

        @Override
        public double[][] samples(int columns) {
            return ROWS;
        }

        static DynamicTest test(String recipe, String kernel, boolean lower) {
            ShiftInvariantKernel parsed = (ShiftInvariantKernel) Kernels.parse(kernel);
            return Contracts.over(
                    RandomMapContract.class, recipe + " of " + kernel, new Library(recipe, parsed, lower));
        }
    }

    /** Random sigmoid units: the mean of D products of numbers between −1 and 1, with the mean k. */
    private record Sigmoids(Kernel kernel) implements RandomMapContract {
        @Override
        public FeatureMap map(Seed seed) {
            return FeatureMaps.parse("sigmoid").build(kernel, 3, FEATURES, seed);
        }

        @Override
        public double variance(double[] x, double[] y) {
            double k = kernel.value(x, y);
            return (1 - k * k) / FEATURES;
        }

        @Override
        public boolean varianceIsAnUpperBound() {
            return true;
        }

        @Override
        public double[][] samples(int columns) {
            return ROWS;
        }
    }

    @TestFactory
    Stream<DynamicTest> sigmoidUnitsOfArcSineKernels() {
        return Stream.of("arc-sine(gamma=2, c=0.5)", "arc-sine(gamma=9, c=0.1)")
                .map(kernel -> Contracts.over(
                        RandomMapContract.class, "sigmoid of " + kernel, new Sigmoids(Kernels.parse(kernel))));
    }

    private static List<String> kernels() {
        List<String> kernels = new ArrayList<>(Kernels.families().stream()
                .filter(family -> family.scale().equals(Optional.of("sigma")))
                .map(family -> family.name() + "(sigma=1.25)")
                .filter(kernel -> Kernels.parse(kernel) instanceof ShiftInvariantKernel)
                .toList());
        kernels.addAll(List.of(
                "matern(nu=0.5, sigma=2)",
                "stable(p=2, q=1.2, sigma=2)",
                "stable(p=0.8, q=0.5, sigma=1)",
                "periodic(period=3, width=0.5)",
                "periodic(period=[0:1=2, 1:3=9], width=2)",
                "gaussian(sigma=0.6)[0:2] * periodic(period=3, width=0.7)[2:3]",
                "matern(nu=0.5, sigma=2)[0:1] * rational-quadratic(sigma=1)[1:3]",
                "periodic(width=0.5)[0:1] * laplacian(sigma=2)[1:2] * sech(sigma=1)[2:3]"));
        return kernels;
    }

    @TestFactory
    Stream<DynamicTest> independentFrequenciesOfEveryKernel() {
        return kernels().stream()
                .flatMap(kernel ->
                        Stream.of("fourier", "fourier(phase)").map(recipe -> Library.test(recipe, kernel, false)));
    }

    /** Scrambled points are uniform, so the mean over the seeds is the kernel. Their variance is below that of random points. */
    @TestFactory
    Stream<DynamicTest> quasiRandomFrequencies() {
        return Stream.of(
                        "periodic(period=3, width=0.5)",
                        "gaussian(sigma=0.6)[0:2] * periodic(period=3, width=0.7)[2:3]",
                        "matern(nu=2.5, sigma=2)[0:1] * rational-quadratic(sigma=1)[1:3]")
                .map(kernel -> Library.test("quasi", kernel, true));
    }

    @TestFactory
    Stream<DynamicTest> orthogonalFrequencies() {
        return Stream.of("gaussian(sigma=1)", "matern(nu=1.5, sigma=1)", "rational-quadratic(sigma=1)")
                .map(kernel -> Library.test("orthogonal", kernel, true));
    }

    /** A random Fourier map of the Gaussian kernel by someone else. */
    private static final class Cosines implements FeatureMap {
        private final Kernel kernel;
        private final double[][] frequencies;
        private final double[] phases;
        private final double factor;

        Cosines(Kernel kernel, double[][] frequencies, double[] phases, double factor) {
            this.kernel = kernel;
            this.frequencies = frequencies;
            this.phases = phases;
            this.factor = factor;
        }

        @Override
        public Kernel kernel() {
            return kernel;
        }

        @Override
        public int inputDimension() {
            return 3;
        }

        @Override
        public int outputDimension() {
            return FEATURES;
        }

        @Override
        public void apply(double[] x, double[] out) {
            Require.sameSize("Cosines", "columns", x.length, inputDimension());
            for (int j = 0; j < FEATURES; j++) {
                out[j] = factor * Math.sqrt(2.0 / FEATURES) * Math.cos(ContractRows.dot(frequencies[j], x) + phases[j]);
            }
        }

        @Override
        public State state() {
            return State.of("cosines");
        }
    }

    /**
     * A map and its faults.
     *
     * @param stretch factor of the bandwidth
     * @param phases whether there are random phases
     * @param factor factor of the features
     * @param sharing number of features that share one frequency
     */
    private record Faulty(double stretch, boolean phases, double factor, int sharing) implements RandomMapContract {
        private static final ShiftInvariantKernel KERNEL = (ShiftInvariantKernel) Kernels.parse("gaussian(sigma=1)");

        @Override
        public FeatureMap map(Seed seed) {
            RandomStream stream = seed.stream();
            double[][] frequencies = new double[FEATURES][3];
            double[] shifts = new double[FEATURES];
            for (int j = 0; j < FEATURES; j++) {
                for (int l = 0; l < 3; l++) {
                    double size = Math.sqrt(-2 * Math.log(1 - stream.nextUniform()));
                    double gaussian = size * Math.cos(2 * Math.PI * stream.nextUniform());
                    frequencies[j][l] = j % sharing == 0 ? gaussian / stretch : frequencies[j - 1][l];
                }
                shifts[j] = phases ? 2 * Math.PI * stream.nextUniform() : 0;
            }
            return new Cosines(KERNEL, frequencies, shifts, factor);
        }

        @Override
        public double variance(double[] x, double[] y) {
            return RandomMapContract.varianceWithPhases(KERNEL, x, y, FEATURES);
        }

        @Override
        public double[][] samples(int columns) {
            return ROWS;
        }
    }

    @Nested
    class AMapWithoutFaults implements RandomMapContract {
        private final RandomMapContract correct = new Faulty(1, true, 1, 1);

        @Override
        public FeatureMap map(Seed seed) {
            return correct.map(seed);
        }

        @Override
        public double variance(double[] x, double[] y) {
            return correct.variance(x, y);
        }
    }

    @Nested
    class Finds {
        private static void assertFound(Faulty map) {
            assertThrows(AssertionError.class, map::errorsHaveTheMeanAndTheVarianceOfTheory);
        }

        @Test
        void aBandwidthWrongByFivePercent() {
            assertFound(new Faulty(1.05, true, 1, 1));
            assertFound(new Faulty(0.95, true, 1, 1));
        }

        @Test
        void aMissingPhase() {
            assertFound(new Faulty(1, false, 1, 1));
        }

        @Test
        void aWrongFactor() {
            assertFound(new Faulty(1, true, 1.02, 1));
            assertFound(new Faulty(1, true, 0.98, 1));
        }

        /** The mean is right; only the variance shows it. */
        @Test
        void featuresThatShareFrequencies() {
            assertFound(new Faulty(1, true, 1, 2));
        }

        @Test
        void aSeedThatIsIgnored() {
            RandomMapContract map = new Faulty(1, true, 1, 1);
            RandomMapContract fixed = new RandomMapContract() {
                @Override
                public FeatureMap map(Seed seed) {
                    return map.map(new Seed(1));
                }

                @Override
                public double variance(double[] x, double[] y) {
                    return map.variance(x, y);
                }
            };
            assertThrows(AssertionError.class, fixed::errorsHaveTheMeanAndTheVarianceOfTheory);
        }

        @Test
        void samplesThatShowNothing() {
            RandomMapContract close = new RandomMapContract() {
                @Override
                public FeatureMap map(Seed seed) {
                    return new Faulty(1, true, 1, 1).map(seed);
                }

                @Override
                public double variance(double[] x, double[] y) {
                    return 0;
                }

                @Override
                public double[][] samples(int columns) {
                    return new double[][] {new double[columns], new double[columns]};
                }
            };
            assertThrows(AssertionError.class, close::someRowsShowErrorsOfTheBandwidth);
        }
    }
}
