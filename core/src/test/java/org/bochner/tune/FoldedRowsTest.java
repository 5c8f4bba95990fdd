package org.bochner.tune;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernels;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;
import org.bochner.scale.fit.ScaledRows;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.SparseTable;
import org.bochner.tune.folds.FoldedRows;
import org.bochner.tune.scales.Parametrization;
import org.bochner.tune.scales.ScaleObjective;
import org.bochner.tune.scales.ScalePenalty;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoldedRowsTest {
    private static final int ROWS = 5000;
    private static final int COLUMNS = 4;

    /** More rows than four tiles, each with its own index for a target. */
    private static MemorySource dense() {
        RandomStream stream = new Seed(2).stream();
        float[] values = new float[ROWS * COLUMNS];
        double[] targets = new double[ROWS];
        double[] weights = new double[ROWS];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) stream.nextUniform();
        }
        for (int i = 0; i < ROWS; i++) {
            targets[i] = i;
            weights[i] = 0.5 + stream.nextUniform();
        }
        return MemorySource.of(COLUMNS, values)
                .withTargets(targets)
                .withRowWeights(weights)
                .withName("rows.csv");
    }

    private static SparseTable sparse() {
        SparseTable table = new SparseTable(ROWS, COLUMNS, new Labels.Numbers(List.of("y")), new Seed(2));
        Arrays.setAll(table.y, i -> new double[] {i});
        return table;
    }

    private static int threeFolds(long row) {
        return (int) (row * row % 7 % 3);
    }

    private static int someRows(long row) {
        return row % 5 == 0 ? (int) (row / 5 % 2) : FoldedRows.NONE;
    }

    private static FoldedRows folded(RowSource source, LongToIntFunction foldOf, int folds, long budget, int threads) {
        return FoldedRows.read(
                source,
                Scalings.identity(COLUMNS),
                Kernels.parse("gaussian(sigma=1)"),
                (row, group) -> foldOf.applyAsInt(row),
                folds,
                budget,
                new Workers(threads));
    }

    /** What a pass hands on, tile by tile: the fold, and then all numbers of all rows. */
    private static List<List<Double>> tiles(FoldedRows rows) {
        List<List<Double>> tiles = new ArrayList<>();
        rows.pass(() -> "", (tile, bench) -> {}, (tile, bench) -> {
            List<Double> numbers = new ArrayList<>();
            numbers.add((double) tile.fold());
            RowBlock block = tile.rows();
            numbers.add(block instanceof SparseRows ? 1.0 : 0.0);
            double[] x = new double[block.columns()];
            for (int i = 0; i < block.rows(); i++) {
                block.copyRow(i, x);
                numbers.add(block.target(i, 0));
                numbers.add(block.rowWeight(i));
                Arrays.stream(x).forEach(numbers::add);
            }
            tiles.add(numbers);
        });
        return tiles;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keptAndStreamedRowsComeInTheSameTiles(boolean sparse) {
        RowSource source = sparse ? sparse() : dense();
        FoldedRows kept = folded(source, FoldedRowsTest::threeFolds, 3, Long.MAX_VALUE, 1);
        FoldedRows streamed = folded(source, FoldedRowsTest::threeFolds, 3, 0, 1);
        assertTrue(kept.kept());
        assertFalse(streamed.kept());
        List<List<Double>> tiles = tiles(kept);
        assertEquals(tiles, tiles(streamed));
        assertEquals(tiles, tiles(kept), "the second pass differs from the first");
        assertEquals(tiles, tiles(streamed), "the second pass differs from the first");
        assertEquals(tiles, tiles(folded(source, FoldedRowsTest::threeFolds, 3, Long.MAX_VALUE, 2)));
        assertEquals(tiles, tiles(folded(source, FoldedRowsTest::threeFolds, 3, 0, 2)));
        assertEquals(sparse ? 1.0 : 0.0, tiles.get(0).get(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cv(folds=3)", "validation(share=0.4)"})
    void rowsOfAGroupAreInOneFoldAlsoWhereASampleIsTaken(String criterion) {
        long[] groups = new long[ROWS];
        Arrays.setAll(groups, i -> i % 17);
        Criterion by = Criterion.parse(criterion);
        for (double sample : new double[] {1, 0.5}) {
            FoldedRows rows = FoldedRows.read(
                    dense().withGroups(groups),
                    Scalings.identity(COLUMNS),
                    Kernels.parse("gaussian(sigma=1)"),
                    by.foldOf(new Seed(1), sample),
                    by.foldCount(),
                    0,
                    new Workers(1));
            int[] foldOf = new int[17];
            Arrays.fill(foldOf, -1);
            int[] seen = new int[1];
            rows.pass(() -> "", (tile, bench) -> {}, (tile, bench) -> {
                for (int i = 0; i < tile.rows().rows(); i++) {
                    int group = (int) tile.rows().group(i);
                    assertTrue(foldOf[group] < 0 || foldOf[group] == tile.fold(), "group " + group);
                    foldOf[group] = tile.fold();
                    seen[0]++;
                }
            });
            assertTrue(Arrays.stream(foldOf).distinct().count() == by.foldCount());
            // A sample is one of rows: all groups are in it, and about half of the rows.
            assertEquals(sample * ROWS, seen[0], sample == 1 ? 0 : 5 * Math.sqrt(ROWS) / 2);
        }
    }

    @Test
    void everyRowIsInOneTileOfItsFoldWithItsOwnNumbers() {
        MemorySource source = dense();
        RowBlock all = SmallProblem.block(source);
        boolean[] seen = new boolean[ROWS];
        double[] x = new double[COLUMNS];
        double[] expected = new double[COLUMNS];
        folded(source, FoldedRowsTest::threeFolds, 3, 0, 1).pass(() -> "", (tile, bench) -> {}, (tile, bench) -> {
            assertTrue(tile.rows().rows() <= FeaturePass.TILE_ROWS);
            for (int i = 0; i < tile.rows().rows(); i++) {
                int row = (int) tile.rows().target(i, 0);
                assertFalse(seen[row]);
                seen[row] = true;
                assertEquals(threeFolds(row), tile.fold());
                tile.rows().copyRow(i, x);
                all.copyRow(row, expected);
                assertArrayEquals(expected, x);
                assertEquals(all.rowWeight(row), tile.rows().rowWeight(i));
            }
        });
        for (boolean one : seen) {
            assertTrue(one);
        }
    }

    @Test
    void rowsOfNoFoldAreLeftOut() {
        long count = tiles(folded(dense(), FoldedRowsTest::someRows, 2, Long.MAX_VALUE, 1)).stream()
                .mapToLong(tile -> (tile.size() - 2) / (2 + COLUMNS))
                .sum();
        assertEquals(ROWS / 5, count);
    }

    @Test
    void aFoldWithoutRowsHasNoTile() {
        List<List<Double>> tiles = tiles(folded(dense(), row -> 2, 4, 0, 1));
        assertTrue(tiles.stream().allMatch(tile -> tile.get(0) == 2));
    }

    @Test
    void aValueOutsideTheDomainNamesItsRowOfTheFile() {
        float[] values = new float[3000 * 2];
        Arrays.fill(values, 0.5f);
        values[2 * 2345 + 1] = -1;
        MemorySource source =
                MemorySource.of(2, values).withTargets(new double[3000]).withName("rows.csv");
        String message = String.valueOf(assertThrows(
                        BochnerException.class,
                        () -> FoldedRows.read(
                                source,
                                Scalings.identity(2),
                                Kernels.parse("skewed-chi2(c=0.1, power=1)"),
                                (row, group) -> (int) (row % 3),
                                3,
                                Long.MAX_VALUE,
                                new Workers(1)))
                .getMessage());
        assertTrue(message.startsWith("rows.csv: "), message);
        assertTrue(message.contains("row 2346, column 1 "), message);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void aRowThatFailsInATileIsNamedByItsPlaceInTheFile(long budget) {
        FoldedRows rows = folded(dense(), FoldedRowsTest::threeFolds, 3, budget, 1);
        RowException wrong = RowException.at(1, new BochnerException("wrong"));
        String message = String.valueOf(assertThrows(
                        BochnerException.class,
                        () -> rows.pass(
                                () -> "",
                                (tile, bench) -> {
                                    for (int i = 0; i < tile.rows().rows(); i++) {
                                        if (tile.rows().target(i, 0) == 4321) {
                                            throw wrong.inRow(i);
                                        }
                                    }
                                },
                                (tile, bench) -> {}))
                .getMessage());
        assertEquals("rows.csv: row 4322, column 1 (from 0): wrong", message);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void aFoldKnowsThePlacesOfItsRowsInTheFile(long budget) {
        RowSource fold =
                folded(dense(), FoldedRowsTest::threeFolds, 3, budget, 1).fold(2);
        RowBlock rows = SmallProblem.block(fold);
        for (int i = 0; i < rows.rows(); i += 100) {
            RowException problem = RowException.ofRow(i, new BochnerException("wrong"));
            assertEquals(
                    fold.name() + ": row " + ((long) rows.target(i, 0) + 1) + ": wrong",
                    ScaledRows.located(fold, problem, Scalings.none()).getMessage());
        }
    }

    @Nested
    class AnObjective {
        @ParameterizedTest
        @ValueSource(strings = {"train", "validation", "cv(folds=3)", "gcv", "loo", "evidence"})
        void hasTheSameBitsKeptOrStreamedOnAnyNumberOfThreads(String text) {
            Criterion criterion = Criterion.parse(text);
            for (RowSource source : List.of(dense(), sparse())) {
                SmallProblem problem = new SmallProblem(
                        source, SmallProblem.map("fourier", "gaussian(sigma=0.6)"), ClassWeights.none(), 0.5);
                for (Precision precision : Precision.values()) {
                    double[] expected = evaluate(problem, criterion, precision, Long.MAX_VALUE, 1);
                    assertArrayEquals(expected, evaluate(problem, criterion, precision, 0, 1));
                    assertArrayEquals(expected, evaluate(problem, criterion, precision, Long.MAX_VALUE, 2));
                    assertArrayEquals(expected, evaluate(problem, criterion, precision, 0, 2));
                }
            }
        }

        /** The value, and behind it the gradient. */
        private static double[] evaluate(
                SmallProblem problem, Criterion criterion, Precision precision, long budget, int threads) {
            Parametrization moves = problem.moves(Sharing.COLUMN, Parametrization.Form.LOGARITHM);
            ScaleObjective objective = problem.objective(
                    problem.folded(criterion, budget, new Workers(threads)),
                    criterion,
                    moves,
                    ScalePenalty.NONE,
                    precision);
            double[] gradient = new double[objective.size()];
            double value = objective.at(problem.origin(objective, moves), gradient);
            double[] all = new double[1 + gradient.length];
            all[0] = value;
            System.arraycopy(gradient, 0, all, 1, gradient.length);
            return all;
        }
    }
}
