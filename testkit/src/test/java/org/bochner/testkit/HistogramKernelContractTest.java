package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.SeparableKernel;
import org.bochner.random.RandomStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Kernels of histograms: additive ones, those of their distances, and skewed ones. */
class HistogramKernelContractTest {
    private static final List<String> NAMES = List.of("chi2", "intersection", "jensen-shannon", "hellinger", "blend");

    private record Additive(HomogeneousKernel kernel) implements HomogeneousKernelContract {
        /** Powers of numbers up to 1e3 round to 2⁻⁵² of themselves; sums of a few columns and their roots add to it. */
        @Override
        public double accuracy() {
            return 4e-15;
        }
    }

    /** A kernel that is 1 on the diagonal, of non-negative values. */
    private record OfDiagonalOne(Kernel kernel) implements KernelContract {
        @Override
        public double[] row(RandomStream stream) {
            double[] row = HomogeneousKernelContract.histogram(stream, columns());
            return Arrays.stream(row).map(x -> x / 50).toArray();
        }
    }

    @TestFactory
    Stream<DynamicTest> everyHomogeneousKernelOfSomeDegrees() {
        return NAMES.stream()
                .flatMap(name -> Stream.of(1.0, 0.5, 2.0)
                        .map(degree -> ((HomogeneousKernel) Kernels.parse(name)).withDegree(degree)))
                .map(kernel ->
                        Contracts.over(HomogeneousKernelContract.class, kernel.toString(), new Additive(kernel)));
    }

    @TestFactory
    Stream<DynamicTest> everyRadialKernel() {
        Stream<String> spellings = NAMES.stream()
                .flatMap(name -> name.equals("blend")
                        ? Stream.of("exp-blend(gamma=2)", "matern-blend(nu=2.5, sigma=1)")
                        : Stream.of(
                                "exp-" + name + "(gamma=0.4)",
                                "exp-" + name + "(gamma=2, degree=0.5)",
                                "laplace-" + name + "(beta=1.5)",
                                "laplace-" + name + "(beta=0.1, degree=2)",
                                "matern-" + name + "(nu=1.5, sigma=0.6)",
                                "matern-" + name + "(nu=0.3, sigma=2, degree=2)",
                                "rational-quadratic-" + name + "(alpha=0.7, sigma=1.2)",
                                "twin-" + name + "(sigma=2)"));
        return diagonalOne(spellings);
    }

    @TestFactory
    Stream<DynamicTest> everySkewedKernel() {
        return diagonalOne(Stream.of("skewed-chi2", "skewed-intersection")
                .flatMap(name -> Stream.of(
                        name + "(c=0.1, power=0.5)",
                        name + "(c=3, power=2)",
                        name + "(c=[0:2=0.1, 2:5=1], power=1)",
                        name + "(c=0.5, power=[0:1=0.25, 1:3=2])",
                        name + "(c=[0:2=0.1, 2:5=1], power=[0:3=0.5, 3:5=2])",
                        name + "(c=0.1, power=0.5)[1:3]")));
    }

    private static Stream<DynamicTest> diagonalOne(Stream<String> spellings) {
        return spellings.map(
                text -> Contracts.over(KernelContract.class, text, new OfDiagonalOne(Kernels.parse(text))));
    }

    @Nested
    class LinearKeepsIt implements AdditiveKernelContract {
        @Override
        public SeparableKernel kernel() {
            return Kernels.linear();
        }

        /** Sums of products of both signs cancel: their error is a share of the lengths. */
        @Override
        public double diagonal(double[] x) {
            double sum = 0;
            for (double value : x) {
                sum += value * value;
            }
            return sum;
        }
    }

    @Nested
    class SumOfAdditiveKernelsKeepsIt implements KernelContract {
        @Override
        public Kernel kernel() {
            return Kernels.parse("chi2[0:2] + 0.5*intersection[2:4] + 3*hellinger");
        }

        @Override
        public double[] row(RandomStream stream) {
            return HomogeneousKernelContract.histogram(stream, columns());
        }

        @Override
        public double diagonal(double[] x) {
            return x[0] + x[1] + 0.5 * (x[2] + x[3]) + 3 * Arrays.stream(x).sum();
        }
    }

    /** A contract that cannot fail is no contract. */
    @Nested
    class Finds {
        private final HomogeneousKernel chi2 = Kernels.chi2();

        private HomogeneousKernelContract of(Altered kernel) {
            return () -> kernel;
        }

        @Test
        void aDensityOfAnotherScale() {
            HomogeneousKernelContract wrong =
                    of(new Altered(chi2::atRatio, chi2::distanceAtRatio, omega -> chi2.density(omega / 2) / 2));
            assertThrows(AssertionError.class, wrong::signatureIsTheFourierTransformOfItsDensity);
        }

        @Test
        void aDensityThatLacksAFactor() {
            HomogeneousKernelContract wrong =
                    of(new Altered(chi2::atRatio, chi2::distanceAtRatio, omega -> 0.5 * chi2.density(omega)));
            assertThrows(AssertionError.class, wrong::signatureIsTheFourierTransformOfItsDensity);
        }

        @Test
        void aDistanceThatCancels() {
            HomogeneousKernelContract wrong = of(new Altered(
                    chi2::atRatio, ratio -> Math.max(0, 1 + ratio - 2 * chi2.atRatio(ratio)), chi2::density));
            assertThrows(AssertionError.class, wrong::distanceOfNeighboursDoesNotCancel);
        }

        @Test
        void aDistanceOfAnotherConvention() {
            HomogeneousKernelContract wrong =
                    of(new Altered(chi2::atRatio, ratio -> chi2.distanceAtRatio(ratio) / 2, chi2::density));
            assertThrows(AssertionError.class, wrong::distanceAtARatioIsThatOfDegreeOne);
            assertThrows(AssertionError.class, wrong::distanceIsThatOfItsFeatures);
        }

        @Test
        void aKernelOfAnotherConvention() {
            HomogeneousKernelContract half = of(new Altered(
                    ratio -> chi2.atRatio(ratio) / 2, chi2::distanceAtRatio, omega -> chi2.density(omega) / 2));
            assertThrows(AssertionError.class, half::hasItsValueOnTheDiagonal);
            assertThrows(AssertionError.class, half::signatureIsOneAtZeroAndEvenAndBounded);
        }

        @Test
        void aFunctionThatIsNotPositiveSemiDefinite() {
            HomogeneousKernelContract wrong =
                    of(new Altered(ratio -> ratio > 0.5 ? Math.sqrt(ratio) : 0, chi2::distanceAtRatio, chi2::density));
            assertThrows(AssertionError.class, wrong::isPositiveSemiDefiniteOnRandomRows);
        }
    }

    /** A kernel of degree 1 of which parts may be wrong. */
    private record Altered(DoubleUnaryOperator value, DoubleUnaryOperator distance, DoubleUnaryOperator spectrum)
            implements HomogeneousKernel {
        @Override
        public String name() {
            return "altered";
        }

        @Override
        public double degree() {
            return 1;
        }

        @Override
        public double atRatio(double ratio) {
            return value.applyAsDouble(ratio);
        }

        @Override
        public double distanceAtRatio(double ratio) {
            return distance.applyAsDouble(ratio);
        }

        @Override
        public double density(double omega) {
            return spectrum.applyAsDouble(omega);
        }

        @Override
        public HomogeneousKernel withDegree(double degree) {
            return this;
        }
    }
}
