package org.bochner.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.bochner.base.BochnerException;
import org.bochner.data.DenseRows;
import org.bochner.data.Labels;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.kernel.columns.PairVisitor;
import org.bochner.kernel.composed.LogWarp;
import org.bochner.kernel.composed.SqrtWarp;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RowSampleTest {
    private static final Seed SEED = new Seed(1);

    @Nested
    class Draws {
        @Test
        void allRowsOfAShortSource() {
            RowSample sample = sample(3, 0, 1, 0, 0, 5, 2);
            assertEquals(2, sample.rows());
            assertEquals(3, sample.columns());
            assertArrayEquals(new double[] {0, 1, 0}, sample.row(0));
            assertArrayEquals(new double[] {0, 5, 2}, sample.row(1));
        }

        @Test
        void theSameRowsHoweverTheyComeInBlocks() {
            float[] values = gaussian(500, 4);
            RowSample whole = RowSample.of(DenseRows.of(500, 4, values), 20, SEED);
            Reservoir inParts = new Reservoir(20, SEED);
            for (int start = 0; start < 500; start += 7) {
                int rows = Math.min(7, 500 - start);
                inParts.add(DenseRows.of(rows, 4, Arrays.copyOfRange(values, 4 * start, 4 * (start + rows))));
            }
            assertEqualRows(whole, inParts.build());
        }

        @Test
        void aSourceAfterItsScaling() {
            float[] values = gaussian(100, 2);
            RowSample sample = RowSample.of(
                    new ArraySource(values, 2),
                    block -> {
                        float[] doubled = new float[block.rows() * 2];
                        double[] row = new double[2];
                        for (int i = 0; i < block.rows(); i++) {
                            block.copyRow(i, row);
                            doubled[2 * i] = (float) (2 * row[0]);
                            doubled[2 * i + 1] = (float) (2 * row[1]);
                        }
                        return DenseRows.like(block, 2, doubled);
                    },
                    100,
                    SEED);
            assertEquals(100, sample.rows());
            assertArrayEquals(new double[] {2 * values[10], 2 * values[11]}, sample.row(5));
        }

        @Test
        void everyRowEquallyOften() {
            // 2000 samples of 5 rows of 50: a row is drawn 200 times, with standard deviation below √200; six of them.
            int[] counts = new int[50];
            float[] values = new float[50];
            for (int i = 0; i < 50; i++) {
                values[i] = i;
            }
            for (int repeat = 0; repeat < 2000; repeat++) {
                RowSample sample = RowSample.of(DenseRows.of(50, 1, values), 5, SEED.derive(repeat));
                for (int i = 0; i < 5; i++) {
                    counts[(int) sample.row(i)[0]]++;
                }
            }
            for (int count : counts) {
                assertEquals(200, count, 6 * Math.sqrt(200));
            }
        }

        @Test
        void otherRowsForAnotherSeed() {
            DenseRows rows = DenseRows.of(1000, 1, gaussian(1000, 1));
            assertNotEquals(
                    RowSample.of(rows, 3, SEED).row(0)[0],
                    RowSample.of(rows, 3, new Seed(2)).row(0)[0]);
        }

        @Test
        void sparseAndDenseRowsAlike() {
            RowSample sparse = RowSample.of(
                    SparseRows.of(2, 3, new int[] {0, 1, 3}, new int[] {1, 1, 2}, new float[] {1, 5, 2}), 9, SEED);
            assertEqualRows(sample(3, 0, 1, 0, 0, 5, 2), sparse);
        }

        private static void assertEqualRows(RowSample expected, RowSample actual) {
            assertEquals(expected.rows(), actual.rows());
            for (int i = 0; i < expected.rows(); i++) {
                assertArrayEquals(expected.row(i), actual.row(i));
            }
        }
    }

    @Nested
    class Looks {
        @Test
        void atColumnsWhereTwoRowsAreNotBothZero() {
            RowSample sample = sample(5, 1, 0, 0, 2, 7, 0, 0, 3, 4, 7);
            List<String> seen = new ArrayList<>();
            PairVisitor.visit(sample.nonZeros(), 0, 1, 0, 4, (column, x, y) -> seen.add(column + ": " + x + " " + y));
            assertEquals(List.of("0: 1.0 0.0", "2: 0.0 3.0", "3: 2.0 4.0"), seen);
        }

        @Test
        void atTheRowsAsABlock() {
            RowSample dense = sample(2, 1, 0, 3, 4);
            assertInstanceOf(DenseRows.class, dense.block());
            RowSample sparse = sample(4, 1, 0, 0, 0, 0, 0, 5, 0);
            assertInstanceOf(SparseRows.class, sparse.block());
            for (RowSample sample : List.of(dense, sparse)) {
                double[] row = new double[sample.columns()];
                for (int i = 0; i < 2; i++) {
                    sample.block().copyRow(i, row);
                    assertArrayEquals(sample.row(i), row);
                }
            }
        }

        @Test
        void atSomeRowsFromAllParts() {
            RowSample sample = sample(1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
            RowSample some = sample.thinned(4);
            assertEquals(4, some.rows());
            assertEquals(0, some.row(0)[0]);
            assertEquals(7, some.row(3)[0]);
            assertEquals(sample.range(), some.range());
            assertSame(sample, sample.thinned(10));
        }

        @Test
        void atWarpedValuesOfSomeColumnsAndRows() {
            Warp log = Warp.log(new int[] {1, 2}, new double[] {1, 4});
            RowSample two = sample(2, 0, 0, 3, 12).warped(log);
            // log(12 + 4) − log(0 + 4): the column keeps its own shift.
            assertEquals(Math.log(4), two.columns(1, 2).medianDistance(1), 1e-12);
            RowSample three = sample(1, 0, 3, 100).warped(Warp.log(1));
            assertEquals(Math.log(4), three.thinned(2).medianDistance(1), 1e-12);
        }

        @Test
        void atMagnitudesThatAreAllAsFrequent() {
            RowSample sample = RowSample.evenMagnitudes(1000, 3, 1e-4, 1, new Seed(2));
            int[] decades = new int[4];
            for (int i = 0; i < 1000; i++) {
                for (double x : sample.row(i)) {
                    assertTrue(x >= 0.9999e-4 && x <= 1, () -> "drew " + x);
                    decades[(int) Math.min(3, -Math.log10(x))]++;
                }
            }
            // 750 of 3000 are expected in each, with a deviation of √(3000·3/16) = 24; five of them are 119.
            for (int count : decades) {
                assertEquals(750, count, 119);
            }
            assertThrows(IllegalArgumentException.class, () -> RowSample.evenMagnitudes(2, 1, 0, 1, new Seed(2)));
        }
    }

    @Nested
    class Intervals {
        private static final float[] VALUES = {1990, -1, 0, 2.5f, 2020, -3, 0, 0, 2000, -2, 0, 4};

        private void assertIntervals(RowSample sample) {
            assertEquals(Optional.of(new RowSample.Interval(1990, 2020)), sample.interval(0));
            assertEquals(Optional.of(new RowSample.Interval(-3, -1)), sample.interval(1));
            assertEquals(Optional.of(new RowSample.Interval(0, 0)), sample.interval(2));
            assertEquals(Optional.of(new RowSample.Interval(0, 4)), sample.interval(3));
            assertEquals(new RowSample.Interval(2.5, 2020), sample.range());
            assertEquals(
                    Optional.of(new RowSample.Interval(-3, -1)),
                    sample.columns(1, 3).interval(0));
        }

        @Test
        void countZerosAndNegativeValues() {
            assertIntervals(sample(4, VALUES));
        }

        @Test
        void countZerosThatSparseRowsDoNotStore() {
            int[] starts = {0, 3, 5, 8};
            int[] indices = {0, 1, 3, 0, 1, 0, 1, 3};
            float[] values = {1990, -1, 2.5f, 2020, -3, 2000, -2, 4};
            assertIntervals(RowSample.of(SparseRows.of(3, 4, starts, indices, values), 10, new Seed(1)));
        }

        @Test
        void areOfAllRowsAndNotOfTheSampledOnes() {
            Reservoir builder = new Reservoir(2, new Seed(1));
            for (int i = 0; i < 50; i++) {
                builder.add(DenseRows.of(1, 1, new float[] {i - 20}));
            }
            RowSample sample = builder.build();
            assertEquals(2, sample.rows());
            assertEquals("-20:29", sample.interval(0).orElseThrow().toString());
            assertEquals(49, sample.interval(0).orElseThrow().length());
        }

        @Test
        void areUnknownWithoutRows() {
            assertEquals(Optional.empty(), RowSample.none(2).interval(1));
            assertThrows(IllegalArgumentException.class, () -> RowSample.none(2).interval(2));
        }
    }

    @Nested
    class MedianDistance {
        @Test
        void isTheMiddleOfAllDistances() {
            // Distances 3, 5 and 4 of a right triangle; l1: 3, 7 and 4.
            RowSample sample = sample(2, 0, 0, 3, 0, 0, 4);
            assertEquals(4, sample.columns(0, 2).medianDistance(2));
            assertEquals(4, sample.columns(0, 2).medianDistance(1));
            // Columns 1:2 alone: 0 (left out), 4 and 4.
            assertEquals(4, sample.columns(1, 2).medianDistance(1));
        }

        @Test
        void ofAnEvenNumberIsTheMeanOfTheMiddleTwo() {
            // Rows 0, 1, 3: distances 1, 3, 2; with a copy of row 0: 1, 1, 3, 3, 2 and a zero.
            assertEquals(2, sample(1, 0, 1, 3).columns(0, 1).medianDistance(2));
            assertEquals(2, sample(1, 0, 0, 1, 3).columns(0, 1).medianDistance(2));
            // Rows 0, 1, 3, 7: distances 1, 2, 3, 4, 6, 7.
            assertEquals(3.5, sample(1, 0, 1, 3, 7).columns(0, 1).medianDistance(2));
        }

        @Test
        void isTakenAfterTheWarp() {
            // sqrt: 0, 1, 3, so 1, 3 and 2; log(x + 1): log 1, log 2, log 10.
            assertEquals(
                    2, sample(1, 0, 1, 9).columns(0, 1).warped(new SqrtWarp()).medianDistance(2));
            assertEquals(
                    Math.log(5),
                    sample(1, 0, 1, 9).columns(0, 1).warped(new LogWarp(1)).medianDistance(2),
                    1e-15);
        }

        @Test
        void ofManyRowsIsCloseToTheTrueMedian() {
            // In one column, |x − y| of Gaussian rows is √2 times a half-normal number: its median is √2 · 0.67449.
            // 10000 pairs place the median within 6 · ½/√10000 = 0.03 in probability, where the density is 0.45; the
            // pairs share 1000 rows, which adds as much again.
            RowSample sample = RowSample.of(new ArraySource(gaussian(5000, 1), 1), SEED);
            assertEquals(1000, sample.rows());
            assertEquals(0.95387, sample.columns(0, 1).medianDistance(2), 0.1);
        }

        @Test
        void failsWhereAllRowsAreEqual() {
            BochnerException e = assertThrows(
                    BochnerException.class,
                    () -> sample(2, 1, 5, 2, 5, 3, 5).columns(1, 2).medianDistance(2));
            assertEquals("all sampled rows are equal", e.getMessage());
        }

        @Test
        void failsWithoutTwoRows() {
            assertThrows(
                    BochnerException.class, () -> sample(2, 1, 5).columns(0, 2).medianDistance(2));
        }
    }

    @Nested
    class Fitting {
        @Test
        void fillsEachMissingBandwidthInItsColumns() {
            RowSample sample = sample(2, 0, 0, 3, 0, 0, 4);
            assertEquals(
                    "gaussian(sigma=4) + 0.5*laplacian(sigma=3)[0:1] + matern(nu=1.5, sigma=2)@sqrt[1:2] + cauchy(sigma=9)",
                    Kernels.recipe("gaussian + 0.5*laplacian[0:1] + matern@sqrt[1:2] + cauchy(sigma=9)")
                            .fit(sample)
                            .toString());
        }

        @Test
        void measuresEachFactorOfAProductInItsColumns() {
            RowSample sample = sample(2, 0, 0, 3, 0, 0, 4);
            assertEquals(
                    "gaussian(sigma=3)[0:1] * cauchy(sigma=4)[1:2] + 2*laplacian(sigma=3)[0:1] * periodic(period=1, width=1)[1:2]",
                    Kernels.recipe("gaussian[0:1] * cauchy[1:2] + 2*periodic(period=1)[1:2] * laplacian[0:1]")
                            .fit(sample)
                            .toString());
        }

        @Test
        void refusesProductsThatTheDataIsTooNarrowFor() {
            IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class,
                    () -> Kernels.recipe("gaussian[0:1] * cauchy[1:3]").fit(sample(2, 0, 1, 1, 0)));
            assertEquals(
                    "kernel 'gaussian[0:1] * cauchy[1:3]': gaussian[0:1] * cauchy[1:3] needs 3 columns, the data has 2",
                    e.getMessage());
        }

        @Test
        void roundsToFourDigits() {
            assertEquals(
                    "gaussian(sigma=1.414)",
                    Kernels.recipe("gaussian").fit(sample(2, 0, 1, 1, 0)).toString());
            assertEquals(
                    "gaussian(sigma=12350)",
                    Kernels.recipe("gaussian").fit(sample(1, 0, 12347)).toString());
        }

        @Test
        void refusesColumnsThatTheDataLacks() {
            for (String text : new String[] {"gaussian[1:3]", "gaussian(sigma=1)[1:3]", "gaussian(sigma=[0:3=1])"}) {
                IllegalArgumentException e = assertThrows(
                        IllegalArgumentException.class,
                        () -> Kernels.recipe(text).fit(sample(2, 0, 1, 1, 0)));
                assertEquals("kernel '" + text + "': " + text + " needs 3 columns, the data has 2", e.getMessage());
            }
        }
    }

    private static RowSample sample(int columns, float... values) {
        return RowSample.of(DenseRows.of(values.length / columns, columns, values), 100, SEED);
    }

    private static float[] gaussian(int rows, int columns) {
        RandomStream stream = new Seed(3).stream();
        float[] values = new float[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) stream.nextGaussian();
        }
        return values;
    }

    /** Rows of an array, without labels. */
    private record ArraySource(List<Float> values, int columns) implements RowSource {
        ArraySource(float[] values, int columns) {
            this(boxed(values), columns);
        }

        private static List<Float> boxed(float[] values) {
            List<Float> list = new ArrayList<>();
            for (float value : values) {
                list.add(value);
            }
            return list;
        }

        @Override
        public String name() {
            return "array";
        }

        @Override
        public Labels labels() {
            return Labels.none();
        }

        @Override
        public boolean sparse() {
            return false;
        }

        @Override
        public RowCursor open() {
            return new RowCursor() {
                private int next;

                @Override
                public boolean next(RowBlockBuilder into, int maxRows) {
                    into.beginDense(next / columns, columns, 0, false);
                    while (into.rows() < maxRows && next < values.size()) {
                        int start = into.startDenseRow();
                        for (int j = 0; j < columns; j++) {
                            into.values()[start + j] = values.get(next++);
                        }
                        into.endRow();
                    }
                    return into.rows() > 0;
                }

                @Override
                public void close() {}
            };
        }
    }
}
