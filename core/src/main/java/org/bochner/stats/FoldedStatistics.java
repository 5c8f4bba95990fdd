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
public final class FoldedStatistics {
    private final GramStatistics total;
    private final List<GramStatistics> held;
    private final List<Moments> rest;

    private FoldedStatistics(GramStatistics total, List<GramStatistics> held) {
        this.total = total;
        this.held = List.copyOf(held);
        rest = held.stream().map(part -> total.moments.without(part.moments)).toList();
    }

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
        return new FoldedStatistics(all.freeze(penalty), held);
    }

    /** Returns the statistics of all rows. */
    public GramStatistics total() {
        return total;
    }

    /** Returns the number of parts that are held out in turn. */
    public int count() {
        return held.size();
    }

    /** Returns the statistics of a held-out part. */
    public GramStatistics held(int part) {
        return held.get(part);
    }

    /** Returns the weight of the rows outside a part. */
    public double restRowWeight(int part) {
        return rest.get(part).weight;
    }

    /** Returns the mean features of the rows outside a part. The array is shared and must not be changed. */
    public double[] restMean(int part) {
        return rest.get(part).mean;
    }

    /** Returns the mean of a target over the rows outside a part. */
    public double restTargetMean(int part, int target) {
        return rest.get(part).targetMean[target];
    }

    /** Returns {@code Σ w (y − ȳ)(zⱼ − z̄ⱼ)} over the rows outside a part. */
    public double restCross(int part, int target, int feature) {
        return rest.get(part).cross[target * total.features() + feature];
    }

    /** Writes the scatter of the rows outside a part, plus lambda on the diagonal, as an upper triangle. */
    public void copyRest(int part, double lambda, double[] to) {
        total.copyScatterWithout(held.get(part), rest.get(part), lambda, to);
    }
}
