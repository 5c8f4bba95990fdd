package org.bochner.map.additive;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.bochner.base.Notes;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
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
    AdditiveMap additive(AdditiveKernel kernel, RowSample rows, Notes notes);

    /**
     * The parameter that sets the number of features per column.
     *
     * @param perColumn the largest value of the parameter with at most a number of features per column
     * @param usual the values for a table, ascending
     * @param recipe the recipe with another value
     */
    record Size(String parameter, IntUnaryOperator perColumn, List<Integer> usual, IntFunction<MapRecipe> recipe) {
        /** Returns the recipes with all usual values. */
        public List<MapRecipe> all() {
            return usual.stream().map(recipe::apply).toList();
        }

        /** Returns the largest recipe with at most a number of features per column; empty where there is none. */
        public Optional<MapRecipe> withFeaturesPerColumn(int count) {
            int value = perColumn.applyAsInt(count);
            return value < 1 ? Optional.empty() : Optional.of(recipe.apply(value));
        }
    }

    /** Returns the parameter that sets the number of features per column; empty where the recipe has one size. */
    default Optional<Size> size() {
        return Optional.empty();
    }

    @Override
    default FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes) {
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
    default TermRecipe chosenFor(Kernel leaf, RowSample rows, int features, Notes notes) {
        return leaf instanceof RadialKernel ? new TwoStageRecipe(FourierRecipe.RANDOM, this) : this;
    }
}
