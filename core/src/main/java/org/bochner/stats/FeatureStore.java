package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.RowException;
import org.bochner.data.Labels;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.ScalingBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The features of a source of rows. As many of them as a budget of memory allows are kept; the rest is read and mapped
 * anew in every pass. What is computed from them is the same, bit for bit, whatever was kept.
 *
 * <p>Sparse rows whose features are sparse are kept sparse.
 *
 * <p>Memory: the budget, and for each thread the features of {@link #CHUNK_ROWS} rows. Threads: one pass at a time.
 */
public final class FeatureStore implements FeatureSource {
    /** Rows that are read and mapped together. */
    public static final int CHUNK_ROWS = 1024;

    /** Bytes of dense features in a tile: half of a core's second-level cache, so that several uses read memory once. */
    private static final int TILE_BYTES = 1 << 19;

    /** Features in a chunk at most. */
    private static final int CHUNK_VALUES = 1 << 25;

    private final RowSource source;
    private final Scaler scaler;
    private final FeatureMap map;
    private final RowWeights rowWeights;
    private final Precision precision;
    private final Workers workers;
    private final boolean sparse;
    private final int chunkRows;
    private final int tileRows;
    private final List<Chunk> held = new ArrayList<>();
    private final Totals totals;
    private long mapNanos;

    /** Hears how many rows the first pass has mapped, and what share of the source that is. */
    @FunctionalInterface
    public interface Listener {
        void mapped(long rows, double fraction);
    }

    /**
     * Maps all rows once.
     *
     * @param budget bytes that features may take; those beyond are mapped anew in every pass
     */
    public FeatureStore(
            RowSource source,
            Scaler scaler,
            FeatureMap map,
            ClassWeights classWeights,
            Precision precision,
            long budget,
            Workers workers,
            Listener listener) {
        this.source = source;
        this.scaler = scaler;
        this.map = map;
        this.precision = precision;
        this.workers = workers;
        rowWeights = new RowWeights(source.labels(), classWeights);
        sparse = source.sparse() && map.keepsSparsity() && scaler.keepsZeros();
        int features = map.outputDimension();
        chunkRows = chunkRows(features);
        long rowBytes = (long) precision.bytes() * features;
        tileRows = sparse ? chunkRows : (int) Math.max(16, Math.min(chunkRows, TILE_BYTES / rowBytes));
        totals = new Totals(features, source.labels());
        fill(budget, listener);
    }

    private static int chunkRows(int features) {
        return Math.max(16, Math.min(CHUNK_ROWS, CHUNK_VALUES / features));
    }

    /** Bytes that passes need beside the budget: the chunk that each thread has in hand. */
    public static long bytesNeeded(int features, int threads, Precision precision) {
        return (long) ((double) threads * chunkRows(features) * features * precision.bytes());
    }

    private void fill(long budget, Listener listener) {
        long[] left = {budget};
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    RowBlockBuilder::new,
                    slot -> cursor.next(slot, chunkRows),
                    Bench::new,
                    (slot, bench) -> {
                        bench.map(slot.build());
                        bench.sum();
                    },
                    (slot, bench) -> {
                        Chunk chunk = bench.chunk();
                        totals.add(bench.sums);
                        mapNanos += bench.nanos;
                        left[0] -= chunk.bytes();
                        // Once one did not fit, none is kept: those kept are the first ones.
                        if (left[0] >= 0) {
                            held.add(chunk);
                            bench.release();
                        } else {
                            left[0] = -1;
                        }
                        listener.mapped(totals.rows, cursor.progress());
                    });
        } catch (RowException e) {
            throw e.in(source.name(), scaler.scaling().toString());
        }
        if (!(totals.weight > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a weight above 0");
        }
        totals.finish();
    }

    @Override
    public int features() {
        return map.outputDimension();
    }

    @Override
    public Labels labels() {
        return source.labels();
    }

    @Override
    public long rows() {
        return totals.rows;
    }

    /** How many of the rows have their features in memory. */
    public long heldRows() {
        return held.stream().mapToLong(Chunk::rows).sum();
    }

    /** Bytes of the features in memory. */
    public long heldBytes() {
        return held.stream().mapToLong(Chunk::bytes).sum();
    }

    /** Time spent in the feature map, summed over the threads and over all passes. */
    public long mapNanos() {
        return mapNanos;
    }

    @Override
    public double weight() {
        return totals.weight;
    }

    @Override
    public double[] mean() {
        return totals.mean.clone();
    }

    @Override
    public double scatterTrace() {
        return totals.trace;
    }

    @Override
    public double targetMean(int target) {
        return totals.targetMean[target];
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

    private <B> void overChunks(Supplier<B> bench, BiConsumer<Chunk, B> work, BiConsumer<Chunk, B> inTurn) {
        try (Reading reading = new Reading()) {
            workers.conveyor(
                    Slot::new,
                    reading::fill,
                    () -> new Pair<>(new Bench(), bench.get()),
                    (slot, pair) -> {
                        if (slot.chunk == null) {
                            pair.own.map(slot.rows.build());
                        }
                        work.accept(slot.chunk == null ? pair.own.chunk() : slot.chunk, pair.given);
                    },
                    (slot, pair) -> {
                        inTurn.accept(slot.chunk == null ? pair.own.chunk() : slot.chunk, pair.given);
                        mapNanos += slot.chunk == null ? pair.own.nanos : 0;
                    });
        } catch (RowException e) {
            throw e.in(source.name(), scaler.scaling().toString());
        }
    }

    private record Pair<B>(Bench own, B given) {}

    /** A chunk on its way: one that is held, or rows to be mapped. */
    private static final class Slot {
        private final RowBlockBuilder rows = new RowBlockBuilder();
        private @Nullable Chunk chunk;
    }

    /** One pass: first the chunks that are held, then the rows after them. */
    private final class Reading implements AutoCloseable {
        private int next;
        private @Nullable RowCursor cursor;

        boolean fill(Slot slot) {
            if (next < held.size()) {
                slot.chunk = held.get(next++);
                return true;
            }
            slot.chunk = null;
            if (heldRows() == totals.rows) {
                return false;
            }
            if (cursor == null) {
                cursor = source.open();
                for (int i = 0; i < held.size(); i++) {
                    cursor.next(slot.rows, chunkRows);
                }
            }
            return cursor.next(slot.rows, chunkRows);
        }

        @Override
        public void close() {
            if (cursor != null) {
                cursor.close();
            }
        }
    }

    /** The features of some consecutive rows. */
    private final class Chunk {
        private final RowTargets targets;
        private final int rows;
        private final @Nullable FeatureBlock dense;
        private final @Nullable SparseRows entries;

        Chunk(RowTargets targets, int rows, @Nullable FeatureBlock dense, @Nullable SparseRows entries) {
            this.targets = targets;
            this.rows = rows;
            this.dense = dense;
            this.entries = entries;
        }

        int rows() {
            return rows;
        }

        long bytes() {
            long labels = 16L * rows;
            return entries != null
                    ? 8L * entries.entries() + 4L * rows + labels
                    : (long) rows * features() * precision.bytes() + labels;
        }

        void tiles(Consumer<FeatureTile> sink) {
            for (int from = 0; from < rows; from += tileRows) {
                int to = Math.min(rows, from + tileRows);
                sink.accept(
                        entries != null
                                ? FeatureTile.of(entries, targets, from, to)
                                : FeatureTile.of(Objects.requireNonNull(dense), targets, from, to));
            }
        }
    }

    /** What one worker needs to map a chunk. */
    private final class Bench {
        private final ScalingBuffer buffer = new ScalingBuffer();
        private @Nullable FeatureBlock block;
        private @Nullable Chunk chunk;
        private final Totals sums = new Totals(features(), labels());
        private long nanos;

        void map(RowBlock rows) {
            long start = System.nanoTime();
            RowTargets targets = new RowTargets(rows, rowWeights);
            RowBlock scaled = scaler.apply(rows, buffer);
            if (sparse && scaled instanceof SparseRows entries) {
                SparseRows mapped = map.apply(entries);
                chunk = new Chunk(targets, rows.rows(), null, mapped);
            } else {
                if (block == null) {
                    block = FeatureBlock.of(precision, features());
                }
                block.fill(map, scaled);
                chunk = new Chunk(targets, rows.rows(), block, null);
            }
            nanos = System.nanoTime() - start;
        }

        void sum() {
            sums.clear();
            chunk().tiles(sums::add);
        }

        Chunk chunk() {
            return Objects.requireNonNull(chunk);
        }

        /** Leaves the memory of the chunk to it. */
        void release() {
            block = null;
        }
    }

    /** Sums over rows, until they are finished; means and scatter from then on. */
    private static final class Totals {
        private final Labels labels;
        private long rows;
        private double weight;
        private double trace;
        private final double[] mean;
        private final double[] targetMean;
        private double[] coefficients = new double[0];

        Totals(int features, Labels labels) {
            this.labels = labels;
            mean = new double[features];
            targetMean = new double[Moments.targets(labels)];
        }

        void clear() {
            rows = 0;
            weight = 0;
            trace = 0;
            java.util.Arrays.fill(mean, 0);
            java.util.Arrays.fill(targetMean, 0);
        }

        void add(FeatureTile tile) {
            if (coefficients.length < tile.rows()) {
                coefficients = new double[tile.rows()];
            }
            rows += tile.rows();
            for (int i = 0; i < tile.rows(); i++) {
                double w = tile.weight(i);
                coefficients[i] = w;
                weight += w;
                trace += w * tile.squaredNorm(i);
                if (labels instanceof Labels.Classes) {
                    targetMean[(int) tile.target(i, 0)] += w;
                } else {
                    for (int t = 0; t < targetMean.length; t++) {
                        targetMean[t] += w * tile.target(i, t);
                    }
                }
            }
            tile.addTransposed(coefficients, 1, mean);
        }

        void add(Totals other) {
            rows += other.rows;
            weight += other.weight;
            trace += other.trace;
            for (int j = 0; j < mean.length; j++) {
                mean[j] += other.mean[j];
            }
            for (int t = 0; t < targetMean.length; t++) {
                targetMean[t] += other.targetMean[t];
            }
        }

        void finish() {
            double squared = 0;
            for (int j = 0; j < mean.length; j++) {
                mean[j] /= weight;
                squared += mean[j] * mean[j];
            }
            for (int t = 0; t < targetMean.length; t++) {
                targetMean[t] /= weight;
            }
            trace = Math.max(0, trace - weight * squared);
        }
    }
}
