package org.bochner.learn.solve;

import java.util.Arrays;
import org.bochner.stats.FeatureTile;

/** A cache of the scores of all rows at the point of an objective's last evaluation; empty unless enabled. */
final class ScoreCache {
    /** Maximum number of scores: 64 MiB. */
    private static final long MOST_SCORES = 1 << 23;

    private final int outputs;
    private final int features;
    /** Rows×outputs. */
    private double[] scores = new double[0];
    /** NaN until a point was evaluated. */
    private double[] point = new double[0];

    ScoreCache(int features, int outputs) {
        this.features = features;
        this.outputs = outputs;
    }

    /** Keeps scores from now on, unless there are more than the maximum. */
    void enable(long rows) {
        double count = (double) rows * outputs;
        if (count <= MOST_SCORES && scores.length == 0) {
            scores = new double[(int) count];
            point = new double[(features + 1) * outputs];
            Arrays.fill(point, Double.NaN);
        }
    }

    /** Sets the point whose scores of the chosen outputs were stored. */
    void setPoint(double[] at, int[] chosen) {
        for (int j = 0; j <= features && scores.length > 0; j++) {
            for (int o : chosen) {
                point[j * outputs + o] = at[j * outputs + o];
            }
        }
    }

    /** Returns true if the cache has the scores of the chosen outputs at a point. */
    boolean holds(double[] at, int[] chosen) {
        for (int j = 0; j <= features && scores.length > 0; j++) {
            for (int o : chosen) {
                if (at[j * outputs + o] != point[j * outputs + o]) {
                    return false;
                }
            }
        }
        return scores.length > 0;
    }

    /**
     * Stores the scores of a tile.
     *
     * @param others the number of rows before those of the tile's source
     */
    void store(FeatureTile tile, long others, int[] chosen, double[] from) {
        int to = (int) (tile.firstRow() + others) * outputs;
        for (int i = 0; i < tile.rows() && scores.length > 0; i++) {
            for (int o = 0; o < chosen.length; o++) {
                scores[to + i * outputs + chosen[o]] = from[i * chosen.length + o];
            }
        }
    }

    /** Copies the scores of a tile out of the cache. */
    void load(FeatureTile tile, long others, int[] chosen, double[] to) {
        int from = (int) (tile.firstRow() + others) * outputs;
        for (int i = 0; i < tile.rows(); i++) {
            for (int o = 0; o < chosen.length; o++) {
                to[i * chosen.length + o] = scores[from + i * outputs + chosen[o]];
            }
        }
    }
}
