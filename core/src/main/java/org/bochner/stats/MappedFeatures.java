package org.bochner.stats;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.SparseRows;
import org.jspecify.annotations.Nullable;

/**
 * Features in chunks of mapped rows: some chunks are held in memory, the others are mapped in every pass. Sparse rows
 * keep sparse features if the map and the scaler preserve zeros.
 */
abstract sealed class MappedFeatures extends ChunkedFeatures<MappedFeatures.Chunk> permits FeatureStore, FeatureStream {
    /** Bytes of dense features per tile: half of a core's second-level cache, where the tile stays while it is used. */
    private static final int TILE_BYTES = 1 << 19;

    /** The largest number of features in a chunk. */
    private static final int CHUNK_VALUES = 1 << 25;

    /** Maps the rows, chunk by chunk. */
    final FeaturePass pass;

    final int chunkRows;
    private final long rowBytes;
    private final int tileRows;

    MappedFeatures(MappedSource mapped) {
        super(mapped);
        // Every chunk adds D numbers per class to sums, so that small chunks of wide sparse features would cost most.
        chunkRows = mapped.sparse() ? FeaturePass.TILE_ROWS : chunkRows(features());
        rowBytes = (long) mapped.precision().bytes() * features();
        // Every tile adds D numbers per class to sums; with many classes that would dominate the cost of small tiles.
        long rows = Math.max(TILE_BYTES / rowBytes, Statistics.targets(labels()));
        tileRows = mapped.sparse() ? chunkRows : (int) Math.max(16, Math.min(chunkRows, rows));
        pass = mapped.pass(mapped.sparse(), chunkRows);
    }

    @Override
    public final boolean sparse() {
        return mapped.sparse();
    }

    @Override
    public final long entries() {
        return totals.entries();
    }

    /** Returns the number of rows that are read and mapped together. */
    static int chunkRows(int features) {
        return Math.max(16, Math.min(FeaturePass.TILE_ROWS, CHUNK_VALUES / features));
    }

    /** Opens the source after a number of chunks. */
    final RowCursor openAfter(int chunks) {
        RowCursor cursor = source.open();
        try {
            RowBlockBuilder skipped = new RowBlockBuilder();
            for (int i = 0; i < chunks; i++) {
                cursor.next(skipped, chunkRows);
            }
            return cursor;
        } catch (RuntimeException e) {
            cursor.close();
            throw e;
        }
    }

    /** Maps the remaining rows of a cursor chunk by chunk. */
    final <B> void run(RowCursor cursor, Supplier<B> bench, BiConsumer<Chunk, B> work, Turn<B> inTurn) {
        pass.run(
                cursor,
                () -> stopped,
                () -> new Bench<>(bench.get()),
                (rows, own) -> {
                    own.chunk = chunk(rows);
                    work.accept(own.chunk, own.given);
                },
                (done, own) -> inTurn.take(Objects.requireNonNull(own.chunk), own.given, done));
    }

    /** Takes over a worker's result for a chunk. */
    interface Turn<B> {
        void take(Chunk chunk, B bench, FeaturePass.Done done);
    }

    private static final class Bench<B> {
        private final B given;
        private @Nullable Chunk chunk;

        Bench(B given) {
            this.given = given;
        }
    }

    /** Returns a chunk of the rows; it shares the memory of their dense features. */
    final Chunk chunk(MappedRows mapped) {
        int rows = mapped.rows().rows();
        RowTargets targets = RowTargets.of(mapped.rows(), rowWeights);
        SparseRows entries = mapped.entries();
        return entries == null
                ? new Chunk(mapped.features(), targets, rows, tileRows, rows * (rowBytes + 16))
                : new Chunk(new SparseFeatures(entries), targets, rows, tileRows, 8L * entries.entries() + 20L * rows);
    }

    /**
     * The features of consecutive rows.
     *
     * @param bytes the memory of features and targets
     */
    record Chunk(RowFeatures features, RowTargets targets, int rows, int tileRows, long bytes) {
        void tiles(Consumer<FeatureTile> sink) {
            for (int from = 0; from < rows; from += tileRows) {
                sink.accept(new FeatureTile(features, targets, from, Math.min(rows, from + tileRows)));
            }
        }
    }

    /** Processes all chunks in parallel, and takes over the results in the order of the rows. */
    abstract <B> void overChunks(Supplier<B> bench, BiConsumer<Chunk, B> work, BiConsumer<Chunk, B> inTurn);

    @Override
    public final <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn) {
        overChunks(
                bench, (chunk, own) -> chunk.tiles(tile -> work.accept(tile, own)), (chunk, own) -> inTurn.accept(own));
    }

    @Override
    final void allInOrder(Consumer<FeatureTile> sink) {
        overChunks(Object::new, (chunk, none) -> {}, (chunk, none) -> chunk.tiles(sink));
    }
}
