package org.bochner.model;

import java.nio.FloatBuffer;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.RowBlockBuilder;
import org.bochner.data.RowCursor;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.ScalingBuffer;

/**
 * Scaling and feature map, one after the other: a model without its linear part.
 *
 * <p>Threads: safe; immutable.
 *
 * @param scaler what rows go through first
 * @param map what makes features of them
 */
public record Transformer(Scaler scaler, FeatureMap map) {
    /**
     * Maps every row of a source, in parallel; the sink gets blocks of features, with the rows' targets and weights, one
     * by one, in order. Blocks are reused once the sink returns. Returns how many rows there were.
     */
    public long transform(RowSource source, Workers workers, Progress progress, Consumer<RowBlock> sink) {
        if (source.columns() != map.inputDimension()) {
            throw new BochnerException(
                    source.name() + ": has " + source.columns() + " columns; the map needs " + map.inputDimension());
        }
        long[] rows = new long[1];
        int features = map.outputDimension();
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    RowBlockBuilder::new,
                    slot -> cursor.next(slot, KernelModel.BLOCK_ROWS),
                    () -> new Bench(new ScalingBuffer(), FloatBuffer.allocate(KernelModel.BLOCK_ROWS * features)),
                    (slot, bench) ->
                            map.apply(scaler.apply(slot.build(), bench.buffer), bench.features.array(), 0, features),
                    (slot, bench) -> {
                        sink.accept(DenseRows.like(slot.build(), features, bench.features.array()));
                        rows[0] += slot.rows();
                        progress.report("mapping", rows[0], cursor.progress());
                    });
        }
        return rows[0];
    }

    /** What one worker needs for itself. */
    private record Bench(ScalingBuffer buffer, FloatBuffer features) {}
}
