package org.bochner.map.additive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.bochner.GoldenTable;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.additive.Intersection;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BinnedMapTest {
    private static final Seed SEED = new Seed(1);

    private static BinnedMap map(BinCode code, int bins, double range) {
        return map(1, 1, code, bins, range);
    }

    private static BinnedMap map(double degree, int columns, BinCode code, int bins, double range) {
        double[] ranges = new double[columns];
        Arrays.fill(ranges, range);
        return new BinnedMap(new Intersection(degree), code, bins, ranges);
    }

    private static double[] features(AdditiveMap map, double... x) {
        double[] out = new double[map.outputDimension()];
        map.apply(x, out);
        return out;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    private static double product(AdditiveMap map, double x, double y) {
        return dot(features(map, x), features(map, y));
    }

    private static String failureOf(Runnable action) {
        return String.valueOf(assertThrows(RuntimeException.class, action::run).getMessage());
    }

    @Nested
    class Codes {
        private static double[] numbers(Map<String, String> row, String column) {
            return Arrays.stream(Objects.requireNonNull(row.get(column)).split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        }

        @ParameterizedTest
        @CsvSource({"UNARY, phi1", "PIECEWISE, phi2"})
        void areThoseOfTheReferenceSet(BinCode code, String column) {
            List<Map<String, String>> table = GoldenTable.read("bins.csv");
            assertEquals(6, table.size());
            for (Map<String, String> row : table) {
                double a = numbers(row, "a")[0];
                double[] expected = Arrays.copyOf(numbers(row, column), 11);
                assertArrayEquals(expected, features(map(code, 10, 1), a), 1e-14, "a = " + a);
            }
        }

        @Test
        void roundHalvesUpWhateverTheRange() {
            // With counts up to 10 in 5 bins, 1, 3, 5 … lie in the middle of a bin: 5·3/10 is 1.5 without rounding
            // error.
            BinnedMap map = map(BinCode.UNARY, 5, 10);
            for (int count = 0; count <= 10; count++) {
                int ones = (count + 1) / 2;
                double[] expected = new double[6];
                Arrays.fill(expected, 0, ones, Math.sqrt(2));
                assertArrayEquals(expected, features(map, count), "count " + count);
            }
        }

        @Test
        void writeTheNodesAroundAValueInTheSparseForm() {
            BinnedMap map = map(BinCode.SPARSE, 4, 8);
            assertArrayEquals(new double[] {0.25, 0, 0, 0, 0}, features(map, 0.5));
            assertArrayEquals(new double[] {1, 0, 0, 0, 0}, features(map, 2));
            assertArrayEquals(new double[] {0, 0.25, 0.75, 0, 0}, features(map, 5.5));
            assertArrayEquals(new double[] {0, 0, 0, 1, 0}, features(map, 8));
            assertArrayEquals(new double[] {0, 0, 0, 1, 2}, features(map, 12));
        }

        @ParameterizedTest
        @EnumSource(BinCode.class)
        void mapZeroToZeros(BinCode code) {
            for (double degree : new double[] {0.5, 1, 2}) {
                BinnedMap map = BinnedMapTest.map(degree, 3, code, 4, 1);
                assertArrayEquals(new double[15], features(map, 0, -0.0, 0));
                float[] block = new float[15];
                map.apply(DenseRows.of(1, 3, new float[] {0, -0f, 0}), block, 0, 15);
                assertArrayEquals(new float[15], block);
                assertEquals(
                        0,
                        map.apply(SparseRows.of(1, 3, new int[] {0, 2}, new int[] {0, 2}, new float[] {0, -0f}))
                                .entries());
            }
        }

        @ParameterizedTest
        @EnumSource(BinCode.class)
        void areFiniteForEveryMagnitude(BinCode code) {
            for (double range : new double[] {1e-300, 1, 1.7e308}) {
                for (double x : new double[] {Double.MIN_VALUE, 1e-300, 1e-30, 1, 1e30, 1.6e308, Double.MAX_VALUE}) {
                    for (double feature : features(map(code, 7, range), x)) {
                        assertTrue(feature >= 0 && feature < Double.POSITIVE_INFINITY, code + " of " + x);
                    }
                }
            }
        }

        @ParameterizedTest
        @EnumSource(BinCode.class)
        void ofBlocksAreThoseOfSingleRows(BinCode code) {
            for (double degree : new double[] {0.5, 1, 2}) {
                BinnedMap map = BinnedMapTest.map(degree, 5, code, 6, 0.9);
                RandomStream stream = SEED.stream();
                float[] values = new float[50 * 5];
                for (int k = 0; k < values.length; k++) {
                    values[k] = stream.nextInt(3) == 0 ? 0 : (float) stream.nextUniform();
                }
                int width = map.outputDimension();
                float[] block = new float[50 * width];
                map.apply(DenseRows.of(50, 5, values), block, 0, width);
                for (int i = 0; i < 50; i++) {
                    double[] row = new double[5];
                    for (int l = 0; l < 5; l++) {
                        row[l] = values[i * 5 + l];
                    }
                    double[] single = features(map, row);
                    for (int j = 0; j < width; j++) {
                        assertEquals((float) single[j], block[i * width + j]);
                    }
                }
            }
        }
    }

    @Nested
    class Errors {
        /** What inner products of 51 numbers of a sum of at most b round by, and the kernel itself. */
        private static final double ROUNDING = 1e-14;

        /** Evenly, with all nodes and middles of bins. */
        private double[] values(int bins, double range) {
            double[] values = new double[bins * 8 + 1];
            Arrays.setAll(values, i -> i * range / (bins * 8));
            return values;
        }

        @ParameterizedTest
        @CsvSource({"5, 1", "10, 1", "20, 1", "50, 1", "5, 7.3", "20, 0.003"})
        void ofUnaryCodesReachHalfABinAndNoMore(int bins, double range) {
            double largest = 0;
            for (double x : values(bins, range)) {
                for (double y : values(bins, range)) {
                    largest = Math.max(
                            largest, Math.abs(product(map(BinCode.UNARY, bins, range), x, y) - Math.min(x, y)));
                }
            }
            assertEquals(range / (2 * bins), largest, ROUNDING * range);
        }

        @ParameterizedTest
        @CsvSource({"5, 1", "10, 1", "20, 1", "50, 1", "5, 7.3", "20, 0.003"})
        void ofPiecewiseCodesReachAQuarterOfABinBelowAndNothingAbove(int bins, double range) {
            BinnedMap map = map(BinCode.PIECEWISE, bins, range);
            double lowest = 0;
            for (double x : values(bins, range)) {
                for (double y : values(bins, range)) {
                    double error = product(map, x, y) - Math.min(x, y);
                    lowest = Math.min(lowest, error);
                    boolean oneBin = Math.floor(bins * x / range) == Math.floor(bins * y / range);
                    double tolerance = ROUNDING * range;
                    assertTrue(error <= tolerance && (oneBin || error >= -tolerance), x + " and " + y + ": " + error);
                }
            }
            assertEquals(-range / (4 * bins), lowest, ROUNDING * range);
        }

        @Test
        void ofPiecewiseCodesAreNeverAboveThoseOfUnaryCodes() {
            for (double x : values(6, 1)) {
                for (double y : values(6, 1)) {
                    double piecewise = Math.abs(product(map(BinCode.PIECEWISE, 6, 1), x, y) - Math.min(x, y));
                    double unary = Math.abs(product(map(BinCode.UNARY, 6, 1), x, y) - Math.min(x, y));
                    assertTrue(piecewise <= unary + ROUNDING, x + " and " + y);
                }
            }
        }

        @Test
        void ofDistancesCancelInUnaryCodesOnly() {
            int bins = 20;
            double unary = 0;
            double piecewise = 0;
            double[] values = values(bins, 1);
            for (double x : values) {
                for (double y : values) {
                    double error = distance(map(BinCode.PIECEWISE, bins, 1), x, y) - Math.abs(x - y);
                    assertTrue(error <= ROUNDING, x + " and " + y);
                    piecewise += error * bins / (values.length * values.length);
                    unary += (distance(map(BinCode.UNARY, bins, 1), x, y) - Math.abs(x - y))
                            * bins
                            / (values.length * values.length);
                }
            }
            // In units of a bin, with f even in [0, 1]: the lengths of piecewise codes lack f(1 − f) each, 1/6 in the
            // mean.
            // Unary codes err in the mean only where both values round to the same node, one pair of N, by −1/3, and in
            // the
            // half bins at both ends, whose values round outwards by 1/4: (4·1/8 − 1/3)/N.
            assertEquals(-1.0 / 3, piecewise, 0.03);
            assertEquals(1.0 / 120, unary, 0.002);
        }

        private double distance(BinnedMap map, double x, double y) {
            return product(map, x, x) + product(map, y, y) - 2 * product(map, x, y);
        }

        @ParameterizedTest
        @EnumSource(
                value = BinCode.class,
                names = {"UNARY", "PIECEWISE"})
        void ofAPairWithOneValueAboveTheRangeAreThoseAtItsEnd(BinCode code) {
            BinnedMap map = map(code, 10, 2);
            for (double x : values(10, 2)) {
                assertEquals(product(map, x, 2), product(map, x, 2.5), 0);
                assertEquals(product(map, x, 2), product(map, x, 1e6), 0);
            }
        }

        @ParameterizedTest
        @EnumSource(
                value = BinCode.class,
                names = {"UNARY", "PIECEWISE"})
        void aboveTheRangeAreThoseOfTheRootAndNoneOnTheDiagonal(BinCode code) {
            BinnedMap map = map(code, 10, 2);
            for (double x : new double[] {2, 2.1, 3, 50}) {
                assertEquals(x, product(map, x, x), ROUNDING * x);
                for (double y : new double[] {2, 2.1, 3, 50}) {
                    assertEquals(2 + Math.sqrt((x - 2) * (y - 2)), product(map, x, y), ROUNDING * 50);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(doubles = {0.25, 0.5, 1.5, 2, 3})
        void ofAnyDegreeAreThoseOfDegreeOneTimesAPower(double degree) {
            for (BinCode code : List.of(BinCode.UNARY, BinCode.PIECEWISE)) {
                BinnedMap one = map(code, 8, 1.5);
                BinnedMap other = BinnedMapTest.map(degree, 1, code, 8, 1.5);
                for (double x = 0.01; x < 3; x *= 1.1) {
                    for (double y = 0.01; y < 3; y *= 1.2) {
                        double power = Math.pow(x * y, (degree - 1) / 2);
                        assertEquals(power * product(one, x, y), product(other, x, y), 1e-12);
                        if (code == BinCode.PIECEWISE && Math.abs(x - y) > 1.5 / 8 && Math.min(x, y) <= 1.5) {
                            assertEquals(other.kernel().scalar(x, y), product(other, x, y), 1e-12);
                        }
                    }
                }
            }
        }
    }

    @Nested
    class ColumnsOfTheirOwnRange {
        private static final double[] RANGES = {0.01, 3, 0.5};
        private static final double[][] ROWS = {
            {0.004, 2.2, 0.45}, {0.0093, 0.1, 0.21}, {0, 3, 0.5}, {0.02, 1.9, 0.9}, {0.3, 5, 0}, {0.007, 2.3, 0.44}
        };

        @ParameterizedTest
        @EnumSource(BinCode.class)
        void areMappedAsIfTheyWereAlone(BinCode code) {
            BinnedMap map = new BinnedMap(new Intersection(1), code, 7, RANGES);
            SparseRows sparse = SparseRows.of(
                    2, 3, new int[] {0, 3, 5}, new int[] {0, 1, 2, 0, 2}, new float[] {0.004f, 2.2f, 0.45f, 0.02f, 0.9f
                    });
            float[] dense = {0.004f, 2.2f, 0.45f, 0.02f, 0, 0.9f};
            float[] block = new float[48];
            map.apply(DenseRows.of(2, 3, dense), block, 0, 24);
            double[] compressed = new double[24];
            for (int i = 0; i < 2; i++) {
                map.apply(sparse).copyRow(i, compressed);
                for (int l = 0; l < 3; l++) {
                    double[] alone = features(map(code, 7, RANGES[l]), dense[i * 3 + l]);
                    double[] row = {dense[i * 3], dense[i * 3 + 1], dense[i * 3 + 2]};
                    for (int j = 0; j < 8; j++) {
                        assertEquals(alone[j], features(map, row)[l * 8 + j]);
                        assertEquals((float) alone[j], block[i * 24 + l * 8 + j]);
                        assertEquals((float) alone[j], (float) compressed[l * 8 + j]);
                    }
                }
            }
        }

        @Test
        void areWhitenedEachByItsOwn() {
            BinnedMap sparse = new BinnedMap(new Intersection(1), BinCode.SPARSE, 7, RANGES);
            BinnedMap dense = new BinnedMap(new Intersection(1), BinCode.PIECEWISE, 7, RANGES);
            for (double[] row : ROWS) {
                double[] whitened = features(sparse, row);
                sparse.whiten(whitened, 0);
                assertArrayEquals(features(dense, row), whitened);
            }
        }

        @ParameterizedTest
        @CsvSource({"UNARY, 0.5", "UNARY, 1", "UNARY, 2", "PIECEWISE, 0.5", "PIECEWISE, 1", "PIECEWISE, 2"})
        void keepWithinTheBoundForAllOfThem(BinCode code, double degree) {
            BinnedMap map = new BinnedMap(new Intersection(degree), code, 7, RANGES);
            double[] one = new double[3];
            double[] other = new double[3];
            for (int l = 0; l < 3; l++) {
                for (double x = 1e-3; x < 10; x *= 1.3) {
                    for (double y = 1e-3; y < 10; y *= 1.17) {
                        one[l] = x;
                        other[l] = y;
                        double error = dot(features(map, one), features(map, other))
                                - map.kernel().scalar(x, y);
                        assertTrue(
                                Math.abs(error) <= map.errorBound().at(l, x, y) * (1 + 1e-12) + 1e-13,
                                "column " + l + ", " + x + " and " + y + ": " + error);
                    }
                }
                one[l] = 0;
                other[l] = 0;
            }
        }

        @Test
        void areSavedWithTheirRanges() {
            FeatureMap map = new BinnedMap(new Intersection(1), BinCode.SPARSE, 7, RANGES);
            FeatureMap loaded = FeatureMaps.load(map.state());
            for (double[] row : ROWS) {
                assertArrayEquals(features((AdditiveMap) map, row), features((AdditiveMap) loaded, row));
            }
        }
    }

    @Nested
    class SparseForm {
        private static final double[] ROW = {0.3, 0, 2.5, 4, 1e-9, 0.75, 3.999, 7};

        private BinnedMap map(BinCode code, double degree) {
            return BinnedMapTest.map(degree, ROW.length, code, 12, 4);
        }

        @Test
        void whitenedIsTheDenseOneBitForBit() {
            BinnedMap sparse = map(BinCode.SPARSE, 1);
            RandomStream stream = SEED.stream();
            for (int i = 0; i < 200; i++) {
                double[] row = ROW.clone();
                for (int l = 0; l < row.length && i > 0; l++) {
                    row[l] = 5 * stream.nextUniform();
                }
                double[] whitened = features(sparse, row);
                sparse.whiten(whitened, 0);
                assertArrayEquals(features(map(BinCode.PIECEWISE, 1), row), whitened);
            }
        }

        @Test
        void whitenedIsTheDenseOneInEveryDegree() {
            for (double degree : new double[] {0.5, 2}) {
                double[] whitened = features(map(BinCode.SPARSE, degree), ROW);
                map(BinCode.SPARSE, degree).whiten(whitened, 0);
                // 1 − f and f each are rounded after they are scaled: three half units of features up to 7.
                assertArrayEquals(features(map(BinCode.PIECEWISE, degree), ROW), whitened, 7 * 0x1p-51);
            }
        }

        @Test
        void weightsOfWhitenedFeaturesGiveTheSameFunction() {
            BinnedMap map = map(BinCode.SPARSE, 1);
            int features = map.outputDimension();
            int stride = 3;
            RandomStream stream = SEED.stream();
            double[] z = features(map, ROW);
            double[] whitened = new double[features + 2];
            System.arraycopy(z, 0, whitened, 2, features);
            map.whiten(whitened, 2);
            double[] weights = new double[1 + stride * features];
            double expected = 0;
            for (int j = 0; j < features; j++) {
                weights[1 + stride * j] = stream.nextUniform() - 0.5;
                expected += weights[1 + stride * j] * whitened[2 + j];
            }
            map.unwhiten(weights, 1, stride);
            double actual = 0;
            for (int j = 0; j < features; j++) {
                actual += weights[1 + stride * j] * z[j];
            }
            assertEquals(expected, actual, 1e-13);
            for (int k = 0; k < weights.length; k++) {
                assertTrue((k - 1) % stride == 0 || weights[k] == 0, "a weight was written between the others");
            }
        }

        @Test
        void hasThePenaltyOfFirstDifferences() {
            BinnedMap map = map(BinCode.SPARSE, 1);
            RandomStream stream = SEED.stream();
            double[] weights = new double[map.outputDimension()];
            Arrays.setAll(weights, j -> stream.nextUniform() - 0.5);
            double expected = dot(weights, weights);
            map.unwhiten(weights, 0, 1);
            double penalty = 0;
            for (int l = 0; l < ROW.length; l++) {
                double before = 0;
                for (int k = 0; k < 12; k++) {
                    double w = weights[l * 13 + k];
                    penalty += 12.0 / 4 * (w - before) * (w - before);
                    before = w;
                }
                penalty += weights[l * 13 + 12] * weights[l * 13 + 12];
            }
            assertEquals(expected, penalty, 1e-12 * expected);
            assertFalse(map.hasPlainPenalty());
            assertTrue(map(BinCode.PIECEWISE, 1).hasPlainPenalty());
            assertTrue(map(BinCode.UNARY, 1).hasPlainPenalty());
        }

        @Test
        void keepsItsPenaltyInSumsOfScaledChannels() {
            String kernel = "2*intersection[0:3] + intersection[3:8]";
            double[][] whitened = new double[2][];
            double[] y = {1, 0.2, 2, 0, 3, 1, 1, 5};
            for (String spelling : List.of("piecewise(bins=12, range=4)", "piecewise(bins=12, sparse, range=4)")) {
                FeatureMap map = FeatureMaps.parse(spelling)
                        .build(Kernels.parse(kernel), RowSample.none(8), OptionalInt.empty(), SEED, new Notes());
                double[][] features = new double[2][map.outputDimension()];
                map.apply(ROW, features[0]);
                map.apply(y, features[1]);
                map.whiten(features[0], 0);
                map.whiten(features[1], 0);
                if (whitened[0] == null) {
                    whitened = features;
                } else {
                    assertArrayEquals(whitened[0], features[0], 1e-14);
                    assertArrayEquals(whitened[1], features[1], 1e-14);
                }
            }
        }

        @Test
        void takesNoSecondStage() {
            String message = failureOf(() -> FeatureMaps.parse("fourier@piecewise(bins=3, sparse, range=1)")
                    .build(Kernels.parse("exp-intersection(gamma=1)"), 4, 8, SEED));
            assertTrue(message.contains("plain inner products") && message.contains("dense"), message);
            FeatureMap dense = FeatureMaps.parse("fourier@piecewise(bins=3, range=1)")
                    .build(Kernels.parse("exp-intersection(gamma=1)"), 4, 8, SEED);
            assertEquals(8, dense.outputDimension());
        }
    }

    @Nested
    class SparseRowsOfFeatures {
        private final SparseRows rows = SparseRows.of(
                3, 4, new int[] {1, 4, 4, 6}, new int[] {9, 0, 1, 3, 1, 2}, new float[] {9, 0.5f, 0.1f, 1, 1.5f, 0.25f
                });

        private SparseRows sparse(BinCode code, double degree) {
            return BinnedMapTest.map(degree, 4, code, 4, 1).apply(rows);
        }

        @Test
        void holdNoZeros() {
            // Of the places 2, 0.4, 4; and above the end, 1.
            assertArrayEquals(
                    new int[] {0, 2 + 4, 2 + 4, 6 + 5 + 1},
                    sparse(BinCode.UNARY, 1).starts());
            assertArrayEquals(
                    new int[] {0, 2 + 1 + 4, 7, 7 + 5 + 1},
                    sparse(BinCode.PIECEWISE, 1).starts());
            assertArrayEquals(
                    new int[] {0, 1 + 1 + 1, 3, 3 + 2 + 1},
                    sparse(BinCode.SPARSE, 1).starts());
        }

        @ParameterizedTest
        @EnumSource(BinCode.class)
        void areTheDenseFeatures(BinCode code) {
            for (double degree : new double[] {0.5, 1, 2}) {
                BinnedMap map = BinnedMapTest.map(degree, 4, code, 4, 1);
                SparseRows features = map.apply(rows);
                assertEquals(20, features.columns());
                double[] row = new double[4];
                double[] actual = new double[20];
                for (int i = 0; i < 3; i++) {
                    rows.copyRow(i, row);
                    features.copyRow(i, actual);
                    double[] expected = features(map, row);
                    for (int j = 0; j < 20; j++) {
                        assertEquals((float) expected[j], (float) actual[j]);
                    }
                    for (int e = features.starts()[i] + 1; e < features.starts()[i + 1]; e++) {
                        assertTrue(features.indices()[e - 1] < features.indices()[e], "indices must ascend");
                    }
                }
            }
        }

        @Test
        void areAtMostTwoAValueInTheSparseForm() {
            BinnedMap map = map(BinCode.SPARSE, 9, 1);
            for (int i = 1; i <= 120; i++) {
                SparseRows one = SparseRows.of(1, 1, new int[] {0, 1}, new int[] {0}, new float[] {i / 90f});
                assertTrue(map.apply(one).entries() <= 2);
            }
        }

        @Test
        void refuseNegativeValuesWithTheirPlace() {
            SparseRows bad = SparseRows.of(2, 3, new int[] {0, 1, 2}, new int[] {0, 2}, new float[] {1, -0.5f});
            String message = failureOf(() -> map3(BinCode.PIECEWISE).apply(bad));
            assertTrue(message.contains("-0.5") && message.contains("at least 0"), message);
        }

        private BinnedMap map3(BinCode code) {
            return BinnedMapTest.map(1, 3, code, 4, 1);
        }
    }

    @Nested
    class Recipes {
        private static AdditiveMap build(String recipe, String kernel, RowSample rows, Notes notes) {
            return (AdditiveMap)
                    FeatureMaps.parse(recipe).build(Kernels.parse(kernel), rows, OptionalInt.empty(), SEED, notes);
        }

        private static BinnedMap build(String recipe, RowSample rows) {
            return (BinnedMap) build(recipe, "intersection", rows, new Notes());
        }

        private static RowSample sample(float... values) {
            return RowSample.of(DenseRows.of(1, values.length, values), 10, SEED);
        }

        @Test
        void parseAndPrintBack() {
            for (String text : List.of(
                    "unary(bins=7)",
                    "unary(bins=7, range=16)",
                    "piecewise(bins=7)",
                    "piecewise(bins=7, sparse)",
                    "piecewise(bins=7, sparse, range=0.5)")) {
                assertEquals(text, FeatureMaps.parse(text).toString());
            }
            assertEquals("piecewise(bins=25)", FeatureMaps.parse("piecewise").toString());
            assertTrue(FeatureMaps.additiveNames().containsAll(List.of("unary", "piecewise")));
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "unary(bins=0)|unary: bins must be at least 1, got 0",
                    "piecewise(bins=-3, sparse)|piecewise: bins must be at least 1, got -3",
                    "piecewise(bins=2.5)|piecewise: bins must be a whole number, got 2.5",
                    "unary(range=0)|unary: range must be positive and finite, got 0.0",
                    "unary(range=NaN)|unary: range must be positive and finite, got NaN",
                    "unary(sparse)|unary has no parameter 'sparse'",
                    "piecewise(bin=3)|piecewise has no parameter 'bin'; did you mean 'bins'?"
                })
        void refuseWrongParameters(String spelling, String why) {
            assertTrue(failureOf(() -> FeatureMaps.parse(spelling)).startsWith(why));
        }

        @ParameterizedTest
        @CsvSource({
            "chi2, sampled",
            "jensen-shannon(degree=2), sampled",
            "hellinger, exact",
            "linear, exact",
            "exp-chi2(gamma=1), sampled",
            "gaussian(sigma=1), fourier"
        })
        void sayWhichMapToTakeForOtherKernels(String kernel, String other) {
            SpellingException e = assertThrows(
                    SpellingException.class, () -> build("piecewise", kernel, RowSample.none(3), new Notes()));
            String message = String.valueOf(e.getMessage());
            assertTrue(message.contains("piecewise(bins=25)") && message.contains(other), message);
        }

        @Test
        void takeTheLargestValueOfEveryColumnForItsRange() {
            assertTrue(FeatureMaps.parse("unary").needsData(new Intersection(1)));
            // In the last column nothing was seen but zeros.
            BinnedMap map = build("unary", sample(0.5f, 16, 3, 0));
            assertArrayEquals(new double[] {0.5, 16, 3, 16}, ranges(map));
        }

        @Test
        void takeTheRangeThatIsGiven() {
            assertFalse(FeatureMaps.parse("unary(range=2)").needsData(new Intersection(1)));
            assertArrayEquals(new double[] {2, 2, 2}, ranges(build("unary(range=2)", sample(0.5f, 16, 3))));
        }

        @Test
        void takeARangeOfOneWhereNothingIsKnown() {
            assertArrayEquals(new double[] {1, 1, 1}, ranges(build("piecewise", RowSample.none(3))));
            assertArrayEquals(new double[] {1, 1}, ranges(build("piecewise", sample(0, 0))));
        }

        private static double[] ranges(BinnedMap map) {
            return map.state().array("ranges", map.inputDimension());
        }

        @Test
        void tellWhatTheyTook() {
            Notes notes = new Notes();
            build("unary(bins=4)", "intersection", sample(0.5f, 16), notes);
            build("unary(bins=4, range=2)", "intersection", sample(0.5f, 16), notes);
            build("unary(bins=4)", "intersection", RowSample.none(2), notes);
            assertTrue(
                    notes.list().get(0).text().contains("the largest of their column, 16.00 at most, into 4 bins"),
                    notes.list().get(0).text());
            assertTrue(
                    notes.list().get(1).text().contains("from 0 to 2 (the data goes up to 16.00) into"),
                    notes.list().get(1).text());
            assertTrue(
                    notes.list().get(2).text().contains("to 1, for want of data"),
                    notes.list().get(2).text());
        }

        @Test
        void refuseMoreFeaturesThanAnArrayHolds() {
            String message = failureOf(() -> build("unary(bins=1000000)", RowSample.none(10_000)));
            assertTrue(message.contains("take fewer bins"), message);
            assertTrue(failureOf(() -> build("unary(bins=2147483647)", RowSample.none(1)))
                    .contains("take fewer bins"));
        }

        @Test
        void areChosenByAutoForIntersection() {
            Notes notes = new Notes();
            AdditiveMap map = build("auto", "intersection", sample(0.001f, 0.5f, 2), notes);
            assertTrue(map instanceof BinnedMap, map.toString());
            assertTrue(
                    notes.list().get(0).text().contains("piecewise(bins="),
                    notes.list().get(0).text());
            // b/(4N) ≤ 0.01·b from N = 25 on; less where the measured pairs miss the middles of bins by a little.
            assertEquals(25, map.state().count("bins"), 1);
            assertTrue(map.hasPlainPenalty());
        }
    }

    @Nested
    class FirstStages {
        @Test
        void areUnaryByAutoBecauseTheirDistancesErrLess() {
            RowSample rows = RowSample.even(60, 30, 0, 1.0 / 15, SEED);
            Notes notes = new Notes();
            FeatureMap map = FeatureMaps.parse("auto")
                    .build(Kernels.parse("exp-intersection(gamma=2)"), rows, OptionalInt.of(2000), SEED, notes);
            assertEquals("unary", ((TwoStageMap) map).first().state().text("code"));
            assertTrue(
                    notes.list().get(0).text().contains("unary(bins="),
                    notes.list().get(0).text());
        }
    }

    @Nested
    class DamagedStates {
        private State state(String key, String value) {
            return map(BinCode.SPARSE, 3, 2).state().with(key, value);
        }

        private void rejected(State state, String why) {
            String message = String.valueOf(assertThrows(BochnerException.class, () -> FeatureMaps.load(state))
                    .getMessage());
            assertTrue(message.contains(why), message);
        }

        @Test
        void areRejectedWithTheReason() {
            assertEquals(
                    map(BinCode.SPARSE, 3, 2).toString(),
                    FeatureMaps.load(state("bins", "3")).toString());
            rejected(state("code", "octal"), "unknown code 'octal'");
            rejected(state("bins", "0"), "bins must be at least 1");
            rejected(state("bins", "2147483647"), "take fewer bins");
            rejected(state("bins", "3").with("ranges", new double[] {Double.NaN}), "NaN");
            rejected(state("bins", "3").with("ranges", new double[] {0}), "range must be positive");
            rejected(state("columns", "2"), "'ranges' must hold 2 values, holds 1");
            rejected(state("columns", "0").with("ranges", new double[0]), "columns must be at least 1");
            rejected(state("kernel", "chi2"), "the kernel 'chi2' has no map of this type");
        }
    }
}
