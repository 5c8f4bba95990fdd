package org.bochner.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.kernel.additive.Linear;
import org.bochner.map.additive.ExactMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class DualStatisticsTest {
    private static final Labels NUMBERS = new Labels.Numbers(List.of("a", "b"));
    private static final Labels CLASSES = new Labels.Classes(List.of("red", "green", "blue"));
    private static final Workers ONE = new Workers(1);

    static DualStatistics dual(SparseTable table, int blockRows, ClassWeights weights, Workers workers) {
        DualAccumulator total = new DualAccumulator(table.columns(), table.labels(), weights);
        for (int from = 0; from < table.x.length; from += blockRows) {
            total.add(table.block(from, Math.min(table.x.length, from + blockRows)));
        }
        return total.freeze(workers);
    }

    /** The rows as the products see them, by the definition: centred, times the roots of their weights. */
    private static double[][] centred(SparseTable table) {
        double[] mean = new double[table.columns()];
        double weight = 0;
        for (int i = 0; i < table.x.length; i++) {
            weight += table.weights[i];
        }
        for (int i = 0; i < table.x.length; i++) {
            for (int j = 0; j < mean.length; j++) {
                mean[j] += table.weights[i] * table.x[i][j] / weight;
            }
        }
        double[][] rows = new double[table.x.length][mean.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < mean.length; j++) {
                rows[i][j] = Math.sqrt(table.weights[i]) * (table.x[i][j] - mean[j]);
            }
        }
        return rows;
    }

    /** The upper triangle of the products, row-major. */
    private static double[] products(DualStatistics statistics) {
        double[] products = new double[statistics.matrixSize() * statistics.matrixSize()];
        statistics.copyProducts(0, products);
        return products;
    }

    @Test
    void productsEqualTheDefinition() {
        // More rows than a strip of dense products; columns 0 to 3 are dense, the others sparse.
        SparseTable table = new SparseTable(150, 200, NUMBERS, new Seed(1));
        for (int i = 0; i < 150; i++) {
            table.weights[i] = 0.5 + i % 3;
        }
        DualStatistics statistics = dual(table, 64, ClassWeights.none(), ONE);
        double[][] rows = centred(table);
        double[] products = products(statistics);
        double trace = 0;
        for (int i = 0; i < 150; i++) {
            for (int j = i; j < 150; j++) {
                double product = 0;
                for (int f = 0; f < 200; f++) {
                    product += rows[i][f] * rows[j][f];
                }
                // Rows have some 16 values up to 1.1, and the mean is shorter: sums of 200 terms, of size 50 together.
                assertEquals(product, products[i * 150 + j], 200 * 50 * 0x1p-52, i + "," + j);
                trace += i == j ? product : 0;
            }
        }
        assertEquals(trace, statistics.scatterTrace(), 1e-12 * trace);
    }

    @Test
    void momentsEqualThoseOfTheGramMatrix() {
        for (Labels labels : List.of(NUMBERS, CLASSES)) {
            SparseTable table = new SparseTable(90, 120, labels, new Seed(2));
            ClassWeights factors = labels == CLASSES ? ClassWeights.of(1, 3, 0.5) : ClassWeights.none();
            for (int i = 0; i < 90; i++) {
                table.weights[i] = i % 7 == 0 ? 0 : 1 + i % 2;
            }
            DualStatistics dual = dual(table, 32, factors, ONE);
            GramStatistics gram = gram(table, factors);
            assertEquals(gram.rows(), dual.rows());
            assertEquals(gram.weighedRows(), dual.weighedRows());
            assertEquals(gram.totalRowWeight(), dual.totalRowWeight(), 1e-12 * gram.totalRowWeight());
            assertEquals(gram.scatterTrace(), dual.scatterTrace(), 1e-12 * gram.scatterTrace());
            for (int t = 0; t < gram.targets(); t++) {
                assertEquals(gram.targetMean(t), dual.targetMean(t), 1e-12);
                // Sums of 90 terms, with weights up to 6, of targets up to 5.
                assertEquals(gram.targetScatter(t), dual.targetScatter(t), 90 * 6 * 25 * 0x1p-52);
                double[] cross = dual.combine(dual.centredTarget(t), 1);
                for (int j = 0; j < 120; j++) {
                    assertEquals(gram.cross(t)[j], cross[j], 90 * 6 * 25 * 0x1p-52);
                    assertEquals(gram.mean()[j], dual.mean()[j], 1e-14);
                }
            }
        }
    }

    static GramStatistics gram(SparseTable table, ClassWeights weights) {
        GramAccumulator total = new GramAccumulator(table.columns(), table.labels());
        BlockGram block = new BlockGram(table.columns(), table.labels(), weights);
        MappedRows mapped = new MappedRows(new ExactMap(new Linear(), table.columns()), Precision.FLOAT64);
        block.add(mapped.take(table.block(0, table.x.length)), 0);
        total.add(block);
        return total.freeze();
    }

    @Test
    void hasTheSameBitsForEveryNumberOfThreadsAndEveryBlockSize() {
        SparseTable table = new SparseTable(300, 400, NUMBERS, new Seed(3));
        double[] one = products(dual(table, 300, ClassWeights.none(), ONE));
        for (int threads = 2; threads <= 3; threads++) {
            assertArrayEquals(one, products(dual(table, 50 * threads, ClassWeights.none(), new Workers(threads))), 0.0);
        }
    }

    /** Rows of two strips and every third row, of which some are before the first chosen one. */
    @Test
    void someRowsOfTheProductsAreMultipliedAndCopied() {
        int n = 150;
        DualStatistics statistics =
                dual(new SparseTable(n, 200, NUMBERS, new Seed(7)), 64, ClassWeights.none(), new Workers(2));
        double[] products = products(statistics);
        int[] thirds = IntStream.range(0, n).filter(i -> i % 3 == 2).toArray();
        double[] x = new double[2 * n];
        Arrays.setAll(x, k -> Math.sin(k));
        for (int[] chosen : new int[][] {IntStream.range(0, n).toArray(), thirds, {149}, {}}) {
            double[] times = statistics.times(chosen, x, 2, ONE);
            assertEquals(2 * chosen.length, times.length);
            double[] copy = new double[1 + chosen.length];
            for (int k = 0; k < chosen.length; k++) {
                for (int c = 0; c < 2; c++) {
                    double sum = 0;
                    for (int j = 0; j < n; j++) {
                        sum += products[Math.min(chosen[k], j) * n + Math.max(chosen[k], j)] * x[2 * j + c];
                    }
                    // Sums of 150 terms below 50.
                    assertEquals(sum, times[2 * k + c], 150 * 50 * 0x1p-52);
                }
                statistics.copyProducts(chosen, k, copy, 1);
                for (int l = k; l < chosen.length; l++) {
                    assertEquals(products[chosen[k] * n + chosen[l]], copy[1 + l - k]);
                }
            }
        }
    }

    @Test
    void rowsWithoutNonZerosAreRowsToo() {
        SparseTable table = new SparseTable(20, 30, NUMBERS, new Seed(4));
        table.x[7] = new float[30];
        DualStatistics statistics = dual(table, 5, ClassWeights.none(), ONE);
        assertEquals(20, statistics.matrixSize());
        double squared = 0;
        for (double m : statistics.mean()) {
            squared += m * m;
        }
        assertEquals(squared, products(statistics)[7 * 20 + 7], 1e-14);
    }

    @Test
    void nothingIsAddedAfterwards() {
        SparseTable table = new SparseTable(20, 30, NUMBERS, new Seed(5));
        DualAccumulator total = new DualAccumulator(30, NUMBERS, ClassWeights.none());
        total.add(table.block(0, 10));
        assertEquals(10, total.rows());
        total.freeze(ONE);
        assertThrows(IllegalArgumentException.class, () -> total.add(table.block(10, 20)));
        assertThrows(IllegalArgumentException.class, () -> total.freeze(ONE));
    }

    @Test
    void rowsThatCannotBeLearnedFromAreNamed() {
        SparseTable table = new SparseTable(20, 30, CLASSES, new Seed(6));
        table.y[12][0] = Double.NaN;
        BochnerException e = assertThrows(BochnerException.class, () -> dual(table, 5, ClassWeights.none(), ONE));
        assertTrue(String.valueOf(e.getMessage()).startsWith("row 13: "), e.getMessage());
        table.y[12][0] = 1;
        table.weights[3] = -1;
        e = assertThrows(BochnerException.class, () -> dual(table, 5, ClassWeights.none(), ONE));
        assertTrue(String.valueOf(e.getMessage()).startsWith("row 4: "), e.getMessage());
    }

    /** A square and a triangle of 8-byte numbers are 12 n², a non-zero takes 12 bytes and 8 in a copy, and weights are small. */
    @Test
    void memoryIsThatOfTheMatrices() {
        long bytes = DualAccumulator.bytesNeeded(10_000, 1_000_000, 30_000, 20, 1);
        assertEquals(12e8, (double) bytes, 0.1e9);
        assertEquals(20_000_000, DualAccumulator.bytesNeeded(10_000, 2_000_000, 30_000, 20, 1) - bytes);
        // Far beyond all memory, but a number.
        assertTrue(DualAccumulator.bytesNeeded(1L << 40, 1L << 50, Integer.MAX_VALUE, 1000, 64) > 1L << 62);
    }

    /** 46,340² is the last square below 2³¹. */
    @Test
    void moreRowsThanAnArrayHoldsProductsOfAreRefused() {
        DualAccumulator.requireMatrixSize(46_340);
        BochnerException e = assertThrows(BochnerException.class, () -> DualAccumulator.requireMatrixSize(46_341));
        assertTrue(String.valueOf(e.getMessage()).contains("use 46340 rows or fewer"), e.getMessage());
    }
}
