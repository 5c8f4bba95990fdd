package org.bochner.testkit;

import java.util.List;
import java.util.stream.Stream;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.dot.ArcCosine;
import org.bochner.kernel.dot.ArcSine;
import org.bochner.kernel.dot.Polynomial;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Kernels of the inner product, and their maps. */
class DotProductContractTest {
    private static final List<String> KERNELS = List.of(
            "polynomial(degree=1, gamma=2, c=0)",
            "polynomial(degree=2, gamma=0.7, c=1)",
            "polynomial(degree=3, gamma=1, c=0.5)",
            "arc-cosine(order=0)",
            "arc-cosine(order=1)",
            "arc-sine(gamma=1.5, c=0.5)");

    private record OfRows(DotProductKernel kernel) implements KernelContract {
        @Override
        public double diagonal(double[] x) {
            double square = 0;
            for (double value : x) {
                square += value * value;
            }
            if (kernel instanceof Polynomial polynomial) {
                double power = 1;
                for (int i = 0; i < polynomial.degree(); i++) {
                    power *= polynomial.gamma() * square + polynomial.c();
                }
                return power;
            }
            if (kernel instanceof ArcSine sine) {
                double own = 2 * (sine.gamma() * square + sine.c());
                return 2 / Math.PI * Math.asin(own / (1 + own));
            }
            return kernel.equals(Kernels.arcCosine(0)) ? 1 : square;
        }
    }

    private record OfMap(FeatureMap map) implements FeatureMapContract {
        @Override
        public double kernelTolerance(double[] x, double[] y, int pairs) {
            if (map.kernel() instanceof ArcSine) {
                // Hoeffding: the mean of D numbers in [−1, 1].
                return Math.sqrt(2 * Math.log(2 * pairs / FAILURE_PROBABILITY) / map.outputDimension());
            }
            return map.kernel() instanceof Polynomial kernel
                    ? ofSketch(kernel, kernel.value(x, x) * kernel.value(y, y))
                    : ofLayer(((ArcCosine) map.kernel()).degree(), squares(x) * squares(y), pairs);
        }

        /**
         * Three standard deviations at the bound of the variance, which most pairs are well below. Chebyshev's inequality lets one
         * pair in nine pass it; with these fixed seeds, none does.
         */
        private double ofSketch(Polynomial kernel, double diagonals) {
            double bound = Math.pow(3, kernel.degree()) - 1;
            return 3 * Math.sqrt(bound * diagonals / map.outputDimension()) + 1e-12;
        }

        /**
         * An inner product is the mean of m = D/2 independent terms T. Order 0: T is 0 or 1, and by Hoeffding
         * P(|error| > ε) ≤ 2·exp(−2mε²). Order 1, for rows of length 1: T = |w·x||w·y| or 0, with E T^q ≤ E (w·x)^2q = (2q−1)!!
         * ≤ 0.4·2^q·q!, so Bernstein's condition holds with v = 3.2 and b = 2, and P ≤ 2·exp(−L) at ε = √(2vL/m) + bL/m. All with
         * P ≤ 1e-6 for all pairs together.
         */
        private double ofLayer(int order, double squares, int pairs) {
            double m = map.outputDimension() / 2.0;
            double log = Math.log(2 * pairs / FAILURE_PROBABILITY);
            return order == 0
                    ? Math.sqrt(log / (2 * m))
                    : Math.sqrt(squares) * (Math.sqrt(2 * 3.2 * log / m) + 2 * log / m) + 1e-12;
        }

        private static double squares(double[] x) {
            return Kernels.parse("linear").value(x, x);
        }
    }

    @TestFactory
    Stream<DynamicTest> everyKernel() {
        return KERNELS.stream()
                .map(kernel -> Contracts.over(
                        KernelContract.class, kernel, new OfRows((DotProductKernel) Kernels.parse(kernel))));
    }

    @TestFactory
    Stream<DynamicTest> everyMap() {
        return KERNELS.stream()
                .flatMap(kernel -> Stream.of(1000, 1024).map(features -> {
                    FeatureMap map = FeatureMaps.parse("auto").build(Kernels.parse(kernel), 6, features, new Seed(1));
                    return Contracts.over(FeatureMapContract.class, features + " of " + kernel, new OfMap(map));
                }));
    }
}
