package org.bochner.model.train;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.Places;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.data.sample.Folds;
import org.bochner.map.FeatureMap;
import org.bochner.map.layout.Penalty;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.ScalingBuffer;
import org.bochner.stats.BlockGram;
import org.bochner.stats.ClassWeights;
import org.bochner.stats.GramAccumulator;
import org.bochner.stats.GramStatistics;
import org.bochner.stats.RowWeights;
import org.bochner.stats.UnknownClassException;
import org.jspecify.annotations.Nullable;

/**
 * The pass over the rows of a source that sums up the products of their features, in memory that does not depend on the
 * number of rows: what ridge regression needs in the primal. Its like for sparse features is {@link DualPass}.
 */
public final class GramPass {
    private final RowSource source;
    private final Scaler scaler;
    private final List<FeatureMap> maps;
    private final Workers workers;
    private final @Nullable Parting parting;
    private long mapNanos;
    private long productNanos;

    public GramPass(RowSource source, Transformer transformer, Workers workers) {
        this(source, transformer.scaler(), List.of(transformer.map()), workers);
    }

    /** Goes over the rows once for several maps. */
    public GramPass(RowSource source, Scaler scaler, List<FeatureMap> maps, Workers workers) {
        this(source, scaler, maps, workers, null);
    }

    private GramPass(
            RowSource source, Scaler scaler, List<FeatureMap> maps, Workers workers, @Nullable Parting parting) {
        this.source = source;
        this.scaler = scaler;
        this.maps = List.copyOf(maps);
        this.workers = workers;
        this.parting = parting;
    }

    /** The part whose sums a row is added to, given the block that the row is in; from 0. */
    @FunctionalInterface
    public interface PartOf {
        int part(RowBlock rows, int row);
    }

    /** How rows are sorted into parts. */
    private record Parting(int parts, PartOf partOf) {}

    /** The pass that sums up the rows of each fold apart. */
    public static GramPass ofFolds(RowSource source, Transformer transformer, Folds folds, Workers workers) {
        return parted(source, transformer, new Parting(folds.count(), folds::fold), workers);
    }

    /** The pass that sums up the first of some folds apart, as part 0, from all others, as part 1. */
    public static GramPass ofFirstFold(RowSource source, Transformer transformer, Folds folds, Workers workers) {
        return parted(source, transformer, new Parting(2, (rows, row) -> Math.min(1, folds.fold(rows, row))), workers);
    }

    private static GramPass parted(RowSource source, Transformer transformer, Parting parting, Workers workers) {
        return new GramPass(source, transformer.scaler(), List.of(transformer.map()), workers, parting);
    }

    /** Maps all rows and sums up the products of their features. */
    public GramStatistics run(ClassWeights weights, Precision precision, Progress progress) {
        return runEach(weights, precision, progress).get(0);
    }

    /** Maps all rows by each map and sums up the products of its features, but not those of one map's with another's. */
    public List<GramStatistics> runEach(ClassWeights weights, Precision precision, Progress progress) {
        List<GramAccumulator> totals =
                accumulateEach(weights, precision, progress).get(0);
        List<GramStatistics> statistics = new ArrayList<>();
        for (int m = 0; m < maps.size(); m++) {
            statistics.add(totals.get(m).freeze(Penalty.of(maps.get(m))));
        }
        return statistics;
    }

    /** The sums of one map, to which others can be added. */
    public GramAccumulator accumulate(ClassWeights weights, Precision precision, Progress progress) {
        return accumulateEach(weights, precision, progress).get(0).get(0);
    }

    /** The sums of one map, for each part. */
    public List<GramAccumulator> accumulateParts(ClassWeights weights, Precision precision, Progress progress) {
        return accumulateEach(weights, precision, progress).stream()
                .map(totals -> totals.get(0))
                .toList();
    }

    /** The sums for each part and each map. */
    private List<List<GramAccumulator>> accumulateEach(ClassWeights weights, Precision precision, Progress progress) {
        int parts = parting == null ? 1 : parting.parts;
        List<List<GramAccumulator>> totals = new ArrayList<>();
        for (int p = 0; p < parts; p++) {
            totals.add(maps.stream()
                    .map(map -> new GramAccumulator(map.outputDimension(), source.labels()))
                    .toList());
        }
        int tiles = GramAccumulator.tilesPerBlock(
                maps.stream().mapToInt(FeatureMap::outputDimension).max().orElse(1));
        long[] rows = {0};
        try (RowCursor cursor = source.open()) {
            RowWeights rowWeights = new RowWeights(source.labels(), weights);
            Sorter sorter = parting == null ? null : new Sorter(cursor, parting, tiles, rowWeights);
            workers.conveyor(
                    () -> new Block(tiles),
                    block -> sorter == null ? block.fill(cursor) : sorter.fill(block),
                    () -> new Bench(weights, precision),
                    (block, bench) -> bench.sum(block),
                    (block, bench) -> {
                        bench.addTo(totals.get(block.part));
                        rows[0] += block.rows();
                        progress.report("mapping", rows[0], cursor.progress());
                    });
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        } catch (UnknownClassException e) {
            throw e.inFile(source);
        }
        if (!(totals.stream().mapToDouble(part -> part.get(0).weight()).sum() > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a weight above 0");
        }
        return totals;
    }

    /** Time spent in the feature map, summed over the threads and over all runs. */
    public long mapNanos() {
        return mapNanos;
    }

    /** Time spent in products of features, summed in the same way. */
    public long productNanos() {
        return productNanos;
    }

    /** Rows on their way to one worker: several tiles, whose statistics are merged into the totals together. */
    private static final class Block {
        private List<Tile> tiles = new ArrayList<>();
        private int filled;
        private int part;

        Block(int count) {
            for (int t = 0; t < count; t++) {
                tiles.add(new Tile());
            }
        }

        boolean fill(RowCursor cursor) {
            filled = 0;
            while (filled < tiles.size() && cursor.next(tiles.get(filled).builder, GramAccumulator.TILE_ROWS)) {
                filled++;
            }
            return filled > 0;
        }

        List<Tile> filled() {
            return tiles.subList(0, filled);
        }

        long rows() {
            return filled().stream().mapToLong(tile -> tile.builder.rows()).sum();
        }
    }

    /** Rows that are mapped together. */
    private static final class Tile {
        private final RowBlockBuilder builder = new RowBlockBuilder();
        /** Where each row stands in the source, if the rows were sorted; else empty. */
        private long[] places = {};

        /** The failure of a row of this tile, with the row's place in the source. */
        RowException inSource(RowException e) {
            return places.length == 0 || e.row() < 0 ? e : e.inRow(places[(int) e.row()]);
        }

        void add(RowBlock rows, int row) {
            if (places.length == 0) {
                places = new long[GramAccumulator.TILE_ROWS];
            }
            if (builder.rows() == 0) {
                boolean sparse = rows instanceof SparseRows;
                if (sparse) {
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
    private static final class Sorter {
        private final RowCursor cursor;
        private final Parting parting;
        private final RowWeights rowWeights;
        private final List<Block> open = new ArrayList<>();
        private final RowBlockBuilder reading = new RowBlockBuilder();
        private RowBlock rows = reading.build();
        private int next;
        private int flushed;

        Sorter(RowCursor cursor, Parting parting, int tiles, RowWeights rowWeights) {
            this.cursor = cursor;
            this.parting = parting;
            this.rowWeights = rowWeights;
            for (int p = 0; p < parting.parts; p++) {
                open.add(new Block(tiles));
            }
        }

        /** Fills a block with the rows of a part of which there are enough; at the end, with those that are left. */
        boolean fill(Block block) {
            while (more()) {
                int row = next++;
                // Fails for a row of an unknown class while its place in the source is known.
                double unused = rowWeights.weight(rows, row);
                int part = parting.partOf.part(rows, row);
                Block own = open.get(part);
                Tile tile = own.tiles.get(own.filled);
                tile.add(rows, row);
                if (tile.builder.rows() == GramAccumulator.TILE_ROWS && ++own.filled == own.tiles.size()) {
                    return hand(part, block);
                }
            }
            while (flushed < open.size()) {
                int part = flushed++;
                Block own = open.get(part);
                own.filled += own.filled < own.tiles.size()
                                && own.tiles.get(own.filled).builder.rows() > 0
                        ? 1
                        : 0;
                if (own.filled > 0) {
                    return hand(part, block);
                }
            }
            return false;
        }

        private boolean more() {
            if (next < rows.rows()) {
                return true;
            }
            boolean more = cursor.next(reading, GramAccumulator.TILE_ROWS);
            rows = reading.build();
            next = 0;
            return more;
        }

        /** Gives the part's tiles to the block, and takes the block's tiles in return. */
        private boolean hand(int part, Block block) {
            Block own = open.get(part);
            List<Tile> empty = block.tiles;
            block.tiles = own.tiles;
            block.filled = own.filled;
            block.part = part;
            own.tiles = empty;
            own.filled = 0;
            empty.forEach(tile -> tile.builder.beginDense(0, 1, 0, false));
            return true;
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
            for (Tile tile : block.filled()) {
                try {
                    RowBlock scaled = scaler.apply(tile.builder.build(), buffer);
                    for (int m = 0; m < maps.size(); m++) {
                        grams.get(m).add(maps.get(m), scaled);
                    }
                } catch (RowException e) {
                    throw tile.inSource(e);
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
