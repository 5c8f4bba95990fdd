package org.bochner.design;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bochner.base.BochnerException;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.shift.Gaussian;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What bad input gets: an error that says what is wrong, and what is possible. */
class DesignInputTest {
    private static final Target LINE = Target.of(new Gaussian(1), Axis.upTo(3));
    private static final Target BOX = Target.of(new Gaussian(1), Axis.upTo(3), Axis.upTo(3));

    private static void refuses(Executable question, String... parts) {
        RuntimeException e = assertThrows(RuntimeException.class, question);
        assertTrue(e instanceof IllegalArgumentException || e instanceof BochnerException, e::toString);
        for (String part : parts) {
            assertTrue(String.valueOf(e.getMessage()).contains(part), () -> part + " is not in: " + e.getMessage());
        }
    }

    private static void refusesSignature(Signature signature, Axis axis, String... parts) {
        refuses(() -> Design.ofDimension(Target.of(signature, axis), Plan.DEFAULT, 5), parts);
        refuses(() -> Design.ofError(Target.of(signature, axis), Plan.DEFAULT, 0.1), parts);
    }

    @Nested
    class Dimensions {
        @ParameterizedTest
        @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 62, Integer.MAX_VALUE})
        void ofALineAreFrom1To61(int dimension) {
            refuses(
                    () -> Design.ofDimension(LINE, Plan.DEFAULT, dimension),
                    "design",
                    "dimension",
                    "from 1 to 61",
                    "got " + dimension);
        }

        @ParameterizedTest
        @ValueSource(ints = {0, -1, 256})
        void ofABoxAreFrom1To255(int dimension) {
            refuses(() -> Design.ofDimension(BOX, Plan.DEFAULT, dimension), "from 1 to 255", "got " + dimension);
        }
    }

    @Nested
    class Errors {
        @ParameterizedTest
        @ValueSource(doubles = {0, -0.1, Double.NaN, Double.POSITIVE_INFINITY})
        void arePositive(double error) {
            refuses(() -> Design.ofError(LINE, Plan.DEFAULT, error), "error", "positive", "got " + error);
        }

        @Test
        void areWithinTheReachOfFloat64() {
            refuses(() -> Design.ofError(LINE, Plan.DEFAULT, 1e-15), "1.0E-15", "below", "1.0E-8 or more");
        }

        @Test
        @Tag("long")
        void thatNoHarmonicsReachNameTheNearest() {
            // A kink in every period: harmonics fall with their square.
            Signature triangle = Signature.of(z -> 1 - Math.abs(z - 2 * Math.rint(z / 2)));
            refuses(
                    () -> Design.ofError(Target.of(triangle, Axis.periodic(2)), Plan.DEFAULT, 1e-6),
                    "an error of 1.0E-6 is out of reach",
                    "dimensions it is 0.0",
                    "61, the most");
        }

        @Test
        void thatNoMapReachesNameTheNearest() {
            Target target = Target.of(Kernels.laplacian(1), Axis.upTo(4));
            refuses(
                    () -> Design.ofError(target, Plan.DEFAULT, 1e-6),
                    "an error of 1.0E-6 is out of reach",
                    "dimensions it is 0.0",
                    "61, the most");
        }
    }

    @Nested
    class Searches {
        @Test
        void greedyOnesHaveProducts() {
            refuses(
                    () -> Design.ofDimension(LINE, Plan.DEFAULT.withSearch(Search.GREEDY), 5),
                    "greedy",
                    "several columns");
            refuses(() -> Plan.DEFAULT.withPool(Pool.POLAR).withSearch(Search.GREEDY), "greedy", "the product pool");
        }
    }

    @Nested
    class Ranges {
        @ParameterizedTest
        @ValueSource(doubles = {0, -1, Double.NaN})
        void arePositive(double length) {
            refuses(() -> Axis.upTo(length), "domain", "positive", "got");
            refuses(() -> Axis.periodic(length), "domain", "positive", "got");
        }

        @Test
        void ofPeriodsAreFinite() {
            refuses(() -> Axis.periodic(Double.POSITIVE_INFINITY), "domain", "period", "finite");
        }

        @Test
        void haveLowBelowHigh() {
            refuses(() -> Axis.between(2, 2), "low must be less than high", "2:2");
            refuses(() -> Axis.between(3, -1), "low must be less than high", "3:-1");
            refuses(() -> Axis.between(Double.NaN, 1), "low must be less than high", "NaN");
            refuses(() -> Axis.between(0, Double.NaN), "low must be less than high", "NaN");
            refuses(() -> Axis.between(Double.NEGATIVE_INFINITY, 0), "domain");
        }

        @ParameterizedTest
        @ValueSource(doubles = {1, 0.5, 0, -3, Double.NaN})
        void ofRatiosAreAboveOne(double ratio) {
            refuses(() -> Target.ofRatios(new Chi2(1), ratio), "domain", "ratio above 1", "got");
        }

        @Test
        void withoutEndNeedWeightsThatFall() {
            refuses(
                    () -> Design.ofDimension(Target.ofAllRatios(new Chi2(1)).relative(), Plan.DEFAULT, 5),
                    "all differences",
                    "falls to 0",
                    "give a range");
            refuses(
                    () -> Design.ofDimension(Target.of(new Gaussian(1), Axis.infinite()), Plan.DEFAULT, 5),
                    "all differences",
                    "give a range");
            refuses(
                    () -> Design.ofDimension(
                            Target.of(new Gaussian(1), Axis.upTo(1), Axis.infinite()), Plan.DEFAULT, 5),
                    "all differences",
                    "give a range");
        }
    }

    @Nested
    class Signatures {
        @Test
        void thatAreNotPositiveDefiniteAreRefused() {
            String[] parts = {"not positive definite", "eigenvalue -", "every map errs by at least", "shorter range"};
            refusesSignature(Signature.of(z -> 1 - z * z), Axis.upTo(3), parts);
            refusesSignature(Signature.of(z -> 1 - z * z), Axis.upTo(0.5), parts);
            refusesSignature(Signature.of(z -> Math.abs(z) < 1 ? 1 : 0), Axis.upTo(3), parts);
            refusesSignature(Signature.of(z -> 1.2 * Math.cos(z) - 0.2 * Math.cos(3 * z)), Axis.upTo(6), parts);
            refusesSignature(
                    Signature.of(z -> 1.2 * Math.cos(z) - 0.2 * Math.cos(3 * z)), Axis.periodic(2 * Math.PI), parts);
        }

        @Test
        void ofTwoColumnsThatAreNotPositiveDefiniteAreRefused() {
            refuses(
                    () -> Design.ofDimension(
                            Target.of((Signature) z -> 1 - z[0] * z[0] - z[1] * z[1], Axis.upTo(1), Axis.upTo(1)),
                            Plan.DEFAULT,
                            9),
                    "not positive definite");
        }

        @Test
        void thatAreNegativeOrZeroAtZeroAreRefused() {
            refusesSignature(Signature.of(z -> -Math.exp(-z * z)), Axis.upTo(3), "positive at 0", "got -1");
            refusesSignature(Signature.of(z -> 0), Axis.upTo(3), "positive at 0", "got 0");
        }

        @Test
        void thatAreNotEvenAreRefused() {
            refusesSignature(
                    Signature.of(z -> Math.exp(-Math.abs(z - 0.1))), Axis.upTo(3), "even", "difference", "opposite");
        }

        @Test
        void thatAreNoNumbersAreRefused() {
            refusesSignature(Signature.of(z -> Double.NaN), Axis.upTo(3), "positive at 0", "got NaN");
            refusesSignature(
                    Signature.of(z -> Math.abs(z) > 2.99 ? Double.NaN : Math.exp(-z * z)),
                    Axis.upTo(3),
                    "NaN at the difference");
            // Between the differences at which definiteness is looked at.
            refusesSignature(
                    Signature.of(z -> Math.abs(Math.abs(z) - 1.51) < 0.01 ? Double.NaN : Math.exp(-z * z)),
                    Axis.upTo(3),
                    "NaN at the difference 1.5");
            refusesSignature(Signature.of(z -> 1 / Math.abs(z)), Axis.upTo(3), "positive at 0", "got Infinity");
        }

        @Test
        void thatDoNotRepeatAreRefusedForAPeriod() {
            refusesSignature(Signature.of(z -> Math.exp(-z * z)), Axis.periodic(4), "repeat", "period 4");
            refusesSignature(Signature.of(z -> Math.cos(1.3 * z)), Axis.periodic(2), "repeat", "period 2");
        }
    }

    @Nested
    class Weights {
        @Test
        void areFiniteAndNotNegative() {
            for (double weight : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
                refuses(
                        () -> Design.ofDimension(LINE.weighted(z -> weight), Plan.DEFAULT, 5),
                        "weight is " + weight,
                        "difference");
            }
        }

        @Test
        void arePositiveSomewhere() {
            refuses(() -> Design.ofDimension(LINE.weighted(z -> 0), Plan.DEFAULT, 5), "weight is 0");
            refuses(() -> Design.ofDimension(BOX.weighted(z -> 0), Plan.DEFAULT, 5), "weight is 0");
        }

        @Test
        void relativeToZeroAreRefused() {
            // exp(−z²/(2·0.01²)) is 0 in float64 from 0.39 on.
            Target target = Target.of(new Gaussian(0.01), Axis.upTo(10)).relative();
            refuses(
                    () -> Design.ofDimension(target, Plan.DEFAULT, 5),
                    "at the difference 0.15625",
                    "weighs",
                    "take a shorter range or absolute errors");
        }
    }

    @Nested
    class Columns {
        @Test
        void areAtMostThree() {
            Axis axis = Axis.upTo(1);
            refuses(
                    () -> Target.of(new Gaussian(1), axis, axis, axis, axis),
                    "1 to 3 columns",
                    "got 4",
                    "random Fourier features");
            refuses(() -> Target.of((Signature) z -> 1), "1 to 3 columns", "got 0");
        }

        @Test
        void areThoseOfTheKernel() {
            ShiftInvariantKernel product =
                    (ShiftInvariantKernel) Kernels.parse("periodic(width=0.5)[0:1] * gaussian(sigma=0.5)[1:2]");
            refuses(() -> Target.of(product, Axis.upTo(1)), "2 columns", "1");
            ShiftInvariantKernel blocks = new Gaussian(Bandwidth.ofRanges(new int[] {1, 2}, new double[] {0.4, 1}));
            refuses(() -> Target.of(blocks, Axis.upTo(1)), "2 columns", "1");
        }

        @Test
        void ofADifferenceAreThoseOfTheDesign() {
            Design design = Design.ofDimension(LINE, Plan.DEFAULT, 3);
            refuses(() -> design.at(1, 2), "columns must be 1", "got 2");
            refuses(() -> design.frequency(-1), "term", "at least 0", "got -1");
        }
    }

    @Nested
    class Plans {
        @Test
        void polarPoolsAreOfProjectionsWithoutPeriods() {
            Plan polar = Plan.DEFAULT.withPool(Pool.POLAR);
            ShiftInvariantKernel product =
                    (ShiftInvariantKernel) Kernels.parse("periodic(width=0.5)[0:1] * gaussian(sigma=0.5)[1:2]");
            refuses(
                    () -> Design.ofDimension(Target.of(product, Axis.upTo(1), Axis.upTo(1)), polar, 9),
                    "polar pool",
                    "without periods",
                    "take the product pool");
            refuses(
                    () -> Design.ofDimension(BOX, polar.withForm(Form.MODULATION), 9),
                    "polar pool",
                    "projections",
                    "take the product pool");
        }

        @ParameterizedTest
        @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY})
        void spacingsAreFinite(double spacing) {
            refuses(() -> Plan.DEFAULT.withSpacing(spacing), "spacing", "got " + spacing);
        }
    }
}
