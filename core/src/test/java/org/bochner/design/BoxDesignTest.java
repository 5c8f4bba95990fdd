package org.bochner.design;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Designs of two and three columns. */
class BoxDesignTest {
    /**
     * A design measures itself on a lattice, of two columns of 250 or 330 differences an axis, h ≤ 1.5·length/249 apart.
     * Between them the error, of frequencies up to ω an axis, is at most (ωh/2)²/2 larger for each: with 8 half waves
     * 2.8e-3 an axis.
     */
    private static final double FINENESS = 6e-3;

    private static final Target ROUND = Target.of(new Gaussian(0.5), Axis.upTo(1), Axis.upTo(1));

    private static final Target STRETCHED = Target.of(
            new Gaussian(Bandwidth.ofRanges(new int[] {1, 2}, new double[] {0.4, 1})), Axis.upTo(2), Axis.upTo(2));

    /** Not a product of functions of one column, and not even in one of them. */
    private static final Target ROTATED = Target.of(
            (Signature) z -> {
                double u = 0.8 * z[0] + 0.6 * z[1];
                double v = -0.6 * z[0] + 0.8 * z[1];
                return Math.exp(-3 * u * u - 0.5 * v * v);
            },
            Axis.upTo(2),
            Axis.upTo(2));

    private static Design design(Target target, Plan plan, int dimension) {
        return Design.ofDimension(target, plan, dimension);
    }

    static List<Design> designs() {
        return Examples.DESIGNS;
    }

    /** Designs that several tests measure, made once. */
    private static final class Examples {
        private static final Plan PROJECTION = Plan.DEFAULT.withForm(Form.PROJECTION);

        static final List<Design> DESIGNS = List.of(
                design(ROUND, Plan.DEFAULT, 13),
                design(ROUND, PROJECTION, 13),
                design(ROUND, Plan.DEFAULT.withPool(Pool.POLAR), 13),
                design(STRETCHED, Plan.DEFAULT, 13),
                design(STRETCHED, PROJECTION, 13),
                design(ROTATED, Plan.DEFAULT, 17),
                design(ROTATED, Plan.DEFAULT.withPool(Pool.POLAR), 13),
                design(ROUND, Plan.DEFAULT.withSearch(Search.GREEDY), 13),
                design(ROUND, Plan.DEFAULT.withSpacing(0), 13));
    }

    @Nested
    class EveryDesign {
        @ParameterizedTest
        @MethodSource("org.bochner.design.BoxDesignTest#designs")
        void errsByItsErrorAndNoMore(Design design) {
            double measured = Cosines.of(design).largestAtRandom(design.target(), 100_000);
            assertTrue(measured <= design.error() * (1 + FINENESS), () -> measured + " in " + design);
            assertTrue(measured >= design.error() * 0.95, () -> measured + " in " + design);
        }

        @ParameterizedTest
        @MethodSource("org.bochner.design.BoxDesignTest#designs")
        void certifiesItsWeights(Design design) {
            assertTrue(design.certificate() <= design.error() * (1 + 1e-9));
            if (design.plan().search() == Search.GREEDY) {
                assertEquals(0, design.certificate());
            } else {
                // The check on finer lattices ends at a share of 1e-3 or after some exchanges.
                assertTrue(
                        design.certificate() >= design.error() * (1 - 1e-2),
                        () -> design.certificate() + " in " + design);
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.design.BoxDesignTest#designs")
        void isASumOfProjectionsOfTheSameDimension(Design design) {
            Cosines projections = Cosines.of(design);
            assertEquals(design.dimension(), projections.dimension());
            RandomStream random = new Seed(3).stream();
            for (int i = 0; i < 1000; i++) {
                double[] z = {4 * random.nextUniform() - 2, 4 * random.nextUniform() - 2};
                assertEquals(design.at(z), projections.at(z), 1e-12);
            }
            Design all = design.projected();
            assertTrue(IntStream.range(0, all.count()).allMatch(j -> all.spectralWeight(j) > 0));
            assertTrue(IntStream.range(0, design.count()).allMatch(j -> design.spectralWeight(j) > 0));
        }
    }

    @Nested
    class Forms {
        @Tag("long")
        @Test
        void modulationIsChosenForSignaturesEvenInEveryColumn() {
            Design even = design(ROUND, Plan.DEFAULT, 9);
            boolean product = IntStream.range(0, even.count()).anyMatch(j -> even.dimension(j) == 4);
            assertTrue(product, even::toString);
            Design rotated = design(ROTATED, Plan.DEFAULT, 17);
            assertTrue(IntStream.range(0, rotated.count()).allMatch(j -> rotated.dimension(j) <= 2));
        }

        @Test
        @Tag("long")
        void modulationOfThreeColumnsIsASumOfProjections() {
            Target target = Target.of(new Gaussian(0.8), Axis.upTo(1), Axis.upTo(1), Axis.upTo(1));
            Design design = design(target, Plan.DEFAULT, 14);
            assertTrue(IntStream.range(0, design.count()).anyMatch(j -> design.dimension(j) == 8), design::toString);
            Cosines projections = Cosines.of(design);
            assertEquals(design.dimension(), projections.dimension());
            RandomStream random = new Seed(4).stream();
            for (int i = 0; i < 200; i++) {
                double[] z = {random.nextUniform(), -random.nextUniform(), random.nextUniform()};
                assertEquals(design.at(z), projections.at(z), 1e-12);
            }
            // 130 differences an axis, 1.5/129 of the range apart, and up to 3 half waves: 1e-3 an axis.
            assertTrue(projections.largestAtRandom(target, 50_000) <= design.error() * (1 + FINENESS));
        }

        @Test
        void projectionsFollowARotatedSignature() {
            assertTrue(design(ROTATED, Plan.DEFAULT, 17).error() < 0.05);
        }

        @Test
        void modulationIsNotForARotatedSignature() {
            BochnerException e = assertThrows(
                    BochnerException.class, () -> design(ROTATED, Plan.DEFAULT.withForm(Form.MODULATION), 17));
            assertTrue(String.valueOf(e.getMessage()).contains("take the form projection"), e::getMessage);
        }

        @ParameterizedTest
        @EnumSource(Form.class)
        void projectionNeedsNoMoreThanModulation(Form form) {
            Design design = design(ROUND, Plan.DEFAULT.withForm(form), 9);
            // What either finds; the products of designs of 3 dimensions have this dimension.
            double product = 2
                    * Design.ofDimension(Target.of(new Gaussian(0.5), Axis.upTo(1)), Plan.DEFAULT, 3)
                            .error();
            assertTrue(design.error() <= product);
        }
    }

    @Nested
    class Pools {
        @Test
        @Tag("long")
        void polarIsNotMuchBetterThanProducts() {
            for (Target target : new Target[] {ROUND, ROTATED}) {
                double polar =
                        design(target, Plan.DEFAULT.withPool(Pool.POLAR), 17).error();
                double product = design(target, Plan.DEFAULT.withForm(Form.PROJECTION), 17)
                        .error();
                assertTrue(polar >= 0.5 * product, polar + " beside " + product);
            }
        }

        @Test
        void movingFrequenciesErrNoMoreThanThePool() {
            // The designs of 13 dimensions are among the examples.
            movingFrequenciesErrNoMoreThanThePool(ROUND, 13);
            movingFrequenciesErrNoMoreThanThePool(ROTATED, 9);
        }

        private static void movingFrequenciesErrNoMoreThanThePool(Target target, int dimension) {
            double discrete =
                    design(target, Plan.DEFAULT.withSpacing(0), dimension).error();
            double greedy = design(target, Plan.DEFAULT.withSearch(Search.GREEDY), dimension)
                    .error();
            double moved = design(target, Plan.DEFAULT, dimension).error();
            assertTrue(moved <= discrete * (1 + FINENESS));
            assertTrue(discrete <= greedy * (1 + FINENESS));
        }

        @Test
        void moreDimensionsErrNoMore() {
            double error = Double.POSITIVE_INFINITY;
            // Between them one more dimension may err more: terms have 1, 2 and 4, and the search is from few starts.
            for (int dimension = 1; dimension <= 13; dimension += 4) {
                Design design = design(ROUND, Plan.DEFAULT, dimension);
                double smaller = error;
                assertTrue(design.error() <= smaller * (1 + FINENESS), () -> design + ", with fewer " + smaller);
                error = Math.min(error, design.error());
            }
        }

        @Test
        void fewTermsAreFoundExactly() {
            Target product =
                    Target.of((Signature) z -> Math.cos(2 * z[0]) * Math.cos(3 * z[1]), Axis.upTo(2), Axis.upTo(2));
            Design design = design(product, Plan.DEFAULT, 8);
            assertEquals(4, design.dimension());
            assertTrue(design.error() < 1e-9);
            Design constant = design(Target.of((Signature) z -> 1, Axis.upTo(1), Axis.upTo(1)), Plan.DEFAULT, 31);
            assertEquals(1, constant.dimension());
            assertEquals(0, constant.error(), 1e-15);
        }

        @Test
        void wideSignaturesNeedFew() {
            Design design = design(Target.of(new Gaussian(10), Axis.upTo(1), Axis.upTo(1)), Plan.DEFAULT, 31);
            assertTrue(design.error() < 1e-7, design::toString);
        }
    }

    @Nested
    class Questions {
        @ParameterizedTest
        @ValueSource(doubles = {0.3, 0.05})
        void anErrorIsMet(double error) {
            Design design = Design.ofError(ROUND, Plan.DEFAULT, error);
            assertTrue(design.error() <= error);
            assertTrue(design(ROUND, Plan.DEFAULT, design.dimension() - 1).error() > error);
        }

        @Test
        @Tag("long")
        void aSmallErrorIsMet() {
            anErrorIsMet(0.005);
        }

        @Test
        void meansAreLeastToo() {
            Plan mean = Plan.DEFAULT.withNorm(Norm.MEAN);
            Design ofMean = design(ROUND, mean, 9);
            Design ofLargest = design(ROUND, Plan.DEFAULT, 9);
            assertTrue(meanError(ofMean) <= meanError(ofLargest));
            assertTrue(ofLargest.error() <= Cosines.of(ofMean).largestAtRandom(ROUND, 100_000) * (1 + FINENESS));
        }

        private static double meanError(Design design) {
            Cosines cosines = Cosines.of(design);
            double sum = 0;
            int intervals = 200;
            for (int i = 0; i < intervals; i++) {
                for (int k = 0; k < intervals; k++) {
                    double[] z = {(i + 0.5) / intervals, (k + 0.5) / intervals};
                    sum += Math.abs(ROUND.signature().applyAsDouble(z) - cosines.at(z));
                }
            }
            return sum / (intervals * intervals);
        }

        @Test
        void weightsAreHonoured() {
            Design plain = design(ROUND, Plan.DEFAULT, 9);
            Target relative = ROUND.relative();
            Design design = design(relative, Plan.DEFAULT, 9);
            double measured = Cosines.of(design).largestAtRandom(relative, 100_000);
            assertTrue(measured <= design.error() * (1 + FINENESS));
            assertTrue(design.error() < Cosines.of(plain).largestAtRandom(relative, 100_000));
        }
    }
}
