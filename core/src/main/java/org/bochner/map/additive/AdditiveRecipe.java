package org.bochner.map.additive;

import java.util.function.Consumer;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.composed.TermRecipe;
import org.bochner.map.composed.TwoStageRecipe;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.random.Seed;

/**
 * A recipe for maps of additive kernels. For a kernel of a distance it makes the first stage; the second is a Fourier
 * map in pairs.
 */
public interface AdditiveRecipe extends TermRecipe {
    /** The most harmonics or terms that can be asked for. More do not reduce the error, because of rounding. */
    int MOST_TERMS = 1000;

    /** Returns the map of an additive kernel. */
    AdditiveMap additive(AdditiveKernel kernel, RowSample rows, Consumer<String> notes);

    @Override
    default FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Consumer<String> notes) {
        if (leaf instanceof AdditiveKernel additive) {
            return additive(additive, rows, notes);
        }
        throw refuse(leaf);
    }

    @Override
    default int unit() {
        return FourierRecipe.RANDOM.unit();
    }

    @Override
    default TermRecipe chosenFor(Kernel leaf, RowSample rows, int features, Consumer<String> notes) {
        return leaf instanceof RadialKernel ? new TwoStageRecipe(FourierRecipe.RANDOM, this) : this;
    }
}
