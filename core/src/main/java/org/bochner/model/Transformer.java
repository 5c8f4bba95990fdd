package org.bochner.model;

import java.nio.FloatBuffer;
import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.base.RowException;
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
    /** Features in a block at most, 64 MiB of them: there is no limit on their number a row here. */
    private static final int BLOCK_VALUES = 1 << 24;

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
        int blockRows = Math.max(1, Math.min(KernelModel.BLOCK_ROWS, BLOCK_VALUES / features));
        try (RowCursor cursor = source.open()) {
            workers.conveyor(
                    RowBlockBuilder::new,
                    slot -> cursor.next(slot, blockRows),
                    () -> new Bench(new ScalingBuffer(), FloatBuffer.allocate(blockRows * features)),
                    (slot, bench) ->
                            map.apply(scaler.apply(slot.build(), bench.buffer), bench.features.array(), 0, features),
                    (slot, bench) -> {
                        sink.accept(DenseRows.like(slot.build(), features, bench.features.array()));
                        rows[0] += slot.rows();
                        progress.report("mapping", rows[0], cursor.progress());
                    });
        } catch (RowException e) {
            throw e.in(source.name());
        }
        return rows[0];
    }

    /** What one worker needs for itself. */
    private record Bench(ScalingBuffer buffer, FloatBuffer features) {}
}
