package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.map.fourier.FrequencyChoice;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeatureMapsTest {
    private static final Seed SEED = new Seed(1);

    private static String failureOf(Runnable action) {
        return String.valueOf(assertThrows(RuntimeException.class, action::run).getMessage());
    }

    @Nested
    class Factories {
        @Test
        void makeTheRecipesOfTheSpellings() {
            List<MapRecipe> made = List.of(
                    FeatureMaps.auto(),
                    FeatureMaps.fourier(),
                    FeatureMaps.orthogonal(),
                    FeatureMaps.quasi(),
                    FeatureMaps.structured(),
                    FeatureMaps.exact(),
                    FeatureMaps.sampled(2),
                    FeatureMaps.designed(5),
                    FeatureMaps.chebyshev(3),
                    FeatureMaps.direct(4),
                    FeatureMaps.unary(9),
                    FeatureMaps.piecewise(8),
                    FeatureMaps.tensorSketch(),
                    FeatureMaps.rectified(),
                    FeatureMaps.twoStage(FeatureMaps.orthogonal(), FeatureMaps.sampled(2)),
                    FeatureMaps.perTerm(FeatureMaps.fourier(), FeatureMaps.sampled(1)));
            List<String> spellings = List.of(
                    "auto",
                    "fourier",
                    "orthogonal",
                    "quasi",
                    "structured",
                    "exact",
                    "sampled(order=2)",
                    "lp(dimension=5)",
                    "chebyshev(terms=3)",
                    "direct(terms=4)",
                    "unary(bins=9)",
                    "piecewise(bins=8)",
                    "tensor-sketch",
                    "rectified",
                    "orthogonal@sampled(order=2)",
                    "fourier + sampled(order=1)");
            for (int i = 0; i < made.size(); i++) {
                assertEquals(FeatureMaps.parse(spellings.get(i)), made.get(i));
            }
        }

        @Test
        void refuseStagesInTheWrongOrder() {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> FeatureMaps.twoStage(FeatureMaps.sampled(2), FeatureMaps.fourier()));
        }
    }

    @Nested
    class Spellings {
        @Test
        void parseToTheRecipeAndPrintBack() {
            assertEquals(FourierRecipe.RANDOM, FeatureMaps.parse("fourier"));
            assertEquals(
                    new FourierRecipe(FrequencyChoice.QUASI, FourierForm.PHASE), FeatureMaps.parse(" quasi( phase ) "));
            for (String name : FeatureMaps.fourierNames()) {
                for (String text : List.of(name, name + "(phase)")) {
                    assertEquals(text, FeatureMaps.parse(text).toString());
                }
            }
        }

        @Test
        void suggestWhatWasMeant() {
            assertEquals(
                    "unknown map 'furier'; did you mean 'fourier'?",
                    assertThrows(SpellingException.class, () -> FeatureMaps.parse("furier"))
                            .getMessage());
            assertEquals(
                    "fourier has no parameter 'phases'; did you mean 'phase'?",
                    failureOf(() -> FeatureMaps.parse("fourier(phases)")));
        }
    }

    @Nested
    class Recipes {
        @Test
        void nameTheNearestEvenCountsForPairs() {
            String message = failureOf(() ->
                    new FourierRecipe(FrequencyChoice.QUASI, FourierForm.PAIRS).build(new Gaussian(1), 3, 7, SEED));
            assertTrue(message.contains("6 or 8") && message.contains("quasi(phase)"), message);
        }

        @Test
        void takeAnOddCountWithPhases() {
            assertEquals(
                    7,
                    new FourierRecipe(FrequencyChoice.FOURIER, FourierForm.PHASE)
                            .build(new Gaussian(1), 3, 7, SEED)
                            .outputDimension());
        }

        @ParameterizedTest
        @ValueSource(ints = {0, -2})
        void rejectLessThanOneFeature(int features) {
            assertEquals(
                    "fourier: features must be at least 1, got " + features,
                    failureOf(() -> FourierRecipe.RANDOM.build(new Gaussian(1), 3, features, SEED)));
        }

        @Test
        void sayHowMuchMemoryIsNeededBeforeAllocating() {
            // 16 bytes for each of 1e5 · 20,000 numbers: 32 GB, more than the 2 GB heap of the tests.
            String message = failureOf(() -> FourierRecipe.RANDOM.build(new Gaussian(1), 100_000, 40_000, SEED));
            assertTrue(message.contains("20000 frequencies of 100000 columns would take 32.00 GB"), message);
        }

        @Test
        void rejectMoreNumbersThanAnArrayHolds() {
            String message = failureOf(() -> new FourierRecipe(FrequencyChoice.ORTHOGONAL, FourierForm.PAIRS)
                    .build(new Gaussian(1), 1 << 16, 1 << 17, SEED));
            assertTrue(message.contains("more than the 2^31 numbers"), message);
        }

        @ParameterizedTest
        @ValueSource(strings = {"orthogonal", "structured(phase)"})
        void rejectSpectraThatAreNotRotationInvariant(String recipe) {
            String message = failureOf(() -> FeatureMaps.parse(recipe).build(Kernels.laplacian(1), 3, 8, SEED));
            assertTrue(message.contains("laplacian(sigma=1)") && message.contains("gaussian"), message);
        }

        @Test
        void rejectBandwidthsOfOtherColumns() {
            Kernel kernel = Kernels.parse("gaussian(sigma=[0:2=1, 2:5=3])");
            assertTrue(failureOf(() -> FourierRecipe.RANDOM.build(kernel, 4, 8, SEED))
                    .contains("5 columns"));
            assertTrue(failureOf(() -> FourierRecipe.RANDOM.build(kernel, 6, 8, SEED))
                    .contains("5 columns"));
        }

        @Test
        void rejectChannelsBeyondTheRows() {
            String message =
                    failureOf(() -> FourierRecipe.RANDOM.build(Kernels.parse("gaussian(sigma=1)[2:9]"), 8, 8, SEED));
            assertTrue(message.contains("needs 9 columns, the rows have 8"), message);
        }

        @Test
        void beginWithTheSameFrequenciesHoweverMany() {
            for (String name : FeatureMaps.fourierNames()) {
                FourierMap few = (FourierMap) FeatureMaps.parse(name).build(new Gaussian(1), 5, 16, SEED);
                FourierMap many = (FourierMap) FeatureMaps.parse(name).build(new Gaussian(1), 5, 128, SEED);
                double[] start = Arrays.copyOf(many.unitFrequencies(), few.unitFrequencies().length);
                assertArrayEquals(few.unitFrequencies(), start, name);
            }
        }

        @Test
        void differWithTheSeed() {
            FourierMap one = (FourierMap) FourierRecipe.RANDOM.build(new Gaussian(1), 2, 4, new Seed(1));
            FourierMap other = (FourierMap) FourierRecipe.RANDOM.build(new Gaussian(1), 2, 4, new Seed(2));
            assertTrue(one.unitFrequencies()[0] != other.unitFrequencies()[0]);
        }
    }

    @Nested
    class Sums {
        private static final String THREE = "gaussian(sigma=1) + 2*gaussian(sigma=1) + gaussian(sigma=1)[0:2]";

        @Test
        void shareFeaturesByWeightInPairs() {
            ConcatenatedMap map = (ConcatenatedMap) FourierRecipe.RANDOM.build(Kernels.parse(THREE), 3, 22, SEED);
            assertEquals(
                    // 11 pairs by the weights 1, 2 and 1: 2.75, 5.5 and 2.75.
                    List.of(6, 10, 6),
                    map.parts().stream().map(FeatureMap::outputDimension).toList());
            assertEquals(22, map.outputDimension());
            assertEquals(THREE, map.kernel().toString());
        }

        @Test
        void drawEveryTermByItself() {
            ConcatenatedMap map = (ConcatenatedMap)
                    FourierRecipe.RANDOM.build(Kernels.parse("gaussian(sigma=1) + gaussian(sigma=1)"), 3, 8, SEED);
            FourierMap first = (FourierMap) map.parts().get(0);
            FourierMap second = (FourierMap) map.parts().get(1);
            assertTrue(first.unitFrequencies()[0] != second.unitFrequencies()[0]);
        }

        @Test
        void needAFrequencyForEachTerm() {
            String message = failureOf(() -> FourierRecipe.RANDOM.build(Kernels.parse(THREE), 3, 4, SEED));
            assertTrue(message.contains("a sum of 3 kernels"), message);
        }
    }

    @Nested
    class DamagedStates {
        private final State good = new FourierRecipe(FrequencyChoice.FOURIER, FourierForm.PHASE)
                .build(new Gaussian(1), 3, 8, SEED)
                .state();

        private void rejected(State state, String why) {
            String message = String.valueOf(assertThrows(BochnerException.class, () -> FeatureMaps.load(state))
                    .getMessage());
            assertTrue(message.contains(why), message);
        }

        @Test
        void areRejectedWithTheReason() {
            assertTrue(FeatureMaps.load(good) instanceof FourierMap);
            rejected(State.of("furier"), "did you mean 'fourier'");
            rejected(copy().with("form", "SPIRAL"), "SPIRAL");
            rejected(copy().with("frequencies", 9), "must hold 27 values, holds 24");
            rejected(copy().with("frequencies", 0), "no frequencies");
            rejected(copy().with("columns", 2e9).with("frequencies", 2e9), "2^31");
            rejected(copy().with("phases", new double[3]), "'phases' must hold 8 values");
            rejected(copy().with("kernel", "gauss(sigma=1)"), "gaussian");
            rejected(copy().with("kernel", "2*gaussian(sigma=1)"), "has no map of this type");
            rejected(copy().with("kernel", "gaussian(sigma=-1)"), "sigma must be positive");
            rejected(copy().with("projection.type", "sparse"), "unknown projection 'sparse'");
            rejected(State.of("concatenated").with("parts", 1000), "lacks '0.type'");
        }

        @Test
        void withWrongSignsAreRejected() {
            State state = new FourierRecipe(FrequencyChoice.STRUCTURED, FourierForm.PAIRS)
                    .build(new Gaussian(1), 3, 8, SEED)
                    .state();
            int[] signs = state.part("projection").integers("signs", 192);
            signs[5] = 0;
            rejected(state.with("projection.signs", signs), "signs must be 1 or -1");
        }

        private State copy() {
            State copy = State.of(good.type());
            good.texts().forEach(copy::with);
            good.arrayNames().forEach(name -> copy.with(name, (double[]) good.rawArray(name)));
            return copy;
        }
    }
}
