package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.additive.Intersection;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.additive.AdditiveRecipe;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.additive.Chi2Series;
import org.bochner.map.additive.SampledRecipe;
import org.bochner.map.additive.SeriesRecipe;
import org.bochner.map.composed.MapAlgebra;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.study.AdditiveErrors;
import org.bochner.map.study.PairErrors;
import org.bochner.map.study.RowFeatures;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How recipes meet kernels of histograms: what they choose, what they say, and what they refuse. */
class HistogramRecipesTest {
    private static final RowSample ROWS = RowSample.even(60, 4, 0, 1, new Seed(3));

    private final Notes notes = new Notes();

    private FeatureMap build(String recipe, Kernel kernel, OptionalInt features) {
        return FeatureMaps.parse(recipe).build(kernel, ROWS, features, new Seed(1), notes);
    }

    private FeatureMap build(String recipe, String kernel) {
        return build(recipe, Kernels.parse(kernel), OptionalInt.empty());
    }

    private static String refusal(Runnable use) {
        return String.valueOf(assertThrows(SpellingException.class, use::run).getMessage());
    }

    /** An additive kernel of which nothing is known but its values. */
    private record Bare() implements AdditiveKernel {
        @Override
        public double scalar(double x, double y) {
            return x * y / (1 + x * y);
        }
    }

    @Nested
    class Refusals {
        @ParameterizedTest
        @CsvSource({
            "fourier, chi2, sampled",
            "orthogonal, linear, exact",
            "sampled, gaussian(sigma=1), fourier",
            "sampled, hellinger, take exact",
            "sampled, linear, take exact",
            "exact, chi2, take auto or sampled",
            "chebyshev, intersection, take sampled",
            "direct, jensen-shannon, take sampled",
            "fourier@sampled, chi2, sampled",
            "fourier@sampled, gaussian(sigma=1), fourier",
            "fourier@exact, exp-chi2(gamma=1), take auto or sampled",
            "fourier@direct, exp-intersection(gamma=1), take sampled",
            "sampled, skewed-chi2(c=1; power=1), quasi",
            "'sampled(period=vlfeat)', blend, leave period out"
        })
        void nameTheKernelAndWhatToTake(String recipe, String kernel, String remedy) {
            String spelled = kernel.replace(';', ',');
            Kernel parsed = spelled.equals("blend") ? new Outside(1) : Kernels.parse(spelled);
            String message = refusal(() -> build(recipe, parsed, OptionalInt.empty()));
            assertTrue(message.contains(remedy), message);
            assertTrue(!message.contains("null"), message);
        }

        @Test
        void ofAKernelWithoutAnyKnownMap() {
            String message = refusal(() -> build("auto", new Bare(), OptionalInt.empty()));
            assertTrue(message.contains("neither homogeneous nor has an exact map"), message);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "sampled(order=0)",
                    "sampled(order=-1)",
                    "sampled(order=2000000000)",
                    "direct(terms=2000000000)",
                    "unary(bins=0)",
                    "piecewise(bins=-1)",
                    "sampled(order=1, period=0)",
                    "sampled(order=1, period=nan)",
                    "sampled(order=1, window=round)",
                    "chebyshev(terms=0)",
                    "direct(terms=3, scale=-1)",
                    "auto(error=0)",
                    "exact(terms=3)",
                    "fourier@fourier",
                    "sampled@fourier",
                    "fourier@sampled@exact",
                    "sampled + ",
                    "fourier(features=3)"
                })
        void ofSpellingsSayWhatIsAllowed(String recipe) {
            String message = refusal(() -> FeatureMaps.parse(recipe));
            assertTrue(message.length() > 15, message);
        }

        @Test
        void ofANumberOfFeaturesThatFollowsFromTheMap() {
            String message = refusal(() -> build("sampled", new Chi2(1), OptionalInt.of(100)));
            assertTrue(message.contains("follows from the map of chi2"), message);
        }

        @Test
        void ofMoreMapsThanTerms() {
            String message = refusal(() -> build("sampled + exact", "chi2 + hellinger + linear"));
            assertTrue(message.contains("2 maps for the 3 terms"), message);
        }
    }

    @Nested
    class Choices {
        @ParameterizedTest
        @ValueSource(doubles = {0.1, 0.02, 0.004, 0.001})
        void areTheSmallestMapWithinTheTarget(double target) {
            AdditiveMap map = (AdditiveMap) build("auto(error=" + target + ")", "chi2");
            AdditiveErrors errors = new AdditiveErrors(new Chi2(1), ROWS);
            assertTrue(errors.of(map) <= target);
            int less = map.featuresPerColumn() - 1;
            List<AdditiveRecipe> smaller = new ArrayList<>();
            if (less >= 1) {
                smaller.add(new SeriesRecipe(Chi2Series.CHEBYSHEV, less));
                smaller.add(new SeriesRecipe(Chi2Series.DIRECT, less));
            }
            if (less >= 3) {
                smaller.add(new SampledRecipe((less - 1) / 2));
            }
            for (AdditiveRecipe recipe : smaller) {
                double error = errors.of(recipe.additive(new Chi2(1), ROWS, new Notes()));
                assertTrue(error > target, recipe + " has the error " + error + ", and " + map + " was chosen");
            }
        }

        /** A value of 1 must not hide what a map loses on a thousand values of a thousandth. */
        @Test
        void countRowsAndNotTheLargestValue() {
            RandomStream stream = new Seed(3).stream();
            int columns = 300;
            float[] values = new float[40 * columns];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) (0.006 * stream.nextUniform());
            }
            values[0] = 1;
            RowSample rows = RowSample.of(DenseRows.of(40, columns, values), 40, new Seed(1));
            FeatureMap map = new AutoRecipe().build(new Chi2(1), rows, OptionalInt.empty(), new Seed(1), notes);
            assertTrue(MapReport.measure(map, rows, 500, new Seed(1))
                            .overall()
                            .relative()
                            .rms()
                    <= 0.02);
        }

        /** Texts of two words have shares of a half; those of the 21 words of a later text are far smaller. */
        @ParameterizedTest
        @ValueSource(strings = {"chi2", "intersection", "jensen-shannon"})
        void areGoodForValuesThatTheSampleDoesNotHave(String kernel) {
            int columns = 42;
            float[] values = new float[40 * columns];
            for (int i = 0; i < 40; i++) {
                values[i * columns + i] = 0.5F;
                values[i * columns + i + 1] = 0.5F;
            }
            RowSample rows = RowSample.of(DenseRows.of(40, columns, values), 40, new Seed(1));
            Kernel parsed = Kernels.parse(kernel);
            FeatureMap map = new AutoRecipe().build(parsed, rows, OptionalInt.empty(), new Seed(1), notes);
            double[] text = new double[columns];
            Arrays.fill(text, 0, 21, 1.0 / 21);
            double[] features = new double[map.outputDimension()];
            map.apply(text, features);
            double product = 0;
            for (double feature : features) {
                product += feature * feature;
            }
            // Each of the 21 values may err by 0.05 of itself.
            assertEquals(1, product, 0.05);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "chi2",
                    "0.5*exp-chi2(gamma=2)",
                    "gaussian(sigma=1) + exp-jensen-shannon(gamma=1)",
                    "intersection(degree=0.5)",
                    "hellinger"
                })
        void areARecipeThatBuildsTheSameMap(String kernel) {
            Kernel parsed = Kernels.parse(kernel);
            MapRecipe chosen = new AutoRecipe().chosen(parsed, ROWS, OptionalInt.empty(), new Notes());
            assertTrue(!chosen.toString().contains("auto"), chosen.toString());
            MapRecipe read = FeatureMaps.parse(chosen.toString());
            State expected = new AutoRecipe()
                    .build(parsed, ROWS, OptionalInt.empty(), new Seed(1), new Notes())
                    .state();
            assertEquals(
                    expected,
                    read.build(parsed, ROWS, OptionalInt.empty(), new Seed(1), new Notes())
                            .state());
        }

        @Test
        void areSaid() {
            build("auto(error=0.02)", "chi2");
            assertTrue(
                    notes.list().get(0).text().startsWith("map of chi2: "),
                    notes.list().get(0).text());
            assertTrue(
                    notes.list().get(0).text().contains("at most 0.02; it is "),
                    notes.list().get(0).text());
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "exp-chi2(gamma=2)",
                    "laplace-jensen-shannon(beta=1)",
                    "matern-intersection(nu=1.5, sigma=1.5)"
                })
        void ofAFirstStageErrLessThanTheSecond(String kernel) {
            TwoStageMap map = (TwoStageMap) build("orthogonal(phase)", Kernels.parse(kernel), OptionalInt.of(400));
            PairErrors errors = new PairErrors(map.kernel(), ROWS);
            double first = errors.ofFirstStage(map.first());
            double second = errors.ofFourier(FourierForm.PHASE, 400);
            assertTrue(first <= second, "the first stage errs by " + first + ", the second by " + second);
            assertTrue(
                    notes.list().get(0).text().contains("first stage of " + kernel),
                    notes.list().get(0).text());
        }

        /** Values of a kernel that is 1 for all pairs, but for rounding, have no variance, and no negative one. */
        @Test
        void ofAFirstStageAreMadeForRowsThatAreAsGoodAsEqual() {
            build("fourier", Kernels.parse("exp-chi2(gamma=1e-9)"), OptionalInt.of(100));
            assertTrue(
                    !notes.list().get(0).text().contains("NaN"),
                    notes.list().get(0).text());
        }

        @Test
        void shareOutFeaturesByFactorsOfAnySize() {
            assertArrayEquals(new int[] {50, 0, 50}, MapAlgebra.shareOut(100, new double[] {1e308, 0, 1e308}, 2));
            assertArrayEquals(new int[] {98, 2}, MapAlgebra.shareOut(100, new double[] {1e308, 1e-308}, 2));
        }

        @Test
        void ofASumTakeTheMemoryOfAllItsMaps() {
            double one = FeatureMaps.parse("fourier").bytesNeeded(7, 300);
            assertEquals(
                    2 * one,
                    FeatureMaps.parse("fourier(features=300) + fourier(features=300)")
                            .bytesNeeded(7, 1000));
            assertEquals(
                    2 * one,
                    FeatureMaps.parse("fourier(features=300) + fourier").bytesNeeded(7, 300));
        }

        /** The features of 32 rows of 400,000 dense columns, at 3 numbers a column, take 150 MB. */
        @Test
        void ofWideRowsAreAmongMapsThatFitTheMemory() {
            DenseRows wide = DenseRows.of(32, 400_000, new float[32 * 400_000]);
            assertEquals(3, RowFeatures.affordablePerColumn(wide));
            assertEquals(104, RowFeatures.affordablePerColumn(wide.columns(0, 10_000)));
        }

        @Test
        void doNotDependOnTheDataWhereTheRecipeSaysSo() {
            for (String recipe : List.of("sampled(order=2)", "direct(terms=4, scale=2)")) {
                assertTrue(!FeatureMaps.parse(recipe).needsData(new Chi2(1)));
                State ofNothing = FeatureMaps.parse(recipe)
                        .build(new Chi2(1), RowSample.none(4), OptionalInt.empty(), new Seed(1), new Notes())
                        .state();
                assertEquals(ofNothing, build(recipe, "chi2").state());
            }
        }
    }

    @Nested
    class DamagedStates {
        private void rejected(State state, String why) {
            String message = String.valueOf(assertThrows(BochnerException.class, () -> FeatureMaps.load(state))
                    .getMessage());
            assertTrue(message.contains(why), message);
        }

        private State damaged(FeatureMap map, String key, String text) {
            return map.state().with(key, text);
        }

        @Test
        void ofSpectralMapsAreRejected() {
            FeatureMap map = build("sampled(order=2)", "chi2");
            rejected(
                    damaged(map, "kernel", "gaussian(sigma=1)"),
                    "the kernel 'gaussian(sigma=1)' has no map of this type");
            rejected(damaged(map, "kernel", "linear"), "has no map of this type");
            rejected(damaged(map, "columns", "0"), "columns");
            rejected(damaged(map, "count", "4"), "must hold 4 values");
            rejected(map.state().with("weights", new double[] {1, -1, 1}), "weight 1 must be positive");
            rejected(map.state().with("weights", new double[] {1, Double.NaN, 1}), "holds NaN");
            rejected(map.state().with("frequencies", new double[] {0, 2, 1}), "must ascend");
            rejected(map.state().with("frequencies", new double[] {-1, 0, 1}), "must ascend");
            rejected(damaged(map, "columns", "2147483647"), "5 features of each of 2147483647 columns");
        }

        /** Every harmonic up to the last would be a step for every value: two thousand million of them. */
        @Test
        void withDistantHarmonicsAreMappedWithoutAStepForEach() {
            FeatureMap map = FeatureMaps.load(
                    build("sampled(order=2)", "chi2").state().with("frequencies", new double[] {0, 1, 2e9}));
            float[] features = new float[map.outputDimension()];
            map.apply(DenseRows.of(1, 4, new float[] {1, 2, 3, 4}), features, 0, features.length);
            double[] exact = new double[features.length];
            map.apply(new double[] {1, 2, 3, 4}, exact);
            for (int j = 0; j < exact.length; j++) {
                assertEquals(exact[j], features[j], 1e-6);
            }
        }

        @Test
        void ofSeriesAreRejected() {
            FeatureMap map = build("direct(terms=3)", "chi2");
            rejected(damaged(map, "series", "fourier"), "unknown series 'fourier'");
            rejected(damaged(map, "terms", "0"), "terms must");
            rejected(damaged(map, "terms", "2147483647"), "features of each of 4 columns");
            rejected(damaged(map, "scale", "-1"), "scale must");
            rejected(damaged(map, "kernel", "intersection"), "the kernel 'intersection' has no map of this type");
        }

        @Test
        void ofTwoStagesAreRejected() {
            FeatureMap map = build("fourier@sampled(order=1)", Kernels.parse("exp-chi2(gamma=1)"), OptionalInt.of(8));
            rejected(damaged(map, "kernel", "exp-chi2(gamma=2)"), "not of exp-chi2(gamma=2)");
            rejected(damaged(map, "kernel", "chi2"), "has no map of this type");
            rejected(damaged(map, "first.kernel", "intersection"), "not of exp-chi2(gamma=1)");
            rejected(damaged(map, "first.columns", "3"), "columns of the second stage");
            rejected(damaged(map, "first.type", "composed"), "cannot be part of it");
        }

        @Test
        void ofSumsWithMoreFeaturesThanAnArrayHoldsAreRejected() {
            FeatureMap map = build("sampled(order=1) + exact", "chi2 + hellinger");
            State state = damaged(map, "0.columns", "700000000").with("1.columns", "700000000");
            rejected(state, "the features of 2 maps are 2800000000 numbers");
        }

        @Test
        void ofExactMapsAreRejected() {
            FeatureMap map = build("exact", "hellinger");
            rejected(damaged(map, "kernel", "chi2"), "the kernel 'chi2' has no map of this type");
        }
    }

    /** A homogeneous kernel that VLFeat has never heard of. */
    private record Outside(double degree) implements HomogeneousKernel {
        @Override
        public String name() {
            return "outside";
        }

        @Override
        public double atRatio(double ratio) {
            return new Intersection(1).atRatio(ratio);
        }

        @Override
        public double distanceAtRatio(double ratio) {
            return new Intersection(1).distanceAtRatio(ratio);
        }

        @Override
        public double density(double omega) {
            return new Intersection(1).density(omega);
        }

        @Override
        public Outside withDegree(double degree) {
            return new Outside(degree);
        }
    }
}
