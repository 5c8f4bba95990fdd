package org.bochner.map;

import org.bochner.base.Require;
import org.bochner.kernel.Kernel;
import org.bochner.random.Seed;

/**
 * A recipe for feature maps that do not depend on the data: a value whose {@code toString} is its spelling, such as
 * {@code fourier(phase)}. Maps that learn from data will have a recipe type of their own.
 */
public interface MapRecipe {
    /**
     * Builds a map of the kernel. The same arguments give the same map, bit for bit.
     *
     * @param columns width of the rows
     * @param features how many features to make
     */
    FeatureMap build(Kernel kernel, int columns, int features, Seed seed);

    /**
     * Bytes that a map so built takes at most, whatever the kernel: what is asked before it is built. A double, because
     * the number may be beyond all memory.
     */
    default double bytesNeeded(int columns, int features) {
        return 16.0 * columns * features;
    }

    /** Fails, naming the nearest numbers that would do, where so many features cannot be made, whatever the kernel. */
    default void requireFeatures(int features) {
        Require.atLeast(toString(), "features", features, 1);
    }
}
