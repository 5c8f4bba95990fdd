package org.bochner.learn.ridge;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Function;
import org.bochner.base.Require;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.Workers;
import org.bochner.stats.GramStatistics;

/**
 * Backward elimination of groups of features from a ridge regression. Each step removes the group whose removal, after
 * all other weights are refitted, raises the objective {@code Σ w (f(z) − y)² + λ|β|²} the least. The result is one set
 * per size, each a subset of the next larger one, for the cost of a few solutions and without a pass over the rows.
 *
 * <p>With A = H + λI, or H + λP for the penalty βᵀPβ, the weights B = A⁻¹C of all outputs and the block P of A⁻¹ of group g, the removal of the group
 * raises the objective by exactly
 *
 * <pre>tr(B_gᵀ P⁻¹ B_g),</pre>
 *
 * and a rank-|g| update gives A⁻¹ and B without the group. This is the optimal brain surgeon of Hassibi and Stork
 * (1993), which is exact here because the objective is quadratic.
 *
 * <p>Groups are removed in rounds. Each round factors A again, which keeps rounding errors from accumulating. Its
 * candidates are the cheapest groups at its start, twice as many as it removes; every step among the candidates is
 * exact.
 *
 * <p>Cost: about 2·D³ operations down to one group, if the outputs are few compared to D. Memory: about 4·D² numbers.
 *
 * <p>Threads: safe; immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Elimination(int groups, int[] removed, double[] objectives) {
    /**
     * Removes groups until {@code fewest} are left.
     *
     * @param lambda the penalty, above 0
     * @param fewest the number of groups to keep, at least 1
     */
    public static Elimination of(
            GramStatistics statistics, FeatureGroups groups, double lambda, int fewest, Workers workers) {
        return of(statistics, groups, features -> Penalty.PLAIN, lambda, fewest, workers);
    }

    /**
     * Removes groups of a regression with the penalty {@code λβᵀPβ} until {@code fewest} are left.
     *
     * @param statistics the statistics of features that are not whitened
     * @param penalties the penalty P of some of the features, given ascending
     * @param lambda the factor of the penalty, above 0
     * @param fewest the number of groups to keep, at least 1
     */
    public static Elimination of(
            GramStatistics statistics,
            FeatureGroups groups,
            Function<int[], Penalty> penalties,
            double lambda,
            int fewest,
            Workers workers) {
        Require.sameSize("elimination", "features", groups.features(), statistics.features());
        Require.positive("elimination", "lambda", lambda);
        Require.that(
                fewest >= 1 && fewest <= groups.count(),
                "elimination: of " + groups.count() + " groups, 1 to " + groups.count() + " can be left, not "
                        + fewest);
        Require.that(statistics.targets() > 0, "elimination", "the rows have no labels");
        return new EliminationSearch(statistics, groups, penalties, lambda, workers).run(fewest);
    }

    /** Returns the bytes that an elimination needs, including the statistics. */
    public static long bytesNeeded(int features) {
        return (long) (4 * 8.0 * features * features);
    }

    /** Returns the size of the smallest set. */
    public int fewest() {
        return groups - removed.length;
    }

    /** Returns the groups of the set with {@code count} groups, ascending. */
    public int[] kept(int count) {
        requireCount(count);
        BitSet kept = new BitSet();
        kept.set(0, groups);
        Arrays.stream(removed, 0, groups - count).forEach(kept::clear);
        return kept.stream().toArray();
    }

    /** Returns the least objective of a ridge regression on the set with {@code count} groups, over all outputs. */
    public double objective(int count) {
        requireCount(count);
        return objectives[groups - count];
    }

    private void requireCount(int count) {
        Require.that(
                count >= fewest() && count <= groups,
                "elimination: there are sets of " + fewest() + " to " + groups + " groups, none of " + count);
    }
}
