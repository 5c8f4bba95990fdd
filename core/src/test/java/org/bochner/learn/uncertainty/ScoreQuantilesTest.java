package org.bochner.learn.uncertainty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScoreQuantilesTest {
    private static ScoreQuantiles ofRanks(int count) {
        return ScoreQuantiles.of(
                IntStream.rangeClosed(1, count).mapToDouble(i -> count + 1 - i).toArray());
    }

    /** The ceil((m + 1) * level)-th smallest of the scores 1 to m, with the levels as decimals. */
    @Test
    void quantilesAreThoseOfTheDefinition() {
        for (int m : new int[] {1, 2, 9, 19, 99, 100, 1000}) {
            ScoreQuantiles scores = ofRanks(m);
            for (int percent = 1; percent < 100; percent++) {
                // In whole numbers: ceil((m + 1) * percent / 100).
                int rank = ((m + 1) * percent + 99) / 100;
                assertEquals(
                        rank > m ? Double.POSITIVE_INFINITY : rank,
                        scores.quantile(percent / 100.0),
                        m + " scores, " + percent + "%");
            }
        }
    }

    @Test
    void nineScoresReachNinetyPercentAndEightDoNot() {
        assertEquals(9, ofRanks(9).quantile(0.9));
        assertEquals(Double.POSITIVE_INFINITY, ofRanks(8).quantile(0.9));
    }

    /** A quantile of kept scores is never below the exact one, and at most one step of the ranks above it. */
    @Test
    void roundingOfManyScoresIsTowardsWiderIntervals() {
        int m = 100_000;
        ScoreQuantiles scores = ofRanks(m);
        assertEquals(ScoreQuantiles.MOST, scores.ranks().length);
        int step = m / ScoreQuantiles.STEPS + 1;
        for (int k = 1; k < 2000; k++) {
            double level = k / 2000.0;
            double exact = Math.ceil((m + 1) * level - 1e-6);
            double found = scores.quantile(level);
            assertTrue(found >= exact && found <= exact + step, level + ": " + found + " for " + exact);
        }
        // The largest scores are all kept.
        assertEquals(m - 50, scores.quantile((m - 50) / (m + 1.0) - 1e-9));
    }

    @Test
    void ranksAscendToTheCount() {
        for (int count : new int[] {1, 5, ScoreQuantiles.MOST, ScoreQuantiles.MOST + 1, 1_000_000, Integer.MAX_VALUE}) {
            int[] ranks = ScoreQuantiles.ranks(count);
            ScoreQuantiles.requireRanks(count, ranks);
            assertEquals(Math.min(count, ScoreQuantiles.MOST), ranks.length);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -0.1, 1.5, Double.NaN})
    void refusesLevelsThatAreNoProbabilities(double level) {
        assertThrows(IllegalArgumentException.class, () -> ofRanks(10).quantile(level));
    }

    @Test
    void refusesErrorsThatAreNoNumbers() {
        ErrorAccumulator errors = new ErrorAccumulator(2);
        for (int i = 0; i < 200; i++) {
            errors.add(i, 2.0 * i);
        }
        assertEquals(200, errors.rows());
        assertEquals(
                Arrays.asList(180.0, 360.0),
                errors.quantiles().stream().map(q -> q.quantile(0.9)).toList());
        assertThrows(RuntimeException.class, () -> errors.add(0, Double.NaN));
    }
}
