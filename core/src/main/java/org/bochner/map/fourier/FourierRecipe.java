package org.bochner.map.fourier;

import java.util.OptionalInt;
import java.util.function.Consumer;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.RadialKernel;
import org.bochner.kernel.composed.WarpedKernel;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.composed.MapAlgebra;
import org.bochner.map.composed.TermRecipe;
import org.bochner.map.composed.TwoStageRecipe;
import org.bochner.random.RandomStream;
import org.bochner.random.Seed;

/**
 * A recipe for Fourier maps; they differ in how they choose the frequencies. Kernels of an additive one's distance have
 * two stages, of which this is the second; the first is chosen so that its error does not show.
 */
public interface FourierRecipe extends TermRecipe {
    /** The name in spellings. */
    String name();

    FourierForm form();

    @Override
    OptionalInt features();

    /** Chooses the frequencies of a kernel. More of them, for the same seed, begin with the same ones. */
    Projection choose(ShiftInvariantKernel kernel, int columns, int frequencies, Seed seed);

    /** The name with its parameters. */
    default String spelling() {
        StringBuilder text = new StringBuilder(form() == FourierForm.PHASE ? "phase" : "");
        features()
                .ifPresent(f -> text.append(text.isEmpty() ? "" : ", ")
                        .append("features=")
                        .append(f));
        return text.isEmpty() ? name() : name() + "(" + text + ")";
    }

    @Override
    default int unit() {
        return form().featuresPerFrequency();
    }

    @Override
    default FourierMap fourier(
            ShiftInvariantKernel kernel, RowSample rows, int features, Seed seed, Consumer<String> notes) {
        return map(kernel, rows.columns(), features, seed);
    }

    @Override
    default WarpedMap warped(WarpedKernel kernel, int columns, int features, Seed seed) {
        return new WarpedMap(map(kernel.kernel(), columns, features, seed), kernel);
    }

    /** The map of rows of a width, which is all that it needs to know of them. */
    default FourierMap map(ShiftInvariantKernel kernel, int columns, int features, Seed seed) {
        int frequencies = form().frequencies(name(), features);
        Projection projection = choose(kernel, columns, frequencies, seed.derive("frequencies"));
        return new FourierMap(kernel, projection, form(), phases(frequencies, seed.derive("phases")));
    }

    private double[] phases(int frequencies, Seed seed) {
        double[] phases = new double[form() == FourierForm.PHASE ? frequencies : 0];
        RandomStream stream = seed.stream();
        for (int j = 0; j < phases.length; j++) {
            phases[j] = stream.nextUniform();
        }
        return phases;
    }

    @Override
    default TermRecipe chosenFor(Kernel leaf, RowSample rows, int features, Consumer<String> notes) {
        return leaf instanceof RadialKernel
                ? new TwoStageRecipe(this, new AutoRecipe()).chosenFor(leaf, rows, features, notes)
                : this;
    }

    @Override
    default boolean needsData(Kernel kernel) {
        return MapAlgebra.terms(kernel).stream().anyMatch(term -> MapAlgebra.leaf(term) instanceof RadialKernel);
    }

    @Override
    default double bytesNeeded(int columns, int features) {
        return DenseProjection.bytes(columns, features / form().featuresPerFrequency(), false);
    }

    @Override
    default void requireFeatures(int features) {
        form().frequencies(name(), features);
    }
}
