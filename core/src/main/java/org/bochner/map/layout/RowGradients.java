package org.bochner.map.layout;

import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.jspecify.annotations.Nullable;

/**
 * The gradients of linear functions of features with respect to the values of the rows: with f(x) = w·φ(x), the numbers
 * ∂f/∂xₗ. All sums are computed in float64, because large weights of both signs cancel.
 *
 * <p>Threads: not safe; each worker has its own.
 */
public interface RowGradients {
    /** Maps a block of rows, whose gradients {@link #add} then returns. */
    void take(RowBlock rows);

    /**
     * Adds the gradients of one linear function: ∂f/∂xₗ of row i to {@code out[offset + i * stride + l]}.
     *
     * @param output the index of the linear function
     */
    void add(int output, double[] out, int offset, int stride);

    /** A map whose features have derivatives with respect to the values of a row. */
    interface Source {
        /**
         * Returns the gradients of linear functions; null if a part of the map has no derivatives.
         *
         * @param weights D×outputs, row-major; not changed and not kept beyond the life of the result
         */
        @Nullable
        RowGradients gradients(double[] weights, int outputs);
    }

    /**
     * Returns the gradients of linear functions of a map's features; null if the map has no derivatives with respect to
     * the values of a row.
     *
     * @param weights D×outputs, row-major
     */
    static @Nullable RowGradients of(FeatureMap map, double[] weights, int outputs) {
        return map instanceof Source source ? source.gradients(weights, outputs) : null;
    }
}
