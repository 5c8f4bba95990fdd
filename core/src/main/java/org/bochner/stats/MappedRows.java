package org.bochner.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.bochner.base.row.RowException;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.WhitenedMap;
import org.bochner.numeric.Precision;
import org.bochner.scale.Scaler;
import org.jspecify.annotations.Nullable;

/**
 * A block of rows and its features, which are computed on first use: the rows are scaled, then mapped by one or
 * several maps. A worker reuses the memory for block after block.
 *
 * <p>If each row is a set of local rows, its features are the means of the features of its local rows. The local rows are
 * mapped in parts of {@value #PART_ROWS}, and the means are computed in float64 in the order of the rows.
 *
 * <p>Threads: not safe; each worker has its own.
 */
public final class MappedRows {
    /** The number of local rows of sets that are mapped together. */
    private static final int PART_ROWS = 1024;

    private final UnaryOperator<RowBlock> scaling;
    private final List<FeatureMap> maps;
    private final Precision precision;
    private final boolean sparse;
    private final @Nullable FeatureBlock[] blocks;
    /** The features of some local rows of sets, one block per map. */
    private final @Nullable FeatureBlock[] parts;

    private @Nullable RowBlock rows;
    private @Nullable RowBlock scaled;
    private @Nullable SparseRows entries;
    private boolean mapped;
    private long nanos;

    /**
     * Creates an empty block.
     *
     * @param precision the precision of dense features
     * @param sparse true if features may be sparse; needs a single map that keeps sparsity or makes sparse features
     */
    public MappedRows(Scaler scaler, List<FeatureMap> maps, Precision precision, boolean sparse) {
        this(
                scaler.forBlocks(),
                maps,
                precision,
                sparse
                        && maps.size() == 1
                        && (maps.get(0).keepsSparsity() || maps.get(0).makesSparse()));
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
        parts = new FeatureBlock[maps.size()];
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

    /** Scales the rows without computing features, and returns them; the local rows if each row is a set. */
    public RowBlock scale() {
        scaled = scaling.apply(rows().localRows());
        return scaled;
    }

    /** Returns the scaled rows, or the scaled local rows if each row is a set; valid after the features have been computed. */
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

    /** Writes the features of rows {@code from} to {@code to} (exclusive) in float64, row-major, to the start of an array. */
    public void copyFeatures(int from, int to, double[] values) {
        int features = maps.get(0).outputDimension();
        Arrays.fill(values, 0, (to - from) * features, 0);
        SparseRows kept = entries();
        for (int i = from; i < to; i++) {
            int at = (i - from) * features;
            if (kept == null) {
                features().addRow(i, 1, values, at);
            } else {
                for (int e = kept.starts()[i]; e < kept.starts()[i + 1]; e++) {
                    values[at + kept.indices()[e]] += kept.values()[e];
                }
            }
        }
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
        boolean sets = rows().ofSets();
        scaled = scaling.apply(rows().localRows());
        entries =
                sparse && (maps.get(0).makesSparse() || scaled instanceof SparseRows) ? entries(scaled(), sets) : null;
        for (int m = 0; entries == null && m < blocks.length; m++) {
            FeatureBlock block = block(blocks, m, precision);
            if (sets && maps.get(m) instanceof WhitenedMap whitened) {
                // Whitening is linear, so the means are whitened, not the rows; in float64, because it amplifies
                // rounding.
                double[] means = means(block(parts, m, Precision.FLOAT64), whitened.map(), scaled());
                whitened.map().whiten(means, 0, rows().rows());
                block.put(rows().rows(), means);
            } else if (sets) {
                block.put(rows().rows(), means(block(parts, m, precision), maps.get(m), scaled()));
            } else {
                block.fill(maps.get(m), scaled());
            }
        }
        mapped = true;
        nanos += System.nanoTime() - start;
    }

    private SparseRows entries(RowBlock from, boolean sets) {
        FeatureMap map = maps.get(0);
        try {
            SparseRows each = FiniteFeatures.require(
                    from, map.makesSparse() ? map.applySparse(from) : map.apply((SparseRows) from));
            return sets ? means(each) : each;
        } catch (RowException e) {
            throw sets ? inSet(e) : e;
        }
    }

    /** Returns the mean features of the sets. The cost is that of sorting the features of a set. */
    private SparseRows means(SparseRows each) {
        RowBlock sets = rows();
        int[] starts = new int[sets.rows() + 1];
        int[] indices = new int[each.entries()];
        float[] values = new float[each.entries()];
        int count = 0;
        for (int s = 0; s < sets.rows(); s++) {
            int from = each.starts()[sets.firstLocalRow(s)];
            int to = each.starts()[sets.firstLocalRow(s + 1)];
            double size = sets.firstLocalRow(s + 1) - sets.firstLocalRow(s);
            // By feature, and in the order of the rows for each.
            long[] sorted = new long[to - from];
            for (int e = from; e < to; e++) {
                sorted[e - from] = (long) each.indices()[e] << Integer.SIZE | e;
            }
            Arrays.sort(sorted);
            int next = 0;
            while (next < sorted.length) {
                int index = (int) (sorted[next] >>> Integer.SIZE);
                double sum = 0;
                for (; next < sorted.length && (int) (sorted[next] >>> Integer.SIZE) == index; next++) {
                    sum += each.values()[(int) sorted[next]];
                }
                indices[count] = index;
                values[count++] = (float) (sum / size);
            }
            starts[s + 1] = count;
        }
        return SparseRows.like(
                sets, each.columns(), starts, Arrays.copyOf(indices, count), Arrays.copyOf(values, count));
    }

    private FeatureBlock block(@Nullable FeatureBlock[] of, int m, Precision as) {
        FeatureBlock block = of[m];
        if (block == null) {
            block = FeatureBlock.of(as, maps.get(m).outputDimension());
            of[m] = block;
        }
        return block;
    }

    /** Returns the mean features of the sets, sets×features. */
    private double[] means(FeatureBlock part, FeatureMap map, RowBlock localRows) {
        RowBlock sets = rows();
        int features = map.outputDimension();
        double[] means = new double[Math.multiplyExact(sets.rows(), features)];
        int set = 0;
        for (int from = 0; from < localRows.rows(); from += PART_ROWS) {
            int to = Math.min(from + PART_ROWS, localRows.rows());
            try {
                part.fill(map, part(localRows, from, to));
            } catch (RowException e) {
                throw inSet(e);
            }
            for (int m = from; m < to; m++) {
                while (m == sets.firstLocalRow(set + 1)) {
                    set++;
                }
                part.addRow(m - from, 1, means, set * features);
            }
        }
        for (int s = 0; s < sets.rows(); s++) {
            double size = sets.firstLocalRow(s + 1) - sets.firstLocalRow(s);
            for (int j = s * features; j < (s + 1) * features; j++) {
                means[j] /= size;
            }
        }
        return means;
    }

    private static RowBlock part(RowBlock rows, int from, int to) {
        return rows instanceof DenseRows dense ? dense.values(from, to) : ((SparseRows) rows).values(from, to);
    }

    /** Returns the exception of a local row, counted in its block, as one of its set. */
    private RowException inSet(RowException e) {
        RowBlock sets = rows();
        int set = 0;
        while (set + 1 < sets.rows() && sets.firstLocalRow(set + 1) <= e.row()) {
            set++;
        }
        return e.inRow(sets.firstRow() + set);
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
