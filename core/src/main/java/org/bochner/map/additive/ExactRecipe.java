package org.bochner.map.additive;

import org.bochner.base.Notes;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.SeparableKernel;

/** The exact map, {@code exact}, which {@code hellinger} and {@code linear} have. */
public record ExactRecipe() implements AdditiveRecipe {
    public static final String NAME = "exact";

    public static ExactRecipe parse(Spelling spelling) {
        spelling.allow();
        return new ExactRecipe();
    }

    @Override
    public AdditiveMap additive(AdditiveKernel kernel, RowSample rows, Notes notes) {
        if (kernel instanceof SeparableKernel separable) {
            return new ExactMap(separable, rows.columns());
        }
        throw new SpellingException(
                "map 'exact': " + kernel + " has no exact map of finite size; take auto or sampled");
    }

    @Override
    public String toString() {
        return NAME;
    }
}
