package org.bochner.map.study;

import java.util.List;
import java.util.Optional;
import org.bochner.base.Spelling;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.map.additive.AdditiveRecipe;

/** The recipes of a spelling in several sizes. */
public final class MapSizes {
    private MapSizes() {}

    /**
     * Returns the recipes of a spelling without a size, from small to large; only the recipe itself where the size is
     * given.
     */
    public static List<MapRecipe> usual(String text) {
        return isOpen(text) ? all(text) : List.of(FeatureMaps.parse(text));
    }

    /**
     * Returns the recipes of a spelling in all usual sizes, from small to large; only the recipe itself where it has
     * one size.
     */
    public static List<MapRecipe> all(String text) {
        return size(text).map(AdditiveRecipe.Size::all).orElseGet(() -> List.of(FeatureMaps.parse(text)));
    }

    /**
     * Returns the largest recipe with at most a number of features per column; empty where the spelling gives the size,
     * or where there is none so small.
     */
    public static Optional<MapRecipe> withFeaturesPerColumn(String text, int count) {
        return open(text).flatMap(size -> size.withFeaturesPerColumn(count));
    }

    /** Returns true if a recipe comes in several sizes, and the spelling leaves the size open. */
    public static boolean isOpen(String text) {
        return open(text).isPresent();
    }

    private static Optional<AdditiveRecipe.Size> open(String text) {
        return size(text).filter(size -> !Spelling.parse("map", text).has(size.parameter()));
    }

    private static Optional<AdditiveRecipe.Size> size(String text) {
        return FeatureMaps.parse(text) instanceof AdditiveRecipe additive ? additive.size() : Optional.empty();
    }
}
