package org.bochner.stats;

import java.util.Arrays;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.data.Labels;
import org.bochner.map.layout.Penalty;
import org.bochner.numeric.Precision;

/**
 * Totals over blocks of rows in float64: weight, means, the centred scatter Σ w (z − z̄)(z − z̄)ᵀ, and the centred
 * products of features and targets.
 *
 * <p>Blocks are merged by the formula of Chan, Golub and LeVeque (1983), which avoids cancellation. Totals of
 * disjoint rows can be {@linkplain #combine combined}, across threads, files or machines. The order of merging
 * changes only the rounding; identical bits need an identical order.
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
        this(
                new Moments(Require.atLeast("GramAccumulator", "features", features, 1), Statistics.targets(labels)),
                labels);
    }

    private GramAccumulator(Moments total, Labels labels) {
        this.labels = labels;
        this.total = total;
        scatter = new double[square(total.features)];
        delta = new double[total.features];
    }

    /** Adds the rows of a block. */
    public void add(BlockGram block) {
        checkNotFrozen();
        block.mergeInto(total, scatter, delta);
    }

    /** Returns D, the number of features. */
    public int features() {
        return total.features;
    }

    /** Returns the number of rows added. */
    public long rows() {
        return total.rows;
    }

    /** Returns the sum of the row weights. */
    public double totalRowWeight() {
        return total.weight;
    }

    /** Adds the totals of other rows and returns this accumulator. */
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

    /** Returns a copy of one of the pieces of these totals, for processes that merge them. */
    public GramPiece piece(int piece) {
        int features = total.features;
        int from = GramPiece.firstRow(piece, features);
        int end = GramPiece.end(from, features);
        double[] entries = new double[Triangle.start(end, features) - Triangle.start(from, features)];
        int at = 0;
        for (int i = from; i < end; i++) {
            System.arraycopy(scatter, i * features + i, entries, at, features - i);
            at += features - i;
        }
        return new GramPiece(piece == 0 ? total.copy() : total.ofFeatures(), from, entries);
    }

    /** Returns the totals that have the given pieces, in their order. */
    public static GramAccumulator of(List<GramPiece> pieces, Labels labels) {
        Moments moments = pieces.get(0).moments;
        GramAccumulator whole = new GramAccumulator(moments, labels);
        int features = moments.features;
        for (GramPiece piece : pieces) {
            int at = 0;
            for (int i = piece.firstRow(); at < piece.entries().length; i++) {
                System.arraycopy(piece.entries(), at, whole.scatter, i * features + i, features - i);
                at += features - i;
            }
        }
        return whole;
    }

    /** Returns the statistics, which take over the arrays; nothing can be added afterwards. */
    public GramStatistics freeze() {
        return freeze(Penalty.PLAIN);
    }

    /**
     * Returns the statistics of the whitened features R⁻ᵀz, for which the penalty RᵀR becomes the identity: mean R⁻ᵀz̄,
     * scatter R⁻ᵀHR⁻¹. They take over the arrays; nothing can be added afterwards. Whitening costs as much as 2D rows.
     */
    public GramStatistics freeze(Penalty penalty) {
        checkNotFrozen();
        frozen = true;
        if (!penalty.plain()) {
            total.whiten(penalty);
            whitenScatter(scatter, total.features, penalty);
        }
        return new GramStatistics(labels, total, scatter, penalty);
    }

    /** Returns these statistics without the scatter, which shares the arrays of the totals. */
    public GramStatistics moments() {
        return new GramStatistics(labels, total, new double[0], Penalty.PLAIN);
    }

    /**
     * Returns the statistics of the other rows of a whole, as {@link GramStatistics#without} does. Their scatter
     * overwrites the one of these totals; nothing can be added afterwards.
     *
     * @param whole the statistics of the rows of these totals, which have less than the whole weight, and of others
     */
    public GramStatistics freezeRest(GramStatistics whole) {
        checkNotFrozen();
        Require.that(total.weight < whole.totalRowWeight(), "GramAccumulator", "nothing would be left");
        frozen = true;
        Moments left = whole.moments.without(total);
        whole.copyScatterWithout(new GramStatistics(labels, total, scatter, Penalty.PLAIN), left, 0, scatter);
        return new GramStatistics(labels, left, scatter, Penalty.PLAIN);
    }

    /** Replaces H by HR⁻¹ row by row, then the transpose R⁻ᵀH by R⁻ᵀHR⁻¹. */
    static void whitenScatter(double[] scatter, int features, Penalty penalty) {
        for (int i = 0; i < features; i++) {
            for (int j = 0; j < i; j++) {
                scatter[i * features + j] = scatter[j * features + i];
            }
        }
        penalty.whiten(scatter, 0, features);
        for (int i = 0; i < features; i++) {
            for (int j = 0; j < i; j++) {
                double below = scatter[i * features + j];
                scatter[i * features + j] = scatter[j * features + i];
                scatter[j * features + i] = below;
            }
        }
        penalty.whiten(scatter, 0, features);
        // GramStatistics requires zeros below the diagonal.
        for (int i = 0; i < features; i++) {
            Arrays.fill(scatter, i * features, i * features + i, 0);
        }
    }

    private void checkNotFrozen() {
        if (frozen) {
            throw new IllegalStateException("GramAccumulator: nothing can be added after freeze()");
        }
    }

    /**
     * Returns the number of tiles per block. It is large enough that adding the block's D² products to the float64
     * totals costs only a few percent of computing them.
     */
    public static int tilesPerBlock(int features) {
        return Math.max(1, Math.min(4, features / 512));
    }

    /** Returns the bytes that a pass over the rows and a ridge solution need; 8·D² may be more than a long holds. */
    public static double bytes(int features, int targets, int threads, Precision precision) {
        double square = (double) features * features;
        double perWorker =
                precision.bytes() * (square + (double) FeaturePass.TILE_ROWS * features) + 8.0 * targets * features;
        double pass = 8 * square + 8.0 * targets * features + threads * perWorker;
        // The products with the targets and their copy, the best solution, and its copy for the model.
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
