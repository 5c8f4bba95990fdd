package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.map.layout.Penalty;

/**
 * Statistics of all rows and of parts of them that are held out in turn: enough for cross-validated ridge regression at
 * every penalty, without the rows. The statistics of the remaining rows are those of all rows minus those of the part.
 *
 * <p>Some features may have to be left out with a part, as those of landmarks that are held-out rows. The weights that are
 * learned without the part are then orthogonal to given vectors.
 *
 * <p>Memory: 8·D² bytes for all rows and as many for each part. Threads: safe; immutable.
 *
 * @param constraints computes, for each held-out part, the vectors to which weights are orthogonal: the columns of a row-major
 *     D×count matrix; an empty list if there are none
 */
public record FoldedStatistics(
        GramStatistics total,
        List<GramStatistics> held,
        List<GramStatistics> rest,
        List<Supplier<double[]>> constraints) {
    /** Merges the parts and holds out each of the first {@code heldOut} parts in turn; nothing is left out with them. */
    public static FoldedStatistics of(List<GramAccumulator> parts, int heldOut, Labels labels, Penalty penalty) {
        return of(parts, heldOut, labels, penalty, List.of());
    }

    /**
     * Merges the parts and holds out each of the first {@code heldOut} parts in turn. Parts with no weight, and a part
     * with all the weight, are not held out. The accumulators are frozen.
     *
     * @param constraints computes the vectors to which the weights learned without a part are orthogonal, for each held-out
     *     part; an empty list if there are none
     */
    public static FoldedStatistics of(
            List<GramAccumulator> parts,
            int heldOut,
            Labels labels,
            Penalty penalty,
            List<Supplier<double[]>> constraints) {
        Require.atLeast("FoldedStatistics", "parts", parts.size(), 1);
        GramAccumulator all = new GramAccumulator(parts.get(0).features(), labels);
        parts.forEach(all::combine);
        double weight = all.totalRowWeight();
        List<GramStatistics> held = new ArrayList<>();
        List<Supplier<double[]>> ofHeld = new ArrayList<>();
        for (int p = 0; p < heldOut; p++) {
            GramAccumulator part = parts.get(p);
            if (part.totalRowWeight() > 0 && part.totalRowWeight() < weight) {
                held.add(part.freeze(penalty));
                if (!constraints.isEmpty()) {
                    ofHeld.add(constraints.get(p));
                }
            }
        }
        return of(all.freeze(penalty), held, ofHeld);
    }

    private static FoldedStatistics of(
            GramStatistics total, List<GramStatistics> held, List<Supplier<double[]>> constraints) {
        return new FoldedStatistics(
                total, held, held.stream().map(total::momentsWithout).toList(), constraints);
    }

    /** Returns the statistics of some of the features, given ascending, with the plain penalty. */
    public FoldedStatistics sample(int... kept) {
        return of(
                total.sample(kept),
                held.stream().map(part -> part.sample(kept)).toList(),
                constraints.stream()
                        .<Supplier<double[]>>map(vectors -> () -> sample(vectors.get(), kept))
                        .toList());
    }

    /** Returns some rows of the columns of a matrix of all features, without columns that are zero in these rows. */
    private double[] sample(double[] vectors, int[] kept) {
        int count = vectors.length / total.features();
        int[] columns = IntStream.range(0, count)
                .filter(c -> IntStream.of(kept).anyMatch(j -> vectors[j * count + c] != 0))
                .toArray();
        double[] sample = new double[kept.length * columns.length];
        for (int i = 0; i < kept.length; i++) {
            for (int c = 0; c < columns.length; c++) {
                sample[i * columns.length + c] = vectors[kept[i] * count + columns[c]];
            }
        }
        return sample;
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
