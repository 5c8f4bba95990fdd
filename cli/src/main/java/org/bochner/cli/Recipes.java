package org.bochner.cli;

import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.random.Seed;
import org.bochner.scale.Scalings;

/** Reads what the flags of several commands spell, before any data are read; mistakes are wrong usage. */
final class Recipes {
    static final int FEATURES = 1000;

    private Recipes() {}

    /** The machine with this kernel, map and scaling; no scaling is the library's choice. */
    static KernelMachine machine(Spelled spelled, String map, int features, long seed) {
        MapRecipe recipe = map(map, features);
        return UsageException.orUsage(() -> {
            KernelMachine machine = KernelMachine.of(Kernels.recipe(spelled.kernel()))
                    .withMap(recipe)
                    .withFeatures(features)
                    .withSeed(new Seed(seed));
            String scale = spelled.scale();
            return scale == null || scale.equals("auto") ? machine : machine.withScaling(Scalings.parse(scale));
        });
    }

    /** The map, which must be able to make so many features. */
    static MapRecipe map(String map, int features) {
        if (features < 1) {
            throw new UsageException("--features must be at least 1, got " + features);
        }
        return UsageException.orUsage(() -> {
            MapRecipe recipe = FeatureMaps.parse(map);
            recipe.requireFeatures(features);
            return recipe;
        });
    }
}
