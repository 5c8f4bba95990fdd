package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.data.sample.Places;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
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
    private @Nullable PartOf partOf;
    private @Nullable RowWeights checked;

    /**
     * Creates a pass with one map.
     *
     * @param sparse whether sparse rows get sparse features if the map keeps sparsity
     */
    public FeaturePass(
            RowSource source, Scaler scaler, FeatureMap map, Precision precision, boolean sparse, Workers workers) {
        this(source, scaler, List.of(map), precision, sparse, workers);
    }

    /** Creates a pass that maps every row with several maps. */
    public FeaturePass(
            RowSource source,
            Scaler scaler,
            List<FeatureMap> maps,
            Precision precision,
            boolean sparse,
            Workers workers) {
        this.source = source;
        this.scaler = scaler;
        this.maps = List.copyOf(maps);
        this.precision = precision;
        this.sparse = sparse;
        this.workers = workers;
    }

    /** Sets the largest number of rows that are read and mapped together. */
    public FeaturePass withTileRows(int rows) {
        tileRows = rows;
        return this;
    }

    /** Sets the number of tiles that one worker takes before its result is handed on. */
    public FeaturePass withTiles(int perBlock) {
        tiles = perBlock;
        return this;
    }

    /**
     * Sorts the rows into parts: each block has rows of one part only.
     *
     * @param weights the row weights; they are checked while a row's place in the source is known
     */
    public FeaturePass withParts(int count, PartOf of, RowWeights weights) {
        parts = count;
        partOf = of;
        checked = weights;
        return this;
    }

    /** Returns the part of a row, from 0. */
    @FunctionalInterface
    public interface PartOf {
        int part(RowBlock rows, int row);
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
            run(cursor, bench, work, inTurn);
        }
    }

    /** Runs the pass over the remaining rows of a cursor. */
    <B> void run(RowCursor cursor, Supplier<B> bench, BiConsumer<MappedRows, B> work, BiConsumer<Done, B> inTurn) {
        Sorter sorter = partOf == null || checked == null ? null : new Sorter(cursor, partOf, checked);
        long[] rows = {0};
        try {
            workers.conveyor(
                    Block::new,
                    block -> {
                        boolean more = sorter == null ? block.fill(cursor) : sorter.fill(block);
                        // Read before the cursor moves on: estimates must not depend on the number of threads.
                        block.fraction = cursor.progress();
                        return more;
                    },
                    () -> new Bench<>(new MappedRows(scaler, maps, precision, sparse), bench.get()),
                    (block, own) -> own.add(block, work),
                    (block, own) -> {
                        rows[0] += block.rows();
                        inTurn.accept(new Done(own.mapped, block.part, rows[0], block.fraction), own.given);
                    });
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        }
    }

    private record Bench<B>(MappedRows mapped, B given) {
        void add(Block block, BiConsumer<MappedRows, B> work) {
            for (Tile tile : block.filled()) {
                try {
                    work.accept(mapped.take(tile.builder.build()), given);
                } catch (RowException e) {
                    throw tile.inSource(e);
                }
            }
        }
    }

    /** The rows that one worker takes next. */
    private final class Block {
        private List<Tile> own = new ArrayList<>();
        private int count;
        private int part;
        private double fraction;

        Block() {
            for (int t = 0; t < tiles; t++) {
                own.add(new Tile());
            }
        }

        boolean fill(RowCursor cursor) {
            count = 0;
            while (count < own.size() && cursor.next(own.get(count).builder, tileRows)) {
                count++;
            }
            return count > 0;
        }

        List<Tile> filled() {
            return own.subList(0, count);
        }

        long rows() {
            return filled().stream().mapToLong(tile -> tile.builder.rows()).sum();
        }
    }

    /** Rows that are mapped together. */
    private static final class Tile {
        private final RowBlockBuilder builder = new RowBlockBuilder();
        /** The index of each row in the source if the rows were sorted; else empty. */
        private long[] places = {};

        /** Returns the failure of a row of this tile with the row's index in the source. */
        RowException inSource(RowException e) {
            return places.length == 0 || e.row() < 0 ? e : e.inRow(places[(int) e.row()]);
        }

        void add(RowBlock rows, int row, int mostRows) {
            if (places.length == 0) {
                places = new long[mostRows];
            }
            if (builder.rows() == 0) {
                if (rows instanceof SparseRows) {
                    builder.beginSparse(0, rows.columns(), rows.targets(), rows.hasRowWeights());
                } else {
                    builder.beginDense(0, rows.columns(), rows.targets(), rows.hasRowWeights());
                }
            }
            places[builder.rows()] = rows.firstRow() + row;
            builder.addRow(rows, row);
        }
    }

    /** Sorts rows into blocks of one part each. */
    private final class Sorter {
        private final RowCursor cursor;
        private final PartOf of;
        private final RowWeights weights;
        private final List<Block> open = new ArrayList<>();
        private final RowBlockBuilder reading = new RowBlockBuilder();
        private RowBlock rows = reading.build();
        private int next;
        private int flushed;

        Sorter(RowCursor cursor, PartOf of, RowWeights weights) {
            this.cursor = cursor;
            this.of = of;
            this.weights = weights;
            for (int p = 0; p < parts; p++) {
                open.add(new Block());
            }
        }

        /**
         * Fills a block with rows of the first part that has enough of them; at the end, with the remaining rows.
         */
        boolean fill(Block block) {
            while (more()) {
                int row = next++;
                double unused = weights.weight(rows, row);
                int part = of.part(rows, row);
                Block own = open.get(part);
                Tile tile = own.own.get(own.count);
                tile.add(rows, row, tileRows);
                if (tile.builder.rows() == tileRows && ++own.count == own.own.size()) {
                    return hand(part, block);
                }
            }
            while (flushed < open.size()) {
                int part = flushed++;
                Block own = open.get(part);
                boolean begun = own.count < own.own.size()
                        && own.own.get(own.count).builder.rows() > 0;
                own.count += begun ? 1 : 0;
                if (own.count > 0) {
                    return hand(part, block);
                }
            }
            return false;
        }

        private boolean more() {
            if (next < rows.rows()) {
                return true;
            }
            boolean more = cursor.next(reading, tileRows);
            rows = reading.build();
            next = 0;
            return more;
        }

        /** Gives the part's tiles to the block, and takes the block's tiles in return. */
        private boolean hand(int part, Block block) {
            Block own = open.get(part);
            List<Tile> empty = block.own;
            block.own = own.own;
            block.count = own.count;
            block.part = part;
            own.own = empty;
            own.count = 0;
            empty.forEach(tile -> tile.builder.beginDense(0, 1, 0, false));
            return true;
        }
    }
}
