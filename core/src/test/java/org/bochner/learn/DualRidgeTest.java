package org.bochner.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.data.Labels;
import org.bochner.kernel.Linear;
import org.bochner.map.ExactMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.DualAccumulator;
import org.bochner.stats.DualStatistics;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.SparseTable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The dual solves the same problem as the primal. */
class DualRidgeTest {
    private static final Workers WORKERS = new Workers(1);
    private static final List<Labels> EVERY_KIND = List.of(
            new Labels.Numbers(List.of("a", "b")),
            new Labels.Classes(List.of("no", "yes")),
            new Labels.Classes(List.of("red", "green", "blue")));

    /**
     * Both solve systems with a condition number of at most tr(H)/λ < 1e4, in which they lose 4 of 16 digits. 1e-10
     * leaves a hundredfold for the roundings of sums of 80 terms.
     */
    private static final double TOLERANCE = 1e-10;

    private static SparseTable table(Labels labels) {
        SparseTable table = new SparseTable(80, 130, labels, new Seed(1));
        for (int i = 0; i < 80; i++) {
            table.weights[i] = i % 9 == 4 ? 0 : 0.5 + i % 3;
        }
        return table;
    }

    private static ClassWeights factors(Labels labels) {
        return labels instanceof Labels.Classes classes && classes.names().size() == 3
                ? ClassWeights.of(1, 2, 0.5)
                : ClassWeights.none();
    }

    private static DualStatistics dual(SparseTable table) {
        DualAccumulator total = new DualAccumulator(table.columns(), table.labels(), factors(table.labels()));
        total.add(table.block(0, 30));
        total.add(table.block(30, 80));
        return total.freeze(WORKERS);
    }

    private static GramStatistics primal(SparseTable table) {
        GramAccumulator total = new GramAccumulator(table.columns(), table.labels());
        BlockGram block = new BlockGram(table.columns(), table.labels(), factors(table.labels()), Precision.FLOAT64);
        block.add(new ExactMap(new Linear(), table.columns()), table.block(0, 80));
        total.add(block);
        return total.freeze();
    }

    private static void assertSame(Fit expected, Fit got) {
        LinearModel model = expected.model();
        assertEquals(model.outputs(), got.model().outputs());
        for (int o = 0; o < model.outputs(); o++) {
            assertEquals(model.intercept(o), got.model().intercept(o), TOLERANCE);
            for (int j = 0; j < model.features(); j++) {
                assertEquals(model.weight(j, o), got.model().weight(j, o), TOLERANCE, "weight " + j + "," + o);
            }
        }
        assertEquals(expected.reason(), got.reason());
        assertEquals(expected.path().size(), got.path().size());
        for (int k = 0; k < expected.path().size(); k++) {
            assertSame(expected.path().get(k), got.path().get(k));
        }
        assertSame(expected.chosen(), got.chosen());
    }

    /** A score is below 10, and divides by the square of a slack that is known to 1e-10 and above 1e-2. */
    private static void assertSame(PathPoint expected, PathPoint got) {
        assertEquals(expected.lambda(), got.lambda(), TOLERANCE * expected.lambda());
        assertEquals(expected.degreesOfFreedom(), got.degreesOfFreedom(), TOLERANCE * 80);
        assertEquals(expected.trainingError(), got.trainingError(), TOLERANCE);
        assertEquals(expected.score(), got.score(), 1e-8);
    }

    @Nested
    class EqualsThePrimal {
        @Test
        void atEveryPenalty() {
            for (Labels labels : EVERY_KIND) {
                SparseTable table = table(labels);
                for (double lambda : new double[] {0.1, 1, 30}) {
                    assertSame(
                            Ridge.of(lambda).fit(primal(table), Precision.FLOAT64, WORKERS),
                            Ridge.of(lambda).fit(dual(table), Precision.FLOAT64, WORKERS));
                }
            }
        }

        @Test
        void inItsPathAndItsScores() {
            for (Labels labels : EVERY_KIND) {
                SparseTable table = table(labels);
                double[] lambdas = {0.1, 1, 30};
                List<PathPoint> expected = Ridge.path(primal(table), lambdas, WORKERS);
                List<PathPoint> got = Ridge.path(dual(table), lambdas, WORKERS);
                for (int k = 0; k < lambdas.length; k++) {
                    assertSame(expected.get(k), got.get(k));
                }
            }
        }

        @Test
        void inThePenaltyThatIsChosen() {
            for (Labels labels : EVERY_KIND) {
                SparseTable table = table(labels);
                assertSame(
                        Ridge.auto().fit(primal(table), Precision.FLOAT64, WORKERS),
                        Ridge.auto().fit(dual(table), Precision.FLOAT64, WORKERS));
            }
        }
    }

    @Test
    void withoutPenaltyItIsRefused() {
        DualStatistics statistics = dual(table(EVERY_KIND.get(0)));
        BochnerException e =
                assertThrows(BochnerException.class, () -> Ridge.of(0).fit(statistics, Precision.FLOAT64, WORKERS));
        assertTrue(String.valueOf(e.getMessage()).contains("fewer rows"), e.getMessage());
    }

    @Test
    void equalRowsHaveNoPenaltyToChoose() {
        SparseTable table = table(EVERY_KIND.get(0));
        for (int i = 0; i < 80; i++) {
            table.x[i] = new float[130];
        }
        assertThrows(BochnerException.class, () -> Ridge.auto().fit(dual(table), Precision.FLOAT64, WORKERS));
    }
}
