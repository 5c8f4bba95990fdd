package org.bochner.learn.ridge;

import org.bochner.base.Require;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.numeric.Workers;
import org.bochner.stats.GramStatistics;

/**
 * Which groups of features a ridge regression can do without: they are taken away one by one, always the one whose loss,
 * after all other weights have adapted to it, raises the objective {@code Σ w (f(z) − y)² + λ|β|²} the least. So there is
 * a set of every size, each within the next larger one, at the cost of a few solutions and no pass over the rows.
 *
 * <p>With A = H + λI, weights B = A⁻¹C of all outputs and the block P of A⁻¹ that belongs to group g, what is lost without
 * the group is exactly
 *
 * <pre>tr(B_gᵀ P⁻¹ B_g),</pre>
 *
 * and A⁻¹ and B without it follow by a change of rank |g|: the optimal brain surgeon of Hassibi and Stork (1993), which
 * is exact here because the objective is quadratic.
 *
 * <p>Groups go in rounds. A round factors A anew, so that errors do not add up, and chooses among twice as many groups as
 * it takes away, those that cost the least at its start; among these every step is exact.
 *
 * <p>Cost: about 2·D³ operations down to one group, for outputs that are few against D. Memory: about 4·D² numbers.
 *
 * <p>Threads: safe; immutable.
 */
public final class Elimination {
    private final int groups;
    private final int[] removed;
    private final double[] objectives;

    /**
     * Takes over the arrays.
     *
     * @param removed the groups, in the order in which they went
     * @param objectives the objective with all groups, and after each went
     */
    Elimination(int groups, int[] removed, double[] objectives) {
        this.groups = groups;
        this.removed = removed;
        this.objectives = objectives;
    }

    /**
     * Takes groups away until so many are left.
     *
     * @param lambda the penalty, above 0
     * @param fewest how many groups to leave, at least 1
     */
    public static Elimination of(
            GramStatistics statistics, FeatureGroups groups, double lambda, int fewest, Workers workers) {
        Require.sameSize("elimination", "features", groups.features(), statistics.features());
        Require.positive("elimination", "lambda", lambda);
        Require.that(
                fewest >= 1 && fewest <= groups.count(),
                "elimination",
                "of " + groups.count() + " groups, 1 to " + groups.count() + " can be left, not " + fewest);
        Require.that(statistics.targets() > 0, "elimination", "the rows have no labels");
        return new EliminationSearch(statistics, groups, lambda, workers).run(fewest);
    }

    /** Bytes that an elimination from so many features needs, with those of the statistics. */
    public static long bytesNeeded(int features) {
        return (long) (4 * 8.0 * features * features);
    }

    /** How many groups there were. */
    public int groups() {
        return groups;
    }

    /** The size of the smallest set. */
    public int fewest() {
        return groups - removed.length;
    }

    /** The groups of the set of that size, ascending. */
    public int[] kept(int count) {
        requireCount(count);
        boolean[] gone = new boolean[groups];
        for (int i = 0; i < groups - count; i++) {
            gone[removed[i]] = true;
        }
        int[] kept = new int[count];
        int next = 0;
        for (int group = 0; group < groups; group++) {
            if (!gone[group]) {
                kept[next++] = group;
            }
        }
        return kept;
    }

    /** The least objective of a ridge regression on the set of that size, summed over all outputs. */
    public double objective(int count) {
        requireCount(count);
        return objectives[groups - count];
    }

    private void requireCount(int count) {
        Require.that(
                count >= fewest() && count <= groups,
                "elimination",
                "there are sets of " + fewest() + " to " + groups + " groups, none of " + count);
    }
}
