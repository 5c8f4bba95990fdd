package org.bochner.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bochner.data.RowBlock;

/**
 * The features of all rows of a source in memory, 16 bits per feature: half the size of float32. A pass unpacks the
 * features tile by tile, at a tenth of the cost of mapping rows of some hundred columns again.
 *
 * <p>Accuracy: a row's features are rounded to 65,535 equal steps between −m and m, with m the row's largest
 * magnitude; the error is at most 1.6·10⁻⁵·m. Cosines and sines lose almost nothing; features of very unequal size
 * may lose accuracy.
 *
 * <p>Memory: 2·n·D bytes, and per thread the features of {@link FeaturePass#TILE_ROWS} rows in float32. Threads: one
 * pass at a time.
 */
public final class PackedFeatures extends ChunkedFeatures<PackedFeatures.Chunk> {
    /** The bytes of unpacked features in a tile: half of a core's second-level cache. */
    private static final int TILE_BYTES = 1 << 19;

    private static final int LARGEST = Short.MAX_VALUE;

    private final int features;
    private final int tileRows;
    private final List<Chunk> chunks = new ArrayList<>();

    private PackedFeatures(MappedSource mapped) {
        super(mapped);
        features = mapped.features();
        tileRows = (int) Math.max(16, Math.min(MappedFeatures.chunkRows(features), TILE_BYTES / (4L * features)));
    }

    /** Maps all rows, in float32, and packs them. */
    public static PackedFeatures map(MappedSource mapped, FeatureStore.Listener listener) {
        PackedFeatures packed = new PackedFeatures(mapped);
        packed.fill(listener);
        packed.requireWeight();
        return packed;
    }

    private void fill(FeatureStore.Listener listener) {
        mapped.pass(false, MappedFeatures.chunkRows(features))
                .run(() -> new Chunk[1], (rows, packed) -> packed[0] = pack(rows), (done, packed) -> {
                    chunks.add(packed[0]);
                    mapNanos += done.last().takeNanos();
                    listener.mapped(done.rows(), done.fraction());
                });
        // Means and scatter are those of the rounded features.
        pass(() -> new FeatureTotals(features, labels()), (tile, sums) -> sums.add(tile), sums -> {
            totals.add(sums);
            sums.clear();
        });
    }

    @Override
    public <B> void pass(Supplier<B> bench, BiConsumer<FeatureTile, B> work, Consumer<B> inTurn) {
        overHeld(
                chunks,
                () -> new Bench<>(bench.get()),
                (chunk, own) -> own.tiles(chunk, tile -> work.accept(tile, own.given)),
                (chunk, own) -> inTurn.accept(own.given));
    }

    @Override
    void allInOrder(Consumer<FeatureTile> sink) {
        overHeld(chunks, () -> new Bench<>(this), (chunk, own) -> {}, (chunk, own) -> own.tiles(chunk, sink));
    }

    /**
     * The packed features of consecutive rows.
     *
     * @param packed rows×D
     * @param steps the step size of each row
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Chunk(short[] packed, float[] steps, RowTargets targets) {}

    private Chunk pack(MappedRows rows) {
        RowBlock block = rows.rows();
        int count = block.rows();
        RowTargets targets = RowTargets.of(block, rowWeights);
        float[] values = rows.features().float32();
        short[] packed = new short[count * features];
        float[] steps = new float[count];
        for (int i = 0; i < count; i++) {
            steps[i] = largest(values, i * features, features) / LARGEST;
            round(values, i * features, features, steps[i] > 0 ? 1 / steps[i] : 0, packed);
        }
        return new Chunk(packed, steps, targets);
    }

    private static float largest(float[] values, int start, int count) {
        float largest = 0;
        for (int j = start; j < start + count; j++) {
            // Math.max returns NaN if one argument is NaN; a comparison would skip it.
            largest = Math.max(largest, Math.abs(values[j]));
        }
        return largest;
    }

    private static void round(float[] values, int start, int count, float perStep, short[] to) {
        for (int j = start; j < start + count; j++) {
            // Adding 32,768.5 makes the number positive, and truncation then rounds to the nearest integer.
            to[j] = (short) ((int) (values[j] * perStep + 32768.5f) - 32768);
        }
    }

    /** The working memory in which one worker unpacks tiles. */
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
                sink.accept(new FeatureTile(block, chunk.targets.part(from, to), 0, to - from));
            }
        }

        private static void unpack(short[] packed, int from, int count, float step, float[] to, int start) {
            for (int j = 0; j < count; j++) {
                to[start + j] = step * packed[from + j];
            }
        }
    }
}
