package org.bochner.map.layout;

import org.bochner.map.FeatureMap;
import org.jspecify.annotations.Nullable;

/**
 * The penalty wᵀPw of the weights of a map's features; see {@link FeatureMap#hasPlainPenalty}.
 *
 * <p>Threads: safe; immutable.
 */
public final class Penalty {
    /** |w|². */
    public static final Penalty PLAIN = new Penalty(null);

    private final @Nullable FeatureMap map;

    private Penalty(@Nullable FeatureMap map) {
        this.map = map;
    }

    /** Returns the penalty of a map's features. */
    public static Penalty of(FeatureMap map) {
        return map.hasPlainPenalty() ? PLAIN : new Penalty(map);
    }

    /** Returns true for |w|². */
    public boolean plain() {
        return map == null;
    }

    /** z ← R⁻ᵀz, in place, for the features of a row that start at an index. */
    public void whiten(double[] features, int at) {
        if (map != null) {
            map.whiten(features, at);
        }
    }

    /** z ← R⁻ᵀz, in place, for the features of several rows, one after the other, that start at an index. */
    public void whiten(double[] features, int at, int rows) {
        if (map != null) {
            map.whiten(features, at, rows);
        }
    }

    /** z ← R⁻ᵀz, in place, for the chosen columns of a matrix with one row per feature. */
    public void whitenColumns(double[] matrix, int features, int columns, int[] chosen) {
        if (map == null) {
            return;
        }
        double[] column = new double[features];
        for (int c : chosen) {
            for (int j = 0; j < features; j++) {
                column[j] = matrix[j * columns + c];
            }
            map.whiten(column, 0);
            for (int j = 0; j < features; j++) {
                matrix[j * columns + c] = column[j];
            }
        }
    }

    /** w ← R⁻¹w, in place, for weights at the indices at, at + stride, … */
    public void unwhiten(double[] weights, int at, int stride) {
        if (map != null) {
            map.unwhiten(weights, at, stride);
        }
    }

    /** w ← Rw, in place, for weights at the indices at, at + stride, … */
    public void whitenWeights(double[] weights, int at, int stride) {
        if (map != null) {
            map.whitenWeights(weights, at, stride);
        }
    }

    @Override
    public String toString() {
        return map == null ? "plain" : "penalty of " + map;
    }
}
