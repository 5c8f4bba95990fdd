package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.base.State;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.dot.ArcCosine;
import org.bochner.kernel.dot.ArcSine;
import org.bochner.kernel.dot.Polynomial;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.additive.ExactMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.dot.RectifiedMap;
import org.bochner.map.dot.RectifiedRecipe;
import org.bochner.map.dot.SigmoidRecipe;
import org.bochner.map.dot.TensorSketchMap;
import org.bochner.map.dot.TensorSketchRecipe;
import org.bochner.map.fourier.FourierMap;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DotProductMapsTest {
    private static final int SEEDS = 20_000;
    private static final double[] X = {0.5, -1, 0.25, 0};
    private static final double[] Y = {1, -0.5, 0.5, 0.75};

    private static double product(FeatureMap map, double[] x, double[] y) {
        double[] a = new double[map.outputDimension()];
        double[] b = new double[map.outputDimension()];
        map.apply(x, a);
        map.apply(y, b);
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    /**
     * Over independent seeds, the mean error and the mean square error are within five standard deviations of 0 and of the
     * variance: by the central limit theorem a chance of 6e-7 each. That of the square is estimated by the fourth moment.
     */
    private static void assertLaw(
            MapRecipe recipe, Kernel kernel, double[] x, double[] y, int features, double variance) {
        double exact = kernel.value(x, y);
        double sum = 0;
        double squares = 0;
        double fourths = 0;
        for (int s = 0; s < SEEDS; s++) {
            double error = product(recipe.build(kernel, x.length, features, new Seed(s)), x, y) - exact;
            sum += error;
            squares += error * error;
            fourths += Math.pow(error, 4);
        }
        assertEquals(0, sum / SEEDS, 5 * Math.sqrt(variance / SEEDS), "bias");
        assertEquals(variance, squares / SEEDS, 5 * Math.sqrt(fourths) / SEEDS, "variance");
    }

    private static String failureOf(Runnable action) {
        return String.valueOf(assertThrows(RuntimeException.class, action::run).getMessage());
    }

    @Nested
    class OfPolynomials {
        /**
         * With a = Σ over i ≠ j of xᵢ²yⱼ², b that of xᵢyᵢxⱼyⱼ and c = (x·y)², of rows with their constant column: a factor's pair of
         * columns adds one of the three, and different ones must have the hash of each other's, with probability 1/p; 2/p²
         * where both a and b occur, because then both the sum and the difference of two uniform hashes must vanish.
         */
        private static double variance(Polynomial kernel, double[] x, double[] y, int p) {
            double squareX = kernel.c();
            double squareY = kernel.c();
            double product = kernel.c();
            double equal = kernel.c() * kernel.c();
            for (int l = 0; l < x.length; l++) {
                double gamma = kernel.gamma();
                squareX += gamma * x[l] * x[l];
                squareY += gamma * y[l] * y[l];
                product += gamma * x[l] * y[l];
                equal += gamma * x[l] * y[l] * gamma * x[l] * y[l];
            }
            int g = kernel.degree();
            double c = product * product;
            double a = squareX * squareY - equal;
            double b = c - equal;
            double one = Math.pow(a + c, g) + Math.pow(b + c, g) - 2 * Math.pow(c, g);
            double both = Math.pow(a + b + c, g) - Math.pow(a + c, g) - Math.pow(b + c, g) + Math.pow(c, g);
            return one / p + both * 2 / p / p;
        }

        @ParameterizedTest
        @CsvSource({"1, 0", "2, 1", "3, 0.5"})
        void innerProductsHaveTheMeanAndVarianceOfTheory(int degree, double c) {
            Polynomial kernel = new Polynomial(degree, 0.8, c);
            assertLaw(new TensorSketchRecipe(OptionalInt.empty()), kernel, X, Y, 32, variance(kernel, X, Y, 32));
        }

        /** 44 = 32 + 8 + 4 places: each sketch weighs p/44. */
        @Test
        void anyNumberOfFeaturesHasTheVarianceOfOneSketch() {
            Polynomial kernel = new Polynomial(2, 1, 1);
            double variance = 0;
            for (int p : new int[] {32, 8, 4}) {
                variance += p * p / (44.0 * 44.0) * variance(kernel, X, Y, p);
            }
            assertEquals(variance(kernel, X, Y, 44), variance, 0.05 * variance);
            assertLaw(new TensorSketchRecipe(OptionalInt.empty()), kernel, X, Y, 44, variance);
        }

        @Test
        void theBoundOfTheDocumentationHolds() {
            Polynomial kernel = new Polynomial(3, 1, 1);
            double bound = 26 * Math.pow((1 + 1.3125) * (1 + 2.0625), 3) / 64;
            assertTrue(variance(kernel, X, Y, 64) < bound);
        }

        @Test
        void theConstantAloneIsExact() {
            double[] zero = new double[4];
            FeatureMap map =
                    new TensorSketchRecipe(OptionalInt.empty()).build(new Polynomial(3, 1, 2), 4, 100, new Seed(1));
            assertEquals(8, product(map, zero, zero), 1e-13);
        }
    }

    @Nested
    class OfArcCosines {
        /** J₂ of Cho and Saul: twice the mean of (w·x)²(w·y)² over the vectors that have both rows on the same side. */
        private static double secondOrder(double[] x, double[] y) {
            double squareX = Kernels.parse("linear").value(x, x);
            double squareY = Kernels.parse("linear").value(y, y);
            double theta = Math.acos(Kernels.parse("linear").value(x, y) / Math.sqrt(squareX * squareY));
            double j2 = 3 * Math.sin(theta) * Math.cos(theta)
                    + (Math.PI - theta) * (1 + 2 * Math.cos(theta) * Math.cos(theta));
            return squareX * squareY * j2 / Math.PI;
        }

        @Test
        void thresholdsHaveTheMeanAndVarianceOfTheory() {
            double k = new ArcCosine(0).value(X, Y);
            assertLaw(new RectifiedRecipe(OptionalInt.empty()), new ArcCosine(0), X, Y, 32, k * (1 - k) / 16);
        }

        @Test
        void rectifiedUnitsHaveTheMeanAndVarianceOfTheory() {
            double k = new ArcCosine(1).value(X, Y);
            assertLaw(
                    new RectifiedRecipe(OptionalInt.empty()),
                    new ArcCosine(1),
                    X,
                    Y,
                    32,
                    (secondOrder(X, Y) - k * k) / 16);
        }

        @Test
        void everyRowHasOneThresholdOfEachPairOnIt() {
            FeatureMap map = new RectifiedRecipe(OptionalInt.empty()).build(new ArcCosine(0), 4, 64, new Seed(1));
            assertEquals(1, product(map, X, X), 1e-14);
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 1})
        void rowsOfZerosMapToZeros(int order) {
            double[] features = new double[8];
            new RectifiedRecipe(OptionalInt.empty())
                    .build(new ArcCosine(order), 4, 8, new Seed(1))
                    .apply(new double[4], features);
            assertArrayEquals(new double[8], features);
        }
    }

    @Nested
    class OfArcSines {
        /** The mean of erf²(u)·erf²(v) was computed by Gauss-Hermite quadrature with 180 × 180 nodes (NumPy). */
        @Test
        void sigmoidUnitsHaveTheMeanAndVarianceOfTheory() {
            ArcSine kernel = new ArcSine(2, 0.5);
            double k = kernel.value(X, Y);
            double squares = 0.504532;
            assertLaw(new SigmoidRecipe(OptionalInt.empty()), kernel, X, Y, 32, (squares - k * k) / 32);
        }

        /** Pruned units keep the amplitude of all that were drawn. */
        @Test
        void someUnitsGiveTheFeaturesThatTheyGaveBefore() {
            FeatureMap map = new SigmoidRecipe(OptionalInt.empty()).build(new ArcSine(1, 1), 4, 6, new Seed(1));
            double[] all = new double[6];
            double[] some = new double[2];
            map.apply(X, all);
            FeatureMap restricted = map.restrict(1, 4);
            restricted.apply(X, some);
            assertArrayEquals(new double[] {all[1], all[4]}, some);
            FeatureMaps.load(restricted.state()).apply(X, some);
            assertArrayEquals(new double[] {all[1], all[4]}, some);
        }
    }

    @Nested
    class Recipes {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "tensor-sketch",
                    "tensor-sketch(features=77)",
                    "rectified",
                    "rectified(features=10)",
                    "sigmoid",
                    "sigmoid(features=7)"
                })
        void printWhatTheyParse(String spelling) {
            assertEquals(spelling, FeatureMaps.parse(spelling).toString());
        }

        private static String chosen(String kernel) {
            return new AutoRecipe()
                    .chosen(Kernels.parse(kernel), RowSample.none(4), OptionalInt.of(12), new Notes())
                    .toString();
        }

        @Test
        void autoTakesTheOneForTheKernel() {
            assertEquals("tensor-sketch", chosen("2*polynomial(gamma=1)[0:2]"));
            assertEquals("rectified", chosen("arc-cosine + arc-cosine(order=0)"));
            assertEquals("sigmoid", chosen("arc-sine(gamma=1)"));
            assertEquals("rectified + tensor-sketch", chosen("arc-cosine + polynomial(gamma=1)"));
            Kernel sum = Kernels.parse("arc-cosine + polynomial(gamma=1) + gaussian(sigma=1) + linear");
            ConcatenatedMap map = assertInstanceOf(
                    ConcatenatedMap.class,
                    new AutoRecipe().build(sum, RowSample.none(4), OptionalInt.of(12), new Seed(1), new Notes()));
            assertEquals(
                    List.of(RectifiedMap.class, TensorSketchMap.class, FourierMap.class, ExactMap.class),
                    map.parts().stream().map(FeatureMap::getClass).toList());
            assertEquals(16, map.outputDimension());
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "fourier | polynomial(gamma=1) | take one of rectified, sigmoid, tensor-sketch",
                    "sampled | arc-cosine | take one of rectified, sigmoid, tensor-sketch",
                    "rectified | polynomial(gamma=1) | is for arc-cosine only",
                    "tensor-sketch | arc-cosine | is for polynomial only",
                    "sigmoid | arc-cosine | is for arc-sine only",
                    "tensor-sketch | gaussian(sigma=1) | take one of fourier",
                    "rectified | chi2 | take one of auto",
                    "rectified | exp-chi2(gamma=1) | take one of fourier"
                })
        void refuseKernelsOfOtherKinds(String map, String kernel, String advice) {
            String message = failureOf(() -> FeatureMaps.parse(map)
                    .build(
                            Kernels.parse(kernel),
                            RowSample.none(3),
                            kernel.equals("chi2") ? OptionalInt.empty() : OptionalInt.of(10),
                            new Seed(1),
                            new Notes()));
            assertTrue(message.contains(advice), message);
        }

        @Test
        void refuseNumbersOfFeaturesTheyCannotMake() {
            assertTrue(
                    failureOf(() -> FeatureMaps.parse("rectified(features=7)")).contains("take 6 or 8"));
            assertTrue(failureOf(() -> new RectifiedRecipe(OptionalInt.empty()).requireFeatures(1))
                    .contains("take 2"));
            assertTrue(failureOf(() -> FeatureMaps.parse("tensor-sketch(features=0)"))
                    .contains("at least 1"));
            assertTrue(failureOf(() -> new TensorSketchRecipe(OptionalInt.empty())
                            .build(new Polynomial(2, 1, 1), 3, 1 << 30, new Seed(1)))
                    .contains("features must be from 1"));
            assertTrue(failureOf(() -> new TensorSketchRecipe(OptionalInt.empty())
                            .build(new Polynomial(1 << 30, 1, 1), 1000, 1 << 20, new Seed(1)))
                    .contains("memory"));
        }
    }

    @Nested
    class DamagedFiles {
        private static State sketch(String kernel, double columns, double features, int[] hashes) {
            return State.of("tensor-sketch")
                    .with("kernel", kernel)
                    .with("columns", columns)
                    .with("features", features)
                    .with("hashes", hashes);
        }

        private static State layer(String kernel, int columns, int directions) {
            State projection = State.of("dense").with("unitFrequencies", new double[4]);
            return State.of("rectified")
                    .with("kernel", kernel)
                    .with("columns", columns)
                    .with("directions", directions)
                    .with("projection", projection);
        }

        @Test
        void ofSketchesAreRefused() {
            String square = "polynomial(gamma=1)";
            int[] hashes = {0, 3, 2, 1};
            assertEquals(2, FeatureMaps.load(sketch(square, 1, 2, hashes)).outputDimension());
            List<State> damaged = List.of(
                    sketch("linear", 1, 2, hashes),
                    sketch(square, 0, 2, hashes),
                    sketch(square, 1, 0, hashes),
                    sketch(square, 1, 3, hashes),
                    sketch(square, 2, 2, hashes),
                    sketch(square, 1, Integer.MAX_VALUE, hashes),
                    sketch(square, Integer.MAX_VALUE, 2, hashes),
                    sketch("polynomial(gamma=1, degree=2147483647)", 1, 2, hashes),
                    sketch(square, 1, 2, new int[] {0, 4, 2, 1}),
                    sketch(square, 1, 2, new int[] {0, -1, 2, 1}));
            damaged.forEach(state ->
                    assertTrue(!failureOf(() -> FeatureMaps.load(state)).isBlank()));
        }

        @Test
        void ofLayersAreRefused() {
            assertEquals(4, FeatureMaps.load(layer("arc-cosine", 2, 2)).outputDimension());
            List<State> damaged = List.of(
                    layer("linear", 2, 2),
                    layer("arc-cosine", 0, 2),
                    layer("arc-cosine", 2, 0),
                    layer("arc-cosine", 2, 3),
                    layer("arc-cosine", Integer.MAX_VALUE, Integer.MAX_VALUE));
            damaged.forEach(state ->
                    assertTrue(!failureOf(() -> FeatureMaps.load(state)).isBlank()));
        }
    }

    @Nested
    class DamagedSigmoidLayers {
        private State layer(String kernel, int columns, int units, double bias) {
            double[] biases = new double[2];
            biases[0] = bias;
            return State.of("sigmoid")
                    .with("kernel", kernel)
                    .with("columns", columns)
                    .with("units", units)
                    .with("biases", biases)
                    .with("projection", State.of("dense").with("unitFrequencies", new double[4]));
        }

        @Test
        void areRefused() {
            String kernel = "arc-sine(gamma=1, c=1)";
            assertEquals(2, FeatureMaps.load(layer(kernel, 2, 2, 0)).outputDimension());
            List<State> damaged = List.of(
                    layer("linear", 2, 2, 0),
                    layer(kernel, 0, 2, 0),
                    layer(kernel, 2, 0, 0),
                    layer(kernel, 2, 3, 0),
                    layer(kernel, 2, 2, Double.NaN),
                    layer(kernel, Integer.MAX_VALUE, Integer.MAX_VALUE, 0),
                    layer(kernel, 2, 2, 0).with("drawn", 1));
            damaged.forEach(state ->
                    assertTrue(!failureOf(() -> FeatureMaps.load(state)).isBlank()));
        }
    }

    @Test
    void errorsAreMeasuredAndSizesSuggested() {
        RowSample rows = RowSample.even(40, 5, -1, 1, new Seed(1));
        for (String kernel :
                List.of("polynomial(gamma=0.5)", "arc-sine(gamma=1)", "arc-cosine", "arc-cosine(order=0)[0:3]")) {
            MapStudy study = MapStudy.prepare(Kernels.parse(kernel), rows, 500, new Seed(1));
            assertEquals(6, study.sizes("auto", new Notes()).size());
            MapStudy.Suggestion suggestion = study.suggest("auto", MapReport.Errors::rms, 0.1);
            assertTrue(suggestion.reached() && suggestion.error() <= 0.1, suggestion::toString);
        }
    }
}
