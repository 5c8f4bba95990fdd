package org.bochner.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.State;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.additive.Linear;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.additive.ExactMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FeatureStoreTest {
    private static final int ROWS = 5000;
    private static final int COLUMNS = 6;
    private static final int FEATURES = 64;
    private static final Labels CLASSES = new Labels.Classes(List.of("a", "b", "c"));

    private static MemorySource rows(int rows) {
        RandomStream stream = new Seed(21).stream();
        float[] values = new float[rows * COLUMNS];
        int[] targets = new int[rows];
        double[] weights = new double[rows];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) stream.nextUniform();
        }
        for (int i = 0; i < rows; i++) {
            targets[i] = stream.nextInt(3);
            weights[i] = i % 5 / 2.0;
        }
        return MemorySource.of(COLUMNS, values)
                .withClasses(List.of("a", "b", "c"), targets)
                .withRowWeights(weights);
    }

    private static FeatureMap fourier() {
        return FeatureMaps.parse("fourier").build(new Gaussian(1), COLUMNS, FEATURES, new Seed(2));
    }

    private static FeatureStore store(RowSource source, FeatureMap map, Precision precision, long budget, int threads) {
        return FeatureStore.map(
                new MappedSource(
                        source,
                        Scalings.identity(source.columns()),
                        map,
                        ClassWeights.none(),
                        precision,
                        new Workers(threads)),
                budget,
                (rows, fraction) -> {});
    }

    /** Something that depends on every feature, on the targets and weights, and on the order of the additions. */
    private static double[] fingerprint(FeatureSource source) {
        int features = source.features();
        double[] direction = new double[features];
        Arrays.setAll(direction, j -> Math.sin(j + 1));
        WeightMatrix weights = WeightMatrix.of(features, 1, direction);
        double[] total = new double[features];
        source.pass(
                () -> new double[features],
                (tile, sum) -> {
                    double[] scores = new double[tile.rows()];
                    tile.multiply(weights, scores);
                    for (int i = 0; i < scores.length; i++) {
                        scores[i] = tile.rowWeight(i) * (scores[i] - tile.target(i, 0));
                    }
                    tile.addTransposed(scores, 1, sum);
                },
                sum -> {
                    for (int j = 0; j < features; j++) {
                        total[j] += sum[j];
                    }
                    Arrays.fill(sum, 0);
                });
        return total;
    }

    @Nested
    class WhateverIsHeld {
        @Test
        void bitsAreTheSame() {
            MemorySource source = rows(ROWS);
            for (Precision precision : Precision.values()) {
                FeatureStore all = store(source, fourier(), precision, Long.MAX_VALUE, 1);
                assertEquals(ROWS, all.heldRows());
                double[] expected = fingerprint(all);
                for (long budget : new long[] {Long.MAX_VALUE, all.heldBytes() / 2, 0}) {
                    for (int threads : new int[] {1, 2, 3}) {
                        FeatureStore store = store(source, fourier(), precision, budget, threads);
                        String what = precision + ", budget " + budget + ", threads " + threads;
                        assertArrayEquals(expected, fingerprint(store), what);
                        assertArrayEquals(expected, fingerprint(store), what + ", second pass");
                        assertArrayEquals(all.mean(), store.mean(), what);
                        assertEquals(all.scatterTrace(), store.scatterTrace(), what);
                        assertEquals(all.totalRowWeight(), store.totalRowWeight(), what);
                        assertEquals(ROWS, store.rows());
                    }
                }
            }
        }

        @Test
        void noMoreThanTheBudgetIsHeld() {
            MemorySource source = rows(ROWS);
            long all = store(source, fourier(), Precision.FLOAT32, Long.MAX_VALUE, 2)
                    .heldBytes();
            assertTrue(all >= 4L * ROWS * FEATURES);
            FeatureStore half = store(source, fourier(), Precision.FLOAT32, all / 2, 2);
            assertTrue(half.heldBytes() <= all / 2);
            // Whole chunks are held, the first ones.
            assertEquals(2 * FeaturePass.TILE_ROWS, half.heldRows());
            assertEquals(0, store(source, fourier(), Precision.FLOAT32, 0, 2).heldRows());
        }

        @Test
        void sparseFeaturesHaveTheSameBitsToo() {
            SparseTable table = new SparseTable(3000, 40, CLASSES, new Seed(3));
            FeatureMap map = new ExactMap(new Linear(), 40);
            double[] expected = fingerprint(store(table, map, Precision.FLOAT32, Long.MAX_VALUE, 1));
            for (long budget : new long[] {Long.MAX_VALUE, 100_000, 0}) {
                for (int threads : new int[] {1, 2, 3}) {
                    assertArrayEquals(expected, fingerprint(store(table, map, Precision.FLOAT32, budget, threads)));
                }
            }
        }
    }

    @Nested
    class SparseRows {
        @Test
        void staySparse() {
            SparseTable table = new SparseTable(2000, 200, CLASSES, new Seed(4));
            FeatureStore store = store(table, new ExactMap(new Linear(), 200), Precision.FLOAT32, Long.MAX_VALUE, 2);
            long nonZeros = 0;
            for (float[] row : table.x) {
                for (float value : row) {
                    nonZeros += value != 0 ? 1 : 0;
                }
            }
            // 8 bytes an entry, 4 a row, 16 for target and weight.
            assertEquals(8 * nonZeros + 20 * 2000, store.heldBytes());
        }

        @Test
        void equalDenseOnes() {
            SparseTable table = new SparseTable(1200, 30, CLASSES, new Seed(5));
            FeatureMap map = new ExactMap(new Linear(), 30);
            FeatureStore sparse = store(table, map, Precision.FLOAT64, Long.MAX_VALUE, 1);
            FeatureStore dense = store(new DenseTable(table), map, Precision.FLOAT64, Long.MAX_VALUE, 1);
            // Sums of 1200 products of size 10.
            assertArrayEquals(fingerprint(dense), fingerprint(sparse), 1200 * 10 * 0x1p-52);
            assertArrayEquals(dense.mean(), sparse.mean(), 1e-14);
            assertEquals(dense.scatterTrace(), sparse.scatterTrace(), 1e-9);
        }
    }

    @Nested
    class Tiles {
        @Test
        void comeInTheOrderOfTheRowsAndCoverThemOnce() {
            for (long budget : new long[] {Long.MAX_VALUE, 300_000, 0}) {
                FeatureStore store = store(rows(ROWS), fourier(), Precision.FLOAT32, budget, 3);
                List<Long> firsts = new ArrayList<>();
                long[] next = {0};
                store.inOrder(tile -> {
                    assertEquals(next[0], tile.firstRow());
                    next[0] += tile.rows();
                    firsts.add(tile.firstRow());
                });
                assertEquals(ROWS, next[0]);
                assertTrue(firsts.size() > 1);
            }
        }

        @Test
        void haveTheFeaturesOfTheirRows() {
            MemorySource source = rows(300);
            FeatureMap map = fourier();
            double[][] expected = expected(source, map);
            store(source, map, Precision.FLOAT64, 0, 2).inOrder(tile -> {
                for (int i = 0; i < tile.rows(); i++) {
                    double[] z = new double[FEATURES];
                    tile.addRow(i, 1, z);
                    double[] row = expected[(int) tile.firstRow() + i];
                    // Features are at most 1, phases of size 10 rounded once.
                    assertArrayEquals(row, z, 1e-14);
                    double norm = Arrays.stream(row).map(v -> v * v).sum();
                    assertEquals(norm, tile.dot(i, row), 1e-13);
                }
            });
        }

        private double[][] expected(MemorySource source, FeatureMap map) {
            double[][] features = new double[300][FEATURES];
            double[] x = new double[COLUMNS];
            org.bochner.data.RowBlockBuilder builder = new org.bochner.data.RowBlockBuilder();
            try (org.bochner.data.RowCursor cursor = source.open()) {
                cursor.next(builder, 300);
                for (int i = 0; i < 300; i++) {
                    builder.build().copyRow(i, x);
                    map.apply(x, features[i]);
                }
            }
            return features;
        }

        @Test
        void multiplySeveralOutputsAsOneByOne() {
            FeatureStore store = store(rows(200), fourier(), Precision.FLOAT64, Long.MAX_VALUE, 1);
            double[] weights = new double[FEATURES * 3];
            Arrays.setAll(weights, i -> Math.cos(i));
            store.inOrder(tile -> {
                double[] together = new double[tile.rows() * 3];
                tile.multiply(WeightMatrix.of(FEATURES, 3, weights), together);
                double[] sum = new double[FEATURES * 3];
                tile.addTransposed(together, 3, sum);
                for (int o = 0; o < 3; o++) {
                    double[] column = new double[FEATURES];
                    for (int j = 0; j < FEATURES; j++) {
                        column[j] = weights[j * 3 + o];
                    }
                    double[] alone = new double[tile.rows()];
                    tile.multiply(WeightMatrix.of(FEATURES, 1, column), alone);
                    double[] sumAlone = new double[FEATURES];
                    tile.addTransposed(alone, 1, sumAlone);
                    for (int i = 0; i < tile.rows(); i++) {
                        assertEquals(alone[i], together[i * 3 + o], FEATURES * 0x1p-50);
                    }
                    for (int j = 0; j < FEATURES; j++) {
                        assertEquals(sumAlone[j], sum[j * 3 + o], tile.rows() * FEATURES * 0x1p-50);
                    }
                }
            });
        }
    }

    @Nested
    class Totals {
        @Test
        void equalTheirDefinitions() {
            float[] values = {1, 2, 3, 4, 5, 7};
            MemorySource source =
                    MemorySource.of(2, values).withTargets(1, 5, 9).withRowWeights(1, 0, 3);
            FeatureStore store = store(source, Fixtures.identity(2), Precision.FLOAT64, Long.MAX_VALUE, 1);
            assertEquals(4, store.totalRowWeight());
            assertEquals(3, store.rows());
            assertArrayEquals(new double[] {4, 23 / 4.0}, store.mean(), 1e-15);
            assertEquals(7, store.targetMean(0), 1e-15);
            // (1−4)² + (2−5.75)² + 3·((5−4)² + (7−5.75)²)
            assertEquals(9 + 14.0625 + 3 * (1 + 1.5625), store.scatterTrace(), 1e-12);
        }

        @Test
        void targetMeansOfClassesAreTheirShares() {
            MemorySource source = MemorySource.of(1, 1, 2, 3, 4)
                    .withClasses(List.of("a", "b", "c"), 0, 2, 2, 0)
                    .withRowWeights(1, 2, 1, 4);
            FeatureStore store = FeatureStore.map(
                    new MappedSource(
                            source,
                            Scalings.identity(1),
                            Fixtures.identity(1),
                            ClassWeights.of(2, 1, 1),
                            Precision.FLOAT32,
                            new Workers(1)),
                    Long.MAX_VALUE,
                    (rows, fraction) -> {});
            assertEquals(13, store.totalRowWeight());
            assertEquals(10 / 13.0, store.targetMean(0), 1e-15);
            assertEquals(0, store.targetMean(1));
            assertEquals(3 / 13.0, store.targetMean(2), 1e-15);
        }

        @Test
        void theListenerHearsOfAllRows() {
            long[] heard = {0};
            FeatureStore.map(
                    new MappedSource(
                            rows(ROWS),
                            Scalings.identity(COLUMNS),
                            fourier(),
                            ClassWeights.none(),
                            Precision.FLOAT32,
                            new Workers(2)),
                    0,
                    (rows, fraction) -> heard[0] = rows);
            assertEquals(ROWS, heard[0]);
        }
    }

    @Nested
    class BadRows {
        @Test
        void allOfWeightZeroAreNone() {
            MemorySource source = MemorySource.of(1, 1, 2)
                    .withTargets(1, 2)
                    .withRowWeights(0, 0)
                    .withName("rows.csv");
            BochnerException e = assertThrows(
                    BochnerException.class,
                    () -> store(source, Fixtures.identity(1), Precision.FLOAT32, Long.MAX_VALUE, 2));
            assertEquals("rows.csv: holds no rows, or none with a row weight above 0", e.getMessage());
        }

        @Test
        void withFeaturesThatAreNotFiniteAreNamed() {
            float[] values = new float[3000];
            values[2100] = 5;
            MemorySource source =
                    MemorySource.of(1, values).withTargets(new double[3000]).withName("rows.csv");
            for (double odd : new double[] {Double.NaN, Double.POSITIVE_INFINITY, 1e300}) {
                FeatureMap map = new Odd(odd);
                for (int threads : new int[] {1, 2}) {
                    BochnerException e = assertThrows(
                            BochnerException.class,
                            () -> store(source, map, Precision.FLOAT32, Long.MAX_VALUE, threads));
                    assertTrue(String.valueOf(e.getMessage()).startsWith("rows.csv: row 2101: "), e.getMessage());
                }
            }
        }
    }

    /** Makes something odd of 5, and 1 of everything else. */
    private record Odd(double odd) implements FeatureMap {
        @Override
        public int inputDimension() {
            return 1;
        }

        @Override
        public int outputDimension() {
            return 1;
        }

        @Override
        public Kernel kernel() {
            return new Gaussian(1);
        }

        @Override
        public void apply(double[] x, double[] out) {
            out[0] = x[0] == 5 ? odd : 1;
        }

        @Override
        public State state() {
            return State.of("odd");
        }
    }
}
