package org.bochner.scale;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.DataException;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.data.DenseRows;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.numeric.Workers;
import org.bochner.scale.fit.ColumnAccumulator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalingTest {
    private static final Workers TWO = new Workers(2);

    static List<String> spellings() {
        return List.of(
                "none",
                "standard",
                "standard(uncentred)",
                "min-max",
                "unit-l1",
                "unit-l2",
                "divide(by=255)",
                "standard[1:3]",
                "unit-l2[1:3] + standard(uncentred)[0:1]",
                "unit-l1[0:2] + min-max[2:3]",
                "divide(by=3)[2:3] + none[0:1]",
                "quantile",
                "robust",
                "robust(uncentred)",
                "log1p",
                "clip(share=0.1)",
                "clip(deviations=2)",
                "log1p then standard",
                "clip(share=0.05) then robust then clip(deviations=3)",
                "quantile[1:3] + log1p then standard(uncentred)[0:1]");
    }

    private static Scaler fit(String spelling, TableSource rows) {
        return Scalings.parse(spelling).fit(rows, TWO);
    }

    private static double[][] values(RowBlock block) {
        double[][] values = new double[block.rows()][block.columns()];
        for (int i = 0; i < block.rows(); i++) {
            block.copyRow(i, values[i]);
        }
        return values;
    }

    private static double[][] scaled(Scaler scaler, TableSource rows) {
        return values(scaler.forBlocks().apply(rows.block()));
    }

    /** Mostly zeros; columns of very different size, one constant, one all zero, one never zero, one row all zero. */
    private static float[][] table(int rows) {
        SplittableRandom random = new SplittableRandom(rows);
        float[][] table = new float[rows][6];
        for (int i = 1; i < rows; i++) {
            for (int j = 0; j < 4; j++) {
                if (random.nextInt(3) == 0) {
                    table[i][j] = (float) ((random.nextDouble() - 0.3) * Math.pow(10, 2 * j - 3));
                }
            }
        }
        for (int i = 0; i < rows; i++) {
            table[i][5] = i == 0 ? 0 : 1000 + (float) random.nextDouble();
        }
        return table;
    }

    /** The same rows with a weight behind each. */
    private static float[][] withWeights(float[][] table, float... weights) {
        float[][] weighted = new float[table.length][];
        for (int i = 0; i < table.length; i++) {
            weighted[i] = Arrays.copyOf(table[i], table[i].length + 1);
            weighted[i][table[i].length] = weights[i % weights.length];
        }
        return weighted;
    }

    @Nested
    class EveryScaling {
        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void parsesAndPrintsBack(String spelling) {
            assertEquals(spelling, Scalings.parse(spelling).toString());
            assertEquals(Scalings.parse(spelling), Scalings.parse(" " + spelling + " "));
        }

        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void leavesItsInputAlone(String spelling) {
            for (boolean sparse : new boolean[] {false, true}) {
                TableSource rows = new TableSource(6, sparse, false, table(50));
                RowBlock block = rows.block();
                double[][] before = values(block);
                assertEquals(
                        block.rows(),
                        fit(spelling, rows).forBlocks().apply(block).rows());
                assertArrayEquals(before, values(block));
            }
        }

        /** Both round once to float32; the fits differ by rounding in float64, far below that. */
        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void sparseRowsGiveWhatDenseOnesGive(String spelling) {
            TableSource dense = TableSource.dense(table(500));
            TableSource sparse = TableSource.sparse(table(500));
            double[][] expected = scaled(fit(spelling, dense), dense);
            double[][] got = scaled(fit(spelling, sparse), sparse);
            for (int i = 0; i < expected.length; i++) {
                for (int j = 0; j < 6; j++) {
                    assertEquals(expected[i][j], got[i][j], Math.abs(expected[i][j]) * 0x1p-23);
                }
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void savedAndLoadedItHasTheSameBits(String spelling) {
            TableSource rows = TableSource.dense(table(77));
            Scaler scaler = fit(spelling, rows);
            Scaler loaded = Scalings.load(scaler.state());
            assertEquals(scaler.state(), loaded.state());
            assertEquals(scaler.scaling(), loaded.scaling());
            assertEquals(6, loaded.columns());
            assertArrayEquals(scaled(scaler, rows), scaled(loaded, rows));
        }

        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void bitsDoNotDependOnTheNumberOfThreads(String spelling) {
            TableSource rows = TableSource.sparse(table(20_000));
            Scaling scaling = Scalings.parse(spelling);
            State one = scaling.fit(rows, new Workers(1)).state();
            assertEquals(one, scaling.fit(rows, new Workers(3)).state());
        }

        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void oneRowIsEnough(String spelling) {
            TableSource rows = TableSource.dense(new float[] {3, -4, 0});
            for (double value : scaled(fit(spelling, rows), rows)[0]) {
                assertTrue(Math.abs(value) < Double.POSITIVE_INFINITY);
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void aBufferServesBlocksOfAnySize(String spelling) {
            TableSource small = TableSource.sparse(table(3));
            TableSource large = TableSource.sparse(table(300));
            Scaler scaler = fit(spelling, large);
            UnaryOperator<RowBlock> blocks = scaler.forBlocks();
            for (TableSource rows : List.of(small, large, small)) {
                assertArrayEquals(scaled(scaler, rows), values(blocks.apply(rows.block())));
            }
        }

        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void aWindowOfColumnsIsScaledLikeItsCopy(String spelling) {
            RowBlock window = TableSource.dense(table(40)).block().columns(1, 4);
            float[][] copy = new float[40][3];
            for (int i = 0; i < 40; i++) {
                copy[i] = Arrays.copyOfRange(table(40)[i], 1, 4);
            }
            TableSource rows = TableSource.dense(copy);
            Scaler scaler = fit(spelling, rows);
            assertArrayEquals(scaled(scaler, rows), values(scaler.forBlocks().apply(window)));
        }

        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void weightsTravelWithTheRows(String spelling) {
            TableSource rows = new TableSource(6, true, true, withWeights(table(5), 1, 0.5f, 2));
            RowBlock scaled = fit(spelling, rows).forBlocks().apply(rows.block());
            assertTrue(scaled.hasRowWeights());
            assertEquals(0.5, scaled.rowWeight(1));
        }

        @ParameterizedTest
        @MethodSource("org.bochner.scale.ScalingTest#spellings")
        void rejectsRowsOfAnotherWidth(String spelling) {
            Scaler scaler = fit(spelling, TableSource.dense(table(10)));
            RowBlock narrow = TableSource.dense(new float[] {1, 2}).block();
            assertThrows(
                    IllegalArgumentException.class, () -> scaler.forBlocks().apply(narrow));
        }

        @ParameterizedTest
        @ValueSource(strings = {"standard", "min-max", "quantile", "robust", "clip", "log1p then quantile"})
        void whatLearnsFromRowsNeedsSome(String spelling) {
            assertThrows(DataException.class, () -> fit(spelling, new TableSource(3, false, false)));
            TableSource weightless = new TableSource(1, false, true, new float[] {5, 0});
            assertThrows(DataException.class, () -> fit(spelling, weightless));
        }

        @ParameterizedTest
        @ValueSource(strings = {"standard", "min-max", "quantile", "robust", "clip", "log1p then quantile"})
        void aValueThatIsNotFiniteIsReported(String spelling) {
            TableSource rows = TableSource.dense(new float[] {1, 2}, new float[] {1, Float.NaN});
            DataException failure = assertThrows(DataException.class, () -> fit(spelling, rows));
            assertTrue(String.valueOf(failure.getMessage()).contains("column 1"));
        }
    }

    @Nested
    class SparseRowsStaySparse {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "none",
                    "standard(uncentred)",
                    "unit-l1",
                    "unit-l2",
                    "divide(by=2)",
                    "robust(uncentred)",
                    "log1p"
                })
        void whereZerosStayZeros(String spelling) {
            TableSource rows = TableSource.sparse(table(20));
            Scaler scaler = fit(spelling, rows);
            assertTrue(scaler.keepsZeros());
            assertInstanceOf(SparseRows.class, scaler.forBlocks().apply(rows.block()));
        }

        @ParameterizedTest
        @ValueSource(strings = {"standard", "min-max", "quantile", "log1p then robust"})
        void unlessSomeColumnIsShifted(String spelling) {
            TableSource rows = TableSource.sparse(table(20));
            Scaler scaler = fit(spelling, rows);
            assertFalse(scaler.keepsZeros());
            assertInstanceOf(DenseRows.class, scaler.forBlocks().apply(rows.block()));
        }

        @Test
        void underMinMaxWhereEveryColumnStartsAtZero() {
            TableSource rows = TableSource.sparse(new float[] {0, 4, 0}, new float[] {2, 0, 0});
            RowBlock scaled = fit("min-max", rows).forBlocks().apply(rows.block());
            assertInstanceOf(SparseRows.class, scaled);
            assertArrayEquals(new double[][] {{0, 1, 0}, {1, 0, 0}}, values(scaled));
        }

        @Test
        void andAreNotMadeDenseWhereTheyAreVeryWide() {
            float[] wide = new float[200_000];
            wide[7] = -1;
            TableSource rows = TableSource.sparse(wide, new float[200_000]);
            assertThrows(DataException.class, () -> fit("standard", rows));
            assertThrows(DataException.class, () -> fit("min-max", rows));
            assertTrue(fit("standard(uncentred)", rows).keepsZeros());
        }
    }

    @Nested
    class StandardScaling {
        @Test
        void givesMeanZeroAndVarianceOne() {
            TableSource rows = TableSource.dense(new float[] {1, 10}, new float[] {3, 10}, new float[] {5, 10});
            double[][] scaled = scaled(fit("standard", rows), rows);
            float unit = (float) Math.sqrt(1.5);
            assertArrayEquals(new double[][] {{-unit, 0}, {0, 0}, {unit, 0}}, scaled);
        }

        /** 0.1f has no short binary form: its running mean is rounded, and a naive variance is not 0. */
        @Test
        void aConstantColumnIsCentredOnly() {
            float[][] constant = new float[1000][1];
            for (float[] row : constant) {
                row[0] = 0.1f;
            }
            Scaler scaler = fit("standard", TableSource.dense(constant));
            assertArrayEquals(
                    new double[][] {{0}, {1}},
                    scaled(scaler, TableSource.dense(new float[] {0.1f}, new float[] {1.1f})),
                    "later values differ by what they differ");
        }

        /** The mean is 10⁷ times the deviation, more than float32 can tell apart from it in one sum. */
        @Test
        void aLargeMeanCostsNoPrecision() {
            float[][] far = new float[10_000][1];
            for (int i = 0; i < far.length; i++) {
                far[i][0] = 8_000_000 + (i % 2);
            }
            double[][] scaled = scaled(fit("standard", TableSource.dense(far)), TableSource.dense(far));
            assertEquals(-1, scaled[0][0], 1e-7);
            assertEquals(1, scaled[1][0], 1e-7);
        }

        @Test
        void hugeValuesDoNotOverflow() {
            TableSource rows = TableSource.dense(new float[] {-3e38f}, new float[] {3e38f});
            assertArrayEquals(new double[][] {{-1}, {1}}, scaled(fit("standard", rows), rows));
        }

        /** Mean and variance of 0, 0, 3 and 1 are 1 and 1.5. */
        @Test
        void uncentredDividesByTheSameDeviation() {
            TableSource rows = TableSource.sparse(new float[] {0}, new float[] {0}, new float[] {3}, new float[] {1});
            double[][] scaled = scaled(fit("standard(uncentred)", rows), rows);
            assertEquals(3 / Math.sqrt(1.5), scaled[2][0], 1e-6);
            assertEquals(0, scaled[0][0]);
        }

        @Test
        void aWeightCountsAsThatManyRows() {
            float[][] plain = {{1, 0}, {1, 0}, {4, 2}, {4, 2}, {4, 2}};
            float[][] weighted = {{1, 0, 2}, {99, -5, 0}, {4, 2, 3}};
            for (boolean sparse : new boolean[] {false, true}) {
                Scaler expected = fit("standard", new TableSource(2, sparse, false, plain));
                Scaler got = fit("standard", new TableSource(2, sparse, true, weighted));
                assertArrayEquals(
                        expected.state().array("shift", 2), got.state().array("shift", 2), 1e-15);
                assertArrayEquals(
                        expected.state().array("factor", 2), got.state().array("factor", 2), 1e-15);
            }
        }
    }

    @Nested
    class MinMaxScaling {
        @Test
        void mapsTheRangeToTheUnitIntervalAndExtrapolatesBeyond() {
            Scaler scaler = fit("min-max", TableSource.dense(new float[] {-1, 7}, new float[] {3, 7}));
            assertArrayEquals(
                    new double[][] {{0, 0}, {1, 0}, {2, 0}, {-0.25, 0}},
                    scaled(
                            scaler,
                            TableSource.dense(
                                    new float[] {-1, 7}, new float[] {3, 7}, new float[] {7, 8}, new float[] {-2, 9})));
        }

        @Test
        void rowsOfWeightZeroDoNotWidenTheRange() {
            float[][] weighted = {{1, 1}, {99, 0}, {4, 0.5f}, {-7, 0}};
            for (boolean sparse : new boolean[] {false, true}) {
                Scaler scaler = fit("min-max", new TableSource(1, sparse, true, weighted));
                assertArrayEquals(new double[] {1}, scaler.state().array("shift", 1));
            }
        }
    }

    @Nested
    class UnitNorms {
        @Test
        void divideRowsByTheirNorm() {
            TableSource rows = TableSource.dense(new float[] {3, -4}, new float[] {0, 0});
            assertArrayEquals(
                    new double[][] {{0.6f, -0.8f}, {0, 0}}, scaled(fit("unit-l2", rows), rows), "zeros stay zeros");
            assertArrayEquals(
                    new double[][] {{(float) (3 / 7.0), (float) (-4 / 7.0)}, {0, 0}},
                    scaled(fit("unit-l1", rows), rows));
        }

        @Test
        void hugeAndTinyValuesNeitherOverflowNorVanish() {
            TableSource rows = TableSource.dense(new float[] {3e38f, 3e38f}, new float[] {Float.MIN_VALUE, 0});
            double half = (float) Math.sqrt(0.5);
            assertArrayEquals(new double[][] {{half, half}, {1, 0}}, scaled(fit("unit-l2", rows), rows));
        }
    }

    @Nested
    class Channels {
        private final TableSource dense = TableSource.dense(
                new float[] {1, 3, 10, 7, 2, 2}, new float[] {0, 0, 20, 8, 0, 0}, new float[] {2, 2, 30, 9, 4, 0});

        @Test
        void areScaledByThemselvesAndTheRestIsLeftAlone() {
            assertArrayEquals(
                    new double[][] {
                        {0.25, 0.75, 0, 7, 0.5, 0.5}, {0, 0, 0.5, 8, 0, 0}, {0.5, 0.5, 1, 9, 1, 0},
                    },
                    scaled(fit("unit-l1[4:6] + min-max[2:3] + unit-l1[0:2]", dense), dense));
        }

        /** What each part does is what its scaling does to a table of its columns alone, bit for bit. */
        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void giveWhatTheirColumnsAloneWouldGive(boolean sparse) {
            float[][] table = table(200);
            TableSource whole = new TableSource(6, sparse, false, table);
            List<String> scalings = List.of("standard", "unit-l2", "min-max");
            double[][] got = scaled(fit("standard[0:2] + unit-l2[2:4] + min-max[4:6]", whole), whole);
            for (int c = 0; c < 3; c++) {
                float[][] part = new float[table.length][];
                for (int i = 0; i < table.length; i++) {
                    part[i] = Arrays.copyOfRange(table[i], 2 * c, 2 * c + 2);
                }
                TableSource alone = new TableSource(2, sparse, false, part);
                double[][] expected = scaled(fit(scalings.get(c), alone), alone);
                for (int i = 0; i < table.length; i++) {
                    assertArrayEquals(expected[i], Arrays.copyOfRange(got[i], 2 * c, 2 * c + 2));
                }
            }
        }

        @Test
        void areFittedInOnePass() {
            CountingSource rows = new CountingSource(dense);
            Scalings.parse("standard[0:1] + min-max[1:2] + unit-l1[2:4] + standard(uncentred)[4:6]")
                    .fit(rows, TWO);
            assertEquals(1, rows.readings());
            Scalings.parse("unit-l1[0:2] + divide(by=2)[2:4]").fit(rows, TWO);
            assertEquals(1, rows.readings(), "what learns nothing reads nothing");
        }

        @Test
        void staySparseWhereEveryPartKeepsZeros() {
            TableSource rows = TableSource.sparse(table(20));
            Scaler keeping = fit("unit-l1[0:2] + standard(uncentred)[3:6]", rows);
            assertTrue(keeping.keepsZeros());
            assertInstanceOf(SparseRows.class, keeping.forBlocks().apply(rows.block()));
            Scaler shifting = fit("unit-l1[0:2] + standard[3:6]", rows);
            assertFalse(shifting.keepsZeros());
            assertInstanceOf(DenseRows.class, shifting.forBlocks().apply(rows.block()));
        }

        @Test
        void ofVeryWideSparseRowsAreNotMadeDense() {
            float[] wide = new float[200_000];
            wide[7] = -1;
            TableSource rows = TableSource.sparse(wide, new float[200_000]);
            DataException failure = assertThrows(DataException.class, () -> fit("unit-l1[8:20] + standard[0:8]", rows));
            assertTrue(
                    String.valueOf(failure.getMessage()).contains("use standard(uncentred), unit-l1 or unit-l2"),
                    failure.getMessage());
            assertTrue(fit("unit-l1[8:20] + standard(uncentred)[0:8]", rows).keepsZeros());
        }

        @Test
        void beyondTheDataAreRefusedWithItsWidth() {
            DataException failure = assertThrows(DataException.class, () -> fit("unit-l1[0:2] + standard[2:9]", dense));
            assertEquals(
                    "table: has 6 columns; the scaling standard[2:9] needs 9 columns; name columns within [0:6],"
                            + " which count from 0 and leave 'to' out",
                    failure.getMessage());
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "unit-l1[0:20] + standard[10:30] | scaling: unit-l1[0:20] and standard[10:30] share the columns [10:20]; a column is scaled once: let one range end where the other starts",
                    "min-max[7:8] + unit-l1[0:20] | scaling: unit-l1[0:20] and min-max[7:8] share the columns [7:8]; a column is scaled once: let one range end where the other starts",
                    "unit-l1[0:20] + unit-l1[0:20] | scaling: unit-l1[0:20] and unit-l1[0:20] share the columns [0:20]; a column is scaled once: let one range end where the other starts",
                    "unit-l1[3:3] | scaling 'unit-l1[3:3]': the columns [3:3] are empty; write [from:to] with from < to, where 'to' itself is left out",
                    "unit-l1 + standard[0:2] | scaling 'unit-l1 + standard[0:2]': 'unit-l1' has no columns; in a sum every scaling needs some, as in unit-l1[0:20]",
                    "standart + standard[0:2] | unknown scaling 'standart'; did you mean 'standard'?",
                    "unit-l1[0:2] + | scaling 'unit-l1[0:2] +': expected a scaling on both sides of '+', such as unit-l1[0:20]",
                    "unit-l1[colour] | scaling 'unit-l1[colour]': [colour] names a channel, and the data has none; write columns, such as [0:20], or DataOptions.withChannel(name, file) joins files as channels",
                    "unit-l1[-1:2] | scaling 'unit-l1[-1:2]': columns are written [from:to], such as [0:20]; found '[-1:2]'",
                    "unit-l1[0:2 | scaling 'unit-l1[0:2': a bracket is not closed",
                    "[0:2] | scaling '': expected name or name(key=value, ...)",
                    "unit-l1[0:2][2:4] | scaling 'unit-l1[0:2][2:4]': columns are written [from:to], such as [0:20]; found '[0:2][2:4]'",
                    "unit-l1[0:2]standard | scaling 'unit-l1[0:2]standard': expected name or name(key=value, ...)",
                })
        void misspelledAreExplained(String spelling, String message) {
            SpellingException failure = assertThrows(SpellingException.class, () -> Scalings.parse(spelling));
            assertEquals(message, failure.getMessage());
        }

        @Test
        void cannotHoldChannelsThemselves() {
            Scaling channels = Scalings.parse("unit-l1[0:2]");
            assertThrows(IllegalArgumentException.class, () -> new ChannelScaling.Term(channels, 0, 2));
            assertThrows(IllegalArgumentException.class, () -> new ChannelScaling(List.of()));
        }

        @Test
        void damagedInTheirSavedFormAreRefused() {
            State good = fit("standard[0:2] + unit-l1[2:6]", dense).state();
            assertEquals(good, Scalings.load(good).state());
            for (State bad : List.of(
                    State.of("scaler").with("scaling", "standard[0:2]").with("columns", 6),
                    fit("standard[0:2]", dense).state().with("columns", 1),
                    fit("standard[0:2]", dense).state().with("scaling", "standard[0:3]"),
                    fit("unit-l1[0:2]", dense).state().with("0.columns", 3),
                    fit("unit-l1[0:2]", dense).state().with("scaling", "unit-l1[0:2] + none[1:2]"))) {
                assertThrows(BochnerException.class, () -> Scalings.load(bad), bad.toString());
            }
        }
    }

    @Nested
    class RowsOfZeros {
        @ParameterizedTest
        @ValueSource(strings = {"unit-l1", "unit-l2", "unit-l1[0:2] + unit-l2[2:6]"})
        void stayZeros(String spelling) {
            float[][] zeros = new float[2][6];
            for (TableSource rows : List.of(TableSource.dense(zeros), TableSource.sparse(zeros))) {
                assertArrayEquals(new double[2][6], scaled(fit(spelling, rows), rows));
            }
            assertTrue(Scalings.parse(spelling).normalises());
        }

        @Test
        void inOneChannelDoNotTouchTheOther() {
            TableSource rows = TableSource.sparse(new float[] {0, 0, 1, 3});
            assertArrayEquals(
                    new double[][] {{0, 0, 0.25, 0.75}}, scaled(fit("unit-l1[0:2] + unit-l1[2:4]", rows), rows));
        }
    }

    @Nested
    class Division {
        @Test
        void ofGreyLevelsIsExactToTheBit() {
            TableSource rows = TableSource.dense(new float[] {0, 51, 128, 255});
            assertArrayEquals(
                    new double[][] {{0, 51 / 255f, 128 / 255f, 1}}, scaled(fit("divide(by=255)", rows), rows));
        }

        @ParameterizedTest
        @ValueSource(strings = {"divide(by=0)", "divide(by=-1)", "divide(by=NaN)", "divide(by=1e50)", "divide"})
        void needsAPositiveNumber(String spelling) {
            assertThrows(SpellingException.class, () -> Scalings.parse(spelling));
        }
    }

    @Test
    void noneReturnsTheRowsThemselves() {
        TableSource rows = TableSource.dense(table(4));
        RowBlock block = rows.block();
        assertSame(block, fit("none", rows).forBlocks().apply(block));
    }

    @Nested
    class Misspelled {
        @Test
        void aNameIsCorrected() {
            SpellingException failure = assertThrows(SpellingException.class, () -> Scalings.parse("standart"));
            assertTrue(String.valueOf(failure.getMessage()).contains("did you mean 'standard'"));
        }

        @Test
        void aParameterThatIsNotTakenIsNamed() {
            assertThrows(SpellingException.class, () -> Scalings.parse("min-max(by=3)"));
            assertThrows(SpellingException.class, () -> Scalings.parse("standard(centred)"));
        }
    }

    @Nested
    class Damaged {
        @Test
        void statesAreRefused() {
            Scaler scaler = fit("standard", TableSource.dense(table(4)));
            assertThrows(BochnerException.class, () -> Scalings.load(State.of("scaler")));
            assertThrows(
                    BochnerException.class,
                    () -> Scalings.load(
                            State.of("scaler").with("scaling", "stretch").with("columns", 1)));
            assertThrows(
                    BochnerException.class, () -> Scalings.load(scaler.state().with("columns", 7)));
            assertThrows(
                    BochnerException.class,
                    () -> Scalings.load(scaler.state().with("shift", new double[] {0, 0, 0, 0, 0, Double.NaN})));
        }
    }

    @Nested
    class Accumulators {
        private ColumnAccumulator of(TableSource rows) {
            ColumnAccumulator accumulator = new ColumnAccumulator(rows.columns());
            accumulator.set(rows.block());
            return accumulator;
        }

        /** Each merge rounds a few times: ε = 2⁻⁵³ for each of some hundred rows, relative to the column's spread. */
        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void mergedPartitionsEqualOnePass(boolean sparse) {
            float[][] table = withWeights(table(300), 1, 0.25f, 3);
            ColumnAccumulator whole = of(new TableSource(6, sparse, true, table));
            ColumnAccumulator merged = new ColumnAccumulator(6);
            for (int from = 0, step = 1; from < 300; from += step, step = step * 2 + 1) {
                float[][] part = Arrays.copyOfRange(table, from, Math.min(300, from + step));
                merged.merge(of(new TableSource(6, sparse, true, part)));
                merged.merge(new ColumnAccumulator(6));
            }
            assertEquals(whole.totalRowWeight(), merged.totalRowWeight());
            for (int j = 0; j < 6; j++) {
                double spread = Math.max(Math.abs(whole.largest(j)), Math.abs(whole.smallest(j)));
                double bound = 600 * 0x1p-53 * spread;
                assertEquals(whole.mean(j), merged.mean(j), bound);
                assertEquals(whole.variance(j), merged.variance(j), bound * spread);
                assertEquals(whole.smallest(j), merged.smallest(j));
                assertEquals(whole.largest(j), merged.largest(j));
            }
        }

        @Test
        void ofDifferentWidthsDoNotMerge() {
            assertThrows(
                    IllegalArgumentException.class, () -> new ColumnAccumulator(2).merge(new ColumnAccumulator(3)));
        }
    }

    /** Knows how often it was read. */
    private static final class CountingSource implements RowSource {
        private final TableSource rows;
        private int readings;

        CountingSource(TableSource rows) {
            this.rows = rows;
        }

        int readings() {
            return readings;
        }

        @Override
        public String name() {
            return rows.name();
        }

        @Override
        public int columns() {
            return rows.columns();
        }

        @Override
        public Labels labels() {
            return rows.labels();
        }

        @Override
        public boolean sparse() {
            return rows.sparse();
        }

        @Override
        public RowCursor open() {
            readings++;
            return rows.open();
        }
    }
}
