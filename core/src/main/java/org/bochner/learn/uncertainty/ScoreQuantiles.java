package org.bochner.learn.uncertainty;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.learn.UncertaintyRecipe;

/**
 * The conformal quantiles of held-out scores: of m scores, the quantile of a level is the ⌈(m + 1)·level⌉-th smallest. If a
 * row and the m rows are exchangeable, the score of the row exceeds the quantile with a probability of at most 1 − level.
 *
 * <p>Up to {@value #MOST} scores are kept. Of more scores, the {@value #STEPS} largest are kept, and one in every m/{@value
 * #STEPS} of the others. A quantile that is not kept is replaced by the next larger one: the level is then exceeded by at
 * most 1/{@value #STEPS}.
 *
 * <p>Threads: safe; immutable.
 */
public final class ScoreQuantiles {
    static final int STEPS = 4096;
    static final int MOST = 2 * STEPS;

    private final int count;
    /** The ranks of the kept scores among all, from 1, ascending; the last one is the count. */
    private final int[] ranks;

    private final double[] scores;

    private ScoreQuantiles(int count, int[] ranks, double[] scores) {
        this.count = count;
        this.ranks = ranks;
        this.scores = scores;
    }

    /**
     * Creates the quantiles of scores.
     *
     * @param values at least one score; the array is sorted in place
     */
    static ScoreQuantiles of(double[] values) {
        Require.atLeast("uncertainty", "scores", values.length, 1);
        Arrays.sort(values);
        int[] ranks = ranks(values.length);
        return new ScoreQuantiles(
                values.length,
                ranks,
                Arrays.stream(ranks).mapToDouble(rank -> values[rank - 1]).toArray());
    }

    /** Returns the ranks that are kept of a number of scores. */
    static int[] ranks(int count) {
        if (count <= MOST) {
            int[] all = new int[count];
            Arrays.setAll(all, k -> k + 1);
            return all;
        }
        int[] ranks = new int[MOST];
        int rest = count - STEPS;
        for (int k = 1; k <= STEPS; k++) {
            ranks[k - 1] = (int) ((long) rest * k / STEPS);
            ranks[STEPS + k - 1] = rest + k;
        }
        return ranks;
    }

    /** Returns the number of scores. */
    int count() {
        return count;
    }

    /** Returns the smallest score that is kept. */
    double least() {
        return scores[0];
    }

    /** Returns the quantile of a level; infinite if there are too few scores for it. */
    double quantile(double level) {
        UncertaintyRecipe.requireLevel(level);
        // In decimals: 0.55 * 100 is 55.00000000000001 as a double, whose ceiling is one rank too many.
        BigDecimal rank = new BigDecimal(Double.toString(level))
                .multiply(BigDecimal.valueOf(count + 1L))
                .setScale(0, RoundingMode.CEILING);
        if (rank.compareTo(BigDecimal.valueOf(count)) > 0) {
            return Double.POSITIVE_INFINITY;
        }
        int found = Arrays.binarySearch(ranks, rank.intValueExact());
        return scores[found >= 0 ? found : -found - 1];
    }

    /** Adds the scores to a saved form under a name. */
    void addTo(State state, String name) {
        state.with(name, scores);
    }

    /** Returns the ranks in a new array. */
    int[] ranks() {
        return ranks.clone();
    }

    /**
     * Reads quantiles.
     *
     * @param ranks as {@link #ranks(int)} returns them for the count, or others that end with it
     */
    static ScoreQuantiles load(State state, String name, int count, int[] ranks) {
        double[] scores = state.array(name, ranks.length);
        for (int k = 1; k < scores.length; k++) {
            if (scores[k] < scores[k - 1]) {
                throw new BochnerException("uncertainty: the scores '" + name + "' must ascend");
            }
        }
        return new ScoreQuantiles(count, ranks, scores);
    }

    /** Throws if ranks do not ascend from at least 1 to the count. */
    static void requireRanks(int count, int[] ranks) {
        int before = 0;
        for (int rank : ranks) {
            if (rank <= before) {
                throw new BochnerException(
                        "uncertainty: the ranks must ascend from 1, and " + rank + " follows " + before);
            }
            before = rank;
        }
        if (before != count || count == 0) {
            throw new BochnerException("uncertainty: the last rank must be the number of scores, " + count);
        }
    }
}
