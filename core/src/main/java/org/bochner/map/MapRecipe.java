package org.bochner.map;

import java.util.OptionalInt;
import java.util.function.Consumer;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.random.Seed;

/**
 * A recipe for feature maps: a value whose {@code toString} is its spelling, such as {@code fourier(phase)},
 * {@code sampled(order=2)}, {@code orthogonal@sampled(order=2)} or a sum of such for the terms of a kernel.
 *
 * <p>Recipes say how kernels of one kind become maps; sums, factors and channels are taken apart for them.
 */
public interface MapRecipe {
    /** How many features a map makes that can make any number and is not told. */
    int DEFAULT_FEATURES = 1000;

    /**
     * Builds a map of the kernel. The same arguments give the same map, bit for bit.
     *
     * @param rows what is known of the rows: their width, and, where {@link #needsData} says so, a sample of them
     * @param features how many features to make, for maps that can make any number; {@link #DEFAULT_FEATURES} where absent
     * @param notes receives a sentence on every choice that was left to the recipe
     */
    FeatureMap build(Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Consumer<String> notes);

    /** The same for maps that need no data, telling nobody. */
    default FeatureMap build(Kernel kernel, int columns, int features, Seed seed) {
        return build(kernel, RowSample.none(columns), OptionalInt.of(features), seed, note -> {});
    }

    /**
     * The recipe that this one comes to for a kernel and rows, in which no choice between maps is left. It builds the same
     * map; the arguments are those of {@link #build}.
     */
    default MapRecipe chosen(Kernel kernel, RowSample rows, OptionalInt features, Consumer<String> notes) {
        return this;
    }

    /** Whether it looks at rows before it makes a map of the kernel. */
    default boolean needsData(Kernel kernel) {
        return false;
    }

    /**
     * Bytes that a map so built takes at most, beyond the few of a map that stores nothing a column and feature; asked
     * before it is built. A double, because the number may be beyond all memory.
     */
    default double bytesNeeded(int columns, int features) {
        return 0;
    }

    /** Fails, naming the nearest numbers that would do, where so many features cannot be made, whatever the kernel. */
    default void requireFeatures(int features) {}
}
