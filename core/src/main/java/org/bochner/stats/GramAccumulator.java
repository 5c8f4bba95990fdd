package org.bochner.stats;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.map.layout.Penalty;
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

    /** D, the number of features. */
    public int features() {
        return total.features;
    }

    /** How many rows were added. */
    public long rows() {
        return total.rows;
    }

    /** The sum of their weights. */
    public double totalRowWeight() {
        return total.weight;
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
        return freeze(Penalty.PLAIN);
    }

    /**
     * The result in whitened features R⁻ᵀz, in which the penalty RᵀR is the plain one: mean R⁻ᵀz̄, scatter R⁻ᵀHR⁻¹.
     * It takes the totals over: nothing can be added afterwards. Whitening costs that of 2D rows.
     */
    public GramStatistics freeze(Penalty penalty) {
        checkNotFrozen();
        frozen = true;
        if (!penalty.plain()) {
            total.whiten(penalty);
            whitenScatter(penalty);
        }
        return new GramStatistics(labels, total, scatter, penalty);
    }

    /** Rows of H become rows of HR⁻¹; those of its transpose, R⁻ᵀH, become rows of R⁻ᵀHR⁻¹. */
    private void whitenScatter(Penalty penalty) {
        int features = total.features;
        for (int i = 0; i < features; i++) {
            for (int j = 0; j < i; j++) {
                scatter[i * features + j] = scatter[j * features + i];
            }
        }
        whitenRows(penalty);
        for (int i = 0; i < features; i++) {
            for (int j = 0; j < i; j++) {
                double below = scatter[i * features + j];
                scatter[i * features + j] = scatter[j * features + i];
                scatter[j * features + i] = below;
            }
        }
        whitenRows(penalty);
        // Statistics promise zeros below the diagonal.
        for (int i = 0; i < features; i++) {
            Arrays.fill(scatter, i * features, i * features + i, 0);
        }
    }

    private void whitenRows(Penalty penalty) {
        for (int i = 0; i < total.features; i++) {
            penalty.whiten(scatter, i * total.features);
        }
    }

    private void checkNotFrozen() {
        if (frozen) {
            throw new IllegalStateException("GramAccumulator: nothing can be added after freeze()");
        }
    }

    /**
     * Of how many tiles a block consists: enough that adding its D² products to the float64 totals costs a few percent
     * of making them.
     */
    public static int tilesPerBlock(int features) {
        return Math.max(1, Math.min(4, features / 512));
    }

    /** Bytes that a pass over the rows and a ridge solution need with so many features, targets and threads. */
    public static long bytesNeeded(int features, int targets, int threads, Precision precision) {
        // The cast keeps to the largest long.
        return (long) bytes(features, targets, threads, precision);
    }

    /** The same in float64: 8 D² overflows a long from 2^30 features on, and messages name the number. */
    public static double bytes(int features, int targets, int threads, Precision precision) {
        double square = (double) features * features;
        double perWorker =
                precision.bytes() * (square + (double) FeaturePass.TILE_ROWS * features) + 8.0 * targets * features;
        double pass = 8 * square + 8.0 * targets * features + threads * perWorker;
        // Products with the targets and their copy, the best solution, and that on its way into the model.
        double solve = 2 * 8 * square + 6.0 * 8 * targets * features;
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
