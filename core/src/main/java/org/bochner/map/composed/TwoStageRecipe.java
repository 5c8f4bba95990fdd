package org.bochner.map.composed;

import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.additive.AdditiveRecipe;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.random.Seed;

/**
 * A recipe for kernels of a distance: an additive map, then a Fourier map, as in {@code orthogonal@sampled(order=2)}.
 */
public record TwoStageRecipe(FourierRecipe second, AdditiveRecipe first) implements TermRecipe {
    @Override
    public OptionalInt features() {
        return second.features();
    }

    @Override
    public int unit() {
        return second.unit();
    }

    @Override
    public TermRecipe chosenFor(Kernel leaf, RowSample rows, int features, Notes notes) {
        return first instanceof AutoRecipe auto && leaf instanceof RadialKernel kernel
                ? new TwoStageRecipe(second, auto.firstStage(kernel, rows, second.form(), features, notes))
                : this;
    }

    @Override
    public FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes) {
        if (leaf instanceof RadialKernel kernel) {
            AdditiveMap inner = first.additive(kernel.additive(), rows, notes);
            return new TwoStageMap(kernel, inner, second.map(kernel.outer(), inner.outputDimension(), features, seed));
        }
        throw refuse(leaf);
    }

    @Override
    public boolean needsData(Kernel kernel) {
        return first.needsData(kernel);
    }

    @Override
    public double bytesNeeded(int columns, int features) {
        return second.bytesNeeded(columns, features);
    }

    @Override
    public void requireFeatures(int features) {
        second.requireFeatures(features);
    }

    @Override
    public String toString() {
        return second + "@" + first;
    }
}
