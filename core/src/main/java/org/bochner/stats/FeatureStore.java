package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;
import org.bochner.data.Places;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.jspecify.annotations.Nullable;

/**
 * The features of a source of rows. As many of them as a budget of memory allows are kept; the rest is read and mapped
 * anew in every pass. What is computed from them is the same, bit for bit, whatever was kept.
 *
 * <p>Sparse rows whose features are sparse are kept sparse.
 *
 * <p>Memory: the budget, and for each thread the features of {@link #CHUNK_ROWS} rows. Threads: one pass at a time.
 */
public final class FeatureStore implements FeatureSource {
    /** Rows that are read and mapped together. */
    public static final int CHUNK_ROWS = 1024;

    private final RowSource source;
    private final Scaler scaler;
    private final FeatureMap map;
    private final ChunkMapper mapper;
    private final Workers workers;
    private final List<ChunkMapper.Chunk> held = new ArrayList<>();
    private final FeatureTotals totals;
    private long mapNanos;

    /** Hears how many rows the first pass has mapped, and what share of the source that is. */
    @FunctionalInterface
    public interface Listener {
        void mapped(long rows, double fraction);
    }

    /**
     * Maps all rows once.
     *
     * @param budget bytes that features may take; those beyond are mapped anew in every pass
     */
    public FeatureStore(
            RowSource source,
            Scaler scaler,
            FeatureMap map,
            ClassWeights classWeights,
            Precision precision,
            long budget,
            Workers workers,
            Listener listener) {
        this.source = source;
        this.scaler = scaler;
        this.map = map;
        this.workers = workers;
        mapper = new ChunkMapper(source, scaler, map, classWeights, precision);
        totals = new FeatureTotals(map.outputDimension(), source.labels());
        fill(budget, listener);
    }

    /** Bytes that passes need beside the budget: the chunk that each thread has in hand. */
    public static long bytesNeeded(int features, int threads, Precision precision) {
        return (long) ((double) threads * ChunkMapper.chunkRows(features) * features * precision.bytes());
    }

    private void fill(long budget, Listener listener) {
        long[] left = {budget};
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    RowBlockBuilder::new,
                    slot -> cursor.next(slot, mapper.chunkRows()),
                    Bench::new,
                    (slot, bench) -> {
                        bench.mapping.map(slot.build());
                        bench.sum();
                    },
                    (slot, bench) -> {
                        ChunkMapper.Chunk chunk = bench.mapping.chunk();
                        totals.add(bench.sums);
                        mapNanos += bench.mapping.nanos();
                        left[0] -= chunk.bytes();
                        // Once one did not fit, none is kept: those kept are the first ones.
                        if (left[0] >= 0) {
                            held.add(chunk);
                            bench.mapping.release();
                        } else {
                            left[0] = -1;
                        }
                        listener.mapped(totals.rows(), cursor.progress());
                    });
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        }
        if (!(totals.weight() > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a weight above 0");
        }
    }

    @Override
    public int features() {
        return map.outputDimension();
    }

    @Override
    public Labels labels() {
        return source.labels();
    }

    @Override
    public OptionalLong knownRows() {
        return OptionalLong.of(totals.rows());
    }

    @Override
    public boolean estimated() {
        return false;
    }

    /** How many of the rows have their features in memory. */
    public long heldRows() {
        return held.stream().mapToLong(ChunkMapper.Chunk::rows).sum();
    }

    /** Bytes of the features in memory. */
    public long heldBytes() {
        return held.stream().mapToLong(ChunkMapper.Chunk::bytes).sum();
    }

    /** Time spent in the feature map, summed over the threads and over all passes. */
    public long mapNanos() {
        return mapNanos;
    }

    @Override
    public double weight() {
        return totals.weight();
    }

    @Override
    public double[] mean() {
        return totals.mean();
    }

    @Override
    public double scatterTrace() {
        return totals.scatterTrace();
    }

    @Override
    public double targetMean(int target) {
        return totals.targetMean(target);
    }

    @Override
    public <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn) {
        overChunks(
                bench, (chunk, own) -> chunk.tiles(tile -> work.accept(tile, own)), (chunk, own) -> inTurn.accept(own));
    }

    @Override
    public void inOrder(Consumer<FeatureTile> sink) {
        overChunks(Object::new, (chunk, none) -> {}, (chunk, none) -> chunk.tiles(sink));
    }

    private <B> void overChunks(
            Supplier<B> bench, BiConsumer<ChunkMapper.Chunk, B> work, BiConsumer<ChunkMapper.Chunk, B> inTurn) {
        try (Reading reading = new Reading()) {
            workers.conveyor(
                    Slot::new,
                    reading::fill,
                    () -> new Pair<>(mapper.bench(), bench.get()),
                    (slot, pair) -> {
                        if (slot.chunk == null) {
                            pair.own.map(slot.rows.build());
                        }
                        work.accept(slot.chunk == null ? pair.own.chunk() : slot.chunk, pair.given);
                    },
                    (slot, pair) -> {
                        inTurn.accept(slot.chunk == null ? pair.own.chunk() : slot.chunk, pair.given);
                        mapNanos += slot.chunk == null ? pair.own.nanos() : 0;
                    });
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        }
    }

    private record Pair<B>(ChunkMapper.Bench own, B given) {}

    /** A chunk on its way: one that is held, or rows to be mapped. */
    private static final class Slot {
        private final RowBlockBuilder rows = new RowBlockBuilder();
        private ChunkMapper.@Nullable Chunk chunk;
    }

    /** One pass: first the chunks that are held, then the rows after them. */
    private final class Reading implements AutoCloseable {
        private int next;
        private @Nullable RowCursor cursor;

        boolean fill(Slot slot) {
            if (next < held.size()) {
                slot.chunk = held.get(next++);
                return true;
            }
            slot.chunk = null;
            if (heldRows() == totals.rows()) {
                return false;
            }
            if (cursor == null) {
                cursor = source.open();
                for (int i = 0; i < held.size(); i++) {
                    cursor.next(slot.rows, mapper.chunkRows());
                }
            }
            return cursor.next(slot.rows, mapper.chunkRows());
        }

        @Override
        public void close() {
            if (cursor != null) {
                cursor.close();
            }
        }
    }

    /** What one worker needs to map a chunk, and to sum it up. */
    private final class Bench {
        private final ChunkMapper.Bench mapping = mapper.bench();
        private final FeatureTotals sums = new FeatureTotals(features(), labels());

        void sum() {
            sums.clear();
            mapping.chunk().tiles(sums::add);
        }
    }
}
