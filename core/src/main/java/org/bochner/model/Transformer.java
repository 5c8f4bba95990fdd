package org.bochner.model;

import java.util.function.Consumer;
import org.bochner.base.BochnerException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.stats.FeaturePass;

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
     * Maps every row of a source, in parallel; the sink gets blocks of features, with the rows' targets and weights,
     * one by one, in order. Where the map keeps sparsity, the features of sparse rows are sparse. Blocks are reused
     * once the sink returns. Returns how many rows there were.
     */
    public long transform(RowSource source, Workers workers, Progress progress, Consumer<RowBlock> sink) {
        if (source.columns() != map.inputDimension()) {
            throw new BochnerException(
                    source.name() + ": has " + source.columns() + " columns; the map needs " + map.inputDimension());
        }
        long[] rows = new long[1];
        int blockRows = Math.max(1, Math.min(FeaturePass.TILE_ROWS, BLOCK_VALUES / map.outputDimension()));
        new FeaturePass(source, scaler, map, Precision.FLOAT32, true, workers)
                .withTileRows(blockRows)
                .run(Object::new, (block, none) -> block.entries(), (done, none) -> {
                    sink.accept(done.last().asRows());
                    rows[0] = done.rows();
                    progress.report("mapping", rows[0], done.fraction());
                });
        return rows[0];
    }
}
