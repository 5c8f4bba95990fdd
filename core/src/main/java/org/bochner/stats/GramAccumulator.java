package org.bochner.stats;

import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.numeric.Precision;

/**
 * Totals over blocks of rows: weight, means, the centred scatter Σ w (z − z̄)(z − z̄)ᵀ and its products with the targets,
 * all in float64.
 *
 * <p>Blocks merge by the formula of Chan, Golub and LeVeque (1983), so no cancellation occurs. Totals of disjoint rows
 * {@linkplain #combine combine}; the same class serves threads, files and clusters. The result depends on the order of
 * merging only through rounding; whoever wants the same bits merges in the same order.
 *
 * <p>Memory: 8·D² bytes. Threads: not safe.
 */
public final class GramAccumulator {
    private final Labels labels;
    private final Moments total;
    private final double[] scatter;
    private final double[] delta;
    private boolean frozen;

    public GramAccumulator(int features, Labels labels) {
        Require.atLeast("GramAccumulator", "features", features, 1);
        this.labels = labels;
        total = new Moments(features, Moments.targets(labels));
        scatter = new double[square(features)];
        delta = new double[features];
    }

    /** Adds a block. */
    public void add(BlockGram block) {
        checkNotFrozen();
        block.mergeInto(total, scatter, delta);
    }

    /** How many rows were added. */
    public long rows() {
        return total.rows;
    }

    /** Adds the totals of other rows, and returns this. */
    public GramAccumulator combine(GramAccumulator other) {
        checkNotFrozen();
        Require.sameSize("GramAccumulator", "features", other.total.features, total.features);
        Require.that(other.labels.equals(labels), "GramAccumulator", "the labels differ: " + other.labels);
        double factor = total.merge(other.total, delta);
        int features = total.features;
        for (int i = 0; i < features; i++) {
            double left = factor * delta[i];
            for (int j = i; j < features; j++) {
                scatter[i * features + j] += other.scatter[i * features + j] + left * delta[j];
            }
        }
        return this;
    }

    /** The result, which takes the totals over: nothing can be added afterwards. */
    public GramStatistics freeze() {
        checkNotFrozen();
        frozen = true;
        return new GramStatistics(labels, total, scatter);
    }

    private void checkNotFrozen() {
        if (frozen) {
            throw new IllegalStateException("GramAccumulator: nothing can be added after freeze()");
        }
    }

    /** How many rows of a block are mapped at a time: their features then stay in cache until they are used up. */
    public static final int TILE_ROWS = 1024;

    /**
     * Of how many tiles a block consists: enough that adding its D² products to the float64 totals costs a few percent
     * of making them.
     */
    public static int tilesPerBlock(int features) {
        return Math.max(1, Math.min(4, features / 512));
    }

    /** Bytes that a pass over the rows and a ridge solution need with so many features, targets and threads. */
    public static long bytesNeeded(int features, int targets, int threads, Precision precision) {
        long square = (long) features * features;
        long perWorker = precision.bytes() * (square + (long) TILE_ROWS * features) + 8L * targets * features;
        long pass = 8 * square + threads * perWorker;
        long solve = 2 * 8 * square + 3L * 8 * targets * features;
        return Math.max(pass, solve);
    }

    static int square(int features) {
        long square = (long) features * features;
        if (square > Integer.MAX_VALUE - 8) {
            throw new BochnerException("the Gram matrix of " + features + " features has " + square
                    + " entries, and an array holds 2^31 at most; use 46340 features or fewer");
        }
        return (int) square;
    }
}
