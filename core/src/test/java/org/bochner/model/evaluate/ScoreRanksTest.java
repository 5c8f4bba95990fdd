package org.bochner.model.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.bochner.model.Evaluation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Areas under ROC curves and summaries of residuals. */
class ScoreRanksTest {
    /** The share of pairs in order, a tie counting half: the definition, in n² steps. */
    private static double area(double[] scores, int[] labels, double[] weights) {
        double pairs = 0;
        double all = 0;
        for (int i = 0; i < scores.length; i++) {
            for (int j = 0; j < scores.length; j++) {
                if (labels[i] == 1 && labels[j] == 0) {
                    double weight = weights[i] * weights[j];
                    all += weight;
                    pairs += weight * (scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0);
                }
            }
        }
        return pairs / all;
    }

    private static ScoreRanks ranks(double[] scores, int[] labels, double[] weights, int mostKept) {
        ScoreRanks ranks = new ScoreRanks(2, mostKept);
        for (int i = 0; i < scores.length; i++) {
            ranks.add(scores, i, 1, labels[i], weights[i]);
        }
        return ranks;
    }

    @Test
    void areaIsTheShareOfPairsInOrderWithTiesAndWeights() {
        SplittableRandom random = new SplittableRandom(1);
        int n = 300;
        double[] scores = new double[n];
        int[] labels = new int[n];
        double[] weights = new double[n];
        for (int i = 0; i < n; i++) {
            labels[i] = random.nextInt(2);
            // Few different values, so that ties are many; both zeros are among them.
            scores[i] = (random.nextInt(9) - 4) * (random.nextBoolean() ? 1.0 : -1.0) + labels[i];
            weights[i] = random.nextInt(4);
        }
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        for (double[] w : new double[][] {ones, weights}) {
            double[] areas = ranks(scores, labels, w, 1 << 20).areas();
            assertEquals(area(scores, labels, w), areas[1], 1e-12);
            assertEquals(areas[1], areas[0]);
            // Whole numbers up to 256 have bins of their own, so that bins change nothing.
            assertEquals(areas[1], ranks(scores, labels, w, 100).areas()[1], 1e-12);
        }
    }

    @Test
    void binsAreNearlyExact() {
        SplittableRandom random = new SplittableRandom(2);
        int n = 2000;
        double[] scores = new double[n];
        int[] labels = new int[n];
        double[] weights = new double[n];
        for (int i = 0; i < n; i++) {
            labels[i] = random.nextInt(2);
            scores[i] = random.nextDouble() - 0.5 + 0.2 * labels[i];
            weights[i] = 1;
        }
        // A pair in one bin counts half instead of 0 or 1; bins are at most 1/128 of a value wide.
        assertEquals(
                area(scores, labels, weights),
                ranks(scores, labels, weights, 10).areas()[1],
                0.5 / 128);
    }

    @Test
    void manyClassesHaveAnAreaEachAgainstTheOthers() {
        double[] scores = {1, 0, 0, /**/ 0, 2, 0, /**/ 0, 0, 3, /**/ 5, 1, 0};
        int[] labels = {0, 1, 2, 1};
        ScoreRanks ranks = new ScoreRanks(4, 1000);
        double[] wider = new double[16];
        for (int i = 0; i < 4; i++) {
            System.arraycopy(scores, 3 * i, wider, 4 * i, 3);
        }
        for (int i = 0; i < 4; i++) {
            ranks.add(wider, i, 4, labels[i], 1);
        }
        double[] areas = ranks.areas();
        assertEquals(2.0 / 3, areas[0], 1e-12);
        assertEquals(1, areas[1], 1e-12);
        assertEquals(1, areas[2], 1e-12);
        assertTrue(Double.isNaN(areas[3]), "a class without rows has no area");
    }

    @Test
    void twoScoresOfTwoClassesCountByTheirDifference() {
        double[] block = {9, 10, /**/ 0, 2, /**/ 5, 3};
        int[] labels = {0, 1, 0};
        ScoreRanks ranks = new ScoreRanks(2, 1000);
        for (int i = 0; i < 3; i++) {
            ranks.add(block, i, 2, labels[i], 1);
        }
        assertEquals(1, ranks.areas()[1]);
    }

    @Nested
    class Residuals {
        @Test
        void areSummedUp() {
            ResidualSummary summary = new ResidualSummary(1000);
            double[] residuals = {-2, -1, 0, 1, 7};
            for (double residual : residuals) {
                summary.add(10, 10 - residual);
            }
            Evaluation.NumberResult result = result(summary);
            assertEquals(1, result.mean(), 1e-12);
            assertEquals(Math.sqrt((9 + 4 + 1 + 0 + 36) / 5.0), result.standardDeviation(), 1e-12);
            // Linear between neighbours: the place of the 5% quantile is 0.05·4 = 0.2.
            assertEquals(-1.8, result.q05(), 1e-12);
            assertEquals(-1, result.q25(), 1e-12);
            assertEquals(0, result.median(), 1e-12);
            assertEquals(1, result.q75(), 1e-12);
            assertEquals(5.8, result.q95(), 1e-12);
            assertEquals(7, result.maxAbsolute());
            assertEquals(11.0 / 50, result.mape(), 1e-12);
        }

        @Test
        void haveNoRelativeErrorWhereALabelIsZero() {
            ResidualSummary summary = new ResidualSummary(1000);
            summary.add(0, 1);
            summary.add(1, 1);
            assertTrue(Double.isNaN(result(summary).mape()));
        }

        @Test
        void areBinnedWhereTheyAreMany() {
            ResidualSummary exact = new ResidualSummary(100_000);
            ResidualSummary binned = new ResidualSummary(10);
            SplittableRandom random = new SplittableRandom(3);
            for (int i = 0; i < 50_000; i++) {
                double residual = random.nextDouble() - 0.4;
                exact.add(residual, 0);
                binned.add(residual, 0);
            }
            assertEquals(result(exact).mean(), result(binned).mean());
            // Half a bin, 1/256, of the quantile.
            assertEquals(result(exact).q05(), result(binned).q05(), 0.35 / 256);
            assertEquals(result(exact).median(), result(binned).median(), 0.1 / 256 + 1e-4);
            assertEquals(result(exact).q95(), result(binned).q95(), 0.55 / 256);
        }
    }

    private static Evaluation.NumberResult result(ResidualSummary summary) {
        return summary.result("y");
    }
}
