package org.bochner.model.train;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CascadeThresholdsTest {
    private static final int ROWS = 400;

    /** Stages whose chance of being right grows with their sureness, up to a limit that grows from stage to stage. */
    private static double[][] sureness(int stages, RandomStream stream) {
        double[][] sureness = new double[stages][ROWS];
        for (double[] stage : sureness) {
            // In steps, so that there are ties.
            Arrays.setAll(stage, i -> 0.5 + Math.floor(50 * stream.nextUniform()) / 100);
        }
        return sureness;
    }

    private static boolean[][] right(double[][] sureness, RandomStream stream) {
        boolean[][] right = new boolean[sureness.length][ROWS];
        for (int s = 0; s < right.length; s++) {
            for (int i = 0; i < ROWS; i++) {
                double chance = s == right.length - 1 ? 0.9 : sureness[s][i];
                right[s][i] = stream.nextUniform() < chance;
            }
        }
        return right;
    }

    private static CascadeThresholds of(double[][] sureness, boolean[][] right, double tolerance, long seed) {
        CascadeThresholds thresholds = new CascadeThresholds(tolerance, new Seed(seed));
        for (int s = 0; s < right.length; s++) {
            thresholds.add(sureness[s], right[s], LongStream.range(0, ROWS).toArray());
        }
        return thresholds;
    }

    private static long wrong(boolean[] right) {
        long count = 0;
        for (boolean is : right) {
            count += is ? 0 : 1;
        }
        return count;
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "3, 0", "3, 0.02", "4, 0.1"})
    void errorsOnTheHeldOutRowsNeverExceedThoseOfTheLastStageByMoreThanTheTolerance(int stages, double tolerance) {
        for (long seed = 0; seed < 20; seed++) {
            RandomStream stream = new Seed(seed).stream();
            double[][] sureness = sureness(stages, stream);
            boolean[][] right = right(sureness, stream);
            double[] thresholds = of(sureness, right, tolerance, seed).choose().thresholds;
            long errors = 0;
            for (int i = 0; i < ROWS; i++) {
                int by = 0;
                while (!(sureness[by][i] >= thresholds[by])) {
                    by++;
                }
                errors += right[by][i] ? 0 : 1;
            }
            long last = wrong(right[stages - 1]);
            assertTrue(errors <= last + tolerance * ROWS, errors + " errors, " + last + " of the last stage");
        }
    }

    @Test
    void countsEveryRowOnceAndErrorsOfStagesAlone() {
        RandomStream stream = new Seed(7).stream();
        double[][] sureness = sureness(3, stream);
        boolean[][] right = right(sureness, stream);
        CascadeThresholds.Choice choice = of(sureness, right, 0.05, 1).choose();
        assertEquals(ROWS, Arrays.stream(choice.decided).sum());
        for (int s = 0; s < 3; s++) {
            assertEquals(wrong(right[s]), choice.alone[s]);
            assertTrue(choice.wrong[s] <= choice.decided[s]);
        }
    }

    @Test
    void aStageThatIsAlwaysRightDecidesAllRows() {
        double[][] sureness = sureness(2, new Seed(3).stream());
        boolean[][] right = new boolean[2][ROWS];
        Arrays.fill(right[0], true);
        CascadeThresholds.Choice choice = of(sureness, right, 0, 1).choose();
        assertEquals(Arrays.stream(sureness[0]).min().orElseThrow(), choice.thresholds[0]);
        assertArrayEquals(new long[] {ROWS, 0}, choice.decided);
    }

    @Test
    void aStageThatIsAlwaysWrongDecidesNothing() {
        double[][] sureness = sureness(2, new Seed(3).stream());
        boolean[][] right = new boolean[2][ROWS];
        Arrays.fill(right[1], true);
        assertEquals(Double.POSITIVE_INFINITY, of(sureness, right, 0, 1).choose().thresholds[0]);
    }

    @Test
    void aLargerToleranceDecidesAtLeastAsManyRowsInTheFirstStage() {
        RandomStream stream = new Seed(5).stream();
        double[][] sureness = sureness(2, stream);
        boolean[][] right = right(sureness, stream);
        double before = Double.POSITIVE_INFINITY;
        for (double tolerance : new double[] {0, 0.02, 0.05, 0.1, 0.5}) {
            double threshold = of(sureness, right, tolerance, 1).choose().thresholds[0];
            assertTrue(threshold <= before, "tolerance " + tolerance);
            before = threshold;
        }
    }

    @Test
    void rowsOfOneGroupAreInTheSamePart() {
        // Four equal rows per group count four times as much as one row per group, with the same thresholds.
        RandomStream stream = new Seed(9).stream();
        double[][] sureness = sureness(3, stream);
        boolean[][] right = right(sureness, stream);
        CascadeThresholds repeated = new CascadeThresholds(0, new Seed(1));
        for (int s = 0; s < 3; s++) {
            double[] sure = new double[4 * ROWS];
            boolean[] is = new boolean[4 * ROWS];
            long[] groups = new long[4 * ROWS];
            for (int i = 0; i < 4 * ROWS; i++) {
                sure[i] = sureness[s][i % ROWS];
                is[i] = right[s][i % ROWS];
                groups[i] = i % ROWS;
            }
            repeated.add(sure, is, groups);
        }
        CascadeThresholds.Choice once = of(sureness, right, 0, 1).choose();
        CascadeThresholds.Choice fourTimes = repeated.choose();
        assertArrayEquals(once.thresholds, fourTimes.thresholds);
        for (int s = 0; s < 3; s++) {
            assertEquals(4 * once.decided[s], fourTimes.decided[s]);
            assertEquals(4 * once.wrong[s], fourTimes.wrong[s]);
        }
    }
}
