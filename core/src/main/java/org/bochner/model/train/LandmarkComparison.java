package org.bochner.model.train;

import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.model.Transformer;
import org.bochner.model.train.ScaleWalk.Attempt;
import org.bochner.scale.Scaler;

/** Compares rough kernels of landmarks and exact machines with landmarks, by cross-validation. */
record LandmarkComparison() implements Comparison {
    @Override
    public Attempt start(ScaleWalk walk, ScaleCandidate candidate, double least) {
        Attempt measured = walk.at(candidate, 0);
        if (!Comparison.isNear(measured, least)) {
            return measured;
        }
        // The best scales of rough kernels are far from the measured ones, and differ between scalings.
        return walk.moveAll(Comparison.orHalf(walk, measured), 2);
    }

    @Override
    public double error(ScaleSample sample, Scaler scaler, RowSample rows, Kernel kernel, boolean free) {
        int wanted = free ? Math.min(FEATURES, sample.settings().features.orElse(FEATURES)) : FEATURES;
        LandmarkRecipe map = LandmarkRecipe.whitened(Math.min(wanted, rows.rows()));
        return sample.crossValidated(new Transformer(
                scaler,
                map.build(
                        kernel,
                        rows,
                        OptionalInt.empty(),
                        sample.seed().derive("map"),
                        new Notes(),
                        sample.workers())));
    }
}
