package org.bochner.map.fourier;

import org.bochner.base.Require;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.numeric.optimise.Vectors;

/**
 * A map that projects rows on frequencies and applies a function to the projections, which are in turns.
 *
 * <p>Threads: safe; immutable.
 */
public abstract class ProjectedMap implements FeatureMap {
    /**
     * Bytes of features that are projected before the function is applied. Each product packs the frequencies anew, so
     * many rows per product are better than few: at 128 columns and 2048 features, a Fourier map took 1.27 times as
     * long as the bare product with 64 rows, 1.17 with 128, 1.13 with 256 and 1.11 with 512.
     */
    private static final int TILE_BYTES = 4 << 20;

    private static final int FEWEST_TILE_ROWS = 64;
    private static final int MOST_TILE_ROWS = 512;

    private final Projection projection;
    private final double[] phases;
    private final float[] floatPhases;

    /** Takes over the phases, in turns: one per frequency, or none. */
    protected ProjectedMap(Projection projection, double... phases) {
        this.projection = projection;
        this.phases = phases;
        this.floatPhases = Vectors.rounded(phases);
    }

    /** Turns to features, in place, for the row that starts at the index. */
    protected abstract void activate(float[] out, int at);

    /** Turns to features, in place, for the row that starts at the index. */
    protected abstract void activate(double[] out, int at);

    protected final Projection projection() {
        return projection;
    }

    final double[] phases() {
        return phases;
    }

    /** Returns the number of frequencies. */
    public final int frequencyCount() {
        return projection.frequencies();
    }

    @Override
    public final int inputDimension() {
        return projection.columns();
    }

    @Override
    public final void apply(double[] x, double[] out) {
        Require.sameSize(getClass().getSimpleName(), "columns", x.length, inputDimension());
        projection.turns(x, out);
        for (int j = 0; j < phases.length; j++) {
            out[j] += phases[j];
        }
        activate(out, 0);
    }

    @Override
    public final void apply(RowBlock rows, float[] out, int offset, int stride) {
        checkColumns(rows);
        apply(RowReader.of(rows, null), out, offset, stride);
    }

    @Override
    public final void apply(RowBlock rows, double[] out, int offset, int stride) {
        checkColumns(rows);
        apply(RowReader.of(rows, null), out, offset, stride);
    }

    /** Maps the rows of a reader in float32, in tiles that stay in the processor's cache. */
    public final void apply(RowReader rows, float[] out, int offset, int stride) {
        checkRoom(rows.rows(), out.length, offset, stride);
        Projection.Pass pass = projection.over(rows);
        int tile = tileRows();
        for (int from = 0; from < rows.rows(); from += tile) {
            int to = Math.min(rows.rows(), from + tile);
            for (int i = from; i < to; i++) {
                System.arraycopy(floatPhases, 0, out, offset + i * stride, floatPhases.length);
            }
            if (frequencyCount() > 0) {
                pass.project(from, to, out, offset + from * stride, stride, phases.length > 0);
            }
            for (int i = from; i < to; i++) {
                activate(out, offset + i * stride);
            }
        }
    }

    /** Maps the rows of a reader in float64. */
    public final void apply(RowReader rows, double[] out, int offset, int stride) {
        checkRoom(rows.rows(), out.length, offset, stride);
        for (int i = 0; i < rows.rows(); i++) {
            System.arraycopy(phases, 0, out, offset + i * stride, phases.length);
        }
        if (frequencyCount() > 0) {
            projection.over(rows).project(0, rows.rows(), out, offset, stride, phases.length > 0);
        }
        for (int i = 0; i < rows.rows(); i++) {
            activate(out, offset + i * stride);
        }
    }

    private void checkRoom(int rows, int length, int offset, int stride) {
        long end = offset + (rows - 1L) * stride + outputDimension();
        Require.that(
                rows == 0 || (offset >= 0 && stride >= outputDimension() && end <= length),
                getClass().getSimpleName() + ": " + rows + " rows of " + outputDimension() + " features at offset "
                        + offset + " and stride " + stride + " do not fit an array of " + length);
    }

    private int tileRows() {
        int most = Math.max(outputDimension(), inputDimension());
        return Math.max(FEWEST_TILE_ROWS, Math.min(MOST_TILE_ROWS, TILE_BYTES / (Float.BYTES * most)));
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + kernel() + ", " + inputDimension() + " columns, " + outputDimension()
                + " features]";
    }
}
