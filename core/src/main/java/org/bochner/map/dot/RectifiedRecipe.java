package org.bochner.map.dot;

import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.dot.ArcCosine;
import org.bochner.kernel.shift.Gaussian;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.TermRecipe;
import org.bochner.map.fourier.DenseProjection;
import org.bochner.map.fourier.FrequencyChoice;
import org.bochner.random.Seed;

/** A layer of random units, {@code rectified}: for {@code arc-cosine}. See {@link RectifiedMap}. */
public record RectifiedRecipe(OptionalInt features) implements DotProductRecipe {
    public static final String NAME = "rectified";

    public RectifiedRecipe {
        features.ifPresent(RectifiedRecipe::directions);
    }

    /** Takes the number of features that is asked for. */
    public static RectifiedRecipe parse(Spelling spelling) {
        return new RectifiedRecipe(TermRecipe.features(spelling.allow("features")));
    }

    /**
     * Returns the number of directions for a number of features; fails, and names the nearest numbers, where there is
     * none.
     */
    private static int directions(int features) {
        Require.atLeast(NAME, "features", features, 1);
        Require.that(
                features % 2 == 0,
                NAME + ": features come in pairs of the two sides of a direction, so their number must be even, got "
                        + features + "; take " + (features == 1 ? "" : (features - 1) + " or ") + (features + 1L));
        return features / 2;
    }

    @Override
    public int unit() {
        return 2;
    }

    @Override
    public FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes) {
        if (leaf instanceof ArcCosine kernel) {
            Seed drawn = seed.derive("directions");
            // Frequencies of the Gaussian kernel with sigma 1 are Gaussian vectors.
            return new RectifiedMap(
                    kernel,
                    FrequencyChoice.FOURIER.choose(new Gaussian(1), rows.columns(), directions(features), drawn));
        }
        throw refuse(leaf, "arc-cosine");
    }

    @Override
    public double bytesNeeded(int columns, int features) {
        return DenseProjection.bytes(columns, features / 2, false);
    }

    @Override
    public void requireFeatures(int features) {
        directions(features);
    }

    @Override
    public String toString() {
        return TermRecipe.spell(NAME, TermRecipe.parameter("features", features));
    }
}
