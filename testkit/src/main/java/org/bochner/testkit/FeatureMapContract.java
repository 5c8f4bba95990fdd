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
 * Tests that every {@link FeatureMap} must pass. Implement it in your tests, name the map and its error bound, and JUnit runs
 * about thirty tests:
 *
 * <pre>{@code
 * class MyMapTest implements FeatureMapContract {
 *     public FeatureMap map() { return new MyMap(...); }
 *     public double kernelTolerance(double[] x, double[] y, int pairs) { return 1e-3; }   // the map's written bound
 *     public List<MapLoader> loaders() { return List.of(new MapLoader("my-map", MyMap::load)); }
 * }
 * }</pre>
 *
 * <p>The bound of one random map is wide. {@link RandomMapContract} tests the distribution of the errors of many random maps,
 * which shows a wrong map that stays within this bound.
 */
public interface FeatureMapContract extends MapParametersContract, MapUnitsContract {
    /** The largest probability that a correct random map fails a test. Seeds are fixed, so a test passes always or never. */
    double FAILURE_PROBABILITY = 1e-6;

    float UNTOUCHED = Float.MIN_VALUE;

    /** More rows than a map is likely to process at once. */
    int MANY_ROWS = 520;

    /** Returns the map under test: an equal map at each call, bit for bit. */
    @Override
    FeatureMap map();

    /**
     * Returns rows to map, of values that float32 holds exactly. By default 24 rows in [0, 1): a third of the values is zero,
     * the first rows are close to each other and the last ones are far apart.
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
     * Returns the largest error |⟨φ(x), φ(y)⟩ − k(x, y)| that the map's written bound allows. The bound of a random map holds
     * for {@code pairs} pairs of rows at once with probability 1 − {@link #FAILURE_PROBABILITY}; see {@link #hoeffding}.
     */
    double kernelTolerance(double[] x, double[] y, int pairs);

    /** Returns the largest error |⟨φ(x), φ(x)⟩ − k(x, x)| for {@code rows} rows at once. */
    default double diagonalTolerance(double[] x, int rows) {
        return kernelTolerance(x, x, rows);
    }

    /** Returns the largest error of float32 features, in units of the length of φ. */
    @Override
    default double floatTolerance() {
        return 2e-6;
    }

    /** Returns the largest difference between float64 features of a block and of single rows, in units of the length of φ. */
    @Override
    default double doubleTolerance() {
        return 1e-12;
    }

    /**
     * Returns the ε with P(some |mean − expectation| > ε) ≤ {@link #FAILURE_PROBABILITY} for {@code pairs} means, each of
     * {@code terms} independent values from an interval of length {@code range}. By Hoeffding's inequality and the union
     * bound, P ≤ 2·pairs·exp(−2·terms·ε²/range²). With cosine and sine of each frequency, the values are cos ω·(x−y) in
     * [−1, 1], and there is one per frequency. With random phases, the values are 2·cos(ω·x+b)·cos(ω·y+b) in [−2, 2].
     */
    static double hoeffding(double range, int terms, int pairs) {
        return range * Math.sqrt(Math.log(2 * pairs / FAILURE_PROBABILITY) / (2.0 * terms));
    }

    @Test
    default void innerProductsAreNearTheKernel() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        double[][] features = ContractRows.features(map, rows);
        int pairs = rows.length * (rows.length - 1) / 2;
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < i; j++) {
                double exact = map.kernel().value(rows[i], rows[j]);
                double tolerance = kernelTolerance(rows[i], rows[j], pairs);
                assertEquals(exact, ContractRows.dot(features[i], features[j]), tolerance, "rows " + i + " and " + j);
            }
        }
    }

    @Test
    default void squaredLengthsAreNearTheDiagonal() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        double[][] features = ContractRows.features(map, rows);
        for (int i = 0; i < rows.length; i++) {
            double exact = map.kernel().value(rows[i], rows[i]);
            assertEquals(
                    exact,
                    ContractRows.dot(features[i], features[i]),
                    diagonalTolerance(rows[i], rows.length),
                    "row " + i);
        }
    }

    @Test
    default void floatBlockIsTheSingleRow() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        float[] block = ContractRows.floatFeatures(map, ContractRows.dense(repeated(rows)));
        double[] single = new double[map.outputDimension()];
        for (int s = 0; s < rows.length; s++) {
            map.apply(rows[s], single);
            double tolerance = floatTolerance() * ContractRows.length(single);
            for (int i = s; i < MANY_ROWS; i += rows.length) {
                for (int j = 0; j < single.length; j++) {
                    ContractRows.assertNear(single[j], block[i * single.length + j], tolerance, i, j);
                }
            }
        }
    }

    @Test
    default void doubleBlockIsTheSingleRow() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
        int features = map.outputDimension();
        for (RowBlock rowBlock : new RowBlock[] {ContractRows.dense(rows), ContractRows.sparse(rows)}) {
            double[] block = new double[rows.length * features];
            map.apply(rowBlock, block, 0, features);
            double[] single = new double[features];
            for (int i = 0; i < rows.length; i++) {
                map.apply(rows[i], single);
                double tolerance = doubleTolerance() * ContractRows.length(single);
                for (int j = 0; j < features; j++) {
                    ContractRows.assertNear(single[j], block[i * features + j], tolerance, i, j);
                }
            }
        }
    }

    @Test
    default void sparseBlockIsTheDenseBlock() {
        FeatureMap map = map();
        double[][] rows = samples(map.inputDimension());
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
            double length = ContractRows.longest(map, data);
            ContractRows.assertClose(
                    ContractRows.floatFeatures(map, ContractRows.dense(repeated(data))),
                    ContractRows.floatFeatures(map, ContractRows.sparse(repeated(data))),
                    2 * floatTolerance() * length,
                    map.outputDimension());
        }
    }

    @Test
    default void anyRangeOfRowsGivesTheSameFeatures() {
        FeatureMap map = map();
        double[][] samples = samples(map.inputDimension());
        double[][] rows = repeated(samples);
        int features = map.outputDimension();
        float[] all = ContractRows.floatFeatures(map, ContractRows.dense(rows));
        double length = ContractRows.longest(map, samples);
        int[][] ranges = {{0, 1}, {5, 6}, {3, 20}, {rows.length - 17, rows.length}};
        for (int[] range : ranges) {
            float[] part =
                    ContractRows.floatFeatures(map, ContractRows.dense(Arrays.copyOfRange(rows, range[0], range[1])));
            float[] expected = Arrays.copyOfRange(all, range[0] * features, range[1] * features);
            ContractRows.assertClose(expected, part, 2 * floatTolerance() * length, features);
        }
    }

    @Test
    default void blockWithoutRowsWritesNothing() {
        FeatureMap map = map();
        float[] out = {UNTOUCHED};
        map.apply(
                ContractRows.dense(new double[0][map.inputDimension()], map.inputDimension()),
                out,
                0,
                map.outputDimension());
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
        map.apply(ContractRows.dense(rows), out, offset, stride);
        map.apply(ContractRows.dense(rows), doubles, offset, stride);
        float[] compact = ContractRows.floatFeatures(map, ContractRows.dense(rows));
        double tolerance = 2 * floatTolerance() * ContractRows.longest(map, rows);
        for (int k = 0; k < out.length; k++) {
            int row = Math.floorDiv(k - offset, stride);
            int column = k - offset - row * stride;
            if (row < 0 || column >= features) {
                assertEquals(UNTOUCHED, out[k], "a float32 feature was written outside its columns");
                assertEquals(UNTOUCHED, doubles[k], "a float64 feature was written outside its columns");
            } else {
                ContractRows.assertNear(compact[row * features + column], out[k], tolerance, row, column);
                ContractRows.assertNear(compact[row * features + column], doubles[k], tolerance, row, column);
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
        DenseRows dense = ContractRows.dense(rows);
        float[] values = dense.values().clone();
        ContractRows.floatFeatures(map, dense);
        assertArrayEquals(values, dense.values());
        SparseRows sparse = ContractRows.sparse(rows);
        float[] entries = sparse.values().clone();
        int[] indices = sparse.indices().clone();
        ContractRows.floatFeatures(map, sparse);
        assertArrayEquals(entries, sparse.values());
        assertArrayEquals(indices, sparse.indices());
    }

    @Test
    default void savedAndLoadedItHasTheSameBits() {
        FeatureMap map = map();
        State state = map.state();
        FeatureMap loaded = FeatureMaps.load(state, loaders().toArray(MapLoader[]::new));
        assertEquals(state, loaded.state());
        assertEquals(map.kernel(), loaded.kernel());
        double[][] rows = samples(map.inputDimension());
        assertArrayEquals(
                ContractRows.floatFeatures(map, ContractRows.dense(rows)),
                ContractRows.floatFeatures(loaded, ContractRows.dense(rows)));
        assertArrayEquals(ContractRows.features(map, rows), ContractRows.features(loaded, rows));
    }

    @Test
    default void threadsGetWhatOneThreadGets() {
        FeatureMap map = map();
        DenseRows rows = ContractRows.dense(samples(map.inputDimension()));
        float[] alone = ContractRows.floatFeatures(map, rows);
        boolean same = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> ContractRows.floatFeatures(map, rows))
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
                    IllegalArgumentException.class,
                    () -> map.apply(ContractRows.dense(rows), new float[2 * features], 0, features));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> map.apply(ContractRows.dense(rows), new double[2 * features], 0, features));
            assertThrows(IllegalArgumentException.class, () -> map.apply(rows[0], new double[features]));
        }
    }

    /** A value outside the kernel's domain is refused, and the message names its row and column. */
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
                for (RowBlock block : new RowBlock[] {ContractRows.dense(rows), ContractRows.sparse(rows)}) {
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

    /** Fails unless {@code use} throws a BochnerException whose message names the place. */
    static void assertRefused(String place, Runnable use) {
        String message =
                String.valueOf(assertThrows(BochnerException.class, use::run).getMessage());
        assertTrue(message.contains(place), "no '" + place + "' in: " + message);
    }

    /** Returns {@link #MANY_ROWS} rows: the given ones, repeated. */
    private static double[][] repeated(double[][] rows) {
        double[][] many = new double[MANY_ROWS][];
        Arrays.setAll(many, i -> rows[i % rows.length]);
        return many;
    }
}
