package org.bochner.model;

import java.util.Objects;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.Places;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.ScalingBuffer;
import org.bochner.stats.FiniteFeatures;
import org.jspecify.annotations.Nullable;

/**
 * Scaling and feature map, one after the other: a model without its linear part.
 *
 * <p>Threads: safe; immutable.
 *
 * @param scaler what rows go through first
 * @param map what makes features of them
 */
public record Transformer(Scaler scaler, FeatureMap map) {
    /** Features in a block at most, 64 MiB of them: there is no limit on their number a row here. */
    private static final int BLOCK_VALUES = 1 << 24;

    /**
     * Maps every row of a source, in parallel; the sink gets blocks of features, with the rows' targets and weights, one
     * by one, in order. Where the map keeps sparsity, the features of sparse rows are sparse. Blocks are reused once the
     * sink returns. Returns how many rows there were.
     */
    public long transform(RowSource source, Workers workers, Progress progress, Consumer<RowBlock> sink) {
        if (source.columns() != map.inputDimension()) {
            throw new BochnerException(
                    source.name() + ": has " + source.columns() + " columns; the map needs " + map.inputDimension());
        }
        long[] rows = new long[1];
        int features = map.outputDimension();
        int blockRows = Math.max(1, Math.min(KernelModel.BLOCK_ROWS, BLOCK_VALUES / features));
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    RowBlockBuilder::new,
                    slot -> cursor.next(slot, blockRows),
                    Bench::new,
                    (slot, bench) -> bench.map(slot.build(), blockRows),
                    (slot, bench) -> {
                        sink.accept(bench.mapped());
                        rows[0] += slot.rows();
                        progress.report("mapping", rows[0], cursor.progress());
                    });
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        }
        return rows[0];
    }

    /** What one worker needs for itself. */
    private final class Bench {
        private final ScalingBuffer buffer = new ScalingBuffer();
        private float[] features = new float[0];
        private @Nullable RowBlock mapped;

        void map(RowBlock rows, int blockRows) {
            RowBlock scaled = scaler.apply(rows, buffer);
            if (map.keepsSparsity() && scaled instanceof SparseRows sparse) {
                mapped = FiniteFeatures.require(sparse, map.apply(sparse));
                return;
            }
            int width = map.outputDimension();
            if (features.length == 0) {
                features = new float[blockRows * width];
            }
            map.apply(scaled, features, 0, width);
            FiniteFeatures.require(scaled, features, 0, width);
            mapped = DenseRows.like(rows, width, features);
        }

        RowBlock mapped() {
            return Objects.requireNonNull(mapped);
        }
    }
}
