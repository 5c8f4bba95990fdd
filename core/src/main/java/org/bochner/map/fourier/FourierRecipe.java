package org.bochner.map.fourier;

import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.base.Spelling;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.composed.MapAlgebra;
import org.bochner.map.composed.TermRecipe;
import org.bochner.map.composed.TwoStageRecipe;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * A recipe for Fourier maps, such as {@code orthogonal(phase, features=2000)}. For a kernel of a distance it makes the
 * second stage; the first is chosen with an error too small to matter.
 */
public record FourierRecipe(FrequencyChoice choice, FourierForm form, OptionalInt features) implements TermRecipe {
    /** Random Fourier features in pairs, {@code fourier}. */
    public static final FourierRecipe RANDOM = new FourierRecipe(FrequencyChoice.FOURIER, FourierForm.PAIRS);

    public FourierRecipe {
        features.ifPresent(count -> form.frequencies(choice.toString(), count));
    }

    /** Takes the number of features that is asked for. */
    public FourierRecipe(FrequencyChoice choice, FourierForm form) {
        this(choice, form, OptionalInt.empty());
    }

    public static FourierRecipe parse(FrequencyChoice choice, Spelling spelling) {
        spelling.allow("phase", "features");
        FourierForm form = spelling.has("phase") ? FourierForm.PHASE : FourierForm.PAIRS;
        return new FourierRecipe(choice, form, TermRecipe.features(spelling));
    }

    @Override
    public int unit() {
        return form.featuresPerFrequency();
    }

    @Override
    public FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes) {
        if (leaf instanceof WarpedKernel warped) {
            return new WarpedMap(map(warped.kernel(), rows.columns(), features, seed), warped);
        }
        if (leaf instanceof ShiftInvariantKernel kernel) {
            return map(kernel, rows.columns(), features, seed);
        }
        throw refuse(leaf);
    }

    /** Returns the map of rows with a number of columns. */
    public FourierMap map(ShiftInvariantKernel kernel, int columns, int features, Seed seed) {
        int frequencies = form.frequencies(choice.toString(), features);
        Projection projection = choice.choose(kernel, columns, frequencies, seed.derive("frequencies"));
        return new FourierMap(kernel, projection, form, phases(frequencies, seed.derive("phases")));
    }

    private double[] phases(int frequencies, Seed seed) {
        double[] phases = new double[form == FourierForm.PHASE ? frequencies : 0];
        RandomStream stream = seed.stream();
        for (int j = 0; j < phases.length; j++) {
            phases[j] = stream.nextUniform();
        }
        return phases;
    }

    @Override
    public TermRecipe chosenFor(Kernel leaf, RowSample rows, int features, Notes notes) {
        return leaf instanceof RadialKernel
                ? new TwoStageRecipe(this, new AutoRecipe()).chosenFor(leaf, rows, features, notes)
                : this;
    }

    @Override
    public boolean needsData(Kernel kernel) {
        return MapAlgebra.leaves(kernel).anyMatch(RadialKernel.class::isInstance);
    }

    @Override
    public double bytesNeeded(int columns, int features) {
        return choice.bytes(columns, features / form.featuresPerFrequency(), false);
    }

    @Override
    public void requireFeatures(int features) {
        form.frequencies(choice.toString(), features);
    }

    @Override
    public String toString() {
        return TermRecipe.spell(
                choice.toString(),
                form == FourierForm.PHASE ? "phase" : "",
                TermRecipe.parameter("features", features));
    }
}
