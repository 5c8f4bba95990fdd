package org.bochner.design;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.BochnerException;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.additive.Hellinger;
import org.bochner.kernel.additive.Intersection;
import org.bochner.kernel.additive.JensenShannon;
import org.bochner.kernel.shift.Gaussian;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Designs of one column. */
class LineDesignTest {
    private static final int MOST = 9;

    /**
     * A design measures itself at ten times its differences, n ≥ 3000, which lie h ≤ 1.5·length/n apart. Between them the
     * error, of frequencies up to ω, is at most (ωh/2)²/2 larger: 8e-5 at 16 half waves.
     */
    private static final double FINENESS = 1e-4;

    private static final Target GAUSSIAN = Target.of(new Gaussian(Math.sqrt(0.1)), Axis.upTo(Math.PI));

    static Stream<Target> targets() {
        return Stream.of(
                GAUSSIAN,
                Target.of(Kernels.laplacian(1), Axis.upTo(4)),
                Target.of(Kernels.matern(1.5, 1), Axis.upTo(4)),
                Target.of(Kernels.cauchy(0.5), Axis.between(-1, 2)),
                Target.ofRatios(new Chi2(1), 255),
                Target.ofRatios(new Intersection(1), 255).relative());
    }

    private static Design design(Target target, int dimension) {
        return Design.ofDimension(target, Plan.DEFAULT, dimension);
    }

    private static double length(Design design) {
        return design.target().axes().get(0).length();
    }

    private static double largest(Design design) {
        return Cosines.of(design).largest(design.target(), length(design));
    }

    private static double[] frequencies(Design design) {
        return IntStream.range(0, design.count())
                .mapToDouble(j -> design.frequency(j)[0])
                .toArray();
    }

    @Nested
    class EveryDesign {
        @ParameterizedTest
        @MethodSource("org.bochner.design.LineDesignTest#targets")
        void errsByItsErrorAndNoMore(Target target) {
            for (int dimension = 1; dimension <= MOST; dimension++) {
                Design design = design(target, dimension);
                double measured = largest(design);
                assertTrue(measured <= design.error() * (1 + FINENESS), () -> measured + " in " + design);
                assertTrue(measured >= design.error() * (1 - FINENESS), () -> measured + " in " + design);
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.design.LineDesignTest#targets")
        void certifiesItsWeights(Target target) {
            for (int dimension = 1; dimension <= MOST; dimension++) {
                Design design = design(target, dimension);
                // Up to the rounding of errors, which are differences of numbers near 1.
                assertTrue(design.certificate() <= design.error() + 1e-15, design::toString);
                assertTrue(
                        design.certificate() >= design.error() * (1 - 1e-3),
                        () -> design.certificate() + " in " + design);
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.design.LineDesignTest#targets")
        void hasWeightsAboveZeroAndFrequenciesInOrder(Target target) {
            for (int dimension = 1; dimension <= MOST; dimension++) {
                Design design = design(target, dimension);
                double[] w = frequencies(design);
                for (int j = 0; j < w.length; j++) {
                    assertTrue(design.spectralWeight(j) > 0);
                    assertTrue(w[j] >= 0 && (j == 0 || w[j] > w[j - 1]), design::toString);
                }
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.design.LineDesignTest#targets")
        void keepsTheDimension(Target target) {
            for (int dimension = 1; dimension <= MOST; dimension++) {
                Design design = design(target, dimension);
                assertTrue(design.dimension() <= dimension);
                assertEquals(Cosines.of(design).dimension(), design.dimension());
                assertEquals(
                        design.dimension(),
                        IntStream.range(0, design.count())
                                .map(design::dimension)
                                .sum());
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.design.LineDesignTest#targets")
        void errsNoMoreThanASmallerOne(Target target) {
            for (int dimension = 2; dimension <= MOST; dimension++) {
                // Below the least error that is aimed at, which of two designs errs less is rounding; and above,
                // searches
                // end where the error between the points of the grid is within 1e-5 of that on them.
                double smaller = Math.max(
                        Design.LEAST_ERROR, design(target, dimension - 1).error() * (1 + 1e-5));
                Design design = design(target, dimension);
                assertTrue(design.error() <= smaller, () -> smaller + " before " + design);
            }
            assertTrue(design(target, 11).error() < 0.25 * design(target, 3).error());
        }

        @Test
        void ofAnErrorIsTheSmallestThatHasIt() {
            for (Target target :
                    List.of(Target.ofRatios(new Intersection(1), 255), Target.of(new Gaussian(0.3), Axis.upTo(2)))) {
                for (int dimension = 2; dimension <= 8; dimension++) {
                    Design design = design(target, dimension);
                    assertTrue(
                            Design.ofError(target, Plan.DEFAULT, design.error()).dimension() <= design.dimension(),
                            design::toString);
                }
            }
        }

        @Test
        void ofAnErrorIsFoundWhereErrorsFallSlowlyAtFirst() {
            Target narrow = Target.of(new Gaussian(0.04), Axis.upTo(1));
            Design design = Design.ofError(narrow, Plan.DEFAULT, 0.05);
            assertTrue(design.error() <= 0.05 && design.dimension() > 10, design::toString);
        }

        @Test
        void ofALargeErrorIsForAllRatiosToo() {
            assertTrue(Design.ofError(Target.ofAllRatios(new Chi2(1)), Plan.DEFAULT, 3)
                            .error()
                    <= 3);
        }

        @Test
        void isFoundForWideSignaturesToo() {
            // Gauss–Hermite rules of 5 nodes, which have this dimension, err by (z/σ)^10·5!/10! at most.
            double rule = 120.0 / 3628800;
            for (double sigma : new double[] {1, 3, 10}) {
                Design design = design(Target.of(new Gaussian(sigma), Axis.upTo(1)), 5);
                assertTrue(design.error() <= rule * Math.pow(sigma, -10) + 1e-8, design::toString);
            }
        }

        @Test
        void scalesWithTheRange() {
            Design design = design(Target.of(new Gaussian(1), Axis.upTo(3)), 7);
            for (double scale : new double[] {1e-6, 1e6}) {
                Design scaled = design(Target.of(new Gaussian(scale), Axis.upTo(3 * scale)), 7);
                assertEquals(design.error(), scaled.error(), 1e-3 * design.error());
                for (int j = 0; j < design.count(); j++) {
                    double w = design.frequency(j)[0];
                    // Errors are least where frequencies are only to the root of what errors are to.
                    assertEquals(w, scaled.frequency(j)[0] * scale, 1e-2 * w);
                }
            }
        }

        @Test
        void doesNotDependOnTheSizeOfWeights() {
            Target target = Target.of(new Gaussian(1), Axis.upTo(3));
            Design design = design(target, 5);
            for (double size : new double[] {1e-6, 1e-3, 1e6}) {
                Design weighted = design(target.weighted(z -> size), 5);
                assertEquals(design.error(), weighted.error() / size, 1e-4 * design.error());
                assertArrayEquals(frequencies(design), frequencies(weighted), 1e-2);
            }
        }
    }

    @Nested
    class OfAnError {
        @ParameterizedTest
        @ValueSource(doubles = {0.5, 0.1, 0.01, 1e-3})
        void isTheSmallest(double error) {
            for (Target target :
                    List.of(GAUSSIAN, Target.ofRatios(new Chi2(1), 255), Target.ofAllRatios(new Chi2(1)))) {
                Design design = Design.ofError(target, Plan.DEFAULT, error);
                assertTrue(design.error() <= error);
                if (design.dimension() > 1) {
                    assertTrue(design(target, design.dimension() - 1).error() > error);
                }
            }
        }

        @Test
        void reachesTheLeast() {
            Design design = Design.ofError(Target.of(new Gaussian(1), Axis.upTo(1)), Plan.DEFAULT, Design.LEAST_ERROR);
            assertTrue(design.error() <= Design.LEAST_ERROR);
            // Both are 1 at most, rounded some ten times.
            assertTrue(largest(design) <= Design.LEAST_ERROR + 1e-15);
        }
    }

    @Nested
    class OfFewCosines {
        private static Target target(double length) {
            return Target.of(
                    Signature.of(z -> 0.3 + 0.5 * Math.cos(0.6 * z) + 0.2 * Math.cos(1.9 * z)), Axis.upTo(length));
        }

        @ParameterizedTest
        @ValueSource(doubles = {3, 6, 20})
        void findsThem(double length) {
            Design design = design(target(length), 5);
            assertTrue(design.error() < 1e-6, design::toString);
            // What an error of 1e-6 leaves of three frequencies on a range of half a wave.
            assertArrayEquals(new double[] {0, 0.6, 1.9}, frequencies(design), 1e-2);
            assertEquals(0.3, design.spectralWeight(0), 1e-2);
            assertEquals(0.5, design.spectralWeight(1), 1e-2);
            assertEquals(0.2, design.spectralWeight(2), 1e-2);
        }

        @Test
        void needsNoMoreThanThem() {
            assertEquals(5, design(target(6), 11).dimension());
            assertEquals(5, Design.ofError(target(6), Plan.DEFAULT, 1e-8).dimension());
        }

        @Test
        void oneIsFoundToo() {
            Target target = Target.of(Signature.of(z -> Math.cos(2.5 * z)), Axis.upTo(3));
            assertArrayEquals(new double[] {2.5}, frequencies(design(target, 2)), 1e-6);
            assertTrue(design(target, 1).error() > 0.99);
        }

        @Test
        void aConstantIsOneFeature() {
            for (Target target : List.of(
                    Target.of(Signature.of(z -> 2), Axis.upTo(3)),
                    Target.ofRatios(new Hellinger(1), 255),
                    Target.ofAllRatios(new Hellinger(1)))) {
                Design design = design(target, 5);
                assertEquals(1, design.dimension());
                assertEquals(0, design.error(), 1e-15);
            }
        }
    }

    @Nested
    class FromADiscretePool {
        private static void onMultiples(Design design, double spacing) {
            for (double w : frequencies(design)) {
                assertEquals(Math.rint(w / spacing), w / spacing, 1e-9);
            }
        }

        @Test
        void hasMultiplesOfTheSpacing() {
            for (double spacing : new double[] {0.4, 0.1}) {
                onMultiples(Design.ofDimension(GAUSSIAN, Plan.DEFAULT.withSpacing(spacing), 5), spacing);
            }
        }

        @Test
        void hasMultiplesOfAnEighthOfTheFirstHarmonic() {
            Plan plan = Plan.DEFAULT.withSpacing(0);
            onMultiples(Design.ofDimension(GAUSSIAN, plan, 7), 0.125);
        }

        @Test
        void errsAtLeastAsMuchAsAnyFrequencies() {
            for (Target target : List.of(GAUSSIAN, Target.ofRatios(new Chi2(1), 255))) {
                double continuous = design(target, 5).error();
                for (double spacing : new double[] {0.4, 0.1}) {
                    Design discrete = Design.ofDimension(target, Plan.DEFAULT.withSpacing(spacing), 5);
                    assertTrue(discrete.error() >= continuous * (1 - 1e-4));
                    assertTrue(largest(discrete) <= discrete.error() * (1 + FINENESS));
                }
            }
        }

        /** Frequencies that move by half a spacing of 1e-8 change the error by less than 1e-7. */
        @Test
        void aVeryFinePoolErrsAsMuchAsAnyFrequencies() {
            Design discrete = Design.ofDimension(GAUSSIAN, Plan.DEFAULT.withSpacing(1e-8), 5);
            double continuous = design(GAUSSIAN, 5).error();
            assertEquals(continuous, discrete.error(), 1e-4 * continuous);
        }

        @Test
        void refusesASpacingWithoutEnd() {
            Plan plan = Plan.DEFAULT.withSpacing(1e-12);
            assertThrows(BochnerException.class, () -> Design.ofDimension(GAUSSIAN, plan, 5));
        }

        @Test
        @Tag("long")
        void aPoolThatHoldsAnotherErrsNoMore() {
            for (Target target : List.of(GAUSSIAN, Target.ofRatios(new Chi2(1), 255))) {
                double error = Double.POSITIVE_INFINITY;
                for (double spacing : new double[] {0.8, 0.4, 0.2, 0.1}) {
                    double finer = Design.ofDimension(target, Plan.DEFAULT.withSpacing(spacing), 5)
                            .error();
                    assertTrue(finer <= error * (1 + FINENESS), finer + " at " + spacing + ", not " + error);
                    error = finer;
                }
            }
        }
    }

    @Nested
    class OfTheMean {
        @Tag("long")
        @Test
        void eachNormIsLeastByItsOwnDesign() {
            for (Target target : List.of(GAUSSIAN, Target.ofRatios(new JensenShannon(1), 255))) {
                Design mean = Design.ofDimension(target, Plan.DEFAULT.withNorm(Norm.MEAN), 5);
                Design largest = design(target, 5);
                double length = length(mean);
                double meanOfMean = Cosines.of(mean).mean(target, length);
                double meanOfLargest = Cosines.of(largest).mean(target, length);
                assertTrue(meanOfMean < meanOfLargest);
                assertTrue(largest(largest) < largest(mean));
                // Means over 3000 intervals and over 50000 of a function with some 8 kinks and a slope of some
                // 25 errors a length.
                assertEquals(meanOfMean, mean.error(), 1e-2 * mean.error());
                assertTrue(mean.certificate() <= mean.error() * (1 + 1e-2));
                assertTrue(mean.certificate() >= mean.error() * (1 - 1e-2));
            }
        }

        @Test
        void errsNoMoreThanASmallerOne() {
            double error = Double.POSITIVE_INFINITY;
            for (int dimension = 1; dimension <= 7; dimension++) {
                double next = Design.ofDimension(GAUSSIAN, Plan.DEFAULT.withNorm(Norm.MEAN), dimension)
                        .error();
                assertTrue(next <= error);
                error = next;
            }
        }
    }

    @Nested
    class WithWeights {
        @Test
        void meansCountWhatWeighsNothing() {
            Target half = Target.of(new Gaussian(0.3), Axis.upTo(2)).weighted(z -> Math.abs(z[0]) < 1 ? 1 : 0);
            Design design = Design.ofDimension(half, Plan.DEFAULT.withNorm(Norm.MEAN), 5);
            assertTrue(design.certificate() <= design.error() * 1.01, () -> design.certificate() + " above " + design);
        }

        @Test
        void relativeErrorsAreLeastWhereTheyAreWeighed() {
            Target target = Target.ofRatios(new Chi2(1), 255);
            Design absolute = design(target, 5);
            Design relative = design(target.relative(), 5);
            double length = length(absolute);
            assertTrue(Cosines.of(relative).largest(target.relative(), length)
                    < 0.5 * Cosines.of(absolute).largest(target.relative(), length));
            assertTrue(Cosines.of(absolute).largest(target, length)
                    < 0.5 * Cosines.of(relative).largest(target, length));
        }

        @Test
        void usersWeightsAreHonoured() {
            Target far = GAUSSIAN.weighted(z -> z[0] * z[0]);
            Design plain = design(GAUSSIAN, 7);
            Design weighted = design(far, 7);
            assertTrue(largest(weighted) <= weighted.error() * (1 + FINENESS));
            assertTrue(weighted.error() < 0.75 * Cosines.of(plain).largest(far, Math.PI));
        }

        @Test
        void errorsOfNoWeightDoNotCount() {
            Design near = design(GAUSSIAN.weighted(z -> Math.max(0, 1 - z[0])), 5);
            assertTrue(near.error() < 0.1 * design(GAUSSIAN, 5).error());
        }
    }

    @Nested
    class OfAllRatios {
        static Stream<HomogeneousKernel> kernels() {
            return Stream.of(
                    new Chi2(1),
                    new JensenShannon(1),
                    new Intersection(1),
                    new Chi2(0.5),
                    new Chi2(2),
                    new Intersection(0.5));
        }

        @ParameterizedTest
        @MethodSource("kernels")
        void errorHoldsForAllOfThem(HomogeneousKernel kernel) {
            for (int dimension : new int[] {1, 3, 5}) {
                Design design = design(Target.ofAllRatios(kernel), dimension);
                double weightless = 40 / kernel.degree();
                double measured = Cosines.of(design)
                        .largest(kernel::signature, z -> Math.exp(-kernel.degree() * z / 2), weightless);
                assertTrue(measured <= design.error() * (1 + FINENESS), () -> measured + " in " + design);
                assertTrue(design.certificate() >= design.error() * (1 - 1e-3));
            }
        }

        @ParameterizedTest
        @MethodSource("kernels")
        void errIsThatOfTheKernel(HomogeneousKernel kernel) {
            Design design = design(Target.ofAllRatios(kernel), 5);
            Cosines cosines = Cosines.of(design);
            double degree = kernel.degree();
            for (double x : new double[] {1e-12, 1e-6, 0.001, 0.02, 0.3, 0.9, 1}) {
                for (double y : new double[] {1e-9, 0.0005, 0.1, 0.5, 0.8, 1}) {
                    double approximate = Math.pow(x * y, degree / 2) * cosines.at(Math.log(y / x));
                    assertEquals(kernel.scalar(x, y), approximate, design.error() * (1 + FINENESS));
                }
            }
        }

        @Tag("long")
        @Test
        void errMoreThanSomeRatios() {
            for (HomogeneousKernel kernel : List.of(new JensenShannon(1), new Intersection(1))) {
                double all = design(Target.ofAllRatios(kernel), 5).error();
                assertTrue(design(Target.ofRatios(kernel, 20), 5).error() < all * (1 + FINENESS));
            }
        }

        @Test
        void smallerDegreesErrMore() {
            // Small values then count more.
            double error = 0;
            for (double degree : new double[] {2, 1, 0.5}) {
                double next = design(Target.ofAllRatios(new Chi2(degree)), 5).error();
                assertTrue(next > error);
                error = next;
            }
        }
    }
}
