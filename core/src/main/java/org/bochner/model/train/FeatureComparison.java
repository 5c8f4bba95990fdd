package org.bochner.model.train;

import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.MapRecipe;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.model.Transformer;
import org.bochner.model.train.ScaleWalk.Attempt;
import org.bochner.scale.Scaler;
import org.jspecify.annotations.Nullable;

/** Compares kernels with random features, or with features of additive maps, by cross-validation. */
final class FeatureComparison implements Comparison {
    /** The allowed error of maps of additive kernels; candidates differ by more. */
    private static final double MAP_ERROR = 0.1;

    /** The map of the first kernel, which all others have too. */
    private @Nullable MapRecipe map;

    @Override
    public boolean usesOwnMap() {
        return false;
    }

    @Override
    public Attempt start(ScaleWalk walk, ScaleCandidate candidate, double least) {
        Attempt measured = walk.at(candidate, 0);
        return Comparison.isNear(measured, least) ? Comparison.orHalf(walk, measured) : measured;
    }

    @Override
    public double error(ScaleSample sample, Scaler scaler, RowSample rows, Kernel kernel, boolean free) {
        // The number of features of additive kernels follows from their maps.
        OptionalInt features = free
                ? OptionalInt.of(Math.min(FEATURES, sample.settings().features.orElse(FEATURES)))
                : OptionalInt.empty();
        if (map == null) {
            map = new AutoRecipe(MAP_ERROR).chosen(kernel, rows, features, new Notes());
        }
        return sample.crossValidated(new Transformer(
                scaler, map.build(kernel, rows, features, sample.seed().derive("map"), new Notes(), sample.workers())));
    }
}
