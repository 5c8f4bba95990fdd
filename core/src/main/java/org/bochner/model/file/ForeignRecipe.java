package org.bochner.model.file;

import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.random.Seed;

/**
 * The recipe of a loaded model whose map recipe was given as an object and has no spelling. The model holds the map;
 * the recipe cannot be built again.
 *
 * @param name the {@code toString} of the recipe that was given
 */
public record ForeignRecipe(String name) implements MapRecipe {
    @Override
    public FeatureMap build(Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Notes notes) {
        throw new BochnerException("the map recipe '" + name + "' has no spelling, so it cannot be built again");
    }

    @Override
    public String toString() {
        return name;
    }
}
