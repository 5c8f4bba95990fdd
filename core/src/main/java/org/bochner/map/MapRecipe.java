package org.bochner.map;

import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/**
 * A recipe for feature maps: a value whose {@code toString} is its spelling, such as {@code fourier(phase)},
 * {@code sampled(order=2)}, {@code orthogonal@sampled(order=2)}, or a sum with one recipe per term of a kernel.
 */
public interface MapRecipe {
    /** The number of features of a map that can make any number, if none is given. */
    int DEFAULT_FEATURES = 1000;

    /**
     * Builds a map of the kernel. The same arguments give the same map, bit for bit.
     *
     * @param rows the number of columns and, if {@link #needsData} returns true, a sample of the rows
     * @param features number of features, for maps that can make any number; {@link #DEFAULT_FEATURES} if empty
     * @param notes receives the choices that the recipe makes
     */
    FeatureMap build(Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Notes notes);

    /** Builds a map of the kernel on some threads, whose number does not change the map. */
    default FeatureMap build(
            Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Notes notes, Workers workers) {
        return build(kernel, rows, features, seed, notes);
    }

    /** Builds a map that needs no data, without notes. */
    default FeatureMap build(Kernel kernel, int columns, int features, Seed seed) {
        return build(kernel, RowSample.none(columns), OptionalInt.of(features), seed, new Notes());
    }

    /**
     * Returns a recipe that builds the same map without further choices, such as {@code sampled(order=2)} for {@code
     * auto}. The arguments are those of {@link #build}.
     */
    default MapRecipe chosen(Kernel kernel, RowSample rows, OptionalInt features, Notes notes) {
        return this;
    }

    /** Returns the number of features that the recipe itself gives; empty if it takes the number that is asked for. */
    default OptionalInt features() {
        return OptionalInt.empty();
    }

    /**
     * Returns true if the {@linkplain FeatureMap#dataRows rows in a map} of the recipe are training rows; false if they are
     * centres of clusters, or were given.
     */
    default boolean keepsTrainingRows() {
        return true;
    }

    /** Returns true if the recipe builds maps; false for {@code none}, with which machines learn from kernel values alone. */
    default boolean makesFeatures() {
        return true;
    }

    /** Returns true if users may set the number of features. */
    default boolean takesFeatures() {
        return makesFeatures() && features().isEmpty();
    }

    /** Returns the name of the recipe, which is its spelling without parameters. */
    default String name() {
        return toString().replaceAll("\\([^()]*\\)", "");
    }

    /** Returns true if the recipe needs a sample of the rows to build a map of the kernel. */
    default boolean needsData(Kernel kernel) {
        return false;
    }

    /** Returns the number of sampled rows that the recipe wants to build a map of the kernel; 0 if it needs none. */
    default int rowsNeeded(Kernel kernel, OptionalInt features) {
        return needsData(kernel) ? RowSample.DEFAULT_ROWS : 0;
    }

    /**
     * Returns the most bytes that a map takes, without the few bytes that do not grow with the number of columns or
     * features. A double, because the number may exceed all memory.
     */
    default double bytesNeeded(int columns, int features) {
        return 0;
    }

    /**
     * Fails if the recipe cannot make this number of features for any kernel. The message names the nearest numbers.
     */
    default void requireFeatures(int features) {}
}
