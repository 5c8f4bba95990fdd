package org.bochner.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;
import org.bochner.base.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.ScalingBuffer;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;

/**
 * One pass over the rows of a source that sums up the products of their features fold by fold: rows are sorted into blocks
 * of one fold each as they are read, so that a worker needs no more memory than in a pass without folds.
 *
 * <p>Memory: 8·D² bytes a fold, beside that of a plain pass. What is summed up does not depend on the number of threads.
 */
final class FoldPass {
    private final RowSource source;
    private final Transformer transformer;
    private final LongToIntFunction foldOf;
    private final int folds;
    private final Precision precision;
    private final int tiles;

    FoldPass(RowSource source, Transformer transformer, int folds, LongToIntFunction foldOf, Precision precision) {
        this.source = source;
        this.transformer = transformer;
        this.folds = folds;
        this.foldOf = foldOf;
        this.precision = precision;
        tiles = GramAccumulator.tilesPerBlock(transformer.map().outputDimension());
    }

    /** The sums of each fold; those of one without rows are empty. */
    List<GramAccumulator> run(Workers workers, Progress progress) {
        int features = transformer.map().outputDimension();
        List<GramAccumulator> totals = IntStream.range(0, folds)
                .mapToObj(fold -> new GramAccumulator(features, source.labels()))
                .toList();
        long[] rows = new long[1];
        try (RowCursor cursor = source.open()) {
            Feed feed = new Feed(cursor);
            workers.conveyor(
                    Slot::new, feed::fill, Bench::new, (slot, bench) -> bench.sum(slot.block), (slot, bench) -> {
                        totals.get(slot.fold).add(bench.gram);
                        rows[0] += slot.block.rows();
                        progress.report("mapping", rows[0], cursor.progress());
                    });
        } catch (RowException e) {
            throw e.in(source.name(), transformer.scaler().scaling().toString());
        }
        return totals;
    }

    /** Rows of one fold: several tiles, whose statistics are merged into the totals together. */
    private final class Block {
        private final List<RowBlockBuilder> builders = new ArrayList<>();
        private int used;

        void clear() {
            used = 0;
        }

        void add(RowBlock from, int row) {
            if (used == 0 || builders.get(used - 1).rows() == GramAccumulator.TILE_ROWS) {
                if (used == builders.size()) {
                    builders.add(new RowBlockBuilder());
                }
                RowBlockBuilder tile = builders.get(used++);
                // The number of the first row; the others of a fold are not the ones that follow it.
                long first = from.firstRow() + row;
                if (source.sparse()) {
                    tile.beginSparse(first, source.columns(), from.targetWidth(), from.weighted());
                } else {
                    tile.beginDense(first, source.columns(), from.targetWidth(), from.weighted());
                }
            }
            builders.get(used - 1).addRow(from, row);
        }

        boolean full() {
            return used == tiles && builders.get(used - 1).rows() == GramAccumulator.TILE_ROWS;
        }

        int rows() {
            return builders.subList(0, used).stream()
                    .mapToInt(RowBlockBuilder::rows)
                    .sum();
        }

        List<RowBlock> tiles() {
            return builders.subList(0, used).stream()
                    .map(RowBlockBuilder::build)
                    .toList();
        }
    }

    /** What is on its way to one worker. */
    private final class Slot {
        private Block block = new Block();
        private int fold;
    }

    /** Sorts rows into blocks, and hands those on that are full; at the end of the rows, all others. */
    private final class Feed {
        private final RowCursor cursor;
        private final RowBlockBuilder builder = new RowBlockBuilder();
        private final Block[] pending = new Block[folds];
        private RowBlock read = builder.build();
        private int next;

        Feed(RowCursor cursor) {
            this.cursor = cursor;
            for (int fold = 0; fold < folds; fold++) {
                pending[fold] = new Block();
            }
        }

        boolean fill(Slot slot) {
            while (hasRow()) {
                int fold = foldOf.applyAsInt(read.firstRow() + next);
                pending[fold].add(read, next++);
                if (pending[fold].full()) {
                    return hand(fold, slot);
                }
            }
            for (int fold = 0; fold < folds; fold++) {
                if (pending[fold].used > 0) {
                    return hand(fold, slot);
                }
            }
            return false;
        }

        private boolean hasRow() {
            if (next < read.rows()) {
                return true;
            }
            boolean more = cursor.next(builder, GramAccumulator.TILE_ROWS);
            read = builder.build();
            next = 0;
            return more;
        }

        private boolean hand(int fold, Slot slot) {
            Block empty = slot.block;
            slot.block = pending[fold];
            slot.fold = fold;
            empty.clear();
            pending[fold] = empty;
            return true;
        }
    }

    /** What one worker needs for itself. */
    private final class Bench {
        private final ScalingBuffer buffer = new ScalingBuffer();
        private final BlockGram gram =
                new BlockGram(transformer.map().outputDimension(), source.labels(), ClassWeights.none(), precision);

        void sum(Block block) {
            gram.clear();
            for (RowBlock tile : block.tiles()) {
                gram.add(transformer.map(), transformer.scaler().apply(tile, buffer));
            }
        }
    }
}
