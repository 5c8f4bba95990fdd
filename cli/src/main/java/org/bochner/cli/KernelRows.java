package org.bochner.cli;

import java.util.List;
import org.bochner.base.RowException;
import org.bochner.data.FileSource;
import org.bochner.data.Places;
import org.bochner.data.RowBlock;
import org.bochner.kernel.Domain;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.RowSample;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.ScalingBuffer;

/** A sample of the rows of DATA, scaled, and the kernel with the scales that they may have given. */
record KernelRows(RowSample sample, Kernel kernel) {
    private static final int SAMPLED_ROWS = 1000;

    /**
     * Reads all rows, each of which must lie in the kernel's domain.
     *
     * @param notes receives what was left to the data
     */
    static KernelRows read(FileSource source, Spelled spelled, Seed seed, Workers workers, List<String> notes) {
        KernelRecipe recipe = Recipes.kernel(spelled.in(source));
        recipe.requireColumns(source);
        Scaler scaler = Recipes.scaling(spelled.in(source)).fit(source, workers);
        Kernel anyScale = recipe.withUnitScales();
        ScalingBuffer buffer = new ScalingBuffer();
        RowSample sample;
        try {
            sample = RowSample.of(
                    source,
                    block -> {
                        RowBlock scaled = scaler.apply(block, buffer);
                        new Domain(anyScale, scaled).check();
                        return scaled;
                    },
                    SAMPLED_ROWS,
                    seed.derive("sample"));
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        }
        Kernel fitted = recipe.fit(sample);
        if (recipe.needsData()) {
            notes.add("scale taken from the data, measured on sampled rows: " + fitted);
        }
        return new KernelRows(sample, fitted);
    }
}
