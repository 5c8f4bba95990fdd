package org.bochner.stats;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.Precision;
import org.bochner.scale.Scaler;
import org.jspecify.annotations.Nullable;

/**
 * A block of rows and its features, which are computed on first use: the rows are scaled, then mapped by one or
 * several maps. A worker reuses the memory for block after block.
 *
 * <p>Threads: not safe; each worker has its own.
 */
public final class MappedRows {
    private final UnaryOperator<RowBlock> scaling;
    private final List<FeatureMap> maps;
    private final Precision precision;
    private final boolean sparse;
    private final @Nullable FeatureBlock[] blocks;
    private @Nullable RowBlock rows;
    private @Nullable RowBlock scaled;
    private @Nullable SparseRows entries;
    private boolean mapped;
    private long nanos;

    /**
     * Creates an empty block.
     *
     * @param precision the precision of dense features
     * @param sparse true if sparse rows get sparse features; needs a single map that keeps sparsity
     */
    public MappedRows(Scaler scaler, List<FeatureMap> maps, Precision precision, boolean sparse) {
        this(
                scaler.forBlocks(),
                maps,
                precision,
                sparse && maps.size() == 1 && maps.get(0).keepsSparsity());
    }

    /** Creates an empty block for rows that are scaled already, with dense features. */
    public MappedRows(FeatureMap map, Precision precision) {
        this(UnaryOperator.identity(), List.of(map), precision, false);
    }

    private MappedRows(UnaryOperator<RowBlock> scaling, List<FeatureMap> maps, Precision precision, boolean sparse) {
        this.scaling = scaling;
        this.maps = maps;
        this.precision = precision;
        this.sparse = sparse;
        blocks = new FeatureBlock[maps.size()];
    }

    /** Sets the next block of rows, which must not change while its features are in use. */
    public MappedRows take(RowBlock next) {
        rows = next;
        mapped = false;
        return this;
    }

    /** Returns the rows as they were read, with targets and weights. */
    public RowBlock rows() {
        return Objects.requireNonNull(rows);
    }

    /** Scales the rows without computing features, and returns them. */
    public RowBlock scale() {
        scaled = scaling.apply(rows());
        return scaled;
    }

    /** Returns the scaled rows; valid after the features have been computed. */
    public RowBlock scaled() {
        return Objects.requireNonNull(scaled);
    }

    /** Returns the features if they are sparse, and null if they are dense. */
    public @Nullable SparseRows entries() {
        map();
        return entries;
    }

    /** Returns the dense features of the first map. */
    public FeatureBlock features() {
        return features(0);
    }

    /** Returns the dense features of a map. */
    public FeatureBlock features(int map) {
        map();
        return Objects.requireNonNull(blocks[map]);
    }

    /** Returns the features, dense in float32 or sparse, as rows with the targets and weights of the rows. */
    public RowBlock asRows() {
        SparseRows kept = entries();
        return kept != null
                ? kept
                : DenseRows.like(
                        rows(), maps.get(0).outputDimension(), features().float32());
    }

    private void map() {
        if (mapped) {
            return;
        }
        long start = System.nanoTime();
        scaled = scaling.apply(rows());
        entries = sparse && scaled instanceof SparseRows from
                ? FiniteFeatures.require(from, maps.get(0).apply(from))
                : null;
        for (int m = 0; entries == null && m < blocks.length; m++) {
            FeatureBlock block = blocks[m];
            if (block == null) {
                block = FeatureBlock.of(precision, maps.get(m).outputDimension());
                blocks[m] = block;
            }
            block.fill(maps.get(m), scaled());
        }
        mapped = true;
        nanos += System.nanoTime() - start;
    }

    /** Gives up the memory of the first map's dense features to its current holder; the next block gets new memory. */
    void release() {
        blocks[0] = null;
    }

    /** Returns the nanoseconds spent in scaling and mapping since the last call. */
    public long takeNanos() {
        long taken = nanos;
        nanos = 0;
        return taken;
    }
}
