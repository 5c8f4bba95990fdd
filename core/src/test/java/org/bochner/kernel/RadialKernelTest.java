package org.bochner.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Completely monotone profiles of the distances of histograms. */
class RadialKernelTest {
    private static final List<String> DISTANCES = List.of("chi2", "intersection", "jensen-shannon", "hellinger");

    private static final double[] X = {0.1, 0.2, 0.3, 0.4};
    private static final double[] Y = {0.4, 0.1, 0.25, 0.25};

    private static double at(String kernel) {
        return Kernels.parse(kernel).value(X, Y);
    }

    private static double squared(String distance) {
        return ((HomogeneousKernel) Kernels.parse(distance)).squaredDistance(X, Y);
    }

    @Nested
    class Values {
        @Test
        void ofMaternWithNuOneHalfAreThoseOfLaplace() {
            for (String distance : DISTANCES) {
                double laplace = at("laplace-" + distance + "(beta=1.6)");
                assertEquals(laplace, at("matern-" + distance + "(nu=0.5, sigma=0.625)"), 1e-15);
            }
        }

        /** With x = D²/(2σ²), 0 ≤ (1 + x/α)^−α − e^−x ≤ x²/(2α)·(1 + x/α)^−α. */
        @Test
        void ofRationalQuadraticApproachThoseOfExp() {
            for (String distance : DISTANCES) {
                double x = squared(distance) * 2;
                double limit = at("exp-" + distance + "(gamma=2)");
                for (double alpha : new double[] {10, 1e4, 1e7}) {
                    double value = at("rational-quadratic-" + distance + "(alpha=" + alpha + ", sigma=0.5)");
                    assertTrue(value >= limit - 1e-14, distance);
                    assertEquals(limit, value, x * x / (2 * alpha) * value + 1e-14, distance);
                }
            }
        }

        @Test
        void haveTheirClosedForms() {
            for (String distance : DISTANCES) {
                double r = Math.sqrt(squared(distance)) / 0.3;
                double a = Math.sqrt(3) * r;
                double b = Math.sqrt(5) * r;
                assertEquals((1 + a) * Math.exp(-a), at("matern-" + distance + "(sigma=0.3)"), 1e-14);
                assertEquals(
                        (1 + b + b * b / 3) * Math.exp(-b), at("matern-" + distance + "(nu=2.5, sigma=0.3)"), 1e-14);
                assertEquals(
                        Math.pow(1 + r * r / 1.4, -0.7),
                        at("rational-quadratic-" + distance + "(alpha=0.7, sigma=0.3)"),
                        1e-14);
            }
        }

        /**
         * g(t) = E exp(−t·ν/(2Γ)) with a gamma variable Γ of shape ν. The substitution Γ = e^u makes the integrand decay at
         * both ends, and the trapezoidal rule with 6000 points accurate to rounding.
         */
        @Test
        void ofMaternWithAnyNuAreTheMixtureOfGaussianKernels() {
            double nu = 0.8;
            double t = squared("chi2") / (0.4 * 0.4);
            double sum = 0;
            double whole = 0;
            double step = 0.01;
            for (int i = -5000; i <= 1000; i++) {
                double gamma = Math.exp(i * step);
                sum += Math.exp(nu * i * step - gamma - 0.5 * t * nu / gamma);
                whole += Math.exp(nu * i * step - gamma);
            }
            assertEquals(sum / whole, at("matern-chi2(nu=0.8, sigma=0.4)"), 1e-12);
        }

        @Test
        void ofMaternWithHugeNuAreThoseOfExp() {
            for (String nu : List.of("1e14", "1e40", "1e300")) {
                assertEquals(at("exp-chi2(gamma=2)"), at("matern-chi2(nu=" + nu + ", sigma=0.5)"), 1e-12);
            }
        }

        @Test
        void dependOnDegreeAsTheDistanceDoes() {
            double r = Math.sqrt(3 * Kernels.chi2().withDegree(0.5).squaredDistance(X, Y)) / 2;
            assertEquals((1 + r) * Math.exp(-r), at("matern-chi2(nu=1.5, sigma=2, degree=0.5)"), 1e-14);
        }
    }

    @Nested
    class Slopes {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "exp-chi2(gamma=1.5)",
                    "laplace-chi2(beta=1.5)",
                    "matern-chi2(nu=0.5, sigma=0.8)",
                    "matern-chi2(nu=0.8, sigma=0.8)",
                    "matern-chi2(nu=1.5, sigma=0.8)",
                    "rational-quadratic-chi2(alpha=0.7, sigma=0.8)"
                })
        void areLimitsOfDifferences(String spelling) {
            RadialKernel kernel = (RadialKernel) Kernels.parse(spelling);
            for (double squared : new double[] {0.01, 0.3, 2}) {
                double h = 1e-5 * squared;
                double slope =
                        (kernel.atSquaredDistance(squared + h) - kernel.atSquaredDistance(squared - h)) / (2 * h);
                // The third derivative is at most about 1/squared³, and values round to 1e-13.
                assertEquals(slope, kernel.slopeAtSquaredDistance(squared), (1e-10 + 1e-13 / 1e-5) / squared);
            }
        }
    }

    @Nested
    class Spellings {
        @Test
        void printTheParametersOfTheProfileAndTheDegree() {
            for (String text : List.of(
                    "matern-chi2(nu=1.5, sigma=2)",
                    "matern-jensen-shannon(nu=0.7, sigma=1.0E-5, degree=0.5)",
                    "rational-quadratic-intersection(alpha=1, sigma=3)")) {
                assertEquals(text, Kernels.parse(text).toString());
                assertEquals(
                        Kernels.parse(text), Kernels.parse(Kernels.parse(text).toString()));
            }
        }

        @Test
        void withoutSigmaTakeTheMeanDistance() {
            RowSample rows = RowSample.even(40, 4, 0, 1, new Seed(3));
            double mean = rows.meanDistance(Kernels.chi2()::squaredDistance, Math::sqrt);
            RadialKernel fitted =
                    (RadialKernel) Kernels.recipe("matern-chi2(nu=0.5)").fit(rows);
            assertEquals(mean, fitted.scale(), 5e-4 * mean);
            assertEquals(List.of(true), Kernels.recipe("matern-chi2").openLengths());
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "gaussian-chi2                 | write exp-chi2",
                    "cauchy-chi2                   | cauchy is not a function of the Euclidean distance, so it cannot be a profile.",
                    "laplacian-hellinger           | Use matern, rational-quadratic, exp or laplace.",
                    "wavelet-chi2                  | wavelet is not a function of the Euclidean distance",
                    "matern-chi2(nu=0)             | nu must be positive",
                    "matern-chi2(nu=-1)            | nu must be positive",
                    "rational-quadratic-chi2(alpha=NaN) | alpha must be positive",
                    "matern-chi2(sigma=0)          | sigma must be positive",
                    "matern-chi2(sigma=[0:2=1, 2:4=3]) | write one sigma",
                    "matern-chi2(alpha=1)          | has no parameter 'alpha'",
                    "matern-linear                 | unknown kernel 'matern-linear'",
                    "chi2-chi2                     | unknown kernel 'chi2-chi2'",
                })
        void areRefusedWhereTheyMakeNoKernel(String text, String problem) {
            SpellingException refused = assertThrows(SpellingException.class, () -> Kernels.recipe(text));
            assertTrue(String.valueOf(refused.getMessage()).contains(problem), refused.getMessage());
        }
    }

    /** A function of the scaled squared distance with a spectrum. */
    private record Own(DoubleUnaryOperator function, Spectrum spectrum, Bandwidth sigma)
            implements ShiftInvariantKernel {
        Own(DoubleUnaryOperator function, Spectrum spectrum) {
            this(function, spectrum, Bandwidth.of(1));
        }

        @Override
        public double atOffset(double[] delta) {
            return function.applyAsDouble(sigma.scaledSquare(delta));
        }

        @Override
        public Optional<DoubleUnaryOperator> ofScaledSquare() {
            return Optional.of(function);
        }

        @Override
        public Own withSigma(Bandwidth sigma) {
            return new Own(function, spectrum, sigma);
        }

        @Override
        public String toString() {
            return "own(sigma=" + sigma + ")";
        }
    }

    @Nested
    class OwnProfiles {
        private final Spectrum gaussian = Kernels.gaussian(1).spectrum();

        /** g(t) = E exp(−½s²t) with a uniform s², by its closed form. */
        private static double uniform(double t) {
            return t < 1e-8 ? 1 - t / 4 : -Math.expm1(-t / 2) / (t / 2);
        }

        private final Spectrum uniformMixture =
                Spectrum.gaussianMixture(stream -> StrictMath.sqrt(stream.nextUniform()), false);

        private void refused(ShiftInvariantKernel profile, String problem) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> Kernels.radial(profile, Kernels.chi2()));
            assertTrue(String.valueOf(refused.getMessage()).contains(problem), refused.getMessage());
        }

        /** The error of D pairs of features has variance at most 1/D, and with Hoeffding 6/√D happens once in 10⁷. */
        @Test
        void haveFeaturesThatConvergeToTheirValues() {
            Kernel kernel = Kernels.radial(
                    new Own(OwnProfiles::uniform, uniformMixture, Bandwidth.of(0.3)), Kernels.hellinger());
            double t = squared("hellinger") / 0.09;
            assertEquals(uniform(t), kernel.value(X, Y), 1e-14);
            for (int pairs : new int[] {500, 8000}) {
                FeatureMap map = FeatureMaps.parse("fourier@exact").build(kernel, 4, 2 * pairs, new Seed(5));
                double[] x = new double[2 * pairs];
                double[] y = new double[2 * pairs];
                map.apply(X, x);
                map.apply(Y, y);
                double product = 0;
                for (int j = 0; j < x.length; j++) {
                    product += x[j] * y[j];
                }
                assertEquals(kernel.value(X, Y), product, 6 / Math.sqrt(pairs));
            }
        }

        @Test
        void areRefusedWithAnotherMixtureThanTheirs() {
            refused(new Own(OwnProfiles::uniform, gaussian), "over the factors s of its spectrum is");
        }

        @Test
        void areRefusedIfTheirFrequenciesAreNoMixtureOfGaussianOnes() {
            refused(
                    new Own(OwnProfiles::uniform, Kernels.laplacian(1).spectrum()),
                    "own(sigma=1) cannot be a profile: its spectrum is not Spectrum.gaussianMixture. A profile is");
        }

        /** A Gaussian with a ripple that is too small for the comparison with drawn frequencies. */
        @Test
        void areRefusedIfTheyAreNotCompletelyMonotone() {
            refused(
                    new Own(t -> Math.exp(-t / 2) * (1 + 0.02 * (1 - Math.cos(3 * t))), gaussian),
                    "have the wrong sign");
            refused(new Own(t -> 0.98 * Math.exp(-t / 2), gaussian), "not 1");
            refused(new Own(t -> Double.NaN, gaussian), Spelling.print(Double.NaN));
        }
    }
}
