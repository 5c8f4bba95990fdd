package org.bochner.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

/**
 * What every {@link FeatureMap} must keep. Extend it in your tests, say which map to test, and it becomes some dozen
 * tests:
 *
 * <pre>{@code
 * class MyMapTest implements FeatureMapContract {
 *     public FeatureMap map() { return new MyMap(...); }
 *     public double kernelTolerance(int pairs) { return 1e-3; }   // the map's written bound
 * }
 * }</pre>
 */
public interface FeatureMapContract extends MapParametersContract {
    /** Chance, at most, that a random map which keeps its bound is rejected; seeds are fixed, so it is met once or never. */
    double FAILURE_PROBABILITY = 1e-6;

    float UNTOUCHED = Float.MIN_VALUE;

    /** The map under test; the same one, bit for bit, at each call. */
    @Override
    FeatureMap map();

    /**
     * Rows to map, of values that float32 holds exactly. By default 24 rows in [0, 1) of which a third is zero, near each
     * other and far apart.
     */
    @Override
    default double[][] samples(int columns) {
        RandomStream stream = new Seed(7).stream();
        double[][] rows = new double[24][columns];
        for (int i = 0; i < rows.length; i++) {
            double spread = (i + 1.0) / rows.length;
            for (int l = 0; l < columns; l++) {
                rows[i][l] = stream.nextInt(3) == 0 ? 0 : (float) (spread * stream.nextUniform());
            }
        }
        return rows;
    }

    /**
     * How far an inner product may be from the kernel, for any of so many pairs: the bound that the map's documentation
     * states. For a random map, a bound that fails with a probability of at most {@link #FAILURE_PROBABILITY}.
     */
    default double kernelTolerance(int pairs) {
        throw new IllegalArgumentException(
                map().getClass().getSimpleName() + ": override kernelTolerance with the bound of this map");
    }

    /**
     * How far the inner product of two rows may be from the kernel, for any of so many pairs. By default the same for all
     * of them; maps whose bound grows with the values, as that of additive kernels does, say it here.
     */
    default double kernelTolerance(double[] x, double[] y, int pairs) {
        return kernelTolerance(pairs);
    }

    /** How far ⟨φ(x), φ(x)⟩ may be from k(x, x), for any of so many rows. */
    default double diagonalTolerance(double[] x, int rows) {
        return kernelTolerance(x, x, rows);
    }

    /** How far float32 features of a row may be from float64 ones, in units of the length of φ. */
    @Override
    default double floatTolerance() {
        return 2e-6;
    }

    /** How far float64 features of a block may be from those of single rows, in units of the length of φ. */
    @Override
    default double doubleTolerance() {
        return 1e-12;
    }

    /** The loaders of saved maps that are not the library's own, as they are given to {@code KernelModel.load}. */
    default MapLoader[] loaders() {
        return new MapLoader[0];
    }

    @Test
    default void innerProductsAreNearTheKernel() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        double[][] features = features(map, rows);
        int pairs = rows.length * (rows.length - 1) / 2;
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < i; j++) {
                double exact = map.kernel().value(rows[i], rows[j]);
                double tolerance = kernelTolerance(rows[i], rows[j], pairs);
                assertEquals(exact, dot(features[i], features[j]), tolerance, "rows " + i + " and " + j);
            }
        }
    }

    @Test
    default void squaredLengthsAreNearTheDiagonal() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        double[][] features = features(map, rows);
        for (int i = 0; i < rows.length; i++) {
            double exact = map.kernel().value(rows[i], rows[i]);
            assertEquals(exact, dot(features[i], features[i]), diagonalTolerance(rows[i], rows.length), "row " + i);
        }
    }

    @Test
    default void floatBlockIsTheSingleRow() {
        FeatureMap map = map();
        double[][] rows = manyRows(map);
        float[] block = floatFeatures(map, dense(rows));
        double[] single = new double[map.outputDimension()];
        for (int i = 0; i < rows.length; i++) {
            map.apply(rows[i], single);
            double tolerance = floatTolerance() * length(single);
            for (int j = 0; j < single.length; j++) {
                assertNear(single[j], block[i * single.length + j], tolerance, i, j);
            }
        }
    }

    @Test
    default void doubleBlockIsTheSingleRow() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        int features = map.outputDimension();
        for (RowBlock rowBlock : new RowBlock[] {dense(rows), sparse(rows)}) {
            double[] block = new double[rows.length * features];
            map.apply(rowBlock, block, 0, features);
            double[] single = new double[features];
            for (int i = 0; i < rows.length; i++) {
                map.apply(rows[i], single);
                double tolerance = doubleTolerance() * length(single);
                for (int j = 0; j < features; j++) {
                    assertNear(single[j], block[i * features + j], tolerance, i, j);
                }
            }
        }
    }

    @Test
    default void sparseBlockIsTheDenseBlock() {
        FeatureMap map = map();
        double[][] rows = manyRows(map);
        double[][] sparser = new double[rows.length][];
        for (int i = 0; i < rows.length; i++) {
            sparser[i] = rows[i].clone();
            for (int l = 0; l < sparser[i].length; l++) {
                if ((i + l) % 4 != 0) {
                    sparser[i][l] = 0;
                }
            }
        }
        for (double[][] data : new double[][][] {rows, sparser}) {
            double length = longest(map, data);
            assertClose(
                    floatFeatures(map, dense(data)),
                    floatFeatures(map, sparse(data)),
                    2 * floatTolerance() * length,
                    map.outputDimension());
        }
    }

    @Test
    default void anyRangeOfRowsGivesTheSameFeatures() {
        FeatureMap map = map();
        double[][] rows = manyRows(map);
        int features = map.outputDimension();
        float[] all = floatFeatures(map, dense(rows));
        double length = longest(map, rows);
        int[][] ranges = {{0, 1}, {5, 6}, {3, 20}, {rows.length - 17, rows.length}};
        for (int[] range : ranges) {
            float[] part = floatFeatures(map, dense(Arrays.copyOfRange(rows, range[0], range[1])));
            float[] expected = Arrays.copyOfRange(all, range[0] * features, range[1] * features);
            assertClose(expected, part, 2 * floatTolerance() * length, features);
        }
    }

    @Test
    default void blockWithoutRowsWritesNothing() {
        FeatureMap map = map();
        float[] out = {UNTOUCHED};
        map.apply(dense(new double[0][map.inputDimension()], map.inputDimension()), out, 0, map.outputDimension());
        assertEquals(UNTOUCHED, out[0]);
    }

    @Test
    default void writesItsOwnColumnsOnly() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        int features = map.outputDimension();
        int offset = 3;
        int stride = features + 5;
        float[] out = new float[offset + rows.length * stride];
        double[] doubles = new double[out.length];
        Arrays.fill(out, UNTOUCHED);
        Arrays.fill(doubles, UNTOUCHED);
        map.apply(dense(rows), out, offset, stride);
        map.apply(dense(rows), doubles, offset, stride);
        float[] compact = floatFeatures(map, dense(rows));
        double tolerance = 2 * floatTolerance() * longest(map, rows);
        for (int k = 0; k < out.length; k++) {
            int row = Math.floorDiv(k - offset, stride);
            int column = k - offset - row * stride;
            if (row < 0 || column >= features) {
                assertEquals(UNTOUCHED, out[k], "a float32 feature was written outside its columns");
                assertEquals(UNTOUCHED, doubles[k], "a float64 feature was written outside its columns");
            } else {
                assertNear(compact[row * features + column], out[k], tolerance, row, column);
                assertNear(compact[row * features + column], doubles[k], tolerance, row, column);
            }
        }
    }

    @Test
    default void leavesItsInputUntouched() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        double[] x = rows[1].clone();
        map.apply(x, new double[map.outputDimension()]);
        assertArrayEquals(rows[1], x);
        DenseRows dense = dense(rows);
        float[] values = dense.values().clone();
        floatFeatures(map, dense);
        assertArrayEquals(values, dense.values());
        SparseRows sparse = sparse(rows);
        float[] entries = sparse.values().clone();
        int[] indices = sparse.indices().clone();
        floatFeatures(map, sparse);
        assertArrayEquals(entries, sparse.values());
        assertArrayEquals(indices, sparse.indices());
    }

    @Test
    default void savedAndLoadedItHasTheSameBits() {
        FeatureMap map = map();
        State state = map.state();
        FeatureMap loaded = FeatureMaps.load(state, loaders());
        assertEquals(state, loaded.state());
        assertEquals(map.kernel(), loaded.kernel());
        double[][] rows = samples(map.inputDimension());
        assertArrayEquals(floatFeatures(map, dense(rows)), floatFeatures(loaded, dense(rows)));
        assertArrayEquals(features(map, rows), features(loaded, rows));
    }

    @Test
    default void everyFeatureIsOfOneUnitAndEveryUnitOfOneTerm() {
        FeatureMap map = map();
        int[] units = map.units();
        int[] terms = map.terms();
        assertEquals(map.outputDimension(), units.length);
        assertEquals(map.outputDimension(), terms.length);
        for (int[] groups : new int[][] {units, terms}) {
            int[] found = Arrays.stream(groups).distinct().sorted().toArray();
            assertArrayEquals(IntStream.range(0, found.length).toArray(), found, "groups must be counted from 0");
        }
        for (int unit = 0; unit < map.unitCount(); unit++) {
            long termsOfUnit = Arrays.stream(featuresOf(map, unit))
                    .map(feature -> terms[feature])
                    .distinct()
                    .count();
            assertEquals(1, termsOfUnit, "terms of unit " + unit);
        }
    }

    /** The features of some units of a map, ascending. */
    static int[] featuresOf(FeatureMap map, int... chosen) {
        int[] units = map.units();
        return IntStream.range(0, units.length)
                .filter(feature -> Arrays.stream(chosen).anyMatch(unit -> unit == units[feature]))
                .toArray();
    }

    @Test
    default void restrictedToHalfOfItsUnitsItMakesTheirFeatures() {
        FeatureMap map = map();
        int[] kept = halfOfTheUnits(map);
        FeatureMap restricted = map.restrict(kept);
        assertMakesFeatures(map, kept, restricted);
        assertEquals(Math.max(1, map.unitCount() / 2), restricted.unitCount());
        int[] left = halfOfTheUnits(restricted);
        int[] leftOfAll = Arrays.stream(left).map(j -> kept[j]).toArray();
        assertMakesFeatures(map, leftOfAll, restricted.restrict(left));
        FeatureMap loaded = FeatureMaps.load(restricted.state(), loaders());
        assertEquals(restricted.state(), loaded.state());
        assertMakesFeatures(map, kept, loaded);
    }

    @Test
    default void restrictedToAllItsFeaturesItIsTheSame() {
        FeatureMap map = map();
        int[] all = IntStream.range(0, map.outputDimension()).toArray();
        assertEquals(map.state(), map.restrict(all).state());
    }

    @Test
    default void refusesToKeepAnythingButWholeUnits() {
        FeatureMap map = map();
        assertThrows(IllegalArgumentException.class, map::restrict);
        assertThrows(IllegalArgumentException.class, () -> map.restrict(map.outputDimension()));
        assertThrows(IllegalArgumentException.class, () -> map.restrict(-1));
        int[] unit = featuresOf(map, 0);
        if (unit.length > 1) {
            assertThrows(IllegalArgumentException.class, () -> map.restrict(unit[0]));
            int[] backwards = {unit[1], unit[0]};
            assertThrows(IllegalArgumentException.class, () -> map.restrict(backwards));
        }
    }

    /** The features of every second unit, or of the only one. */
    private static int[] halfOfTheUnits(FeatureMap map) {
        int[] odd = IntStream.range(0, map.unitCount())
                .filter(unit -> unit % 2 == 1)
                .toArray();
        return featuresOf(map, odd.length == 0 ? new int[] {0} : odd);
    }

    /** Fails unless a map makes the features of another that are kept, in all the ways in which it can. */
    private void assertMakesFeatures(FeatureMap map, int[] kept, FeatureMap restricted) {
        double[][] rows = samples(map.inputDimension());
        assertEquals(map.inputDimension(), restricted.inputDimension());
        assertEquals(kept.length, restricted.outputDimension());
        double length = longest(map, rows);
        for (RowBlock block : new RowBlock[] {dense(rows), sparse(rows)}) {
            double[] all = new double[rows.length * map.outputDimension()];
            map.apply(block, all, 0, map.outputDimension());
            float[] floats = floatFeatures(restricted, block);
            double[] doubles = new double[floats.length];
            restricted.apply(block, doubles, 0, kept.length);
            double[] sparse = new double[kept.length];
            for (int i = 0; i < rows.length; i++) {
                double[] single = new double[kept.length];
                restricted.apply(rows[i], single);
                boolean alsoSparse = map.keepsSparsity() && block instanceof SparseRows;
                if (alsoSparse) {
                    restricted.apply((SparseRows) block).copyRow(i, sparse);
                }
                for (int j = 0; j < kept.length; j++) {
                    double expected = all[i * map.outputDimension() + kept[j]];
                    assertNear(expected, single[j], doubleTolerance() * length, i, j);
                    assertNear(expected, doubles[i * kept.length + j], doubleTolerance() * length, i, j);
                    assertNear(expected, floats[i * kept.length + j], floatTolerance() * length, i, j);
                    if (alsoSparse) {
                        assertNear(expected, sparse[j], floatTolerance() * length, i, j);
                    }
                }
            }
        }
        assertEquals(map.keepsSparsity(), restricted.keepsSparsity());
    }

    @Test
    default void threadsGetWhatOneThreadGets() {
        FeatureMap map = map();
        DenseRows rows = dense(samples(map.inputDimension()));
        float[] alone = floatFeatures(map, rows);
        boolean same = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> floatFeatures(map, rows))
                .allMatch(together -> Arrays.equals(alone, together));
        assertTrue(same, "features differ when several threads map at once");
    }

    @Test
    default void rejectsRowsOfAnotherWidth() {
        FeatureMap map = map();
        int columns = map.inputDimension();
        int features = map.outputDimension();
        for (int width : new int[] {columns + 1, columns - 1}) {
            if (width == 0) {
                continue;
            }
            double[][] rows = new double[2][width];
            assertThrows(
                    IllegalArgumentException.class, () -> map.apply(dense(rows), new float[2 * features], 0, features));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> map.apply(dense(rows), new double[2 * features], 0, features));
            assertThrows(IllegalArgumentException.class, () -> map.apply(rows[0], new double[features]));
        }
    }

    /** Where the kernel does not take any value: a value outside its domain is refused with its row and column. */
    @Test
    default void refusesValuesOutsideTheDomainOfItsKernel() {
        FeatureMap map = map();
        if (map.kernel().takesAnyValue()) {
            return;
        }
        int features = map.outputDimension();
        for (float value : new float[] {-1e9f, Float.NaN}) {
            for (int column = 0; column < map.inputDimension(); column++) {
                if (takes(map, value, column)) {
                    continue;
                }
                double[][] rows = samples(map.inputDimension());
                rows[3][column] = value;
                String place = "column " + column + " ";
                assertRefused(place, () -> map.apply(rows[3], new double[features]));
                for (RowBlock block : new RowBlock[] {dense(rows), sparse(rows)}) {
                    int size = rows.length * features;
                    assertRefused("row 4, " + place, () -> map.apply(block, new float[size], 0, features));
                    assertRefused("row 4, " + place, () -> map.apply(block, new double[size], 0, features));
                }
            }
        }
    }

    private static boolean takes(FeatureMap map, double value, int column) {
        try {
            map.kernel().requireValue(value, column);
            return true;
        } catch (BochnerException e) {
            return false;
        }
    }

    /** Fails unless the use is refused at the place. */
    static void assertRefused(String place, Runnable use) {
        String message =
                String.valueOf(assertThrows(BochnerException.class, use::run).getMessage());
        assertTrue(message.contains(place), "no '" + place + "' in: " + message);
    }

    /** More rows than a map is likely to treat at once: the samples over and over. */
    private double[][] manyRows(FeatureMap map) {
        double[][] rows = samples(map.inputDimension());
        double[][] many = new double[520][];
        Arrays.setAll(many, i -> rows[i % rows.length]);
        return many;
    }

    /** The length of the longest of the rows' features. */
    private static double longest(FeatureMap map, double[][] rows) {
        return Arrays.stream(rows)
                .mapToDouble(row -> Math.sqrt(map.kernel().value(row, row)))
                .max()
                .orElseThrow();
    }

    /** The float64 features of every row, in the basis in which inner products are plain. */
    static double[][] features(FeatureMap map, double[][] rows) {
        double[][] features = new double[rows.length][map.outputDimension()];
        for (int i = 0; i < rows.length; i++) {
            map.apply(rows[i], features[i]);
            map.whiten(features[i], 0);
        }
        return features;
    }

    /** The float32 features of a block, one row after the other. */
    static float[] floatFeatures(FeatureMap map, RowBlock rows) {
        float[] features = new float[rows.rows() * map.outputDimension()];
        map.apply(rows, features, 0, map.outputDimension());
        return features;
    }

    /** Rows as a dense block. */
    static DenseRows dense(double[][] rows) {
        return dense(rows, rows[0].length);
    }

    private static DenseRows dense(double[][] rows, int columns) {
        float[] values = new float[rows.length * columns];
        for (int k = 0; k < values.length; k++) {
            values[k] = (float) rows[k / columns][k % columns];
        }
        return DenseRows.of(rows.length, columns, values);
    }

    /** The non-zeros of rows as a sparse block. */
    static SparseRows sparse(double[][] rows) {
        int columns = rows[0].length;
        int[] starts = new int[rows.length + 1];
        int[] indices = new int[rows.length * columns];
        float[] values = new float[rows.length * columns];
        int entries = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int l = 0; l < columns; l++) {
                if (rows[i][l] != 0) {
                    indices[entries] = l;
                    values[entries++] = (float) rows[i][l];
                }
            }
            starts[i + 1] = entries;
        }
        return SparseRows.of(rows.length, columns, starts, indices, values);
    }

    /** The inner product. */
    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }

    /** The Euclidean length. */
    static double length(double[] a) {
        return Math.sqrt(dot(a, a));
    }

    private static void assertClose(float[] expected, float[] actual, double tolerance, int features) {
        assertEquals(expected.length, actual.length);
        for (int k = 0; k < expected.length; k++) {
            assertNear(expected[k], actual[k], tolerance, k / features, k % features);
        }
    }

    /** Without a message until it fails: there are millions of features to compare. */
    private static void assertNear(double expected, double actual, double tolerance, int row, int feature) {
        if (!(Math.abs(expected - actual) <= tolerance)) {
            assertEquals(expected, actual, tolerance, "row " + row + ", feature " + feature);
        }
    }
}
