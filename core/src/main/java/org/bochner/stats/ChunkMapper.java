package org.bochner.stats;

import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.jspecify.annotations.Nullable;

/**
 * Maps the rows of a source chunk by chunk, and divides the chunks into tiles. Sparse rows keep sparse features if
 * the map and the scaler preserve zeros.
 *
 * <p>Threads: safe.
 */
final class ChunkMapper {
    /** Bytes of dense features per tile: half of a core's second-level cache, where the tile stays while it is used. */
    private static final int TILE_BYTES = 1 << 19;

    /** The largest number of features in a chunk. */
    private static final int CHUNK_VALUES = 1 << 25;

    private final RowSource source;
    private final Scaler scaler;
    private final FeatureMap map;
    private final RowWeights rowWeights;
    private final Precision precision;
    private final Workers workers;
    private final boolean sparse;
    private final int chunkRows;
    private final int tileRows;

    ChunkMapper(
            RowSource source,
            Scaler scaler,
            FeatureMap map,
            ClassWeights classWeights,
            Precision precision,
            Workers workers) {
        this.source = source;
        this.scaler = scaler;
        this.map = map;
        this.precision = precision;
        this.workers = workers;
        rowWeights = new RowWeights(source.labels(), classWeights);
        sparse = source.sparse() && map.keepsSparsity() && scaler.keepsZeros();
        int features = map.outputDimension();
        chunkRows = chunkRows(features);
        long rowBytes = (long) precision.bytes() * features;
        // Every tile adds D numbers per class to sums; with many classes that would dominate the cost of small tiles.
        long rows = Math.max(TILE_BYTES / rowBytes, Statistics.targets(source.labels()));
        tileRows = sparse ? chunkRows : (int) Math.max(16, Math.min(chunkRows, rows));
    }

    /** Returns the number of rows that are read and mapped together. */
    static int chunkRows(int features) {
        return Math.max(16, Math.min(FeaturePass.TILE_ROWS, CHUNK_VALUES / features));
    }

    int chunkRows() {
        return chunkRows;
    }

    int features() {
        return map.outputDimension();
    }

    RowSource source() {
        return source;
    }

    Workers workers() {
        return workers;
    }

    /** Returns an empty block of rows for this mapper. */
    MappedRows rows() {
        return new MappedRows(scaler, List.of(map), precision, sparse);
    }

    /** Returns the pass over the rows, chunk by chunk. */
    FeaturePass pass() {
        return new FeaturePass(source, scaler, map, precision, sparse, workers).withTileRows(chunkRows);
    }

    /** Maps the remaining rows of a cursor chunk by chunk. */
    <B> void run(RowCursor cursor, Supplier<B> bench, BiConsumer<Chunk, B> work, Turn<B> inTurn) {
        pass().run(
                        cursor,
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
    Chunk chunk(MappedRows mapped) {
        RowTargets targets = new RowTargets(mapped.rows(), rowWeights);
        SparseRows entries = mapped.entries();
        return new Chunk(targets, mapped.rows().rows(), entries == null ? mapped.features() : null, entries);
    }

    /** The features of consecutive rows. */
    final class Chunk {
        private final RowTargets targets;
        private final int rows;
        private final @Nullable FeatureBlock dense;
        private final @Nullable SparseRows entries;

        private Chunk(RowTargets targets, int rows, @Nullable FeatureBlock dense, @Nullable SparseRows entries) {
            this.targets = targets;
            this.rows = rows;
            this.dense = dense;
            this.entries = entries;
        }

        int rows() {
            return rows;
        }

        long bytes() {
            long labels = 16L * rows;
            return entries != null
                    ? 8L * entries.entries() + 4L * rows + labels
                    : (long) rows * map.outputDimension() * precision.bytes() + labels;
        }

        void tiles(Consumer<FeatureTile> sink) {
            for (int from = 0; from < rows; from += tileRows) {
                int to = Math.min(rows, from + tileRows);
                sink.accept(
                        entries != null
                                ? FeatureTile.of(entries, targets, from, to)
                                : FeatureTile.of(Objects.requireNonNull(dense), targets, from, to));
            }
        }
    }
}
