package org.bochner.map.dot;

import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.dot.Polynomial;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.TermRecipe;
import org.bochner.random.Seed;

/** Hashed products of columns, {@code tensor-sketch}: for {@code polynomial}. See {@link TensorSketchMap}. */
public record TensorSketchRecipe(OptionalInt features) implements DotProductRecipe {
    public static final String NAME = "tensor-sketch";

    public TensorSketchRecipe {
        features.ifPresent(count -> Require.atLeast(NAME, "features", count, 1));
    }

    /** Takes the number of features that is asked for. */
    public static TensorSketchRecipe parse(Spelling spelling) {
        return new TensorSketchRecipe(TermRecipe.features(spelling.allow("features")));
    }

    @Override
    public FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes) {
        if (leaf instanceof Polynomial kernel) {
            return TensorSketchMap.draw(kernel, rows.columns(), features, seed);
        }
        throw refuse(leaf, "polynomial");
    }

    @Override
    public void requireFeatures(int features) {
        Require.atLeast(NAME, "features", features, 1);
    }

    @Override
    public String toString() {
        return TermRecipe.spell(NAME, TermRecipe.parameter("features", features));
    }
}
