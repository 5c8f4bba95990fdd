package org.bochner.stats;

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
 * The features of rows that are read as they are learned from, and not before: what a learner of one pass needs. Only the
 * first chunk of rows is read at once, and kept; means, scatter and shares of classes are those of that chunk. A centre
 * of the features need not be their mean, and a learner that needs sums over all rows takes a {@link FeatureStore}.
 *
 * <p>The first pass goes on where the first chunk ended, so that sources that can be opened once suffice for it. Each
 * further pass opens the source again.
 *
 * <p>Memory: the features of {@link FeatureStore#CHUNK_ROWS} rows for each thread, and once more. Threads: one pass at a
 * time. Closing it gives up a reading that was begun and not finished.
 */
public final class FeatureStream implements FeatureSource, AutoCloseable {
    private final RowSource source;
    private final Scaler scaler;
    private final FeatureMap map;
    private final ChunkMapper mapper;
    private final Workers workers;
    private final ChunkMapper.Chunk first;
    private final FeatureTotals totals;
    /** The reading that the first chunk came from, until a pass takes it over. */
    private @Nullable RowCursor begun;

    private boolean complete;
    private long rows;
    private double weight;
    private double progress;

    /** Reads and maps the first chunk. */
    public FeatureStream(
            RowSource source,
            Scaler scaler,
            FeatureMap map,
            ClassWeights classWeights,
            Precision precision,
            Workers workers) {
        this.source = source;
        this.scaler = scaler;
        this.map = map;
        this.workers = workers;
        mapper = new ChunkMapper(source, scaler, map, classWeights, precision);
        totals = new FeatureTotals(map.outputDimension(), source.labels());
        ChunkMapper.Bench bench = mapper.bench();
        RowBlockBuilder builder = new RowBlockBuilder();
        RowCursor cursor = source.open();
        try {
            if (!cursor.next(builder, mapper.chunkRows())) {
                throw new BochnerException(source.name() + ": holds no rows");
            }
            bench.map(builder.build());
            bench.chunk().tiles(totals::add);
        } catch (RowException e) {
            cursor.close();
            throw Places.of(source, e, scaler.scaling().toString());
        } catch (RuntimeException e) {
            cursor.close();
            throw e;
        }
        begun = cursor;
        progress = cursor.progress();
        first = bench.chunk();
        if (!(totals.weight() > 0)) {
            close();
            throw new BochnerException(source.name() + ": the first " + totals.rows() + " rows all have weight 0");
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

    /** Known from the source, or from the end of the first pass on. */
    @Override
    public OptionalLong knownRows() {
        if (complete) {
            return OptionalLong.of(rows);
        }
        return source.rows() >= 0 ? OptionalLong.of(source.rows()) : OptionalLong.empty();
    }

    /** How many rows have been handed on: those of a whole pass, once one has ended. */
    public long rowsRead() {
        return rows;
    }

    @Override
    public boolean estimated() {
        return true;
    }

    /** Sum of the rows' weights; before a pass has ended, an estimate from the rows that were read. */
    @Override
    public double weight() {
        if (complete) {
            return weight;
        }
        long seen = Math.max(rows, totals.rows());
        double sum = Math.max(weight, totals.weight());
        if (source.rows() >= 0) {
            return sum / seen * source.rows();
        }
        return progress > 0 && progress <= 1 ? sum / progress : sum;
    }

    @Override
    public double[] mean() {
        return totals.mean();
    }

    /** That of the first chunk, for the {@linkplain #weight weight} of all. */
    @Override
    public double scatterTrace() {
        return totals.scatterTrace() / totals.weight() * weight();
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
        boolean counting = !complete;
        rows = counting ? 0 : rows;
        weight = counting ? 0 : weight;
        try (RowCursor cursor = afterFirst()) {
            boolean[] started = {false};
            workers.conveyor(
                    Slot::new,
                    slot -> {
                        slot.kept = !started[0];
                        started[0] = true;
                        boolean more = slot.kept || cursor.next(slot.rows, mapper.chunkRows());
                        slot.progress = cursor.progress();
                        return more;
                    },
                    () -> new Pair<>(mapper.bench(), bench.get()),
                    (slot, pair) -> {
                        if (!slot.kept) {
                            pair.own.map(slot.rows.build());
                        }
                        work.accept(slot.kept ? first : pair.own.chunk(), pair.given);
                    },
                    (slot, pair) -> {
                        ChunkMapper.Chunk chunk = slot.kept ? first : pair.own.chunk();
                        if (counting) {
                            count(chunk);
                            progress = slot.progress;
                        }
                        inTurn.accept(chunk, pair.given);
                    });
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        }
        complete = true;
    }

    /** A reading that stands after the first chunk. */
    private RowCursor afterFirst() {
        RowCursor cursor = begun;
        begun = null;
        if (cursor == null) {
            cursor = source.open();
            cursor.next(new RowBlockBuilder(), mapper.chunkRows());
        }
        return cursor;
    }

    private void count(ChunkMapper.Chunk chunk) {
        chunk.tiles(tile -> {
            rows += tile.rows();
            for (int i = 0; i < tile.rows(); i++) {
                weight += tile.weight(i);
            }
        });
    }

    @Override
    public void close() {
        if (begun != null) {
            begun.close();
            begun = null;
        }
    }

    private record Pair<B>(ChunkMapper.Bench own, B given) {}

    /** A chunk on its way: the first, or rows to be mapped. */
    private static final class Slot {
        private final RowBlockBuilder rows = new RowBlockBuilder();
        private boolean kept;
        /** Taken by the thread that reads, before it reads on: estimates must not depend on threads. */
        private double progress;
    }
}
