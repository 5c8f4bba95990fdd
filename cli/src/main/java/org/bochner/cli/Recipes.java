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

/** Parses the spellings in flags before any data are read; mistakes are wrong usage. */
final class Recipes {
    /** The kernel if none is given. */
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

    /** Returns the machine with this kernel, map and scaling. If no scaling is given, the library chooses it. */
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
            return scale == null ? machine : machine.withScaling(Scalings.parse(scale));
        });
    }

    /** Returns the kernel, in which scales may be left to the data. */
    static KernelRecipe kernel(Spelled spelled) {
        return UsageException.orUsage(() -> Kernels.recipe(spelled.kernel()));
    }

    /** Fails if the scaling is misspelled. */
    static void requireScaling(Spelled spelled) {
        String scale = spelled.scale();
        if (scale != null) {
            Scaling unused = UsageException.orUsage(() -> Scalings.parse(scale));
        }
    }

    /** Returns the map; fails if it cannot make the given number of features. */
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
