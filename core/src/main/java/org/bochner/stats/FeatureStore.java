package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.bochner.data.RowCursor;
import org.bochner.numeric.Precision;

/**
 * The features of all rows of a source. The first rows' features are kept in memory up to a budget; the others are
 * computed again in every pass. Results are bit-identical for every budget. Sparse features stay sparse.
 *
 * <p>Memory: the budget, and per thread the features of {@link FeaturePass#TILE_ROWS} rows. Threads: one pass at a
 * time.
 */
public final class FeatureStore extends MappedFeatures implements StoredFeatures {
    private final List<Chunk> held = new ArrayList<>();

    /** Receives the number of rows that the first pass has mapped so far, and their share of the source. */
    @FunctionalInterface
    public interface Listener {
        void mapped(long rows, double fraction);
    }

    private FeatureStore(MappedSource mapped) {
        super(mapped);
    }

    /**
     * Maps all rows once.
     *
     * @param budget the bytes that features may take; features beyond it are mapped again in every pass
     */
    public static FeatureStore map(MappedSource mapped, long budget, Listener listener) {
        FeatureStore store = new FeatureStore(mapped);
        store.fill(budget, listener);
        store.requireWeight();
        return store;
    }

    /** Maps the rows of a part, of which there may be none. */
    static FeatureStore ofPart(MappedSource mapped, long budget) {
        FeatureStore store = new FeatureStore(mapped);
        store.fill(budget, (rows, fraction) -> {});
        return store;
    }

    /** Returns the bytes that passes need beside the budget: the chunk that each thread works on. */
    public static long bytesNeeded(int features, int threads, Precision precision) {
        return (long) ((double) threads * MappedFeatures.chunkRows(features) * features * precision.bytes());
    }

    private void fill(long budget, Listener listener) {
        long[] left = {budget};
        try (RowCursor cursor = source.open()) {
            run(
                    cursor,
                    () -> new FeatureTotals(features(), labels()),
                    (chunk, sums) -> chunk.tiles(sums::add),
                    (chunk, sums, done) -> {
                        totals.add(sums);
                        sums.clear();
                        mapNanos += done.last().takeNanos();
                        left[0] -= chunk.bytes();
                        // After the first chunk that does not fit, no chunk is kept: the kept chunks must be the first
                        // ones.
                        if (left[0] >= 0) {
                            held.add(chunk);
                            done.last().release();
                        } else {
                            left[0] = -1;
                        }
                        listener.mapped(totals.rows(), done.fraction());
                    });
        }
    }

    @Override
    public long heldRows() {
        return held.stream().mapToLong(Chunk::rows).sum();
    }

    @Override
    public long heldBytes() {
        return held.stream().mapToLong(Chunk::bytes).sum();
    }

    @Override
    public void close() {
        held.clear();
    }

    @Override
    <B> void overChunks(Supplier<B> bench, BiConsumer<Chunk, B> work, BiConsumer<Chunk, B> inTurn) {
        overHeld(held, bench, work, inTurn);
        if (heldRows() == totals.rows()) {
            return;
        }
        try (RowCursor cursor = openAfter(held.size())) {
            run(cursor, bench, work, (chunk, own, done) -> {
                inTurn.accept(chunk, own);
                mapNanos += done.last().takeNanos();
            });
        }
    }
}
