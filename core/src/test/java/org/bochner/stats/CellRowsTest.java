package org.bochner.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.data.DenseRows;
import org.bochner.data.MemorySource;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMaps;
import org.bochner.map.binning.BinningMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Products with the features of cells, over many blocks of rows, of which memory holds all, some or none. */
class CellRowsTest {
    private static final int ROWS = 150;
    private static final int COLUMNS = 2;
    private static final int GRIDS = 6;

    private final float[] values = new float[ROWS * COLUMNS];
    private final double[] targets = new double[ROWS];
    private final double[] weights = new double[ROWS];
    private final BinningMap map;

    CellRowsTest() {
        RandomStream stream = new Seed(3).stream();
        for (int i = 0; i < ROWS; i++) {
            values[2 * i] = (float) stream.nextUniform();
            values[2 * i + 1] = (float) stream.nextUniform();
            targets[i] = stream.nextGaussian();
            weights[i] = 0.5 + stream.nextUniform();
        }
        // Some of the later rows have unknown cells.
        int known = 100;
        DenseRows rows = DenseRows.of(known, COLUMNS, Arrays.copyOf(values, known * COLUMNS));
        map = (BinningMap) FeatureMaps.binning(GRIDS)
                .build(
                        Kernels.laplacian(0.3),
                        RowSample.of(rows, known, new Seed(1)),
                        OptionalInt.empty(),
                        new Seed(2),
                        new Notes());
    }

    private MappedSource mapped(int from, int to, int threads) {
        MemorySource source = MemorySource.of(COLUMNS, Arrays.copyOfRange(values, from * COLUMNS, to * COLUMNS))
                .withTargets(List.of("y"), Arrays.copyOfRange(targets, from, to))
                .withRowWeights(Arrays.copyOfRange(weights, from, to));
        return new MappedSource(
                source,
                Scalings.none().fit(source, new Workers(1)),
                map,
                ClassWeights.none(),
                Precision.FLOAT32,
                new Workers(threads));
    }

    private CellRows read(long budget, int blockRows, int threads) {
        return CellRows.read(mapped(0, ROWS, threads), budget, (rows, fraction) -> {}, blockRows);
    }

    /** A number that differs between rows and outputs. */
    private static double number(long row, int output) {
        return Math.sin(1.0 + row * 2.0 + output);
    }

    /** Returns random weights of the features, D×outputs. */
    private double[] ofFeatures(int outputs) {
        RandomStream stream = new Seed(5).stream();
        double[] random = new double[map.outputDimension() * outputs];
        Arrays.setAll(random, k -> stream.nextGaussian());
        return random;
    }

    /** Returns weights per slot. Slots are those that {@link CellRows#toFeatures} reads. */
    private double[] ofSlots(CellRows rows, double[] ofFeatures, int outputs) {
        double[] numbers = new double[rows.slots()];
        Arrays.setAll(numbers, slot -> slot);
        double[] slots = rows.toFeatures(numbers, 1);
        double[] found = new double[rows.slots() * outputs];
        for (int cell = 0; cell < slots.length; cell++) {
            System.arraycopy(ofFeatures, cell * outputs, found, ((int) slots[cell]) * outputs, outputs);
        }
        return found;
    }

    /** Runs a pass; returns the scores of all rows, then the sums over the rows of each cell, then the totals. */
    private double[] products(CellRows rows, int outputs) {
        double[] scores = new double[ROWS * outputs];
        double[] sums = new double[rows.slots() * outputs];
        double[] totals = rows.pass(
                ofSlots(rows, ofFeatures(outputs), outputs),
                outputs,
                (block, own, total) -> {
                    for (int i = 0; i < block.rows(); i++) {
                        long row = block.first() + i;
                        assertEquals(targets[(int) row], block.target(i, 0));
                        assertEquals(weights[(int) row], block.rowWeight(i));
                        for (int o = 0; o < outputs; o++) {
                            scores[(int) row * outputs + o] = own[i * outputs + o];
                            own[i * outputs + o] = number(row, o);
                            total[o] += number(row, o) * block.rowWeight(i);
                        }
                    }
                },
                sums,
                outputs);
        double[] ofCells = rows.toFeatures(sums, outputs);
        double[] all = Arrays.copyOf(scores, scores.length + ofCells.length + totals.length);
        System.arraycopy(ofCells, 0, all, scores.length, ofCells.length);
        System.arraycopy(totals, 0, all, scores.length + ofCells.length, totals.length);
        return all;
    }

    /** The same from the features of the map. */
    private double[] expected(int outputs) {
        int features = map.outputDimension();
        double[] random = ofFeatures(outputs);
        double[] all = new double[(ROWS + features + 1) * outputs];
        double[] z = new double[features];
        for (int i = 0; i < ROWS; i++) {
            map.apply(new double[] {values[2 * i], values[2 * i + 1]}, z);
            for (int o = 0; o < outputs; o++) {
                for (int j = 0; j < features; j++) {
                    all[i * outputs + o] += z[j] * random[j * outputs + o];
                    all[(ROWS + j) * outputs + o] += z[j] * number(i, o);
                }
                all[(ROWS + features) * outputs + o] += number(i, o) * weights[i];
            }
        }
        return all;
    }

    /** With blocks of one row, more blocks than are worked on together; with 7, the last block is smaller. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "7, 1", "7, 3", "200, 1"})
    void productsAreThoseOfTheFeatures(int blockRows, int outputs) {
        // Sums of 150 numbers of size 1.
        assertArrayEquals(expected(outputs), products(read(Long.MAX_VALUE, blockRows, 2), outputs), 1e-12);
    }

    /** The cells of the first blocks are kept, and those of the others are found again, with the same bits. */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "7, 1", "7, 3"})
    void memoryAndThreadsDoNotChangeBits(int blockRows, int outputs) {
        CellRows all = read(Long.MAX_VALUE, blockRows, 1);
        double[] expected = products(all, outputs);
        for (double share : new double[] {1, 0.6, 0.1, 0}) {
            for (int threads : new int[] {1, 3}) {
                CellRows rows = read((long) (share * all.heldBytes()), blockRows, threads);
                assertTrue(
                        (share == 1 || share == 0)
                                ? rows.heldRows() == share * ROWS
                                : (rows.heldRows() > 0 && rows.heldRows() < ROWS),
                        () -> rows.heldRows() + " rows");
                assertArrayEquals(expected, products(rows, outputs));
            }
        }
    }

    /** Blocks of two sources follow each other; a row has the index that it has in one source. */
    @Test
    void joinedRowsAreThoseOfOneSource() {
        double[] expected = products(read(Long.MAX_VALUE, 7, 1), 1);
        for (long budget : new long[] {Long.MAX_VALUE, 1200, 0}) {
            CellRows first = CellRows.read(mapped(0, 70, 2), budget, (rows, fraction) -> {}, 7);
            CellRows both = first.and(first.readOther(mapped(70, ROWS, 2), budget, (rows, fraction) -> {}));
            assertEquals(ROWS, both.rows());
            // 70 rows are whole blocks, so the totals of blocks have the same bits, too.
            assertArrayEquals(expected, products(both, 1));
            assertEquals(Arrays.stream(weights).sum(), both.totalRowWeight(), 1e-12);
        }
    }

    /** Such as sums of targets: with no memory for cells, these would cost a hash per row and grid. */
    @Test
    void passesWithoutWeightsAndSumsFindNoCells() {
        CellRows rows = read(0, 7, 2);
        double[] totals = rows.pass(
                null,
                1,
                (block, own, total) -> {
                    assertEquals(0, block.slots.length);
                    for (int i = 0; i < block.rows(); i++) {
                        total[0] += block.target(i, 0);
                    }
                },
                null,
                1);
        assertEquals(Arrays.stream(targets).sum(), totals[0], 1e-12);
    }

    /** 10,000 grids have 330 MB of cells per block: one block is read at a time. 2,000 outputs have 130 MB of scores. */
    @Test
    void buffersHaveABound() {
        double known = 4.0 * map.outputDimension();
        assertEquals(known + (4 * GRIDS + 8) * 1000, CellRows.bytesNeeded(map, 1000, 1), "one block of fewer rows");
        assertEquals(
                known + 8192 * (8 * 4.0 * GRIDS + 64 * 8), CellRows.bytesNeeded(map, -1, 1), "blocks of unknown rows");
        assertEquals(
                known + 8192 * (8 * 4.0 * GRIDS + 8 * 4000),
                CellRows.bytesNeeded(map, -1, 4000),
                "scores of one block of many outputs");
    }
}
