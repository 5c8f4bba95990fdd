package org.bochner.map.dot;

import java.util.OptionalInt;
import org.bochner.base.Spelling;
import org.bochner.kernel.DotProductKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.TermRecipe;
import org.bochner.random.Seed;

/** A recipe for random maps of kernels of the inner product; each is for one of them. */
public interface DotProductRecipe extends TermRecipe {
    @Override
    OptionalInt features();

    @Override
    FeatureMap dotProduct(DotProductKernel kernel, int columns, int features, Seed seed);

    /** How many features a spelling asks for, which is all it may say. */
    static OptionalInt features(Spelling spelling) {
        spelling.allow("features");
        return spelling.has("features") ? OptionalInt.of(spelling.integer("features", 0)) : OptionalInt.empty();
    }

    /** The name with its parameters. */
    static String spell(String name, OptionalInt features) {
        return features.isPresent() ? name + "(features=" + features.getAsInt() + ")" : name;
    }
}
