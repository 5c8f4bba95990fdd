package org.bochner.tune.folds;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.data.sample.Places;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.columns.Domain;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.stats.FeaturePass;
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
    private final @Nullable List<Tile> kept;

    /**
     * Reads the rows once and keeps them if they fit into the budget.
     *
     * @param kernel the rows must be in its domain
     * @param foldOf returns the fold of a row, or {@link #NONE}
     * @param budget bytes that rows may take
     */
    public FoldedRows(
            RowSource source, Scaler scaler, Kernel kernel, FoldOf foldOf, int folds, long budget, Workers workers) {
        this.source = source;
        this.scaler = scaler;
        this.kernel = kernel;
        this.foldOf = foldOf;
        this.folds = folds;
        this.workers = workers;
        kept = keep(budget);
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
        private int fold;
        private RowBlockBuilder builder = new RowBlockBuilder();
        private RowBlock rows = builder.build();
        /** The index of each row in the source. */
        private long[] indices = new long[FeaturePass.TILE_ROWS];

        public int fold() {
            return fold;
        }

        public RowBlock rows() {
            return rows;
        }

        private long bytes() {
            long values = rows instanceof SparseRows sparse ? 8L * sparse.entries() : 4L * rows.rows() * rows.columns();
            return values + rows.rows() * (20L + 8L * rows.targets());
        }
    }

    /** Work on one tile with the bench of one worker. */
    public interface Work<B> {
        void add(Tile tile, B bench);
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

    private @Nullable List<Tile> keep(long budget) {
        List<Tile> all = new ArrayList<>();
        long bytes = 0;
        try (Sorting sorting = new Sorting()) {
            Tile tile = new Tile();
            while (sorting.fill(tile)) {
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

    /**
     * Passes over all tiles.
     *
     * @param bench creates the bench of one worker: its buffers and sums
     * @param work runs in parallel
     * @param inTurn takes the result of a tile from its bench; runs for one tile at a time, in the order of the tiles
     */
    public <B> void pass(Supplier<B> bench, Work<B> work, Work<B> inTurn) {
        if (kept != null) {
            List<Tile> tiles = kept;
            int[] next = {0};
            workers.conveyor(
                    () -> new Tile[1],
                    slot -> {
                        if (next[0] == tiles.size()) {
                            return false;
                        }
                        slot[0] = tiles.get(next[0]++);
                        return true;
                    },
                    bench,
                    (slot, own) -> located(slot[0], own, work),
                    (slot, own) -> located(slot[0], own, inTurn));
            return;
        }
        try (Sorting sorting = new Sorting()) {
            workers.conveyor(
                    Tile::new,
                    sorting::fill,
                    bench,
                    (tile, own) -> located(tile, own, work),
                    (tile, own) -> located(tile, own, inTurn));
        }
    }

    /** Works on a tile; a failure names the row of the file. */
    private <B> void located(Tile tile, B bench, Work<B> work) {
        try {
            work.add(tile, bench);
        } catch (RowException e) {
            throw Places.of(
                    source,
                    e.row() < 0 ? e : e.inRow(tile.indices[(int) e.row()]),
                    scaler.scaling().toString());
        }
    }

    /** Returns the scaled rows of one fold as a source. */
    public RowSource fold(int fold) {
        return new Fold(fold);
    }

    private final class Fold implements RowSource {
        private final int fold;

        Fold(int fold) {
            this.fold = fold;
        }

        @Override
        public String name() {
            return source.name();
        }

        @Override
        public int columns() {
            return source.columns();
        }

        @Override
        public Labels labels() {
            return source.labels();
        }

        @Override
        public boolean sparse() {
            return source.sparse() && scaler.keepsZeros();
        }

        @Override
        public boolean grouped() {
            return source.grouped();
        }

        /** Finds the row in the source of all folds by going over the rows again. */
        @Override
        public String place(long row, int column) {
            try (FoldCursor cursor = new FoldCursor(this)) {
                for (long left = row; cursor.fill(); left--) {
                    if (left == 0) {
                        return source.place(cursor.tile.indices[cursor.next], column);
                    }
                    cursor.next++;
                }
            }
            return source.place(-1, column);
        }

        @Override
        public RowCursor open() {
            return new FoldCursor(this);
        }
    }

    /** Copies the rows of a fold out of its tiles. */
    private final class FoldCursor implements RowCursor {
        private final Fold of;
        private final @Nullable Sorting sorting = kept == null ? new Sorting() : null;
        private final Iterator<Tile> tiles = kept == null ? Collections.emptyIterator() : kept.iterator();
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
            while (next == tile.rows.rows() || tile.fold != of.fold) {
                next = 0;
                if (sorting != null) {
                    if (!sorting.fill(tile)) {
                        tile = new Tile();
                        return false;
                    }
                } else if (tiles.hasNext()) {
                    tile = tiles.next();
                } else {
                    tile = new Tile();
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
            if (sorting != null) {
                sorting.close();
            }
        }
    }

    /** One pass over the source that sorts its rows into folds. */
    private final class Sorting implements AutoCloseable {
        private final RowCursor cursor = source.open();
        private final RowBlockBuilder reading = new RowBlockBuilder();
        private final UnaryOperator<RowBlock> scaling = scaler.forBlocks();
        private final List<RowBlockBuilder> open = new ArrayList<>();
        private final List<long[]> indices = new ArrayList<>();
        private @Nullable RowBlock block;
        private int next;
        private int flushed;

        Sorting() {
            for (int f = 0; f < folds; f++) {
                open.add(new RowBlockBuilder());
                indices.add(new long[FeaturePass.TILE_ROWS]);
            }
        }

        /** Fills a tile with rows of the first fold that has enough; at the end, with the rows that are left. */
        boolean fill(Tile tile) {
            while (more()) {
                RowBlock rows = Objects.requireNonNull(block);
                int row = next++;
                int fold = foldOf.fold(rows.firstRow() + row, rows.group(row));
                if (fold != NONE && add(fold, rows, row)) {
                    hand(fold, tile);
                    return true;
                }
            }
            while (flushed < folds) {
                int fold = flushed++;
                if (open.get(fold).rows() > 0) {
                    hand(fold, tile);
                    return true;
                }
            }
            return false;
        }

        private boolean more() {
            if (block != null && next < block.rows()) {
                return true;
            }
            if (!cursor.next(reading, FeaturePass.TILE_ROWS)) {
                return false;
            }
            try {
                block = scaling.apply(reading.build());
                // Checked here, because the place of a row is known here.
                new Domain(kernel, block).check();
            } catch (RowException e) {
                throw Places.of(source, e, scaler.scaling().toString());
            }
            next = 0;
            return true;
        }

        private boolean add(int fold, RowBlock rows, int row) {
            RowBlockBuilder to = open.get(fold);
            if (to.rows() == 0) {
                if (rows instanceof SparseRows) {
                    to.beginSparse(0, rows.columns(), rows.targets(), rows.hasRowWeights());
                } else {
                    to.beginDense(0, rows.columns(), rows.targets(), rows.hasRowWeights());
                }
            }
            indices.get(fold)[to.rows()] = rows.firstRow() + row;
            to.addRow(rows, row);
            return to.rows() == FeaturePass.TILE_ROWS;
        }

        /** Gives the rows of a fold to the tile, and takes the builder of the tile in return. */
        private void hand(int fold, Tile tile) {
            RowBlockBuilder full = open.get(fold);
            RowBlockBuilder empty = tile.builder;
            tile.builder = full;
            tile.rows = full.build();
            tile.fold = fold;
            tile.indices = indices.set(fold, tile.indices);
            empty.beginDense(0, 1, 0, false);
            open.set(fold, empty);
        }

        @Override
        public void close() {
            cursor.close();
        }
    }
}
