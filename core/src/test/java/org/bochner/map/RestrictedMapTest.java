package org.bochner.map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Kernels;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.SelectedColumnsMap;
import org.bochner.map.composed.SelectedFeaturesMap;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What contracts do not see of maps of which some features are left: how they got smaller. */
class RestrictedMapTest {
    private static FeatureMap map(String kernel, String map, int columns, int features) {
        return FeatureMaps.parse(map)
                .build(
                        Kernels.parse(kernel),
                        SampleRows.histograms(50, columns),
                        features == 0 ? OptionalInt.empty() : OptionalInt.of(features),
                        new Seed(1),
                        new Notes());
    }

    private static DenseRows rows(int count, int columns) {
        RandomStream stream = new Seed(9).stream();
        float[] values = new float[count * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = stream.nextInt(3) == 0 ? 0 : (float) stream.nextUniform();
        }
        return DenseRows.of(count, columns, values);
    }

    /** Features of values up to 1 are at most 2 here, and one differs by the rounding of its float32 projection. */
    private static void assertSelects(FeatureMap map, int[] kept, FeatureMap restricted) {
        RowBlock rows = rows(150, map.inputDimension());
        float[] all = new float[150 * map.outputDimension()];
        float[] some = new float[150 * kept.length];
        map.apply(rows, all, 0, map.outputDimension());
        restricted.apply(rows, some, 0, kept.length);
        for (int i = 0; i < 150; i++) {
            for (int j = 0; j < kept.length; j++) {
                assertEquals(all[i * map.outputDimension() + kept[j]], some[i * kept.length + j], 4e-6);
            }
        }
    }

    private static int[] everyUnit(FeatureMap map, int step) {
        return FeatureGroups.unitsOf(map)
                .featuresOf(IntStream.range(0, map.unitCount())
                        .filter(unit -> unit % step == 0)
                        .toArray());
    }

    @Nested
    class Units {
        @Test
        void areACosineAndItsSine() {
            FeatureGroups units = FeatureGroups.unitsOf(map("gaussian(sigma=1)", "fourier", 3, 10));
            assertArrayEquals(new int[] {2, 2, 2, 2, 2}, units.sizes());
            assertArrayEquals(new int[] {1, 6}, units.members().get(1));
        }

        @Test
        void areSinglesWithPhases() {
            assertEquals(10, map("gaussian(sigma=1)", "fourier(phase)", 3, 10).unitCount());
        }

        @Test
        void areColumnsOfAdditiveMaps() {
            FeatureGroups units = FeatureGroups.unitsOf(map("chi2", "sampled(order=1)", 4, 0));
            assertArrayEquals(new int[] {3, 3, 3, 3}, units.sizes());
            assertArrayEquals(new int[] {3, 4, 5}, units.members().get(1));
        }

        @Test
        void areThoseOfTheLastStageOfTwo() {
            assertEquals(
                    8,
                    map("exp-chi2(gamma=1)", "fourier@sampled(order=1)", 4, 16).unitCount());
        }

        @Test
        void ofASumStandSideBySideAsItsTermsDo() {
            FeatureMap sum = map("gaussian(sigma=1)[0:2] + chi2[2:4]", "fourier(features=6) + sampled(order=1)", 4, 0);
            assertArrayEquals(
                    new int[] {2, 2, 2, 3, 3}, FeatureGroups.unitsOf(sum).sizes());
            assertArrayEquals(new int[] {6, 6}, FeatureGroups.of(sum.terms()).sizes());
        }
    }

    @Nested
    class FourierMaps {
        @Test
        void loseFrequenciesAndKeepTheirAmplitude() {
            FourierMap map = (FourierMap) map("gaussian(sigma=1)", "fourier", 3, 20);
            FourierMap left = map.restrict(2, 7, 12, 17);
            assertEquals(2, left.frequencyCount());
            double[] features = new double[4];
            left.apply(new double[3], features);
            // cos 0 and sin 0, times √(1/10) of the ten frequencies there were.
            double amplitude = Math.sqrt(0.1);
            assertArrayEquals(new double[] {amplitude, amplitude, 0, 0}, features, 1e-15);
            assertEquals(left.state(), left.restrict(0, 1, 2, 3).state());
            assertSelects(map, new int[] {7, 17}, left.restrict(1, 3));
        }

        @Test
        void keepTheirLengthScalesMovable() {
            FourierMap map = (FourierMap) map("gaussian(sigma=1)", "fourier", 3, 20);
            FourierMap moved = map.withSigma(Bandwidth.of(2));
            assertEquals(
                    moved.restrict(0, 10).state(),
                    map.restrict(0, 10).withSigma(Bandwidth.of(2)).state());
        }

        @Test
        void ofAnOlderFileHaveTheAmplitudeOfTheirFrequencies() {
            FourierMap map = (FourierMap) map("gaussian(sigma=1)", "fourier", 3, 20);
            assertTrue(!map.state().has("drawn"));
            double[] features = new double[20];
            FeatureMaps.load(map.state()).apply(new double[3], features);
            assertEquals(Math.sqrt(0.1), features[0], 1e-15);
        }

        @ParameterizedTest
        @ValueSource(strings = {"1", "-1", "x", "1.5"})
        void refuseFewerDrawnThanTheyHave(String drawn) {
            State state = map("gaussian(sigma=1)", "fourier", 3, 20)
                    .restrict(0, 1, 10, 11)
                    .state();
            assertThrows(BochnerException.class, () -> FeatureMaps.load(state.with("drawn", drawn)));
        }
    }

    @Nested
    class StructuredMaps {
        /**
         * 100 columns are padded to 128, so that 300 frequencies are three blocks, which 150 of them need transforms for; 30
         * are cheaper written out.
         */
        @ParameterizedTest
        @CsvSource({"2", "10"})
        void areTransformsOrAMatrixWhicheverIsFaster(int step) {
            FeatureMap map = map("gaussian(sigma=1)", "structured", 100, 600);
            int[] kept = everyUnit(map, step);
            FeatureMap left = map.restrict(kept);
            assertSelects(map, kept, left);
            FeatureMap loaded = FeatureMaps.load(left.state());
            assertEquals(left.state(), loaded.state());
            assertSelects(map, kept, loaded);
            int[] quarter = everyUnit(left, 2);
            assertSelects(left, quarter, left.restrict(quarter));
        }

        @Test
        void loseBlocksOfWhichNothingIsLeft() {
            FeatureMap map = map("gaussian(sigma=1)", "structured", 100, 600);
            int[] units = IntStream.concat(IntStream.range(0, 5), IntStream.range(260, 300))
                    .toArray();
            int[] kept = FeatureGroups.unitsOf(map).featuresOf(units);
            FeatureMap left = map.restrict(kept);
            assertSelects(map, kept, left);
            // Of three blocks of 3·128 signs, the second is gone.
            assertEquals(2 * 3 * 128, ((int[]) left.state().rawArray("projection.signs")).length);
        }

        @Test
        void withHeavyTailsDoTheSame() {
            FeatureMap map = map("matern(nu=0.5, sigma=1)", "structured", 100, 600);
            for (int step : new int[] {2, 10}) {
                int[] kept = everyUnit(map, step);
                assertSelects(map, kept, map.restrict(kept));
            }
        }

        @Test
        void refusePlacesThatDoNotAscend() {
            FeatureMap left = map("gaussian(sigma=1)", "structured", 100, 600).restrict(1, 3, 301, 303);
            for (int[] places : new int[][] {{3, 1}, {-1, 3}, {1, 1}, {1, Integer.MAX_VALUE}, {1, 128}}) {
                assertThrows(
                        BochnerException.class,
                        () -> FeatureMaps.load(left.state().with("projection.places", places)),
                        Arrays.toString(places));
            }
        }
    }

    @Nested
    class AdditiveMaps {
        @Test
        void loseColumns() {
            FeatureMap map = map("chi2", "sampled(order=1)", 6, 0);
            int[] kept = FeatureGroups.unitsOf(map).featuresOf(1, 4, 5);
            SelectedColumnsMap left = assertInstanceOf(SelectedColumnsMap.class, map.restrict(kept));
            assertArrayEquals(new int[] {1, 4, 5}, left.state().integers("picked", 3));
            assertSelects(map, kept, left);
            SelectedColumnsMap further =
                    left.restrict(FeatureGroups.unitsOf(left).featuresOf(0, 2));
            assertArrayEquals(new int[] {1, 5}, further.state().integers("picked", 2));
            assertSame(map, map.restrict(IntStream.range(0, 18).toArray()));
        }

        @Test
        void keepTheRangesAndThePenaltyOfTheirColumns() {
            FeatureMap map = map("intersection", "piecewise(bins=4, sparse)", 6, 0);
            int[] kept = FeatureGroups.unitsOf(map).featuresOf(0, 3);
            FeatureMap left = map.restrict(kept);
            assertTrue(!left.hasPlainPenalty());
            double[] features = new double[map.outputDimension()];
            Arrays.setAll(features, j -> j + 1);
            double[] some = Arrays.stream(kept).mapToDouble(j -> features[j]).toArray();
            map.whiten(features, 0);
            left.whiten(some, 0);
            assertArrayEquals(Arrays.stream(kept).mapToDouble(j -> features[j]).toArray(), some, 1e-12);
        }

        @Test
        void nameTheColumnOfABadValueAsTheRowHasIt() {
            FeatureMap map = map("chi2", "sampled(order=1)", 6, 0);
            FeatureMap left = map.restrict(FeatureGroups.unitsOf(map).featuresOf(1, 4));
            DenseRows rows = DenseRows.of(2, 6, new float[] {0, 0, 0, 0, 0, 0, 0, 1, -1, 0, -1, 0});
            SparseRows sparse = SparseRows.of(2, 6, new int[] {0, 0, 2}, new int[] {2, 4}, new float[] {-1, -1});
            for (RowBlock block : List.of(rows, sparse)) {
                String message = String.valueOf(
                        assertThrows(BochnerException.class, () -> left.apply(block, new float[12], 0, 6))
                                .getMessage());
                assertTrue(message.contains("row 2, column 4 "), message);
            }
            String message = String.valueOf(assertThrows(
                            BochnerException.class, () -> left.apply(new double[] {0, 0, 0, 0, -1, 0}, new double[6]))
                    .getMessage());
            assertTrue(message.contains("column 4 "), message);
        }

        @Test
        void refuseColumnsThatAreNotThere() {
            FeatureMap map = map("chi2", "sampled(order=1)", 6, 0);
            State state =
                    map.restrict(FeatureGroups.unitsOf(map).featuresOf(1, 4)).state();
            for (int[] picked : new int[][] {{4, 1}, {-1, 4}, {1, 6}, {1, 2, 3}}) {
                assertThrows(BochnerException.class, () -> FeatureMaps.load(state.with("picked", picked)));
            }
        }
    }

    @Nested
    class Sums {
        @Test
        void loseTermsOfWhichNothingIsLeft() {
            FeatureMap sum = map(
                    "gaussian(sigma=1)[0:2] + 2*chi2[2:4] + gaussian(sigma=3)",
                    "fourier(features=6) + sampled(order=1) + fourier(features=4)",
                    4,
                    0);
            int[] kept = {0, 3, 6, 7, 8};
            ConcatenatedMap two = assertInstanceOf(ConcatenatedMap.class, sum.restrict(kept));
            assertEquals(2, two.parts().size());
            assertEquals("gaussian(sigma=1)[0:2] + 2*chi2[2:4]", two.kernel().toString());
            assertSelects(sum, kept, two);
            int[] last = {12, 14};
            FeatureMap one = sum.restrict(last);
            assertInstanceOf(FourierMap.class, one);
            assertSelects(sum, last, one);
            for (FeatureMap left : List.of(two, one)) {
                assertEquals(left.state(), FeatureMaps.load(left.state()).state());
            }
        }
    }

    @Nested
    class Sketches {
        @Test
        void areMadeWholeAndSelected() {
            FeatureMap map = map("polynomial(degree=2, gamma=1, c=1)", "tensor-sketch", 5, 12);
            int[] kept = {0, 3, 4, 11};
            SelectedFeaturesMap left = assertInstanceOf(SelectedFeaturesMap.class, map.restrict(kept));
            assertArrayEquals(kept, left.state().integers("kept", 4));
            assertSelects(map, kept, left);
            FeatureMap loaded = FeatureMaps.load(left.state());
            assertEquals(left.state(), loaded.state());
            assertSelects(map, kept, loaded);
            SelectedFeaturesMap further = assertInstanceOf(SelectedFeaturesMap.class, left.restrict(1, 2));
            assertSame(map, further.map());
            assertSelects(map, new int[] {3, 4}, further);
        }

        @Test
        void areSelectedWithinSumsOfChannelsToo() {
            FeatureMap sum = map(
                    "0.5*polynomial(degree=2, gamma=1, c=1)[0:3] + gaussian(sigma=1)",
                    "tensor-sketch + fourier",
                    5,
                    16);
            int[] kept = FeatureGroups.unitsOf(sum).featuresOf(0, 2, sum.unitCount() - 1);
            FeatureMap left = sum.restrict(kept);
            assertSelects(sum, kept, left);
            assertEquals(left.state(), FeatureMaps.load(left.state()).state());
        }

        @Test
        void refuseFeaturesThatAreNotThere() {
            State state = map("polynomial(degree=2, gamma=1, c=1)", "tensor-sketch", 5, 12)
                    .restrict(0, 3)
                    .state();
            for (int[] kept : new int[][] {{3, 0}, {0, 12}, {-1, 3}}) {
                assertThrows(BochnerException.class, () -> FeatureMaps.load(state.with("kept", kept)));
            }
        }
    }

    @Nested
    class Groups {
        private final FeatureGroups groups = FeatureGroups.of(0, 1, 0, 2, 1);

        @Test
        void areFoundByTheirFeaturesAndBack() {
            assertArrayEquals(new int[] {0, 2, 3}, groups.featuresOf(2, 0));
            assertArrayEquals(new int[] {0, 2}, groups.groupsOf(0, 2, 3));
        }

        @Test
        void areRenumberedWhenSomeAreLeft() {
            FeatureGroups left = FeatureGroups.of(groups.restrict(1, 3, 4));
            assertEquals(2, left.count());
            assertArrayEquals(new int[] {0, 2}, left.members().get(0));
            assertArrayEquals(new int[] {1}, left.members().get(1));
        }

        @Test
        void refuseWhatIsNotThereOrNotWhole() {
            assertThrows(IllegalArgumentException.class, () -> groups.featuresOf(3));
            assertThrows(IllegalArgumentException.class, () -> groups.featuresOf(-1));
            String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> groups.groupsOf(0, 3))
                    .getMessage());
            assertTrue(message.contains("feature 0 goes with others"), message);
            assertThrows(IllegalArgumentException.class, () -> groups.groupsOf(2, 0));
            assertThrows(IllegalArgumentException.class, groups::groupsOf);
            assertThrows(IllegalArgumentException.class, () -> groups.restrict(5));
        }
    }
}
