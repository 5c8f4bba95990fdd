package org.bochner.stats;

import java.util.Arrays;
import org.bochner.numeric.optimise.Vectors;

/**
 * The features that are not zero in some rows. Sums over few rows with many sparse features are zero elsewhere, and
 * merging them takes the time of these features alone.
 *
 * <p>Threads: not safe.
 */
public final class TouchedFeatures {
    private final boolean[] seen;
    private int[] list = new int[64];
    private int count;
    private boolean all;

    public TouchedFeatures(int features) {
        seen = new boolean[features];
    }

    /**
     * Adds the features of a tile.
     *
     * @param outputs the sums per feature: if the tile has more non-zeros than a part of all sums, counting all features
     *     is faster
     */
    public void add(FeatureTile tile, int outputs) {
        if (!all) {
            all = !(tile.features() instanceof SparseFeatures sparse)
                    || sparse.entries(tile.from(), tile.to()) > (long) seen.length * outputs / 4
                    || !sparse.touch(tile.from(), tile.to(), this);
        }
    }

    /** Adds a feature; returns false if more than half of all features were added. */
    boolean add(int feature) {
        if (!seen[feature]) {
            seen[feature] = true;
            if (count == list.length) {
                list = Arrays.copyOf(list, 2 * count);
            }
            list[count++] = feature;
        }
        return count <= seen.length / 2;
    }

    /** Adds sums of the touched features, outputs per feature, to others, clears them, and forgets the features. */
    public void move(double[] from, double[] to, int outputs) {
        if (all) {
            Vectors.move(from, to);
        }
        for (int k = 0; k < count; k++) {
            int start = list[k] * outputs;
            for (int i = start; !all && i < start + outputs; i++) {
                to[i] += from[i];
                from[i] = 0;
            }
            seen[list[k]] = false;
        }
        count = 0;
        all = false;
    }
}
