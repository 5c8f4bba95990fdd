package org.bochner.map.dot;

import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.dot.ArcSine;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.TermRecipe;
import org.bochner.map.fourier.DenseProjection;
import org.bochner.map.fourier.FrequencyChoice;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/** A layer of random sigmoid units, {@code sigmoid}: for {@code arc-sine}. See {@link SigmoidMap}. */
public record SigmoidRecipe(OptionalInt features) implements DotProductRecipe {
    public static final String NAME = "sigmoid";

    public SigmoidRecipe {
        features.ifPresent(count -> Require.atLeast(NAME, "features", count, 1));
    }

    /** Reads a spelling. */
    public static SigmoidRecipe parse(Spelling spelling) {
        return new SigmoidRecipe(TermRecipe.features(spelling.allow("features")));
    }

    @Override
    public FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes) {
        if (!(leaf instanceof ArcSine kernel)) {
            throw refuse(leaf, "arc-sine");
        }
        RandomStream stream = seed.derive("biases").stream();
        double deviation = Math.sqrt(kernel.c()) / (2 * Math.PI);
        double[] biases = new double[features];
        for (int j = 0; j < features; j++) {
            biases[j] = deviation * stream.nextGaussian();
        }
        return new SigmoidMap(
                kernel,
                FrequencyChoice.FOURIER.choose(
                        SigmoidMap.weights(kernel), rows.columns(), features, seed.derive("directions")),
                biases);
    }

    @Override
    public double bytesNeeded(int columns, int features) {
        return DenseProjection.bytes(columns, features, false);
    }

    @Override
    public String toString() {
        return TermRecipe.spell(NAME, TermRecipe.parameter("features", features));
    }
}
