package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;
import org.bochner.data.Places;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.ScalingBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The features of a source of rows, all of them in memory, in 16 bits each: half of what float32 takes. A pass unpacks
 * them tile by tile, which costs a tenth of mapping rows of some hundred columns anew.
 *
 * <p>Accuracy: each row is cut into 65,535 steps from its largest feature in size to the negative of it; features are
 * rounded to the nearest, an error of at most 1.6·10⁻⁵ of that largest one. Cosines and sines lose next to nothing by
 * it; features of very unequal size may.
 *
 * <p>Memory: 2·n·D bytes, and for each thread the features of {@link FeatureStore#CHUNK_ROWS} rows in float32. Threads:
 * one pass at a time.
 */
public final class PackedFeatures implements FeatureSource {
    /** Bytes of unpacked features in a tile: half of a core's second-level cache. */
    private static final int TILE_BYTES = 1 << 19;

    /** Features in a chunk at most. */
    private static final int CHUNK_VALUES = 1 << 25;

    private static final int LARGEST = Short.MAX_VALUE;

    private final RowSource source;
    private final Scaler scaler;
    private final FeatureMap map;
    private final RowWeights rowWeights;
    private final Workers workers;
    private final int features;
    private final int tileRows;
    private final List<Chunk> chunks = new ArrayList<>();
    private final FeatureTotals totals;
    private long rows;
    private long mapNanos;

    /** Maps all rows once. */
    public PackedFeatures(
            RowSource source,
            Scaler scaler,
            FeatureMap map,
            ClassWeights classWeights,
            Workers workers,
            FeatureStore.Listener listener) {
        this.source = source;
        this.scaler = scaler;
        this.map = map;
        this.workers = workers;
        rowWeights = new RowWeights(source.labels(), classWeights);
        features = map.outputDimension();
        int chunkRows = chunkRows(features);
        tileRows = (int) Math.max(16, Math.min(chunkRows, TILE_BYTES / (4L * features)));
        totals = new FeatureTotals(features, source.labels());
        fill(chunkRows, listener);
        sum();
    }

    private static int chunkRows(int features) {
        return Math.max(16, Math.min(FeatureStore.CHUNK_ROWS, CHUNK_VALUES / features));
    }

    /** Bytes that so many rows need. */
    public static long bytesNeeded(long rows, int features, int threads) {
        return (long) (2.0 * rows * features + 32.0 * rows + 4.0 * threads * chunkRows(features) * features);
    }

    private void fill(int chunkRows, FeatureStore.Listener listener) {
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    RowBlockBuilder::new,
                    slot -> cursor.next(slot, chunkRows),
                    Packer::new,
                    (slot, packer) -> packer.pack(slot.build()),
                    (slot, packer) -> {
                        Chunk chunk = Objects.requireNonNull(packer.chunk);
                        chunks.add(chunk);
                        rows += chunk.steps.length;
                        mapNanos += packer.nanos;
                        listener.mapped(rows, cursor.progress());
                    });
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        }
    }

    /** Finds the means and the scatter, of the features as they are now. */
    private void sum() {
        pass(() -> new FeatureTotals(features, labels()), (tile, sums) -> sums.add(tile), sums -> {
            totals.add(sums);
            sums.clear();
        });
        if (!(totals.weight() > 0)) {
            throw new BochnerException(source.name() + ": holds no rows, or none with a weight above 0");
        }
    }

    /** Time spent in the feature map and in packing, summed over the threads. */
    public long mapNanos() {
        return mapNanos;
    }

    @Override
    public int features() {
        return features;
    }

    @Override
    public Labels labels() {
        return source.labels();
    }

    @Override
    public OptionalLong knownRows() {
        return OptionalLong.of(rows);
    }

    @Override
    public boolean estimated() {
        return false;
    }

    @Override
    public double weight() {
        return totals.weight();
    }

    @Override
    public double[] mean() {
        return totals.mean();
    }

    @Override
    public double scatterTrace() {
        return totals.scatterTrace();
    }

    @Override
    public double targetMean(int target) {
        return totals.targetMean(target);
    }

    @Override
    public <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn) {
        overChunks(
                () -> new Bench<>(bench.get()),
                (chunk, own) -> own.tiles(chunk, tile -> work.accept(tile, own.given)),
                (chunk, own) -> inTurn.accept(own.given));
    }

    @Override
    public void inOrder(Consumer<FeatureTile> sink) {
        overChunks(() -> new Bench<>(this), (chunk, own) -> {}, (chunk, own) -> own.tiles(chunk, sink));
    }

    private <B> void overChunks(Supplier<B> bench, BiConsumer<Chunk, B> work, BiConsumer<Chunk, B> inTurn) {
        int[] next = {0};
        workers.conveyor(
                () -> new int[1],
                slot -> {
                    slot[0] = next[0];
                    return next[0]++ < chunks.size();
                },
                bench,
                (slot, own) -> work.accept(chunks.get(slot[0]), own),
                (slot, own) -> inTurn.accept(chunks.get(slot[0]), own));
    }

    /** Some consecutive rows. */
    private static final class Chunk {
        /** Rows×D. */
        private final short[] packed;
        /** What a step is, a row. */
        private final float[] steps;

        private final RowTargets targets;

        Chunk(short[] packed, float[] steps, RowTargets targets) {
            this.packed = packed;
            this.steps = steps;
            this.targets = targets;
        }
    }

    /** What one worker needs to pack a chunk. */
    private final class Packer {
        private final ScalingBuffer buffer = new ScalingBuffer();
        private float[] values = new float[0];
        private @Nullable Chunk chunk;
        private long nanos;

        void pack(RowBlock block) {
            long start = System.nanoTime();
            int count = block.rows();
            RowTargets targets = new RowTargets(block, rowWeights);
            if (values.length < count * features) {
                values = new float[count * features];
            }
            RowBlock scaled = scaler.apply(block, buffer);
            map.apply(scaled, values, 0, features);
            FiniteFeatures.require(scaled, values, 0, features);
            short[] packed = new short[count * features];
            float[] steps = new float[count];
            for (int i = 0; i < count; i++) {
                float largest = largest(values, i * features, features);
                if (!(largest < Float.POSITIVE_INFINITY)) {
                    throw RowException.ofRow(
                            block.firstRow() + i,
                            new BochnerException("features are not finite numbers; look for values that are missing, or"
                                    + " too large for the map, and scale the columns"));
                }
                steps[i] = largest / LARGEST;
                round(values, i * features, features, steps[i] > 0 ? 1 / steps[i] : 0, packed);
            }
            chunk = new Chunk(packed, steps, targets);
            nanos = System.nanoTime() - start;
        }

        private static float largest(float[] values, int start, int count) {
            float largest = 0;
            for (int j = start; j < start + count; j++) {
                // NaN comes through, as it would not through a comparison.
                largest = Math.max(largest, Math.abs(values[j]));
            }
            return largest;
        }

        private static void round(float[] values, int start, int count, float perStep, short[] to) {
            for (int j = start; j < start + count; j++) {
                // Adding 32,768.5 makes it positive, so that cutting the fraction off rounds to the nearest.
                to[j] = (short) ((int) (values[j] * perStep + 32768.5f) - 32768);
            }
        }
    }

    /** What one worker needs to unpack tiles. */
    private final class Bench<B> {
        private final B given;
        private final float[] values = new float[tileRows * features];
        private final FeatureBlock block = FeatureBlock.of(features, tileRows, values);

        Bench(B given) {
            this.given = given;
        }

        void tiles(Chunk chunk, Consumer<FeatureTile> sink) {
            for (int from = 0; from < chunk.steps.length; from += tileRows) {
                int to = Math.min(chunk.steps.length, from + tileRows);
                for (int row = from; row < to; row++) {
                    unpack(chunk.packed, row * features, features, chunk.steps[row], values, (row - from) * features);
                }
                sink.accept(FeatureTile.of(block, chunk.targets.part(from, to), 0, to - from));
            }
        }

        private static void unpack(short[] packed, int from, int count, float step, float[] to, int start) {
            for (int j = 0; j < count; j++) {
                to[start + j] = step * packed[from + j];
            }
        }
    }
}
