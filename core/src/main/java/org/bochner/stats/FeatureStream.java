package org.bochner.stats;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.PartedRows;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.scale.fit.ScaledRows;
import org.jspecify.annotations.Nullable;

/**
 * The features of rows that are read during learning, for learners of one pass. Only the first chunk of rows is read
 * in advance and kept; means, scatter and class shares are estimated from that chunk. Learners that need sums over
 * all rows use a {@link FeatureStore}.
 *
 * <p>The first pass continues after the first chunk and therefore works with a source that can be opened only once.
 * Each further pass opens the source again.
 *
 * <p>Memory: the features of {@link FeaturePass#TILE_ROWS} rows per thread, and once more for the first chunk.
 * Threads: one pass at a time. Closing the stream closes a cursor that no pass has taken over.
 */
public final class FeatureStream extends MappedFeatures implements AutoCloseable {
    /** The first chunk alone. */
    private List<Chunk> first = List.of();
    /** The cursor that read the first chunk, until a pass takes it over. */
    private @Nullable RowCursor begun;

    private boolean complete;
    private long rows;
    private double weight;
    private double progress;

    private FeatureStream(MappedSource mapped) {
        super(mapped);
    }

    /** Opens the source, and reads and maps the first chunk. */
    public static FeatureStream open(MappedSource mapped) {
        FeatureStream stream = new FeatureStream(mapped);
        try {
            stream.readFirst();
            return stream;
        } catch (RowException e) {
            stream.close();
            throw ScaledRows.located(mapped.source(), e, mapped.scaler().scaling());
        } catch (RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    private void readFirst() {
        PartedRows.requireReadable(source, "the solver stream");
        RowBlockBuilder builder = new RowBlockBuilder();
        RowCursor cursor = source.open();
        begun = cursor;
        if (!cursor.next(builder, chunkRows)) {
            throw new BochnerException(source.name() + ": holds no rows");
        }
        Chunk chunk = chunk(pass.mapped().take(builder.build()));
        chunk.tiles(totals::add);
        if (!(totals.totalRowWeight() > 0)) {
            throw new BochnerException(source.name() + ": the first " + totals.rows() + " rows all have row weight 0");
        }
        first = List.of(chunk);
        progress = cursor.progress();
    }

    /** Returns the number of rows if the source knows it or the first pass has ended. */
    @Override
    public OptionalLong knownRows() {
        if (complete) {
            return OptionalLong.of(rows);
        }
        return source.rows() >= 0 ? OptionalLong.of(source.rows()) : OptionalLong.empty();
    }

    /** Returns the number of rows passed on so far; after a whole pass, the number of all rows. */
    public long rowsRead() {
        return rows;
    }

    @Override
    public boolean estimated() {
        return true;
    }

    /** Returns the sum of the row weights; before a pass has ended, an estimate from the rows that were read. */
    @Override
    public double totalRowWeight() {
        if (complete) {
            return weight;
        }
        long seen = Math.max(rows, totals.rows());
        double sum = Math.max(weight, totals.totalRowWeight());
        if (source.rows() >= 0) {
            return sum / seen * source.rows();
        }
        return progress > 0 && progress <= 1 ? sum / progress : sum;
    }

    /** Returns the scatter of the first chunk, scaled to the {@linkplain #weight weight} of all rows. */
    @Override
    public double scatterTrace() {
        return totals.scatterTrace() / totals.totalRowWeight() * totalRowWeight();
    }

    @Override
    <B> void overChunks(Supplier<B> bench, BiConsumer<Chunk, B> work, BiConsumer<Chunk, B> inTurn) {
        boolean counting = !complete;
        rows = counting ? 0 : rows;
        weight = counting ? 0 : weight;
        try (RowCursor cursor = afterFirst()) {
            overHeld(first, bench, work, (chunk, own) -> {
                count(chunk, counting);
                inTurn.accept(chunk, own);
            });
            run(cursor, bench, work, (chunk, own, done) -> {
                count(chunk, counting);
                progress = counting ? done.fraction() : progress;
                inTurn.accept(chunk, own);
            });
        }
        complete |= !stopped;
    }

    /** Returns a cursor positioned after the first chunk. */
    private RowCursor afterFirst() {
        RowCursor cursor = begun;
        begun = null;
        return cursor == null ? openAfter(1) : cursor;
    }

    private void count(Chunk chunk, boolean counting) {
        if (counting && !stopped) {
            chunk.tiles(tile -> {
                rows += tile.rows();
                for (int i = 0; i < tile.rows(); i++) {
                    weight += tile.rowWeight(i);
                }
            });
        }
    }

    @Override
    public void close() {
        if (begun != null) {
            begun.close();
            begun = null;
        }
    }
}
