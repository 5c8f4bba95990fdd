package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.ScalingBuffer;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;

/**
 * The pass over the rows of a source that sums up the products of their features, in memory that does not depend on the
 * number of rows: what ridge regression needs in the primal. Its like for sparse features is {@link DualPass}.
 */
final class GramPass {
    private final RowSource source;
    private final Scaler scaler;
    private final FeatureMap map;
    private final Workers workers;
    private long mapNanos;
    private long productNanos;

    GramPass(RowSource source, Transformer transformer, Workers workers) {
        this.source = source;
        this.scaler = transformer.scaler();
        this.map = transformer.map();
        this.workers = workers;
    }

    /** Maps all rows and sums up the products of their features. */
    GramStatistics run(ClassWeights weights, Precision precision, Progress progress) {
        int features = map.outputDimension();
        GramAccumulator total = new GramAccumulator(features, source.labels());
        int tiles = GramAccumulator.tilesPerBlock(features);
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    () -> new Block(tiles),
                    block -> block.fill(cursor),
                    () -> new Bench(new ScalingBuffer(), new BlockGram(features, source.labels(), weights, precision)),
                    (block, bench) -> {
                        bench.gram.clear();
                        for (RowBlock tile : block.tiles()) {
                            bench.gram.add(map, scaler.apply(tile, bench.buffer));
                        }
                    },
                    (block, bench) -> {
                        total.add(bench.gram);
                        mapNanos += bench.gram.mapNanos();
                        productNanos += bench.gram.gramNanos();
                        progress.report("mapping", total.rows(), cursor.progress());
                    });
        } catch (RowException e) {
            throw e.in(source.name(), scaler.scaling().toString());
        }
        GramStatistics statistics = total.freeze(map.penalty());
        if (!(statistics.weight() > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a weight above 0");
        }
        return statistics;
    }

    /** Time spent in the feature map, summed over the threads and over all runs. */
    long mapNanos() {
        return mapNanos;
    }

    /** Time spent in products of features, summed in the same way. */
    long productNanos() {
        return productNanos;
    }

    /** Rows on their way to one worker: several tiles, whose statistics are merged into the totals together. */
    private static final class Block {
        private final List<RowBlockBuilder> tiles = new ArrayList<>();
        private int filled;

        Block(int count) {
            for (int t = 0; t < count; t++) {
                tiles.add(new RowBlockBuilder());
            }
        }

        boolean fill(RowCursor cursor) {
            filled = 0;
            while (filled < tiles.size() && cursor.next(tiles.get(filled), GramAccumulator.TILE_ROWS)) {
                filled++;
            }
            return filled > 0;
        }

        List<RowBlock> tiles() {
            return tiles.subList(0, filled).stream().map(RowBlockBuilder::build).toList();
        }
    }

    /** What one worker needs for itself. */
    private record Bench(ScalingBuffer buffer, BlockGram gram) {}
}
