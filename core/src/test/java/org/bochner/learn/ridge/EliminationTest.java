package org.bochner.learn.ridge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.bochner.data.Labels;
import org.bochner.learn.linear.LinearFit;
import org.bochner.learn.linear.LinearModel;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.Fixtures;
import org.bochner.stats.Fixtures.Table;
import org.bochner.stats.GramStatistics;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EliminationTest {
    private static final Workers WORKERS = new Workers(2);
    private static final Labels NUMBERS = new Labels.Numbers(List.of("a", "b"));
    private static final double LAMBDA = 0.7;

    private static GramStatistics statistics(Table table, Labels labels) {
        return Fixtures.accumulate(table, 0, table.rows, 64, labels, Precision.FLOAT64)
                .freeze();
    }

    /** Targets that depend on all columns, on some much more than on others. */
    private static Table table(int rows, int columns) {
        Table table = new Table(rows, columns, 2, 0.5, new Seed(4));
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                table.y[i][0] += table.x[i][j] / (1 + j % 5);
                table.y[i][1] += Math.sin(3 * j) * table.x[i][j];
            }
        }
        return table;
    }

    /** What ridge regression on some groups alone reaches: squared residuals and penalty of all outputs. */
    private static double objective(GramStatistics statistics, FeatureGroups groups, int... kept) {
        int[] features = groups.featuresOf(kept);
        GramStatistics left = statistics.restrict(features, Penalty.PLAIN);
        LinearFit fit = Ridge.of(LAMBDA).fit(left, Precision.FLOAT64, WORKERS);
        LinearModel model = fit.model();
        double penalty = 0;
        for (int j = 0; j < model.features(); j++) {
            for (int o = 0; o < model.outputs(); o++) {
                penalty += model.weight(j, o) * model.weight(j, o);
            }
        }
        return fit.chosen().trainingLoss() * left.totalRowWeight() * model.outputs() + LAMBDA * penalty;
    }

    private static int[] without(int[] groups, int gone) {
        return Arrays.stream(groups).filter(group -> group != gone).toArray();
    }

    @Test
    void objectivesAreThoseOfRidgeOnTheGroupsThatAreLeft() {
        GramStatistics statistics = statistics(table(200, 24), NUMBERS);
        FeatureGroups pairs = FeatureGroups.of(FeatureGroups.halves(12));
        Elimination elimination = Elimination.of(statistics, pairs, LAMBDA, 1, WORKERS);
        for (int count = 1; count <= 12; count++) {
            double expected = objective(statistics, pairs, elimination.kept(count));
            // 200 rows in [-0.5, 1.5] against a penalty of 0.7: a condition number below 1e4.
            assertEquals(expected, elimination.objective(count), 1e-10 * expected, "size " + count);
        }
    }

    /** With twelve groups a round takes two of four, so the second of every round tests that steps within it are exact. */
    @Test
    void everyStepTakesTheCheapestOfTheCandidates() {
        GramStatistics statistics = statistics(table(200, 24), NUMBERS);
        FeatureGroups pairs = FeatureGroups.of(FeatureGroups.halves(12));
        Elimination elimination = Elimination.of(statistics, pairs, LAMBDA, 1, WORKERS);
        int[] kept = elimination.kept(12);
        for (int count = 11; count >= 10; count--) {
            int[] now = kept;
            int cheapest = Arrays.stream(now)
                    .boxed()
                    .min((a, b) -> Double.compare(
                            objective(statistics, pairs, without(now, a)),
                            objective(statistics, pairs, without(now, b))))
                    .orElseThrow();
            kept = without(now, cheapest);
            assertArrayEquals(kept, elimination.kept(count), "size " + count);
        }
    }

    @Test
    void setsAreNested() {
        Elimination elimination =
                Elimination.of(statistics(table(300, 60), NUMBERS), FeatureGroups.each(60), LAMBDA, 3, WORKERS);
        assertEquals(60, elimination.groups());
        assertEquals(3, elimination.fewest());
        for (int count = 3; count < 60; count++) {
            Set<Integer> larger = new HashSet<>();
            Arrays.stream(elimination.kept(count + 1)).forEach(larger::add);
            int[] kept = elimination.kept(count);
            assertEquals(count, kept.length);
            assertTrue(Arrays.stream(kept).allMatch(larger::contains));
            assertTrue(elimination.objective(count) >= elimination.objective(count + 1) - 1e-9);
        }
    }

    @Test
    void setsDependNeitherOnWhereItEndsNorOnThreads() {
        GramStatistics statistics = statistics(table(300, 60), NUMBERS);
        FeatureGroups groups = FeatureGroups.of(FeatureGroups.halves(30));
        Elimination whole = Elimination.of(statistics, groups, LAMBDA, 1, new Workers(1));
        for (int fewest : new int[] {7, 22, 29, 30}) {
            Elimination part = Elimination.of(statistics, groups, LAMBDA, fewest, new Workers(3));
            for (int count = fewest; count <= 30; count++) {
                assertArrayEquals(whole.kept(count), part.kept(count));
                assertEquals(whole.objective(count), part.objective(count), 1e-9 * whole.objective(count));
            }
        }
    }

    @Test
    void findsTheGroupsThatMatter() {
        Table table = new Table(400, 60, 1, 0, new Seed(7));
        for (int i = 0; i < table.rows; i++) {
            double[] x = table.x[i];
            table.y[i][0] = 3 * x[4] - 2 * x[34] + x[11] + x[41] - 2 * x[59];
        }
        Labels number = new Labels.Numbers(List.of("y"));
        Elimination elimination =
                Elimination.of(statistics(table, number), FeatureGroups.of(FeatureGroups.halves(30)), 1e-3, 1, WORKERS);
        // Columns 4 and 34 are a pair, 11 and 41 another, 59 is in that of 29; all others have nothing to say.
        assertArrayEquals(new int[] {4, 11, 29}, elimination.kept(3));
        assertTrue(elimination.objective(2) > 100 * elimination.objective(3));
    }

    @Test
    void classesCountWithAllTheirOutputs() {
        for (int classes : new int[] {2, 3}) {
            Table table = new Table(300, 20, 1, 0, new Seed(8));
            for (int i = 0; i < table.rows; i++) {
                table.y[i][0] = classes == 2
                        ? (table.x[i][3] > 0 ? 1 : 0)
                        : (table.x[i][3] > 0.3 ? 2 : table.x[i][13] > 0 ? 1 : 0);
            }
            List<String> names =
                    IntStream.range(0, classes).mapToObj(c -> "c" + c).toList();
            GramStatistics statistics = statistics(table, new Labels.Classes(names));
            FeatureGroups pairs = FeatureGroups.of(FeatureGroups.halves(10));
            Elimination elimination = Elimination.of(statistics, pairs, LAMBDA, 1, WORKERS);
            assertArrayEquals(new int[] {3}, elimination.kept(1));
            double expected = objective(statistics, pairs, 3);
            assertEquals(expected, elimination.objective(1), 1e-10 * expected);
        }
    }

    @Test
    void constantFeaturesGoFirst() {
        Table table = table(100, 12);
        for (double[] row : table.x) {
            row[2] = 1;
            row[9] = 0;
        }
        Elimination elimination =
                Elimination.of(statistics(table, NUMBERS), FeatureGroups.each(12), LAMBDA, 1, WORKERS);
        assertArrayEquals(new int[] {0, 1, 3, 4, 5, 6, 7, 8, 10, 11}, elimination.kept(10));
        assertEquals(elimination.objective(12), elimination.objective(10), 1e-9);
    }

    @Test
    void oneOfTwoEqualGroupsGoesAndTheOtherStays() {
        Table table = new Table(100, 6, 1, 0, new Seed(9));
        for (int i = 0; i < table.rows; i++) {
            table.x[i][5] = table.x[i][0];
            table.y[i][0] = table.x[i][0] + 0.5 * table.x[i][3];
        }
        Elimination elimination = Elimination.of(
                statistics(table, new Labels.Numbers(List.of("y"))), FeatureGroups.each(6), 1e-6, 1, WORKERS);
        int[] two = elimination.kept(2);
        assertTrue((two[0] == 0 && two[1] == 3) || (two[0] == 3 && two[1] == 5), Arrays.toString(two));
    }

    @Nested
    class Refuses {
        private final GramStatistics statistics = statistics(table(50, 6), NUMBERS);

        private void assertRefused(FeatureGroups groups, double lambda, int fewest, String text) {
            String message = String.valueOf(assertThrows(
                            IllegalArgumentException.class,
                            () -> Elimination.of(statistics, groups, lambda, fewest, WORKERS))
                    .getMessage());
            assertTrue(message.contains(text), message);
        }

        @ParameterizedTest
        @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
        void penaltiesThatAreNotPositive(double lambda) {
            assertRefused(FeatureGroups.each(6), lambda, 1, "lambda");
        }

        @ParameterizedTest
        @ValueSource(ints = {0, -1, 7})
        void sizesThatThereCannotBe(int fewest) {
            assertRefused(FeatureGroups.each(6), 1, fewest, "not " + fewest);
        }

        @Test
        void groupsOfOtherFeatures() {
            assertRefused(FeatureGroups.each(5), 1, 1, "features");
        }

        @Test
        void toTellOfSizesItDoesNotKnow() {
            Elimination elimination = Elimination.of(statistics, FeatureGroups.each(6), 1, 4, WORKERS);
            assertThrows(IllegalArgumentException.class, () -> elimination.kept(3));
            assertThrows(IllegalArgumentException.class, () -> elimination.objective(7));
        }
    }
}
