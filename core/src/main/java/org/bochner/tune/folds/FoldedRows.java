package org.bochner.tune.folds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.Encoding;
import org.bochner.data.Labels;
import org.bochner.data.PartedRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.data.sample.RowView;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.columns.Domain;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.fit.ScaledRows;
import org.bochner.stats.FeaturePass;
import org.bochner.stats.RowSorter;
import org.bochner.stats.RowTile;
import org.bochner.stats.RowTiles;
import org.jspecify.annotations.Nullable;

/**
 * Scaled rows, sorted into folds by their index or group, for repeated passes. The rows are kept if they fit into the
 * budget, and read again for each pass otherwise. All passes give the same tiles in the same order; a tile has rows
 * of one fold.
 *
 * <p>Threads: not safe; each pass is parallel by itself.
 */
public final class FoldedRows {
    /** The fold of rows that do not take part. */
    public static final int NONE = -1;

    private final RowSource source;
    private final Scaler scaler;
    private final Kernel kernel;
    private final FoldOf foldOf;
    private final int folds;
    private final Workers workers;
    /** All tiles; null if they exceed the budget. */
    private @Nullable List<Tile> kept;

    private FoldedRows(RowSource source, Scaler scaler, Kernel kernel, FoldOf foldOf, int folds, Workers workers) {
        this.source = source;
        this.scaler = scaler;
        this.kernel = kernel;
        this.foldOf = foldOf;
        this.folds = folds;
        this.workers = workers;
    }

    /**
     * Returns the failure for a fold without rows, without other rows to train on, or without row weight.
     *
     * @param heldOut the rows of the fold with a weight above 0
     * @param training the other rows with a weight above 0
     */
    public static BochnerException emptyFold(long heldOut, long training) {
        long all = heldOut + training;
        String found = heldOut > 0 && training > 0
                ? "the held-out rows or the training rows of a fold have no row weight"
                : "too few rows: " + (all == 1 ? "1 row has" : all + " rows have") + " a weight above 0, and "
                        + (heldOut == 0 ? "a fold has none of them" : "one fold has all of them");
        return new BochnerException(found + "; give more rows, or use fewer folds, another share, or another seed");
    }

    /**
     * Reads the rows once and keeps them if they fit into the budget.
     *
     * @param kernel the rows must be in its domain
     * @param foldOf returns the fold of a row, or {@link #NONE}
     * @param budget bytes that rows may take
     */
    public static FoldedRows read(
            RowSource source, Scaler scaler, Kernel kernel, FoldOf foldOf, int folds, long budget, Workers workers) {
        PartedRows.requireReadable(source, "kernel learning");
        FoldedRows rows = new FoldedRows(source, scaler, kernel, foldOf, folds, workers);
        rows.kept = rows.tilesWithin(budget);
        return rows;
    }

    /** The assignment of rows to folds. */
    public interface FoldOf {
        /**
         * Returns the fold of a row.
         *
         * @param row the index of the row in its source
         * @param group the row's {@link RowBlock#group}: rows of a group that take part are all in one fold
         */
        int fold(long row, long group);
    }

    /** Rows of one fold. */
    public static final class Tile {
        private final RowTiles tiles = new RowTiles(1);
        private RowBlock rows = new RowTile().rows();

        public int fold() {
            return tiles.part();
        }

        public RowBlock rows() {
            return rows;
        }

        private RowTile sorted() {
            return tiles.filled().get(0);
        }

        private boolean fill(RowSorter sorter) {
            boolean more = sorter.fill(tiles);
            rows = more ? sorted().rows() : rows;
            return more;
        }

        private long bytes() {
            long values = rows instanceof SparseRows sparse ? 8L * sparse.entries() : 4L * rows.rows() * rows.columns();
            return values + rows.rows() * (20L + 8L * rows.targets());
        }
    }

    public Labels labels() {
        return source.labels();
    }

    int folds() {
        return folds;
    }

    public Workers workers() {
        return workers;
    }

    /** Returns true if the rows are kept in memory. */
    public boolean kept() {
        return kept != null;
    }

    /** Returns all tiles, or null if they exceed the budget. */
    private @Nullable List<Tile> tilesWithin(long budget) {
        List<Tile> all = new ArrayList<>();
        long bytes = 0;
        try (RowCursor cursor = source.open()) {
            RowSorter sorter = sorter(cursor);
            Tile tile = new Tile();
            while (tile.fill(sorter)) {
                bytes += tile.bytes();
                if (bytes > budget) {
                    return null;
                }
                all.add(tile);
                tile = new Tile();
            }
        }
        return all;
    }

    private RowSorter sorter(RowCursor cursor) {
        UnaryOperator<RowBlock> scaling = scaler.forBlocks();
        return new RowSorter(
                cursor,
                read -> {
                    try {
                        RowBlock rows = scaling.apply(read);
                        // Checked here, because the place of a row is known here.
                        Domain.check(kernel, rows);
                        return rows;
                    } catch (RowException e) {
                        throw ScaledRows.located(source, e, scaler.scaling());
                    }
                },
                folds,
                (rows, row) -> foldOf.fold(rows.firstRow() + row, rows.group(row)),
                1,
                FeaturePass.TILE_ROWS);
    }

    /**
     * Passes over all tiles.
     *
     * @param bench creates the bench of one worker: its buffers and sums
     * @param work runs in parallel
     * @param inTurn takes the result of a tile from its bench; runs for one tile at a time, in the order of the tiles
     */
    public <B> void pass(Supplier<B> bench, BiConsumer<Tile, B> work, BiConsumer<Tile, B> inTurn) {
        try (TileReader reader = new TileReader()) {
            workers.conveyor(
                    () -> new Tile[] {new Tile()},
                    slot -> {
                        Tile next = reader.next(slot[0]);
                        slot[0] = next == null ? slot[0] : next;
                        return next != null;
                    },
                    bench,
                    (slot, own) -> located(slot[0], own, work),
                    (slot, own) -> located(slot[0], own, inTurn));
        }
    }

    /** Reads one tile after the other: the kept ones, or those of another pass over the source. */
    private final class TileReader implements AutoCloseable {
        private final @Nullable RowCursor cursor = kept == null ? source.open() : null;
        private final @Nullable RowSorter sorter = cursor == null ? null : sorter(cursor);
        private final Iterator<Tile> tiles = kept == null ? Collections.emptyIterator() : kept.iterator();

        /** Returns the next tile, or null at the end. Overwrites the given tile unless tiles are kept. */
        @Nullable
        Tile next(Tile reused) {
            if (sorter == null) {
                return tiles.hasNext() ? tiles.next() : null;
            }
            return reused.fill(sorter) ? reused : null;
        }

        @Override
        public void close() {
            if (cursor != null) {
                cursor.close();
            }
        }
    }

    /** Works on a tile; a failure names the row of the file. */
    private <B> void located(Tile tile, B bench, BiConsumer<Tile, B> work) {
        try {
            work.accept(tile, bench);
        } catch (RowException e) {
            throw ScaledRows.located(source, tile.sorted().inSource(e), scaler.scaling());
        }
    }

    /** Returns the scaled rows of one fold as a source. */
    public RowSource fold(int fold) {
        return new Fold(fold);
    }

    private final class Fold extends RowView {
        private final int fold;

        Fold(int fold) {
            super(FoldedRows.this.source);
            this.fold = fold;
        }

        @Override
        public long rows() {
            return -1;
        }

        /** Returns null: the encoding is that of the rows before scaling. */
        @Override
        public @Nullable Encoding encoding() {
            return null;
        }

        @Override
        public boolean sparse() {
            return source.sparse() && scaler.keepsZeros();
        }

        /** Finds the row in the source of all folds in another pass over the rows. */
        @Override
        protected long sourceRow(long row) {
            try (FoldCursor cursor = new FoldCursor(this)) {
                for (long left = row; cursor.fill(); left--) {
                    if (left == 0) {
                        return cursor.tile.sorted().place(cursor.next);
                    }
                    cursor.next++;
                }
            }
            return -1;
        }

        @Override
        public RowCursor open() {
            return new FoldCursor(this);
        }
    }

    /** Copies the rows of a fold out of its tiles. */
    private final class FoldCursor implements RowCursor {
        private final Fold of;
        private final TileReader reader = new TileReader();
        private Tile tile = new Tile();
        private int next;
        private long emitted;

        FoldCursor(Fold of) {
            this.of = of;
        }

        @Override
        public boolean next(RowBlockBuilder into, int maxRows) {
            boolean more = fill();
            RowBlock rows = tile.rows;
            if (of.sparse()) {
                into.beginSparse(emitted, of.columns(), rows.targets(), rows.hasRowWeights());
            } else {
                into.beginDense(emitted, of.columns(), rows.targets(), rows.hasRowWeights());
            }
            while (more && into.rows() < maxRows) {
                into.addRow(tile.rows, next++);
                more = fill();
            }
            emitted += into.rows();
            return into.rows() > 0;
        }

        /** Moves to the next row of the fold; returns false at the end. */
        private boolean fill() {
            while (next == tile.rows.rows() || tile.fold() != of.fold) {
                next = 0;
                Tile following = reader.next(tile);
                tile = following == null ? new Tile() : following;
                if (following == null) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public double progress() {
            return Double.NaN;
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
