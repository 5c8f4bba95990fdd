package org.bochner.map.additive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.design.Design;
import org.bochner.design.Norm;
import org.bochner.design.Plan;
import org.bochner.design.Target;
import org.bochner.design.Target.Axis;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.HomogeneousKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.additive.Chi2;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.map.SampleRows;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.map.fourier.WeightedFourierMap;
import org.bochner.map.layout.DesignFacts;
import org.bochner.map.layout.ErrorWeight;
import org.bochner.map.study.AdditiveErrors;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The recipe of designed maps: what it makes of a design, of ranges and of numbers of features, and what it refuses. */
class DesignRecipeTest {
    private static final RowSample HISTOGRAMS = SampleRows.histograms(60, 6);

    /** Columns from 1 to 3, from −1 to 1, and from 0 to 0.5. */
    private static final RowSample ROWS =
            SampleRows.of(new double[][] {{1, 1, 0.5}, {3, -1, 0}, {2.5, 0.5, 0.25}, {1.5, 0, 0.125}});

    /** A finer grid finds more between the points of that on which a design's error was measured. */
    private static final double FINER = 1 + 1e-4;

    private final Notes notes = new Notes();

    private FeatureMap build(String recipe, String kernel, RowSample rows, OptionalInt features) {
        return FeatureMaps.parse(recipe).build(Kernels.parse(kernel), rows, features, new Seed(1), notes);
    }

    private FeatureMap build(String recipe, String kernel, RowSample rows) {
        return build(recipe, kernel, rows, OptionalInt.empty());
    }

    private FeatureMap build(String recipe, String kernel) {
        return build(recipe, kernel, HISTOGRAMS);
    }

    private static String refusal(Runnable use) {
        RuntimeException e = assertThrows(RuntimeException.class, use::run);
        assertTrue(e instanceof IllegalArgumentException || e instanceof BochnerException, e.toString());
        return String.valueOf(e.getMessage());
    }

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

    @Nested
    class Spellings {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "lp",
                    "lp(dimension=5)",
                    "lp(error=0.01)",
                    "lp(error=1.0E-4, range=0.001:1)",
                    "lp(range=-1:1)",
                    "lp(dimension=255, universal)",
                    "lp(dimension=7, range=1:255, weight=relative, norm=mean, form=modulation)",
                    "lp(form=projection)",
                    "lp(dimension=5, weight=data)",
                    "fourier@lp(dimension=5)",
                    "lp(dimension=5) + fourier(features=500)"
                })
        void printAndParseBack(String text) {
            MapRecipe recipe = FeatureMaps.parse(text);
            assertEquals(text, recipe.toString());
            assertEquals(recipe, FeatureMaps.parse(recipe.toString()));
        }

        @Test
        void leaveOutWhatIsUsual() {
            assertEquals(
                    new DesignRecipe(3, ErrorWeight.ABSOLUTE),
                    FeatureMaps.parse("lp(dimension=3, weight=absolute, norm=largest)"));
            assertEquals(FeatureMaps.parse("lp"), FeatureMaps.parse("lp()"));
        }

        @ParameterizedTest
        @CsvSource({
            "lp(dimension=0), from 1 to 255; got 0",
            "lp(dimension=-3), from 1 to 255; got -3",
            "lp(dimension=256), from 1 to 255; got 256",
            "lp(dimension=2.5), whole number",
            "lp(error=0), error must be positive",
            "lp(error=-0.1), error must be positive",
            "lp(error=nan), must be a number",
            "lp(error=NaN), error must be positive",
            "lp(error=1e-15), at least 1.0E-8",
            "'lp(dimension=5, error=0.01)', not both",
            "lp(range=3:1), LOW less than HIGH",
            "lp(range=1:1), LOW less than HIGH",
            "lp(range=5), range must be LOW:HIGH",
            "lp(range=1:2:3), range must be LOW:HIGH",
            "lp(range=a:2), must be a number",
            "lp(range=0:NaN), LOW less than HIGH",
            "lp(range=0:Infinity), LOW less than HIGH",
            "'lp(universal, range=1:2)', not both",
            "'lp(universal, weight=relative)', leave universal out",
            "lp(weight=none), unknown lp weight 'none'",
            "'lp(universal, dimension=5, weight=data)', leave one of them out",
            "lp(weight=data), give a dimension",
            "'lp(error=0.01, weight=data)', give a dimension",
            "lp(norm=larges), unknown lp norm",
            "lp(form=polar), unknown lp form 'polar'",
            "lp(dimensions=5), no parameter",
            "lp@fourier, write the map of the second stage"
        })
        void thatAreWrongAreExplained(String text, String why) {
            String message = refusal(() -> FeatureMaps.parse(text));
            assertTrue(message.contains(why.replace("; ", ", ")), message);
        }
    }

    @Nested
    class OfHomogeneousKernels {
        /** Over pairs of values of the range, finer than any grid of the design. */
        private static double largest(SpectralMap map, double low, double high) {
            HomogeneousKernel kernel = (HomogeneousKernel) map.kernel();
            int steps = 20_000;
            double largest = 0;
            for (int i = 0; i <= steps; i++) {
                double x = high * Math.pow(low / high, (double) i / steps);
                double error = product(map, new double[] {x}, new double[] {high}) - kernel.scalar(x, high);
                largest = Math.max(largest, Math.abs(error));
            }
            return largest / Math.pow(high, kernel.degree());
        }

        @ParameterizedTest
        @CsvSource({
            "chi2, lp(dimension=3)",
            "chi2, lp(dimension=5)",
            "jensen-shannon, lp(dimension=5)",
            "intersection, lp(dimension=7)",
            "chi2(degree=0.5), lp(dimension=5)",
            "jensen-shannon(degree=2), lp(dimension=4)"
        })
        void errByWhatTheDesignSaysOnItsRange(String name, String recipe) {
            HomogeneousKernel kernel = (HomogeneousKernel) Kernels.parse(name);
            DesignRecipe ranged = (DesignRecipe) FeatureMaps.parse(recipe.replace(")", ", range=2:510)"));
            SpectralMap map = ranged.additive(kernel, RowSample.none(1), notes);
            Design design = Design.ofDimension(
                    Target.ofRatios(kernel, 255),
                    Plan.DEFAULT,
                    ranged.dimension().orElseThrow());
            double largest = largest(map, 2, 510);
            assertTrue(largest <= design.error() * FINER, largest + " against " + design.error());
            assertTrue(largest > 0.9 * design.error(), largest + " against " + design.error());
            assertTrue(map.largestError() >= largest * (1 - 1e-6));
            assertEquals(design.dimension(), map.featuresPerColumn());
        }

        @ParameterizedTest
        @ValueSource(doubles = {0.05, 0.01, 0.001})
        void haveTheErrorAskedFor(double error) {
            SpectralMap map = (SpectralMap) build("lp(error=" + error + ", range=1:255)", "chi2", RowSample.none(1));
            assertTrue(largest(map, 1, 255) <= error * FINER);
            int less = map.featuresPerColumn() - 1;
            double below = largest(
                    (SpectralMap) build("lp(dimension=" + less + ", range=1:255)", "chi2", RowSample.none(1)), 1, 255);
            assertTrue(below > error, "with " + less + " numbers it would be " + below);
        }

        @Test
        void haveTheErrorOfAHundredthWithoutBeingTold() {
            assertEquals(
                    build("lp(error=0.01)", "chi2").state(), build("lp", "chi2").state());
        }

        @Test
        void ofARelativeErrorKeepIt() {
            SpectralMap map =
                    (SpectralMap) build("lp(dimension=5, range=1:255, weight=relative)", "chi2", RowSample.none(1));
            Design design = Design.ofDimension(Target.ofRatios(new Chi2(1), 255).relative(), Plan.DEFAULT, 5);
            for (int i = 1; i <= 2550; i++) {
                double exact = new Chi2(1).scalar(i / 10.0, 255);
                double found = product(map, new double[] {i / 10.0}, new double[] {255});
                assertTrue(i < 10 || Math.abs(found / exact - 1) <= design.error() * FINER, "at " + i);
            }
            assertTrue(
                    notes.list().get(0).text().contains("of the kernel"),
                    notes.list().get(0).text());
        }

        @Test
        void haveASmallerMeanErrorWhereThatIsAskedFor() {
            SpectralMap mean = (SpectralMap) build("lp(dimension=5, range=1:255, norm=mean)", "chi2");
            SpectralMap least = (SpectralMap) build("lp(dimension=5, range=1:255)", "chi2");
            double[] sums = new double[2];
            for (double lambda = 0; lambda <= Math.log(255); lambda += 1e-3) {
                double size = Math.exp(-lambda / 2);
                double exact = new Chi2(1).signature(lambda);
                sums[0] += size * Math.abs(mean.signature(lambda) - exact);
                sums[1] += size * Math.abs(least.signature(lambda) - exact);
            }
            assertTrue(sums[0] < sums[1], sums[0] + " against " + sums[1]);
            assertTrue(
                    notes.list().get(0).text().contains("in the mean"),
                    notes.list().get(0).text());
        }

        @Test
        void takeTheRangeOfTheData() {
            double low = HISTOGRAMS.range().low();
            double high = HISTOGRAMS.range().high();
            State ofData = build("lp(dimension=5)", "chi2").state();
            assertEquals(
                    ofData,
                    build("lp(dimension=5, range=" + low + ":" + high + ")", "chi2")
                            .state());
            // Only the ratio counts; by a power of two, so that it has the same bits.
            assertEquals(
                    ofData,
                    build("lp(dimension=5, range=" + low / 64 + ":" + high / 64 + ")", "chi2")
                            .state());
            assertTrue(
                    notes.list().get(0).text().contains("the data"),
                    notes.list().get(0).text());
            assertTrue(
                    notes.list().get(0).text().contains("for any others"),
                    notes.list().get(0).text());
        }

        @Test
        void holdForEveryRatioWhereTheyAreUniversalOrNothingIsKnown() {
            SpectralMap universal = (SpectralMap) build("lp(dimension=5, universal)", "chi2");
            State state = universal.state();
            assertEquals(
                    state, build("lp(dimension=5)", "chi2", RowSample.none(6)).state());
            double error = Design.ofDimension(Target.ofAllRatios(new Chi2(1)), Plan.DEFAULT, 5)
                    .error();
            assertTrue(universal.largestError() <= error * FINER);
            assertTrue(
                    notes.list().get(0).text().endsWith("whatever the ratio of the values"),
                    notes.list().get(0).text());
            assertTrue(
                    notes.list().get(1).text().contains("there are no data"),
                    notes.list().get(1).text());
        }

        /** Where nothing beyond some ratio counts, the design for every ratio is that for a longer range. */
        @Test
        void ofVeryLongRangesAreUniversal() {
            assertEquals(
                    build("lp(dimension=3, universal)", "chi2").state(),
                    build("lp(dimension=3, range=1e-30:1)", "chi2").state());
        }

        @Test
        void ofDataOfOneValueAreExactThere() {
            RowSample ones = SampleRows.of(new double[][] {{3, 0}, {0, 3}, {3, 3}});
            FeatureMap map = build("lp(error=1e-6)", "chi2", ones);
            assertEquals(3, product(map, new double[] {3, 0}, new double[] {3, 3}), 3e-6);
            RowSample zeros = SampleRows.of(new double[][] {{0, 0}, {0, 0}});
            assertEquals(
                    build("lp(dimension=3, universal)", "chi2", zeros).state(),
                    build("lp(dimension=3)", "chi2", zeros).state());
        }

        @Test
        void areTheFirstStageOfKernelsOfADistance() {
            TwoStageMap spelled =
                    (TwoStageMap) build("fourier@lp(dimension=5)", "exp-chi2(gamma=2)", HISTOGRAMS, OptionalInt.of(64));
            assertEquals(
                    build("lp(dimension=5)", "chi2").state(), spelled.first().state());
            assertEquals(
                    spelled.state(),
                    build("lp(dimension=5)", "exp-chi2(gamma=2)", HISTOGRAMS, OptionalInt.of(64))
                            .state());
        }

        @Test
        void standBesideOtherMaps() {
            FeatureMap sum = build(
                    "lp(dimension=5) + fourier(features=500) + lp(dimension=3, range=0:1)",
                    "chi2[0:4] + gaussian(sigma=1) + 0.5*gaussian(sigma=0.4)[5:6]");
            assertEquals(4 * 5 + 500 + 3, sum.outputDimension());
            State state = sum.state();
            assertEquals(state, FeatureMaps.load(state).state());
        }

        @Test
        void lookAtDataOnlyWhereTheyMust() {
            Kernel chi2 = new Chi2(1);
            assertTrue(new DesignRecipe(5, ErrorWeight.ABSOLUTE).needsData(chi2));
            assertTrue(new DesignRecipe(5, ErrorWeight.ABSOLUTE).needsData(Kernels.parse("exp-chi2(gamma=1)")));
            assertTrue(FeatureMaps.parse("fourier@lp").needsData(Kernels.parse("exp-chi2(gamma=1)")));
            assertFalse(FeatureMaps.parse("lp(range=1:2)").needsData(chi2));
            assertFalse(FeatureMaps.parse("lp(universal)").needsData(chi2));
            assertTrue(FeatureMaps.parse("lp(dimension=3)").needsData(new Gaussian(1)));
            assertFalse(FeatureMaps.parse("lp(range=0:2)").needsData(new Gaussian(1)));
            assertFalse(FeatureMaps.parse("lp").needsData(Kernels.parse("periodic(width=1)")));
            assertTrue(FeatureMaps.parse("lp")
                    .needsData(Kernels.parse("gaussian(sigma=1)[0:1] * periodic(width=1)[1:2]")));
        }
    }

    @Nested
    class OfShiftInvariantKernels {
        private void assertKeepsItsError(FeatureMap map, ShiftInvariantKernel kernel, Design design, int steps) {
            int columns = design.columns();
            double largest = 0;
            int points = (int) Math.pow(2 * steps + 1, columns);
            for (int p = 0; p < points; p++) {
                double[] x = new double[columns];
                double[] y = new double[columns];
                int rest = p;
                for (int l = 0; l < columns; l++) {
                    double length = design.target().axes().get(l).length();
                    // Far from 0 as well as near it: only differences count.
                    y[l] = 17.5 + l;
                    x[l] = y[l] + length * (rest % (2 * steps + 1) - steps) / steps;
                    rest /= 2 * steps + 1;
                }
                largest = Math.max(largest, Math.abs(product(map, x, y) - kernel.value(x, y)));
            }
            assertTrue(largest <= design.error() * FINER + 1e-12, largest + " against " + design.error());
            assertTrue(largest > 0.5 * design.error(), largest + " against " + design.error());
            assertEquals(design.dimension(), map.outputDimension());
        }

        @ParameterizedTest
        @ValueSource(strings = {"gaussian(sigma=0.5)", "laplacian(sigma=2)", "matern(nu=1.5, sigma=1)"})
        void ofOneColumnErrByWhatTheDesignSays(String name) {
            ShiftInvariantKernel kernel = (ShiftInvariantKernel) Kernels.parse(name);
            Design design = Design.ofDimension(Target.of(kernel, Axis.between(1, 3)), Plan.DEFAULT, 7);
            FeatureMap map = build("lp(dimension=7, range=1:3)", name, RowSample.none(1));
            assertKeepsItsError(map, kernel, design, 5000);
        }

        @Test
        void ofTwoColumnsErrByWhatTheDesignSays() {
            Gaussian kernel = new Gaussian(1);
            Design design = Design.ofDimension(Target.of(kernel, Axis.upTo(2), Axis.upTo(1)), Plan.DEFAULT, 9);
            FeatureMap map =
                    build("lp(dimension=9)", "gaussian(sigma=1)", SampleRows.of(new double[][] {{1, 4}, {3, 5}}));
            assertKeepsItsError(map, kernel, design, 150);
            assertTrue(
                    notes.list()
                            .get(0)
                            .text()
                            .contains("2.000 in column 0, 1.000 in column 1, as those of the data do"),
                    notes.list().get(0).text());
        }

        /** 2·Σ p_j over the harmonics left out, were it not for what a design makes better. */
        @Test
        void ofAnglesNeedNoRange() {
            Kernel kernel = Kernels.parse("periodic(period=10, width=1)");
            FeatureMap map = build("lp(error=0.01)", "periodic(period=10, width=1)", RowSample.none(1));
            for (int i = 0; i <= 1000; i++) {
                double[] x = {0.03 * i};
                assertEquals(kernel.value(x, new double[] {3}), product(map, x, new double[] {3}), 0.01 + 1e-9);
            }
            assertTrue(
                    notes.list().get(0).text().endsWith("for all rows"),
                    notes.list().get(0).text());
        }

        @Test
        void takeTheRangeOfEveryColumn() {
            State ofData =
                    build("lp(dimension=9)", "gaussian(sigma=1)[1:2]", ROWS).state();
            State given = build("lp(dimension=9, range=-1:1)", "gaussian(sigma=1)[1:2]", RowSample.none(3))
                    .state();
            assertEquals(given, ofData);
        }

        @Test
        void areMadeForAColumnInWhichAllValuesAreTheSame() {
            RowSample same = SampleRows.of(new double[][] {{5}, {5}});
            FeatureMap map = build("lp(dimension=3)", "gaussian(sigma=1)", same);
            assertEquals(1, product(map, new double[] {5}, new double[] {5}), 1e-4);
        }

        @Test
        void takeTheNumberOfFeaturesThatIsAskedFor() {
            FeatureMap asked = build("lp", "gaussian(sigma=1)[0:1]", ROWS, OptionalInt.of(7));
            assertEquals(
                    build("lp(dimension=7)", "gaussian(sigma=1)[0:1]", ROWS).state(), asked.state());
            assertEquals(
                    build("lp(error=0.01)", "gaussian(sigma=1)[0:1]", ROWS).state(),
                    build("lp", "gaussian(sigma=1)[0:1]", ROWS).state());
        }

        @ParameterizedTest
        @ValueSource(strings = {"lp(dimension=7)", "lp(error=0.01)"})
        void areAskedForNoneWhereTheNumberFollows(String recipe) {
            String message = refusal(() -> build(recipe, "gaussian(sigma=1)[0:1]", ROWS, OptionalInt.of(100)));
            assertTrue(message.contains("follows from the map"), message);
        }

        @Test
        void leaveTheFeaturesToOthersUnlessTheyAreAskedFor() {
            String kernel = "gaussian(sigma=1)[0:1] + gaussian(sigma=1)[1:3]";
            ConcatenatedMap unasked = (ConcatenatedMap) build("lp + fourier", kernel, ROWS);
            assertEquals(MapRecipe.DEFAULT_FEATURES, unasked.parts().get(1).outputDimension());
            ConcatenatedMap shared = (ConcatenatedMap) build("lp + fourier", kernel, ROWS, OptionalInt.of(20));
            assertEquals(10, shared.parts().get(1).outputDimension());
            assertTrue(shared.parts().get(0).outputDimension() <= 10);
            ConcatenatedMap designed =
                    (ConcatenatedMap) build("lp(dimension=5) + fourier", kernel, ROWS, OptionalInt.of(20));
            assertEquals(20, designed.parts().get(1).outputDimension());
        }

        @Test
        void areTheSameMapBitForBit() {
            State once =
                    build("lp(dimension=9)", "gaussian(sigma=0.7)[0:1]", ROWS).state();
            assertEquals(
                    once,
                    build("lp(dimension=9)", "gaussian(sigma=0.7)[0:1]", ROWS).state());
            assertEquals(once, FeatureMaps.load(once).state());
        }
    }

    @Nested
    class Refusals {
        @ParameterizedTest
        @CsvSource({
            "lp, hellinger, take exact",
            "lp(dimension=3), linear, take exact",
            "lp(range=0:255), chi2, start above 0",
            "lp(range=-1:1), chi2, start above 0",
            "lp(weight=relative), chi2, give range=LOW:HIGH",
            "lp, gaussian(sigma=1), take quasi or orthogonal",
            "lp(universal), gaussian(sigma=1)[0:1], no ratios",
            "lp, gaussian(sigma=1)[0:1], give range=LOW:HIGH",
            "lp, gaussian(sigma=1)@log(c=1), take quasi or fourier",
            "lp, skewed-chi2(c=1; power=1), take quasi or fourier",
            "lp, polynomial(gamma=1), tensor-sketch",
            "lp@lp, exp-chi2(gamma=1), second stage",
            "lp(dimension=100), chi2, from 1 to 61",
            "fourier@lp, exp-hellinger(gamma=1), take exact"
        })
        void nameTheKernelAndWhatToTake(String recipe, String kernel, String remedy) {
            String message = refusal(() -> build(recipe, kernel.replace(';', ','), RowSample.none(6)));
            assertTrue(message.contains(remedy), message);
            assertFalse(message.contains("null") || message.contains("Optional"), message);
        }

        /** An additive kernel of which nothing is known but its values. */
        private record Bare() implements AdditiveKernel {
            @Override
            public double scalar(double x, double y) {
                return x * y / (1 + x * y);
            }
        }

        @Test
        void ofAKernelThatIsNotHomogeneous() {
            String message =
                    refusal(() -> ((DesignRecipe) FeatureMaps.parse("lp")).additive(new Bare(), HISTOGRAMS, notes));
            assertTrue(message.contains("not homogeneous"), message);
        }

        @Test
        void ofDamagedStates() {
            assertTrue(FeatureMaps.load(good()) instanceof WeightedFourierMap);
            rejected(good().with("kernel", "chi2"), "has no map of this type");
            rejected(good().with("columns", "0"), "must hold 0 values");
            rejected(good().with("columns", "2"), "must hold 6 values");
            rejected(good().with("count", "0"), "weights");
            rejected(good().with("weights", new double[] {1, -1, 1}), "weight 1 must be positive");
            rejected(good().with("frequencies", new double[] {0, 0, 1}), "given twice");
        }

        @Test
        void ofDamagedDesigns() {
            DesignFacts facts =
                    new DesignFacts(5, 0.25, Norm.MEAN, ErrorWeight.RELATIVE, false, List.of(2.0), List.of(false));
            State saved = facts.addTo(good());
            FeatureMap loaded = FeatureMaps.load(saved);
            assertEquals(saved, loaded.state());
            assertEquals(
                    List.of(
                            "gaussian(sigma=1); 5 features; mean error 0.2500 of the kernel for differences up to 2.000"),
                    FeatureMaps.describeDesigns(new ConcatenatedMap(List.of(FeatureMaps.load(good()), loaded))));
            rejected(facts.addTo(good()).with("design.dimension", "0"), "dimension must be at least 1");
            rejected(facts.addTo(good()).with("design.error", "-1"), "error");
            rejected(facts.addTo(good()).with("design.error", "NaN"), "error");
            rejected(facts.addTo(good()).with("design.norm", "median"), "must be one of [largest, mean]");
            rejected(facts.addTo(good()).with("design.weight", ""), "must be one of [absolute, relative, data]");
            rejected(facts.addTo(good()).with("design.columns", "0"), "lengths");
            rejected(facts.addTo(good()).with("design.columns", "2000000000"), "lengths");
            rejected(facts.addTo(good()).with("design.lengths", new double[] {0}), "length must be positive");
            rejected(facts.addTo(good()).with("design.periodic", new int[] {0, 1}), "periodic");
        }

        private State good() {
            double[] frequencies = {0, 1, 2};
            return new WeightedFourierMap(new Gaussian(1), 1, frequencies, new double[] {0.5, 0.3, 0.2}).state();
        }

        private void rejected(State state, String why) {
            String message = refusal(() -> FeatureMaps.load(state));
            assertTrue(message.contains(why), message);
        }
    }

    @Nested
    class WeightedFourierMaps {
        @Test
        void areCosinesThenSinesThenTheConstant() {
            double[] frequencies = {1, 2, 0, 0, -3, 0.5};
            WeightedFourierMap map =
                    new WeightedFourierMap(new Gaussian(1), 2, frequencies, new double[] {0.25, 0.09, 0.16});
            double[] out = new double[5];
            map.apply(new double[] {0.3, -0.2}, out);
            double[] expected = {0.5 * Math.cos(-0.1), 0.4 * Math.cos(-1), 0.5 * Math.sin(-0.1), 0.4 * Math.sin(-1), 0.3
            };
            assertArrayEquals(expected, out, 1e-15);
        }

        @Test
        void mayBeTheConstantAlone() {
            WeightedFourierMap map = new WeightedFourierMap(new Gaussian(1), 1, new double[1], new double[] {0.81});
            float[] floats = new float[2];
            map.apply(DenseRows.of(2, 1, new float[] {1, 2}), floats, 0, 1);
            double[] doubles = new double[2];
            map.apply(DenseRows.of(2, 1, new float[] {1, 2}), doubles, 0, 1);
            assertArrayEquals(new float[] {0.9f, 0.9f}, floats);
            assertArrayEquals(new double[] {0.9, 0.9}, doubles);
            assertEquals(map.state(), FeatureMaps.load(map.state()).state());
        }

        /** Turns in float32 would leave 1e-2 of a cosine. */
        @Test
        void keepTheirPrecisionFarFromZero() {
            WeightedFourierMap map =
                    new WeightedFourierMap(new Gaussian(0.1), 1, new double[] {31.4}, new double[] {1});
            float[] floats = new float[2];
            map.apply(DenseRows.of(1, 1, new float[] {65_537.25f}), floats, 0, 2);
            assertEquals(StrictMath.cos(31.4 * 65_537.25), floats[0], 3e-7);
            assertEquals(StrictMath.sin(31.4 * 65_537.25), floats[1], 3e-7);
        }
    }

    @Nested
    class WeighedByTheData {
        private static final DesignRecipe PLAIN = new DesignRecipe(5, ErrorWeight.ABSOLUTE);
        private static final DesignRecipe WEIGHED = new DesignRecipe(5, ErrorWeight.DATA);

        @Test
        void rowsErrLess() {
            HomogeneousKernel kernel = new Chi2(1);
            AdditiveErrors errors = new AdditiveErrors(kernel, HISTOGRAMS);
            double plain = errors.of(PLAIN.additive(kernel, HISTOGRAMS, new Notes()));
            double weighed = errors.of(WEIGHED.additive(kernel, HISTOGRAMS, notes));
            assertTrue(weighed < plain, weighed + " against " + plain);
            assertTrue(
                    notes.list().get(0).text().contains("weighed by the data"),
                    notes.list().get(0).text());
        }

        @Test
        void pairsCountByTheirRatioAndSize() {
            // Two rows: values of ratio 1 and size 4, of ratio e² and size √(1·e²) = e, and one that only one row has.
            float square = (float) Math.exp(2);
            RowSample rows = RowSample.of(DenseRows.of(2, 3, new float[] {4, 1, 3, 4, square, 0}), 2, new Seed(1));
            DataErrorWeight weight = DataErrorWeight.of(new Chi2(1), rows, 4).orElseThrow();
            assertEquals(1, weight.shares().get(0));
            assertEquals(Math.E / 4, weight.shares().get(50), 1e-6);
            assertEquals(1e-6, weight.shares().get(99));
            // √(share·e^(−λ/2)) at the middles of the intervals.
            assertEquals(Math.exp(-0.005), weight.applyAsDouble(new double[] {0.02}), 1e-12);
            assertEquals(Math.sqrt(Math.E / 4 * Math.exp(-1.01)), weight.applyAsDouble(new double[] {-2.02}), 1e-6);
            assertTrue(weight.applyAsDouble(new double[] {4}) > 0);
        }

        @Test
        void withoutRowsAllErrorsCountAlike() {
            SpectralMap map = WEIGHED.additive(new Chi2(1), RowSample.none(2), notes);
            assertEquals(
                    PLAIN.additive(new Chi2(1), RowSample.none(2), new Notes()).state(), map.state());
            assertTrue(
                    notes.list().get(0).text().contains("no rows"),
                    notes.list().get(0).text());
        }

        @Test
        void differencesDoNot() {
            String message = refusal(() -> WEIGHED.build(
                    new Gaussian(1), HISTOGRAMS.columns(0, 1), OptionalInt.empty(), new Seed(1), new Notes()));
            assertTrue(message.contains("kernels of ratios"), message);
        }
    }

    @Nested
    class TheAutomaticChoice {
        @ParameterizedTest
        @ValueSource(strings = {"chi2", "jensen-shannon"})
        void isADesignFromFiveNumbersOn(String name) {
            HomogeneousKernel kernel = (HomogeneousKernel) Kernels.parse(name);
            AdditiveErrors errors = new AdditiveErrors(kernel, HISTOGRAMS);
            for (int width : new int[] {5, 7, 9, 11}) {
                double designed = errors.of(
                        new DesignRecipe(width, ErrorWeight.ABSOLUTE).additive(kernel, HISTOGRAMS, new Notes()));
                List<AdditiveRecipe> others = new ArrayList<>(List.of(new SampledRecipe(width / 2)));
                if (kernel instanceof Chi2) {
                    others.add(new SeriesRecipe(Chi2Series.CHEBYSHEV, width));
                    others.add(new SeriesRecipe(Chi2Series.DIRECT, width));
                }
                for (AdditiveRecipe other : others) {
                    double error = errors.of(other.additive(kernel, HISTOGRAMS, new Notes()));
                    assertTrue(designed < error, width + " numbers: " + designed + ", " + other + " " + error);
                }
            }
            // Just what a design of five numbers has, so no smaller map and no other of five will do.
            DesignRecipe best = new DesignRecipe(5, ErrorWeight.DATA);
            double target = 1.01 * errors.of(best.additive(kernel, HISTOGRAMS, new Notes()));
            assertEquals(best, new AutoRecipe(target).chosen(kernel, HISTOGRAMS, OptionalInt.empty(), notes));
            assertTrue(
                    notes.list().get(0).text().contains("lp(dimension=5, weight=data)"),
                    notes.list().get(0).text());
        }
    }
}
