package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;

class StackingTest {
    private static final int ROWS = 400;
    private static final int OUTPUTS = 3;

    /** Scores of members that are the targets times a factor, plus noise. */
    private static double[][] scores(double[] targets, double[] factors, double[] noises, double shift) {
        RandomStream stream = new Seed(3).stream();
        double[][] scores = new double[factors.length][targets.length];
        for (int m = 0; m < factors.length; m++) {
            for (int i = 0; i < targets.length; i++) {
                scores[m][i] = factors[m] * targets[i] + noises[m] * stream.nextGaussian() + shift;
            }
        }
        return scores;
    }

    private static double[] targets() {
        RandomStream stream = new Seed(4).stream();
        double[] targets = new double[ROWS * OUTPUTS];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = i % OUTPUTS + stream.nextGaussian();
        }
        return targets;
    }

    private static Stacking of(double[][] scores, double[] targets) {
        Stacking stacking = new Stacking(scores.length, OUTPUTS, new Seed(1));
        for (int i = 0; i < ROWS; i++) {
            double[] own = {targets[i * OUTPUTS], targets[i * OUTPUTS + 1], targets[i * OUTPUTS + 2]};
            stacking.add(scores, i, own, 1, i);
        }
        return stacking;
    }

    @Test
    void findsTheMemberThatIsRight() {
        double[] targets = targets();
        Stacking.Fit fit = of(scores(targets, new double[] {0.5, 0, -1}, new double[] {0, 1, 0.1}, 7), targets)
                .fit();
        // The smallest penalty, 1e-6 relative to the members' mean square, shrinks 2 by a millionth or so.
        assertArrayEquals(new double[] {2, 0, 0}, fit.weights(), 1e-4);
        // y = 2·(y/2 + 7) − 14 for each output.
        assertArrayEquals(new double[] {-14, -14, -14}, fit.intercepts(), 1e-3);
        assertEquals(0, fit.error(), 1e-6);
    }

    @Test
    void identicalMembersShareTheWeight() {
        double[] targets = targets();
        double[][] one = scores(targets, new double[] {0.8}, new double[] {0.5}, 0);
        Stacking.Fit fit = of(new double[][] {one[0], one[0].clone(), one[0].clone()}, targets)
                .fit();
        assertEquals(fit.weights()[0], fit.weights()[1], 1e-6);
        assertEquals(fit.weights()[0], fit.weights()[2], 1e-6);
        Stacking.Fit alone = of(one, targets).fit();
        // Least squares on the mean of equal members is least squares on one, up to the penalty.
        assertEquals(alone.weights()[0], 3 * fit.weights()[0], 0.02 * alone.weights()[0]);
    }

    @Test
    void noisyMembersGetSmallerWeightsThanGoodOnes() {
        double[] targets = targets();
        double[] weights = of(scores(targets, new double[] {1, 1}, new double[] {0.3, 0.9}, 0), targets)
                .fit()
                .weights();
        // Independent noise: weights are as the inverse variances, 9 to 1. 1200 values determine the ratio to about a
        // tenth.
        assertEquals(9, weights[0] / weights[1], 3);
    }

    @Test
    void rowsOfWeightZeroDoNotCount() {
        double[] targets = targets();
        double[][] scores = scores(targets, new double[] {1, 0.5}, new double[] {0.3, 0.4}, 0);
        Stacking some = of(scores, targets);
        Stacking more = of(scores, targets);
        more.add(scores, 0, new double[] {1e6, 1e6, 1e6}, 0, 0);
        assertArrayEquals(some.fit().weights(), more.fit().weights(), 0);
        assertEquals(ROWS, more.rows());
    }

    @Test
    void constantMembersGiveTheMean() {
        double[] targets = targets();
        Stacking.Fit fit = of(new double[2][ROWS * OUTPUTS], targets).fit();
        assertArrayEquals(new double[2], fit.weights(), 0);
        // The outputs have the means 0, 1 and 2, each to about 1/20.
        assertEquals(1, fit.intercepts()[1], 0.2);
        assertTrue(fit.error() > 0);
    }

    /** Without rows to test on, there is no error to choose a large penalty by. */
    @Test
    void rowsOfOneFoldHaveTheSmallestPenaltyAndNoError() {
        double[] targets = targets();
        double[][] scores = scores(targets, new double[] {1}, new double[] {0}, 0);
        Stacking stacking = new Stacking(1, OUTPUTS, new Seed(1));
        for (int i = 0; i < ROWS; i++) {
            stacking.add(scores, i, Arrays.copyOfRange(targets, i * OUTPUTS, (i + 1) * OUTPUTS), 1, 7);
        }
        Stacking.Fit fit = stacking.fit();
        // A penalty of 1e-6, relative to the mean square of the scores, shrinks 1 by a millionth.
        assertEquals(1, fit.weights()[0], 2e-6);
        assertEquals(1e-6, fit.penalty());
        assertTrue(Double.isNaN(fit.error()));
    }

    @Test
    void someMembersAreFittedAsIfThereWereNoOthers() {
        double[] targets = targets();
        double[][] scores = scores(targets, new double[] {1, 0.5, 2}, new double[] {0.5, 0.4, 0.9}, 3);
        Stacking.Fit some = of(scores, targets).fit(new int[] {2, 0}, Stacking.NO_FOLD);
        Stacking.Fit alone = of(new double[][] {scores[2], scores[0]}, targets).fit();
        assertArrayEquals(alone.weights(), some.weights(), 1e-12);
        assertArrayEquals(alone.intercepts(), some.intercepts(), 1e-12);
        assertEquals(alone.error(), some.error(), 1e-12);
    }

    @Test
    void rowsOfAFoldThatIsLeftOutDoNotCount() {
        double[] targets = targets();
        double[][] scores = scores(targets, new double[] {1, 0.5}, new double[] {0.5, 0.4}, 3);
        Stacking all = of(scores, targets);
        double[] changed = targets.clone();
        for (int i = 0; i < ROWS; i++) {
            if (all.fold(i) == 2) {
                Arrays.fill(changed, i * OUTPUTS, (i + 1) * OUTPUTS, 1e3);
            }
        }
        int[] both = {0, 1};
        Stacking.Fit without = of(scores, changed).fit(both, 2);
        assertArrayEquals(all.fit(both, 2).weights(), without.weights(), 0);
        assertTrue(without.error() < 1, String.valueOf(without.error()));
        assertTrue(of(scores, changed).fit().error() > 1e3);
        assertEquals(Stacking.FOLDS, all.foldsWithRows());
    }

    @Test
    void needsRows() {
        assertThrows(IllegalArgumentException.class, () -> new Stacking(2, 1, new Seed(1)).fit());
    }
}
