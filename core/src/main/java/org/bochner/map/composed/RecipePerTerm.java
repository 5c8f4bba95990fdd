package org.bochner.map.composed;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;

/** One recipe per term of a kernel, {@code fourier(features=3000) + sampled(order=1)}. */
public record RecipePerTerm(List<TermRecipe> terms) implements MapRecipe {
    public RecipePerTerm {
        terms = List.copyOf(terms);
        Require.that(terms.size() >= 2, "map", "needs at least two terms");
    }

    @Override
    public FeatureMap build(Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Notes notes) {
        return build(kernel, rows, features, seed, notes, Workers.all());
    }

    @Override
    public FeatureMap build(
            Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Notes notes, Workers workers) {
        return new MapAlgebra(terms, notes).build(kernel, rows, features, seed, workers);
    }

    @Override
    public MapRecipe chosen(Kernel kernel, RowSample rows, OptionalInt features, Notes notes) {
        return new MapAlgebra(terms, notes).chosen(kernel, rows, features);
    }

    @Override
    public boolean needsData(Kernel kernel) {
        return terms.stream().anyMatch(term -> term.needsData(kernel));
    }

    @Override
    public int rowsNeeded(Kernel kernel, OptionalInt features) {
        return terms.stream()
                .mapToInt(term -> term.rowsNeeded(kernel, features))
                .max()
                .orElse(0);
    }

    @Override
    public double bytesNeeded(int columns, int features) {
        double given = 0;
        double shared = 0;
        for (TermRecipe term : terms) {
            if (term.features().isPresent()) {
                given += term.bytesNeeded(columns, term.features().getAsInt());
            } else {
                // Shared features take at most as much as if the most expensive recipe had all of them.
                shared = Math.max(shared, term.bytesNeeded(columns, features));
            }
        }
        return given + shared;
    }

    @Override
    public String toString() {
        return terms.stream().map(TermRecipe::toString).collect(Collectors.joining(" + "));
    }
}
