package org.bochner.learn.solve;

import java.util.Arrays;
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

    /** Receives the index of a row in a tile, and its index in the sample. */
    interface Visitor {
        void visit(int row, int sampled);
    }

    /** Copies the chosen rows of a tile. Each tile of the source must be passed once, on any thread. */
    void collect(FeatureTile tile, Visitor visitor) {
        eachChosen(chosen, tile, (row, k) -> {
            double[] values = new double[mean.length];
            tile.addRow(row, 1, values);
            for (int j = 0; j < values.length; j++) {
                rows[k * stride + j] = (float) (values[j] - mean[j]);
            }
            weights[k] = tile.rowWeight(row);
            visitor.visit(row, k);
        });
    }

    /** Visits the chosen rows of a tile. */
    static void eachChosen(long[] chosen, FeatureTile tile, Visitor visitor) {
        int at = Arrays.binarySearch(chosen, tile.firstRow());
        for (int k = at < 0 ? -at - 1 : at; k < chosen.length && chosen[k] < tile.firstRow() + tile.rows(); k++) {
            visitor.visit((int) (chosen[k] - tile.firstRow()), k);
        }
    }
}
