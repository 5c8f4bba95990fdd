package org.bochner.cli;

import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.random.Seed;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/** Reads what the flags of several commands spell, before any data are read; mistakes are wrong usage. */
final class Recipes {
    /** The kernel where none is given. */
    static final String DEFAULT_KERNEL = "gaussian";

    private Recipes() {}

    /** Returns true if missing scales are measured, and false if they are chosen by cross-validation. */
    static boolean measuredScales(String text) {
        return switch (text) {
            case "cv" -> false;
            case "median" -> true;
            default -> throw new UsageException("--bandwidth must be cv or median, got '" + text + "'");
        };
    }

    /** The machine with this kernel, map and scaling; no scaling is the library's choice. */
    static KernelMachine machine(Spelled spelled, String map, @Nullable Integer features, long seed) {
        MapRecipe recipe = map(map, features);
        return UsageException.orUsage(() -> {
            KernelMachine machine = KernelMachine.of(Kernels.recipe(spelled.kernel()))
                    .withMap(recipe)
                    .withSeed(new Seed(seed));
            if (features != null) {
                machine = machine.withFeatures(features);
            }
            String scale = spelled.scale();
            return scale == null || scale.equals("auto") ? machine : machine.withScaling(Scalings.parse(scale));
        });
    }

    /** The kernel, in which scales may be left to the data. */
    static KernelRecipe kernel(Spelled spelled) {
        return UsageException.orUsage(() -> Kernels.recipe(spelled.kernel()));
    }

    /** Fails if the scaling is misspelled. */
    static void requireScaling(Spelled spelled) {
        String scale = spelled.scale();
        if (scale != null && !scale.equals("auto")) {
            Scaling unused = UsageException.orUsage(() -> Scalings.parse(scale));
        }
    }

    /** The map, which must be able to make so many features, if a number was given. */
    static MapRecipe map(String map, @Nullable Integer features) {
        if (features != null && features < 1) {
            throw new UsageException("--features must be at least 1, got " + features);
        }
        return UsageException.orUsage(() -> {
            MapRecipe recipe = FeatureMaps.parse(map);
            if (features != null) {
                recipe.requireFeatures(features);
            }
            return recipe;
        });
    }
}
