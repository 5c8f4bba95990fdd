package org.bochner.stats;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bochner.base.row.RowException;
import org.bochner.data.Encoding;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.fit.ScaledRows;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the rows of a source: reads tiles of rows in order, scales and maps them in parallel, and passes the
 * results on in the order of the rows. All code that reads features from a source uses this class.
 *
 * <p>Exceptions name the row of the file, even if the source is a view of another source. Results do not depend on
 * the number of threads. Memory: per thread, the rows of a block and the features of a tile.
 *
 * <p>Threads: a pass may run once at a time.
 */
public final class FeaturePass {
    /** The usual number of rows that are read and mapped together. */
    public static final int TILE_ROWS = 1024;

    private final RowSource source;
    private final Scaler scaler;
    private final List<FeatureMap> maps;
    private final Precision precision;
    private final boolean sparse;
    private final Workers workers;
    private int tileRows = TILE_ROWS;
    private int tiles = 1;
    private int parts = 1;
    private RowSorter.@Nullable PartOf partOf;

    /**
     * Creates a pass.
     *
     * @param maps one or several maps of every row
     * @param sparse whether sparse rows get sparse features if there is one map and it keeps sparsity
     */
    public FeaturePass(
            RowSource source,
            Scaler scaler,
            List<FeatureMap> maps,
            Precision precision,
            boolean sparse,
            Workers workers) {
        Encoding.requireComplete(source);
        this.source = source;
        this.scaler = scaler;
        this.maps = List.copyOf(maps);
        this.precision = precision;
        this.sparse = sparse;
        this.workers = workers;
    }

    /** Sets the largest number of rows that are read and mapped together. */
    public FeaturePass setTileRows(int rows) {
        tileRows = rows;
        return this;
    }

    /** Sets the number of tiles that one worker takes before its result is handed on. */
    public FeaturePass setTiles(int perBlock) {
        tiles = perBlock;
        return this;
    }

    /**
     * Sorts the rows into parts: each block has rows of one part only.
     *
     * @param weights the row weights; they are checked while a row's place in the source is known
     */
    public FeaturePass setParts(int count, RowSorter.PartOf of, RowWeights weights) {
        parts = count;
        partOf = (rows, row) -> {
            double checked = weights.weight(rows, row);
            return checked >= 0 ? of.part(rows, row) : -1;
        };
        return this;
    }

    /**
     * A block that was worked on.
     *
     * @param last the last tile of the block, with its features
     * @param part the part of its rows
     * @param rows the number of rows passed on so far, including this block
     * @param fraction the share of the source that had been read when the block was full; NaN if it is not known
     */
    public record Done(MappedRows last, int part, long rows, double fraction) {}

    /**
     * Runs the pass.
     *
     * @param bench creates the working memory of one worker
     * @param work adds a tile to its bench; runs in parallel
     * @param inTurn takes over the result of a block from its bench; runs for one block at a time, in the order of
     *     the rows
     */
    public <B> void run(Supplier<B> bench, BiConsumer<MappedRows, B> work, BiConsumer<Done, B> inTurn) {
        try (RowCursor cursor = source.open()) {
            run(cursor, () -> false, bench, work, inTurn);
        }
    }

    /** Runs the pass over the remaining rows of a cursor, until it is stopped. */
    <B> void run(
            RowCursor cursor,
            BooleanSupplier stopped,
            Supplier<B> bench,
            BiConsumer<MappedRows, B> work,
            BiConsumer<Done, B> inTurn) {
        RowSorter sorter =
                partOf == null ? null : new RowSorter(cursor, UnaryOperator.identity(), parts, partOf, tiles, tileRows);
        long[] rows = {0};
        try {
            workers.conveyor(
                    () -> new RowTiles(tiles),
                    block -> {
                        boolean more = !stopped.getAsBoolean()
                                && (sorter == null ? block.fill(cursor, tileRows) : sorter.fill(block));
                        // Read before the cursor moves on: estimates must not depend on the number of threads.
                        block.fraction = cursor.progress();
                        return more;
                    },
                    () -> new Bench<>(mapped(), bench.get()),
                    (block, own) -> own.add(block, work),
                    (block, own) -> {
                        rows[0] += block.rows();
                        inTurn.accept(new Done(own.mapped, block.part(), rows[0], block.fraction), own.given);
                    });
        } catch (RowException e) {
            throw ScaledRows.located(source, e, scaler.scaling());
        }
    }

    /** Returns an empty block for the rows of this pass. */
    MappedRows mapped() {
        return new MappedRows(scaler, maps, precision, sparse);
    }

    private record Bench<B>(MappedRows mapped, B given) {
        void add(RowTiles block, BiConsumer<MappedRows, B> work) {
            for (RowTile tile : block.filled()) {
                try {
                    work.accept(mapped.take(tile.rows()), given);
                } catch (RowException e) {
                    throw tile.inSource(e);
                }
            }
        }
    }
}
