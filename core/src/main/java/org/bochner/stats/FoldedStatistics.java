package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.map.layout.Penalty;

/**
 * Statistics of all rows and of parts of them that are held out in turn: enough for cross-validated ridge regression at
 * every penalty, without the rows. The statistics of the remaining rows are those of all rows minus those of the part.
 *
 * <p>Memory: 8·D² bytes for all rows and as many for each part. Threads: safe; immutable.
 */
public record FoldedStatistics(GramStatistics total, List<GramStatistics> held, List<GramStatistics> rest) {
    /**
     * Merges the parts and holds out each of the first {@code judged} parts in turn. Parts with no weight, and a part
     * with all the weight, are not held out. The accumulators are frozen.
     */
    public static FoldedStatistics of(List<GramAccumulator> parts, int judged, Labels labels, Penalty penalty) {
        Require.atLeast("FoldedStatistics", "parts", parts.size(), 1);
        GramAccumulator all = new GramAccumulator(parts.get(0).features(), labels);
        parts.forEach(all::combine);
        double weight = all.totalRowWeight();
        List<GramStatistics> held = new ArrayList<>();
        for (GramAccumulator part : parts.subList(0, judged)) {
            if (part.totalRowWeight() > 0 && part.totalRowWeight() < weight) {
                held.add(part.freeze(penalty));
            }
        }
        return of(all.freeze(penalty), held);
    }

    private static FoldedStatistics of(GramStatistics total, List<GramStatistics> held) {
        return new FoldedStatistics(
                total, held, held.stream().map(total::momentsWithout).toList());
    }

    /** Returns the statistics of some of the features, given ascending, with the plain penalty. */
    public FoldedStatistics sample(int... kept) {
        return of(
                total.sample(kept), held.stream().map(part -> part.sample(kept)).toList());
    }

    /** Returns the number of parts that are held out in turn. */
    public int count() {
        return held.size();
    }

    /** Returns the statistics of a held-out part. */
    public GramStatistics held(int part) {
        return held.get(part);
    }

    /** Returns the statistics of the rows outside a part without their scatter, which {@link #copyRest} computes. */
    public GramStatistics rest(int part) {
        return rest.get(part);
    }

    /** Writes the scatter of the rows outside a part, plus lambda on the diagonal, as an upper triangle. */
    public void copyRest(int part, double lambda, double[] to) {
        total.copyScatterWithout(held.get(part), rest.get(part).moments, lambda, to);
    }
}
