package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.RowException;
import org.bochner.data.Places;
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
    private final List<FeatureMap> maps;
    private final Workers workers;
    private long mapNanos;
    private long productNanos;

    GramPass(RowSource source, Transformer transformer, Workers workers) {
        this(source, transformer.scaler(), List.of(transformer.map()), workers);
    }

    /** Goes over the rows once for several maps. */
    GramPass(RowSource source, Scaler scaler, List<FeatureMap> maps, Workers workers) {
        this.source = source;
        this.scaler = scaler;
        this.maps = List.copyOf(maps);
        this.workers = workers;
    }

    /** Maps all rows and sums up the products of their features. */
    GramStatistics run(ClassWeights weights, Precision precision, Progress progress) {
        return runEach(weights, precision, progress).get(0);
    }

    /** Maps all rows by each map and sums up the products of its features, but not those of one map's with another's. */
    List<GramStatistics> runEach(ClassWeights weights, Precision precision, Progress progress) {
        List<GramAccumulator> totals = accumulateEach(weights, precision, progress);
        List<GramStatistics> statistics = new ArrayList<>();
        for (int m = 0; m < maps.size(); m++) {
            statistics.add(totals.get(m).freeze(maps.get(m).penalty()));
        }
        return statistics;
    }

    /** The sums of one map, to which others can be added. */
    GramAccumulator accumulate(ClassWeights weights, Precision precision, Progress progress) {
        return accumulateEach(weights, precision, progress).get(0);
    }

    private List<GramAccumulator> accumulateEach(ClassWeights weights, Precision precision, Progress progress) {
        List<GramAccumulator> totals = maps.stream()
                .map(map -> new GramAccumulator(map.outputDimension(), source.labels()))
                .toList();
        int tiles = GramAccumulator.tilesPerBlock(
                maps.stream().mapToInt(FeatureMap::outputDimension).max().orElse(1));
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    () -> new Block(tiles),
                    block -> block.fill(cursor),
                    () -> new Bench(weights, precision),
                    (block, bench) -> bench.sum(block),
                    (block, bench) -> {
                        bench.addTo(totals);
                        progress.report("mapping", totals.get(0).rows(), cursor.progress());
                    });
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        }
        if (!(totals.get(0).weight() > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a weight above 0");
        }
        return totals;
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
    private final class Bench {
        private final ScalingBuffer buffer = new ScalingBuffer();
        private final List<BlockGram> grams = new ArrayList<>();

        Bench(ClassWeights weights, Precision precision) {
            for (FeatureMap map : maps) {
                grams.add(new BlockGram(map.outputDimension(), source.labels(), weights, precision));
            }
        }

        void sum(Block block) {
            grams.forEach(BlockGram::clear);
            for (RowBlock tile : block.tiles()) {
                RowBlock scaled = scaler.apply(tile, buffer);
                for (int m = 0; m < maps.size(); m++) {
                    grams.get(m).add(maps.get(m), scaled);
                }
            }
        }

        void addTo(List<GramAccumulator> totals) {
            for (int m = 0; m < maps.size(); m++) {
                totals.get(m).add(grams.get(m));
                mapNanos += grams.get(m).mapNanos();
                productNanos += grams.get(m).gramNanos();
            }
        }
    }
}
