package org.bochner.map.binning;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.bochner.base.BochnerException;
import org.bochner.base.SpellingException;
import org.bochner.base.memory.MemoryBudget;
import org.bochner.base.memory.MemoryException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMaps;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells are found, counted and looked up, whatever the memory. */
class CellAccumulatorTest {
    private static final int ROWS = 2000;
    private static final int COLUMNS = 3;
    private static final int GRIDS = 12;

    private static RowBlock rows() {
        RandomStream stream = new Seed(4).stream();
        float[] values = new float[ROWS * COLUMNS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) stream.nextUniform();
        }
        return DenseRows.of(ROWS, COLUMNS, values);
    }

    private static CellAccumulator accumulator(MemoryBudget budget) {
        return new BinningRecipe(OptionalInt.of(GRIDS), 2)
                .fit(Kernels.parse("laplacian(sigma=0.05)"), COLUMNS, new Seed(1), budget, new Workers(2));
    }

    @Test
    void theMapDoesNotDependOnTheNumberOfPasses() {
        RowBlock rows = rows();
        BinningMap whole = accumulator(MemoryBudget.whole()).run(pass -> pass.accept(rows));
        // Counters of all cells, most of which have one row, take more than the cells with two rows in the end.
        CellAccumulator tight = accumulator(new MemoryBudget(24L * whole.outputDimension() + 40_000));
        BinningMap found = tight.run(pass -> pass.accept(rows));
        assertTrue(tight.passes() > 1, () -> tight.passes() + " passes");
        assertEquals(whole.state(), found.state());
    }

    @Test
    void tooLittleMemoryForTheCellsIsAnError() {
        RowBlock rows = rows();
        BochnerException e = assertThrows(
                BochnerException.class,
                () -> accumulator(new MemoryBudget(5_000)).run(pass -> pass.accept(rows)));
        assertTrue(String.valueOf(e.getMessage()).contains("grids"), e.getMessage());
    }

    /** The table of the map takes 24 bytes per cell while it is made, more than a full counter with 13.5. */
    @Test
    void theTableOfTheLastPassCountsToo() {
        RowBlock rows = rows();
        BinningRecipe recipe = new BinningRecipe(1);
        Kernel kernel = Kernels.parse("laplacian(sigma=0.001)");
        Workers workers = new Workers(1);
        Seed seed = new Seed(1);
        BinningMap map =
                recipe.fit(kernel, COLUMNS, seed, MemoryBudget.whole(), workers).run(pass -> pass.accept(rows));
        // Nearly every row has a cell of its own: 4,096 entries of 9 bytes hold them.
        long table = 24L * map.outputDimension();
        assertTrue(table > 9 * 4096, () -> map.outputDimension() + " cells");
        assertThrows(
                MemoryException.class,
                () -> recipe.fit(kernel, COLUMNS, seed, new MemoryBudget(table - 1), workers)
                        .run(pass -> pass.accept(rows)));
        BinningMap found = recipe.fit(kernel, COLUMNS, seed, new MemoryBudget(table), workers)
                .run(pass -> pass.accept(rows));
        assertEquals(map.state(), found.state());
    }

    /** The failure is found in the first pass or in a later one; the message gives the memory of all grids. */
    @ParameterizedTest
    @ValueSource(longs = {50_000, 150_000, 300_000})
    void theMemoryThatAMessageGivesIsEnough(long little) {
        RowBlock rows = rows();
        BinningRecipe recipe = new BinningRecipe(GRIDS);
        Kernel kernel = Kernels.parse("laplacian(sigma=0.01)");
        Workers workers = new Workers(1);
        Consumer<Consumer<RowBlock>> pass = blocks -> {
            for (int first = 0; first < ROWS; first += 250) {
                float[] values = ((DenseRows) rows).values();
                blocks.accept(DenseRows.of(
                        250, COLUMNS, Arrays.copyOfRange(values, first * COLUMNS, (first + 250) * COLUMNS)));
            }
        };
        MemoryException e = assertThrows(
                MemoryException.class,
                () -> recipe.fit(kernel, COLUMNS, new Seed(1), new MemoryBudget(little), workers)
                        .run(pass));
        MemoryBudget enough = new MemoryBudget((long) Math.ceil(e.needed()));
        assertTrue(recipe.fit(kernel, COLUMNS, new Seed(1), enough, workers)
                        .run(pass)
                        .outputDimension()
                > 0);
    }

    @Test
    void countersForetellTheirBytes() {
        RandomStream stream = new Seed(3).stream();
        CellCounter counter = new CellCounter(1);
        for (int block = 0; block < 40; block++) {
            long[] hashes = LongStream.range(0, 100)
                    .map(i -> 1 + (long) (stream.nextUniform() * 2000))
                    .toArray();
            int unknown = counter.unknown(hashes, hashes.length);
            long before = counter.bytes(0);
            long most = counter.bytes(unknown);
            long distinct = counter.kept();
            counter.add(hashes, hashes.length);
            distinct = counter.kept() - distinct;
            assertTrue(distinct <= unknown, () -> "of " + unknown);
            assertTrue(before <= counter.bytes(0) && counter.bytes(0) <= most, () -> counter.bytes(0) + " of " + most);
            assertEquals(0, counter.unknown(hashes, hashes.length));
        }
        assertTrue(counter.bytes(0) > 9 * 64, "the table has grown");
    }

    @Test
    void countersTellCellsWithEnoughRows() {
        long[] hashes = LongStream.range(1, 1000)
                .flatMap(h -> LongStream.range(0, h % 4).map(k -> h * 0x9e3779b97f4a7c15L))
                .toArray();
        for (int least = 1; least <= 3; least++) {
            CellCounter counter = new CellCounter(least);
            counter.add(hashes, hashes.length);
            int wanted = least;
            long[] expected = LongStream.range(1, 1000)
                    .filter(h -> h % 4 >= wanted)
                    .map(h -> h * 0x9e3779b97f4a7c15L)
                    .boxed()
                    .sorted(Long::compareUnsigned)
                    .mapToLong(Long::longValue)
                    .toArray();
            assertEquals(expected.length, counter.kept());
            assertArrayEquals(expected, counter.cells());
        }
    }

    @Test
    void tablesFindTheirHashesAndNoOthers() {
        long[][] hashes = {{1, 5, 1L << 62, -3}, {}, {7}};
        CellTable table = CellTable.of(hashes);
        assertEquals(5, table.size());
        int cell = 0;
        for (int g = 0; g < hashes.length; g++) {
            assertEquals(cell, table.start(g));
            for (long hash : hashes[g]) {
                assertEquals(cell++, table.find(g, hash));
                assertEquals(-1, table.find(g, hash + 1));
                assertEquals(-1, table.find(1, hash));
            }
        }
        assertArrayEquals(new long[] {5, -3}, table.select(1, 3));
    }

    /** The mean over many grids of a Gaussian factor is within five standard errors of exp(−m/(2σ²)) for m flags that differ. */
    @Test
    void flagsThatDifferCountOneByOne() {
        float[] flags = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1};
        RowBlock rows = DenseRows.of(4, COLUMNS, flags);
        int grids = 4000;
        String kernel = "gaussian(sigma=[0:1=0.8, 1:2=1.5])[0:2] * laplacian(sigma=1)[2:3]";
        BinningMap map = new BinningRecipe(grids)
                .fit(Kernels.parse(kernel), COLUMNS, new Seed(9), MemoryBudget.whole(), new Workers(1))
                .run(pass -> pass.accept(rows));
        double[][] features = IntStream.range(0, rows.rows())
                .mapToObj(i -> {
                    double[] x = new double[COLUMNS];
                    rows.copyRow(i, x);
                    double[] z = new double[map.outputDimension()];
                    map.apply(x, z);
                    return z;
                })
                .toArray(double[][]::new);
        for (int i = 0; i < features.length; i++) {
            for (int j = 0; j < i; j++) {
                double[] a = features[i];
                double[] b = features[j];
                double mean = IntStream.range(0, a.length)
                        .mapToDouble(k -> a[k] * b[k])
                        .sum();
                double[] x = new double[COLUMNS];
                double[] y = new double[COLUMNS];
                rows.copyRow(i, x);
                rows.copyRow(j, y);
                double k = Kernels.parse(kernel).value(x, y);
                assertEquals(
                        k, mean, 5 * Math.sqrt(k * (1 - k) / grids), () -> Arrays.toString(x) + Arrays.toString(y));
            }
        }
    }

    @Test
    void openNumbersOfGridsFollowFromTheRows() {
        BinningRecipe open = (BinningRecipe) FeatureMaps.parse("binning(least=2)");
        assertEquals(open, FeatureMaps.parse(open.toString()));
        assertEquals(FeatureMaps.parse("binning"), FeatureMaps.binning(0));
        int[] rows = {1, 4096, 4097, 8192, 8193, 1_000_000_000};
        int[] grids = {512, 512, 256, 256, 128, 128};
        for (int i = 0; i < rows.length; i++) {
            assertEquals(
                    "binning(grids=" + grids[i] + ", least=2)",
                    open.forRows(rows[i]).toString());
        }
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> open.fit(Kernels.laplacian(1), COLUMNS, new Seed(1), new Workers(1)));
        assertEquals("binning: the number of grids is not chosen yet; call forRows", e.getMessage());
        assertThrows(SpellingException.class, () -> FeatureMaps.parse("binning(grids=0)"));
        assertThrows(IllegalArgumentException.class, () -> FeatureMaps.binning(-1));
    }
}
