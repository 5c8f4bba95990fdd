package org.bochner.tune.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.SpellingException;
import org.bochner.data.Labels;
import org.bochner.data.MemorySource;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class LossesTest {
    private static final int ROWS = 20_000;

    private final double[] targets = new double[ROWS];

    /** Counts the losses of predictions that miss the targets by noise of its own and by noise that others share. */
    private Losses losses(double own, double shared, long seed, Measure measure) {
        RandomStream common = new Seed(5).stream();
        RandomStream noise = new Seed(seed).stream();
        double[] scores = new double[ROWS];
        Arrays.setAll(scores, i -> targets[i] + shared * common.nextGaussian() + own * noise.nextGaussian());
        MemorySource rows = MemorySource.of(1, new float[ROWS]).withTargets(targets);
        LossCounter counter = new LossCounter(measure, rows.labels(), new long[0], new Seed(1));
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = rows.open()) {
            assertTrue(cursor.next(builder, ROWS));
            counter.add(builder.build(), scores, row -> -1);
        }
        return counter.losses();
    }

    @Test
    void standardErrorIsThatOfIndependentRows() {
        Losses losses = losses(2, 0, 11, Measure.RMSE);
        // The root mean square of n normal numbers of deviation 2 has the standard error 2/√(2n) = 0.01.
        assertEquals(2, losses.value(Measure.RMSE), 4 * 0.01);
        // 64 blocks give a standard error within 1/√(2·63) = 9%; 3 of these deviations are allowed.
        assertEquals(0.01, losses.standardError(Measure.RMSE), 0.27 * 0.01);
        Losses absolute = losses(2, 0, 11, Measure.MAE);
        // The mean of |x| is 2√(2/π), and the deviation of |x| is 2√(1 − 2/π).
        double error = 2 * Math.sqrt(1 - 2 / Math.PI) / Math.sqrt(ROWS);
        assertEquals(2 * Math.sqrt(2 / Math.PI), absolute.value(Measure.MAE), 4 * error);
        assertEquals(error, absolute.standardError(Measure.MAE), 0.27 * error);
    }

    @Test
    void differencesOnTheSameRowsHaveSmallerStandardErrors() {
        Losses one = losses(0.1, 2, 11, Measure.RMSE);
        Losses other = losses(0.1, 2, 12, Measure.RMSE);
        double unpaired = Math.hypot(one.standardError(Measure.RMSE), other.standardError(Measure.RMSE));
        // Of a difference of squares (s + a)² − (s + b)² ≈ 2s(a − b), the deviation is 2·2·0.1·√2 per row, 0.28/√n·… of
        // it.
        double paired = 4 * 0.1 * Math.sqrt(2) / Math.sqrt(ROWS) / (2 * 2);
        assertEquals(paired, one.standardErrorOfDifference(other, Measure.RMSE), 0.27 * paired);
        assertTrue(paired < 0.1 * unpaired);
        assertEquals(0, one.standardErrorOfDifference(one, Measure.RMSE));
    }

    @Test
    void balancedErrorsWeightClassesEqually() {
        MemorySource rows =
                MemorySource.of(1, new float[10]).withClasses(List.of("often", "seldom"), 0, 0, 0, 0, 0, 0, 0, 0, 1, 1);
        LossCounter counter = new LossCounter(Measure.BALANCED_ERROR, rows.labels(), new long[] {8, 2}, new Seed(1));
        RowBlockBuilder builder = new RowBlockBuilder();
        try (RowCursor cursor = rows.open()) {
            assertTrue(cursor.next(builder, 10));
            // All rows are taken for the first class, except the last.
            counter.add(builder.build(), new double[10], row -> row == 9 ? 1 : 0);
        }
        assertEquals(0.25, counter.losses().value(Measure.BALANCED_ERROR), 1e-15);
    }

    @Test
    void measuresBelongToLabels() {
        Labels numbers = new Labels.Numbers(List.of("price"));
        Measure.RMSE.requireFits(numbers);
        String message = assertThrows(SpellingException.class, () -> Measure.ERROR.requireFits(numbers))
                .problem();
        assertTrue(message.contains("rmse or mae"), message);
        assertThrows(SpellingException.class, () -> Measure.parse("auc"));
        assertEquals(Measure.BALANCED_ERROR, Measure.parse("balanced-error"));
    }
}
