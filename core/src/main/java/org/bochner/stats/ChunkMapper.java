package org.bochner.stats;

import java.util.Objects;
import java.util.function.Consumer;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.scale.Scaler;
import org.bochner.scale.ScalingBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Maps rows chunk by chunk, and cuts the chunks into tiles. Sparse rows whose features are sparse stay sparse.
 *
 * <p>Threads: safe; each worker has a {@link Bench} of its own.
 */
final class ChunkMapper {
    /** Bytes of dense features in a tile: half of a core's second-level cache, so that several uses read memory once. */
    private static final int TILE_BYTES = 1 << 19;

    /** Features in a chunk at most. */
    private static final int CHUNK_VALUES = 1 << 25;

    private final Scaler scaler;
    private final FeatureMap map;
    private final RowWeights rowWeights;
    private final Precision precision;
    private final boolean sparse;
    private final int chunkRows;
    private final int tileRows;

    ChunkMapper(RowSource source, Scaler scaler, FeatureMap map, ClassWeights classWeights, Precision precision) {
        this.scaler = scaler;
        this.map = map;
        this.precision = precision;
        rowWeights = new RowWeights(source.labels(), classWeights);
        sparse = source.sparse() && map.keepsSparsity() && scaler.keepsZeros();
        int features = map.outputDimension();
        chunkRows = chunkRows(features);
        long rowBytes = (long) precision.bytes() * features;
        // With many classes, sums of their own, D numbers each, that every tile adds to would outweigh the tile itself.
        long rows = Math.max(TILE_BYTES / rowBytes, Moments.targets(source.labels()));
        tileRows = sparse ? chunkRows : (int) Math.max(16, Math.min(chunkRows, rows));
    }

    static int chunkRows(int features) {
        return Math.max(16, Math.min(FeatureStore.CHUNK_ROWS, CHUNK_VALUES / features));
    }

    /** Rows that are read and mapped together. */
    int chunkRows() {
        return chunkRows;
    }

    Bench bench() {
        return new Bench();
    }

    /** The features of some consecutive rows. */
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

    /** What one worker needs to map a chunk. */
    final class Bench {
        private final ScalingBuffer buffer = new ScalingBuffer();
        private @Nullable FeatureBlock block;
        private @Nullable Chunk chunk;
        private long nanos;

        void map(RowBlock rows) {
            long start = System.nanoTime();
            RowTargets targets = new RowTargets(rows, rowWeights);
            RowBlock scaled = scaler.apply(rows, buffer);
            if (sparse && scaled instanceof SparseRows entries) {
                SparseRows mapped = FiniteFeatures.require(entries, map.apply(entries));
                chunk = new Chunk(targets, rows.rows(), null, mapped);
            } else {
                if (block == null) {
                    block = FeatureBlock.of(precision, map.outputDimension());
                }
                block.fill(map, scaled);
                chunk = new Chunk(targets, rows.rows(), block, null);
            }
            nanos = System.nanoTime() - start;
        }

        /** The chunk mapped last. */
        Chunk chunk() {
            return Objects.requireNonNull(chunk);
        }

        /** How long that took. */
        long nanos() {
            return nanos;
        }

        /** Leaves the memory of the chunk to it. */
        void release() {
            block = null;
        }
    }
}
