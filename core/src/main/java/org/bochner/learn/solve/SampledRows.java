package org.bochner.learn.solve;

import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.bochner.stats.FeatureSource;
import org.bochner.stats.FeatureTile;

/** Centred features of some rows of a source, in float32, and their row weights. */
final class SampledRows {
    private final long[] chosen;
    private final double[] mean;
    private final int stride;
    /** The features of the chosen rows, each from a multiple of the stride on. */
    final float[] rows;

    final double[] weights;

    /**
     * Creates a sample without features.
     *
     * @param chosen the indices of the rows, ascending
     * @param stride the distance of the rows in {@link #rows}, at least the number of features
     */
    SampledRows(FeatureSource source, long[] chosen, int stride) {
        this.chosen = chosen;
        this.stride = stride;
        mean = source.mean();
        rows = new float[Math.multiplyExact(chosen.length, stride)];
        weights = new double[chosen.length];
    }

    int size() {
        return chosen.length;
    }

    /** Copies all chosen rows in one pass; the visitor receives each with its index in the sample. */
    void read(FeatureSource source, ObjIntConsumer<SampledRowsTask.Row> visitor) {
        int targets = source.labels().targets();
        source.sum(new SampledRowsTask(chosen, mean, targets, 0)).forEach((k, row) -> {
            System.arraycopy(row.features(), 0, rows, k * stride, row.features().length);
            weights[k] = row.weight();
            visitor.accept(row, k);
        });
    }

    /** Receives the index of a row in a tile, and its index in the sample. */
    interface Visitor {
        void visit(int row, int sampled);
    }

    /** Copies the chosen rows of a tile. Each tile of the source must be passed once, on any thread. */
    void collect(FeatureTile tile, Visitor visitor) {
        eachChosen(chosen, tile.firstRow(), tile.rows(), (row, k) -> {
            double[] values = new double[mean.length];
            tile.addRow(row, 1, values);
            for (int j = 0; j < values.length; j++) {
                rows[k * stride + j] = (float) (values[j] - mean[j]);
            }
            weights[k] = tile.rowWeight(row);
            visitor.visit(row, k);
        });
    }

    /** Visits the chosen ones of {@code count} rows. */
    static void eachChosen(long[] chosen, long firstRow, int count, Visitor visitor) {
        int at = Arrays.binarySearch(chosen, firstRow);
        for (int k = at < 0 ? -at - 1 : at; k < chosen.length && chosen[k] < firstRow + count; k++) {
            visitor.visit((int) (chosen[k] - firstRow), k);
        }
    }
}
