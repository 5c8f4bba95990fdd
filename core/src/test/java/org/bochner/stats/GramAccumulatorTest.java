package org.bochner.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.numeric.Precision;
import org.bochner.random.Seed;
import org.bochner.stats.Fixtures.Table;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class GramAccumulatorTest {
    private static final Labels NUMBERS = new Labels.Numbers(List.of("a", "b"));
    private static final Labels CLASSES = new Labels.Classes(List.of("red", "green", "blue"));

    /** The scatter by its definition, in two passes. */
    private static double scatter(Table table, int j, int k) {
        double weight = 0;
        double meanJ = 0;
        double meanK = 0;
        for (int i = 0; i < table.rows; i++) {
            weight += table.weights[i];
            meanJ += table.weights[i] * table.x[i][j];
            meanK += table.weights[i] * table.x[i][k];
        }
        double sum = 0;
        for (int i = 0; i < table.rows; i++) {
            sum += table.weights[i] * (table.x[i][j] - meanJ / weight) * (table.x[i][k] - meanK / weight);
        }
        return sum;
    }

    private static void assertSame(GramStatistics expected, GramStatistics got, double tolerance) {
        assertEquals(expected.rows(), got.rows());
        assertEquals(expected.totalRowWeight(), got.totalRowWeight(), 1e-12 * expected.totalRowWeight());
        for (int i = 0; i < expected.features(); i++) {
            for (int j = 0; j < expected.features(); j++) {
                assertEquals(expected.scatter(i, j), got.scatter(i, j), tolerance, "scatter " + i + "," + j);
            }
            for (int t = 0; t < expected.targets(); t++) {
                assertEquals(expected.cross(t)[i], got.cross(t)[i], tolerance, "cross " + t + "," + i);
            }
        }
        for (int t = 0; t < expected.targets(); t++) {
            assertEquals(expected.targetMean(t), got.targetMean(t), 1e-12);
            assertEquals(expected.targetScatter(t), got.targetScatter(t), tolerance);
        }
    }

    @Test
    void equalsTheDefinition() {
        Table table = new Table(137, 9, 2, 0.3, new Seed(1));
        GramStatistics statistics = Fixtures.accumulate(table, 0, 137, 137, NUMBERS, Precision.FLOAT64)
                .freeze();
        for (int i = 0; i < 9; i++) {
            for (int j = i; j < 9; j++) {
                // 137 products of size about 1, each rounded once: n·ε.
                assertEquals(scatter(table, i, j), statistics.scatter(i, j), 137 * 0x1p-52);
            }
        }
    }

    @Nested
    class Merging {
        @Test
        void blocksEqualOnePass() {
            Table table = new Table(200, 7, 2, 5, new Seed(2));
            GramStatistics whole = Fixtures.accumulate(table, 0, 200, 200, NUMBERS, Precision.FLOAT64)
                    .freeze();
            for (int size : new int[] {1, 3, 64, 199}) {
                // Values of size 6 in sums of 200 squares: 200·36·ε, and a few roundings a merge.
                assertSame(
                        whole,
                        Fixtures.accumulate(table, 0, 200, size, NUMBERS, Precision.FLOAT64)
                                .freeze(),
                        200 * 36 * 8 * 0x1p-52);
            }
        }

        @Test
        void combinedPartitionsEqualOnePassInEitherOrder() {
            Table table = new Table(90, 5, 1, 2, new Seed(3)).withClasses(3, new Seed(4));
            GramStatistics whole = Fixtures.accumulate(table, 0, 90, 90, CLASSES, Precision.FLOAT64)
                    .freeze();
            double tolerance = 90 * 9 * 8 * 0x1p-52;
            assertSame(whole, part(table, 0, 40).combine(part(table, 40, 90)).freeze(), tolerance);
            assertSame(whole, part(table, 40, 90).combine(part(table, 0, 40)).freeze(), tolerance);
        }

        @Test
        void whatIsLeftWithoutAPartIsThatOfTheOthersAlone() {
            Table table = new Table(90, 5, 1, 2, new Seed(3)).withClasses(3, new Seed(4));
            GramStatistics whole = Fixtures.accumulate(table, 0, 90, 90, CLASSES, Precision.FLOAT64)
                    .freeze();
            // As above, twice: the sums over all rows are rounded, and so are those that are taken away.
            double tolerance = 2 * 90 * 9 * 8 * 0x1p-52;
            assertSame(
                    part(table, 40, 90).freeze(),
                    whole.without(part(table, 0, 40).freeze()),
                    tolerance);
            assertThrows(IllegalArgumentException.class, () -> whole.without(whole));
        }

        @Test
        void emptyTotalsChangeNothing() {
            Table table = new Table(30, 4, 1, 1, new Seed(5)).withClasses(3, new Seed(6));
            GramStatistics alone = part(table, 0, 30).freeze();
            assertSame(
                    alone,
                    part(table, 0, 30).combine(new GramAccumulator(4, CLASSES)).freeze(),
                    0);
            assertSame(
                    alone,
                    new GramAccumulator(4, CLASSES).combine(part(table, 0, 30)).freeze(),
                    0);
        }

        private GramAccumulator part(Table table, int from, int to) {
            return Fixtures.accumulate(table, from, to, 16, CLASSES, Precision.FLOAT64);
        }

        @Test
        void rejectsOtherLabelsAndUseAfterFreeze() {
            GramAccumulator total = new GramAccumulator(3, CLASSES);
            assertThrows(IllegalArgumentException.class, () -> total.combine(new GramAccumulator(3, NUMBERS)));
            assertThrows(IllegalArgumentException.class, () -> total.combine(new GramAccumulator(4, CLASSES)));
            total.freeze();
            assertThrows(IllegalStateException.class, () -> total.combine(new GramAccumulator(3, CLASSES)));
        }
    }

    @Nested
    class Weights {
        @Test
        void areRepetitions() {
            Table once = new Table(20, 3, 2, 0, new Seed(7));
            Table repeated = new Table(60, 3, 2, 0, new Seed(7));
            for (int i = 0; i < 20; i++) {
                once.weights[i] = 3;
                for (int r = 0; r < 3; r++) {
                    repeated.x[3 * i + r] = once.x[i];
                    repeated.y[3 * i + r] = once.y[i];
                }
            }
            GramStatistics a = Fixtures.accumulate(once, 0, 20, 8, NUMBERS, Precision.FLOAT64)
                    .freeze();
            GramStatistics b = Fixtures.accumulate(repeated, 0, 60, 60, NUMBERS, Precision.FLOAT64)
                    .freeze();
            assertEquals(b.totalRowWeight(), a.totalRowWeight());
            for (int i = 0; i < 3; i++) {
                assertEquals(b.scatter(i, i), a.scatter(i, i), 60 * 8 * 0x1p-52);
                assertEquals(b.cross(0)[i], a.cross(0)[i], 60 * 8 * 0x1p-52);
            }
        }

        @Test
        void ofZeroRemoveTheirRows() {
            Table table = new Table(40, 3, 2, 0, new Seed(8));
            for (int i = 24; i < 40; i++) {
                table.weights[i] = 0;
            }
            GramStatistics some = Fixtures.accumulate(table, 0, 40, 8, NUMBERS, Precision.FLOAT64)
                    .freeze();
            GramStatistics first = Fixtures.accumulate(table, 0, 24, 8, NUMBERS, Precision.FLOAT64)
                    .freeze();
            assertEquals(first.scatter(0, 2), some.scatter(0, 2));
            assertEquals(first.totalRowWeight(), some.totalRowWeight());
        }

        @Test
        void belowZeroOrNaNAreRejected() {
            Table table = new Table(4, 2, 2, 0, new Seed(9));
            table.weights[2] = -1;
            assertThrows(BochnerException.class, () -> Fixtures.accumulate(table, 0, 4, 4, NUMBERS, Precision.FLOAT32));
            table.weights[2] = Double.NaN;
            assertThrows(BochnerException.class, () -> Fixtures.accumulate(table, 0, 4, 4, NUMBERS, Precision.FLOAT32));
        }

        @Test
        void balancedClassesWeighTheSame() {
            ClassWeights weights = ClassWeights.balanced(new long[] {10, 30, 0});
            assertEquals(2.0, weights.factor(0));
            assertEquals(2.0 / 3, weights.factor(1), 1e-15);
            assertEquals(1.0, weights.factor(2));
        }
    }

    @Test
    void classesAreIndicatorTargets() {
        Table table = new Table(50, 4, 1, 1, new Seed(10)).withClasses(3, new Seed(11));
        Table indicators = new Table(50, 4, 3, 1, new Seed(10));
        for (int i = 0; i < 50; i++) {
            indicators.x[i] = table.x[i];
            indicators.y[i] = new double[3];
            indicators.y[i][(int) table.y[i][0]] = 1;
        }
        GramStatistics classes = Fixtures.accumulate(table, 0, 50, 20, CLASSES, Precision.FLOAT64)
                .freeze();
        GramStatistics numbers = Fixtures.accumulate(
                        indicators, 0, 50, 20, new Labels.Numbers(List.of("r", "g", "b")), Precision.FLOAT64)
                .freeze();
        assertSame(numbers, classes, 50 * 4 * 8 * 0x1p-52);
    }

    /**
     * Features that share a large common part keep their variance in float32: rounding each product of centred values
     * (at most 1) costs 2⁻²⁴ of it, while products of the raw values (10⁶) would lose 10⁶·2⁻²⁴ = 0.06 each.
     */
    @Test
    void aLargeCommonPartDoesNotCancel() {
        int rows = 400;
        Table table = new Table(rows, 3, 2, 1000, new Seed(12));
        GramStatistics statistics = Fixtures.accumulate(table, 0, rows, 100, NUMBERS, Precision.FLOAT32)
                .freeze();
        for (int j = 0; j < 3; j++) {
            // Centring rounds to the spacing near the centre's remainder, far below 1; sums of 100 in float32.
            assertEquals(scatter(table, j, j), statistics.scatter(j, j), rows * 8 * 0x1p-24);
        }
        assertTrue(statistics.scatterTrace() > 0);
    }

    @Test
    void refusesMoreFeaturesThanAnArrayHolds() {
        assertThrows(BochnerException.class, () -> new GramAccumulator(50_000, NUMBERS).freeze());
    }
}
