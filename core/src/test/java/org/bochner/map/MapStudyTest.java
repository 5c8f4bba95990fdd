package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.base.SpellingException;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.additive.Chi2;
import org.bochner.map.additive.DesignRecipe;
import org.bochner.map.additive.SampledRecipe;
import org.bochner.map.additive.SpectralMap;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MapStudyTest {
    private static final Seed SEED = new Seed(3);
    private static final RowSample ROWS = SampleRows.histograms(60, 6);

    private static MapStudy study(String kernel) {
        return MapStudy.prepare(Kernels.parse(kernel), ROWS, 1000, SEED);
    }

    private static List<String> spellings(List<MapStudy.Entry> entries) {
        return entries.stream().map(entry -> entry.recipe().toString()).toList();
    }

    @Nested
    class Sizes {
        @Test
        void ofMapsThatMakeAnyNumberAreNumbersOfFeatures() {
            List<MapStudy.Entry> entries = study("gaussian(sigma=0.5)").sizes("orthogonal", new Notes());
            assertEquals(
                    List.of(128, 256, 512, 1024, 2048, 4096),
                    entries.stream().map(entry -> entry.report().features()).toList());
            double first = entries.get(0).report().overall().absolute().rms();
            double last = entries.get(5).report().overall().absolute().rms();
            assertTrue(last < first / 2, first + " to " + last);
        }

        @Test
        void ofAdditiveMapsAreOrdersOrTerms() {
            MapStudy study = study("chi2");
            assertEquals(
                    List.of(
                            "sampled(order=1)",
                            "sampled(order=2)",
                            "sampled(order=3)",
                            "sampled(order=4)",
                            "sampled(order=5)"),
                    spellings(study.sizes("sampled", new Notes())));
            assertEquals(7, study.sizes("direct", new Notes()).size());
            assertEquals(
                    "sampled(order=2, window=uniform)",
                    study.sizes("sampled(window=uniform)", new Notes())
                            .get(1)
                            .recipe()
                            .toString());
        }

        @Tag("long")
        @Test
        void ofDesignsAreDimensions() {
            List<MapStudy.Entry> ofColumns = study("chi2").sizes("lp(universal)", new Notes());
            assertEquals(
                    List.of(3, 5, 7, 9, 11),
                    ofColumns.stream()
                            .map(entry -> entry.featuresPerColumn().orElseThrow())
                            .toList());
            assertTrue(spellings(ofColumns).contains("lp(dimension=5, universal)"));
            List<MapStudy.Entry> ofFeatures = study("gaussian(sigma=0.5)[0:1]").sizes("lp", new Notes());
            double first = ofFeatures.get(0).report().overall().absolute().max();
            double last = ofFeatures
                    .get(ofFeatures.size() - 1)
                    .report()
                    .overall()
                    .absolute()
                    .max();
            assertTrue(last < first / 10, first + " to " + last);
            assertEquals(1, study("chi2").allSizes("lp(error=0.01)").size());
        }

        @ParameterizedTest
        @ValueSource(strings = {"sampled(order=2)", "direct(terms=3)", "lp(dimension=4)", "lp(error=0.01)"})
        void isOneWhereTheMapSaysIt(String map) {
            assertEquals(List.of(map), spellings(study("chi2").sizes(map, new Notes())));
        }

        @Test
        void areAllOfThemWhereTheSpelledOneIsLeftOutOfAccount() {
            MapStudy study = study("chi2");
            List<String> sizes = spellings(study.allSizes("sampled(order=2, window=uniform)"));
            assertEquals(5, sizes.size());
            assertEquals("sampled(order=5, window=uniform)", sizes.get(4));
        }

        @Test
        void isTheChosenOneWhereTheChoiceIsLeftToTheMap() {
            MapStudy study = study("chi2");
            List<String> sizes = spellings(study.sizes("auto", new Notes()));
            assertEquals(1, sizes.size());
            assertFalse(sizes.get(0).contains("auto"), sizes.get(0));
            assertEquals(sizes, spellings(study.allSizes("auto")));
        }

        @Test
        void isOneWhereTheNumberOfFeaturesIsSpelled() {
            MapStudy study = study("gaussian(sigma=0.5)");
            assertFalse(study.takesFeatures(FeatureMaps.parse("fourier(features=30)")));
            List<MapStudy.Entry> entries = study.sizes("fourier(features=30)", new Notes());
            assertEquals(1, entries.size());
            assertEquals(30, entries.get(0).report().features());
        }

        @Test
        void ofSumsAreThoseOfTheTermsThatAreOpen() {
            MapStudy study = study("gaussian(sigma=0.5) + chi2");
            assertTrue(study.takesFeatures(FeatureMaps.parse("fourier + sampled(order=1)")));
            assertFalse(study.takesFeatures(FeatureMaps.parse("fourier(features=30) + sampled(order=1)")));
            assertFalse(study.additive());
            assertTrue(study("chi2[0:2] + 3*intersection[2:6]").additive());
        }

        @Test
        void ofUnsuitableMapsAreRefused() {
            assertThrows(SpellingException.class, () -> study("chi2").sizes("fourier", new Notes()));
            assertThrows(
                    SpellingException.class, () -> study("gaussian(sigma=1)").sizes("sampled", new Notes()));
            assertThrows(
                    SpellingException.class,
                    () -> study("chi2").measure(FeatureMaps.parse("sampled"), OptionalInt.of(100), new Notes()));
        }
    }

    @Nested
    class Comparison {
        @Test
        void hasAllSuitableMapsInTheSameWidths() {
            List<MapStudy.Entry> entries = study("chi2").comparison(List.of());
            for (String name :
                    List.of("chebyshev(terms=3)", "direct(terms=5)", "lp(dimension=7)", "sampled(order=2)")) {
                assertTrue(spellings(entries).contains(name), () -> name + " is not in " + spellings(entries));
            }
            entries.forEach(entry -> assertTrue(entry.featuresPerColumn().orElseThrow() <= 11));
        }

        @Test
        void leavesOutWhatDoesNotSuit() {
            assertEquals(List.of("exact"), spellings(study("hellinger").comparison(List.of())));
            assertFalse(spellings(study("jensen-shannon").comparison(List.of())).contains("direct(terms=3)"));
            assertEquals(List.of(), study("gaussian(sigma=1)").comparison(List.of()));
        }

        @Test
        void hasTheWidthsOfTheMapsBesideIt() {
            MapStudy study = study("chi2");
            MapStudy.Entry wide =
                    study.measure(FeatureMaps.parse("direct(terms=17)"), OptionalInt.empty(), new Notes());
            List<String> compared = spellings(study.comparison(List.of(wide)));
            assertTrue(compared.contains("chebyshev(terms=17)"), compared.toString());
        }

        @Test
        void isOnTheSamePairsAsASingleMeasurement() {
            MapStudy.Entry entry = study("chi2").comparison(List.of()).get(0);
            assertEquals(entry.report(), MapReport.measure(entry.map(), ROWS, 1000, SEED));
        }
    }

    @Nested
    class Suggests {
        @ParameterizedTest
        @ValueSource(strings = {"fourier", "fourier(phase)", "orthogonal", "structured"})
        void asManyFeaturesAsReachTheError(String map) {
            MapStudy study = study("gaussian(sigma=0.5)");
            MapStudy.Suggestion found = study.suggest(map, MapReport.Errors::rms, 0.02);
            assertTrue(found.reached(), found.toString());
            int features = found.features().orElseThrow();
            MapStudy.Entry entry = study.measure(found.recipe(), OptionalInt.of(features), new Notes());
            assertEquals(found.error(), entry.report().overall().absolute().rms());
            assertTrue(found.error() <= 0.02);
            // A suggestion is not lavish: half as many features err by more.
            int half = features / 4 * 2;
            double less = study.measure(found.recipe(), OptionalInt.of(half), new Notes())
                    .report()
                    .overall()
                    .absolute()
                    .rms();
            assertTrue(less > 0.02, half + " features err by " + less);
        }

        @Test
        void byTheVarianceOfIndependentFeatures() {
            MapStudy study = study("gaussian(sigma=0.5)");
            double unit = Math.pow(
                            study.measure(FourierRecipe.RANDOM, OptionalInt.of(100), new Notes())
                                    .report()
                                    .expectedRms(),
                            2)
                    * 100;
            MapStudy.Suggestion found = study.suggest("fourier", MapReport.Errors::rms, 0.0005);
            assertNull(found.report(), "too many to measure");
            assertEquals(unit / 0.0005 / 0.0005, found.features().orElseThrow(), 2);
        }

        @Test
        void theBestWhereTheFirstStageErrsByMoreThanIsWanted() {
            MapStudy.Suggestion found =
                    study("exp-intersection(gamma=1)").suggest("fourier@sampled(order=1)", MapReport.Errors::rms, 0.01);
            assertFalse(found.reached(), found.toString());
            assertTrue(measured(found).additiveRms() > 0.01);
        }

        @Test
        void forOtherMeasuresToo() {
            MapStudy study = study("gaussian(sigma=0.5)");
            MapStudy.Suggestion rms = study.suggest("fourier", MapReport.Errors::rms, 0.05);
            MapStudy.Suggestion max = study.suggest("fourier", MapReport.Errors::max, 0.05);
            assertTrue(max.reached());
            assertTrue(max.features().orElseThrow() > 2 * rms.features().orElseThrow());
            assertTrue(measured(max).overall().absolute().max() <= 0.05);
        }

        private static MapReport measured(MapStudy.Suggestion found) {
            MapReport report = found.report();
            if (report == null) {
                throw new AssertionError("not measured");
            }
            return report;
        }

        @Test
        void theSmallestAdditiveMap() {
            MapStudy study = study("chi2");
            MapStudy.Suggestion found = study.suggest("sampled", MapReport.Errors::rms, 0.002);
            assertTrue(found.reached());
            int order = ((SampledRecipe) found.recipe()).order();
            assertTrue(order > 1, "else there is nothing below");
            double below = study.measure(new SampledRecipe(order - 1), OptionalInt.empty(), new Notes())
                    .report()
                    .overall()
                    .absolute()
                    .rms();
            assertTrue(below > 0.002, "order " + order + ", below it " + below);
            // Among all maps there is one that is no larger.
            MapStudy.Suggestion any = study.suggest("auto", MapReport.Errors::rms, 0.002);
            assertTrue(measured(any).features() <= measured(found).features());
        }

        @Test
        void theSmallestDesign() {
            MapStudy.Suggestion ofColumns = study("chi2").suggest("lp", MapReport.Errors::rms, 1e-4);
            assertTrue(ofColumns.reached());
            assertTrue(ofColumns.recipe() instanceof DesignRecipe);
            MapStudy study = study("gaussian(sigma=0.1)[0:1]");
            MapStudy.Suggestion found = study.suggest("lp", MapReport.Errors::max, 0.001);
            assertTrue(found.reached(), found.toString());
            int features = found.features().orElseThrow();
            MapStudy.Entry less = study.measure(FeatureMaps.parse("lp"), OptionalInt.of(features - 2), new Notes());
            assertTrue(less.report().overall().absolute().max() > 0.001);
        }

        @Test
        void theBestThereIsWhereNoneReachesIt() {
            MapStudy.Suggestion found = study("intersection").suggest("sampled", MapReport.Errors::max, 1e-6);
            assertFalse(found.reached());
            assertTrue(found.error() > 1e-6);
            assertTrue(found.error() < 0.01, "the best is far from the first: " + found.error());
            MapStudy.Suggestion one = study("intersection").suggest("sampled(order=1)", MapReport.Errors::rms, 1e-6);
            assertFalse(one.reached());
            assertEquals(new SampledRecipe(1), one.recipe());
        }

        @Test
        void refusesAnErrorOfNothing() {
            assertThrows(
                    IllegalArgumentException.class, () -> study("chi2").suggest("sampled", MapReport.Errors::rms, 0));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> study("chi2").suggest("sampled", MapReport.Errors::rms, Double.NaN));
        }
    }

    @Nested
    class Curves {
        @Test
        void ofASignatureAreThoseOfTheSpectrum() {
            SpectralMap map = new SampledRecipe(2).additive(new Chi2(1), ROWS, new Notes());
            MapCurve curve = MapCurve.signature(map, ROWS).orElseThrow();
            assertEquals(0, curve.at().get(0));
            assertEquals(1, curve.exact().get(0), 1e-15);
            double largest = 0;
            for (int i = 0; i < curve.at().size(); i++) {
                assertEquals(1 / Math.cosh(curve.at().get(i) / 2), curve.exact().get(i), 1e-12);
                assertEquals(map.signature(curve.at().get(i)), curve.estimate().get(i), 1e-12);
                assertEquals(
                        Math.exp(-curve.at().get(i) / 2)
                                * (curve.estimate().get(i) - curve.exact().get(i)),
                        curve.error().get(i),
                        1e-15);
                largest = Math.max(largest, Math.abs(curve.error().get(i)));
            }
            assertTrue(largest <= map.largestError() + 1e-12);
            assertTrue(largest > 0.5 * map.largestError(), "the range of the rows shows some of it");
        }

        @Test
        void alongTheWayStartAtTheRowItself() {
            FeatureMap map = FourierRecipe.RANDOM.build(Kernels.parse("gaussian(sigma=0.5)"), 6, 512, SEED);
            MapCurve curve = MapCurve.alongTheWay(map, ROWS);
            assertTrue(curve.distance());
            assertTrue(MapCurve.signature(map, ROWS).isEmpty());
            assertEquals(1, curve.exact().get(0), 1e-12);
            assertEquals(1, curve.estimate().get(0), 1e-5);
            for (int i = 0; i < curve.at().size(); i++) {
                assertEquals(
                        Math.exp(-2 * curve.at().get(i) * curve.at().get(i)),
                        curve.exact().get(i),
                        1e-6);
                // Hoeffding for one pair of 512 features: beyond 0.4 with a chance of 2·exp(−20).
                assertEquals(curve.exact().get(i), curve.estimate().get(i), 0.4);
            }
        }
    }
}
