package org.bochner.tune.search;

import java.util.ArrayList;
import java.util.List;

/**
 * A size of tests: a sample of the rows, and how many of its folds are tested. A candidate that does well is tested on the
 * next rung, which costs more and tells more.
 *
 * @param index the index of the rung, from 0
 * @param rows the number of rows of the sample, of which a fifth is held out in every fold
 * @param folds how many of the {@value #FOLDS} folds are tested, with those of lower rungs of the same sample
 */
public record Rung(int index, long rows, int folds) {
    /** The number of folds of every sample. */
    public static final int FOLDS = 5;

    /** The fewest rows that can be divided into folds. */
    public static final int LEAST_ROWS = 10;

    private static final long SMALLEST_SAMPLE = 1600;
    private static final int GROWTH = 4;

    /** A sample is not worth a rung if it has nearly all rows. */
    private static final double LARGEST_SHARE = 1 / 1.5;

    /** Fewer held-out rows than this cannot tell candidates apart. */
    private static final double LEAST_TESTED = 300;

    /** With this many held-out rows, more folds would tell little more. */
    private static final double ENOUGH_TESTED = 4000;

    /** Returns the rungs for a number of rows: samples of growing size, then more and more folds of all rows. */
    public static List<Rung> of(long rows) {
        List<Rung> rungs = new ArrayList<>();
        for (long size = SMALLEST_SAMPLE; size < LARGEST_SHARE * rows; size *= GROWTH) {
            rungs.add(new Rung(rungs.size(), size, 1));
        }
        int most = folds(ENOUGH_TESTED, rows);
        int first = rungs.isEmpty() ? folds(LEAST_TESTED, rows) : (most + 1) / 2;
        for (int folds : new int[] {first, rungs.isEmpty() ? 3 : most, most}) {
            if (rungs.isEmpty() || !rungs.get(rungs.size() - 1).covers(rows, folds)) {
                rungs.add(new Rung(rungs.size(), rows, folds));
            }
        }
        return List.copyOf(rungs);
    }

    private boolean covers(long size, int tested) {
        return rows == size && folds >= tested;
    }

    private static int folds(double tested, long rows) {
        return (int) Math.max(1, Math.min(FOLDS, Math.ceil(FOLDS * tested / rows)));
    }

    /** Returns the first fold that no lower rung has tested. */
    int firstFold(List<Rung> rungs) {
        return index > 0 && rungs.get(index - 1).rows == rows ? rungs.get(index - 1).folds : 0;
    }
}
