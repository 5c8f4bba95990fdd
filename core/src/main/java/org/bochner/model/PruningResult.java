package org.bochner.model;

import java.util.List;

/**
 * A pruned model, and the sizes that were measured on the way to it.
 *
 * @param model the pruned model
 * @param chosen the size that was taken
 * @param sizes all measured sizes, the whole model first
 * @param unit the kind of the units, in the plural: {@code projections}, {@code columns} or {@code features}
 */
public record PruningResult(KernelModel model, PrunedModel chosen, List<PrunedModel> sizes, String unit) {
    public PruningResult {
        sizes = List.copyOf(sizes);
    }

    PruningResult withModel(KernelModel other) {
        return new PruningResult(other, chosen, sizes, unit);
    }

    /** Returns the number of units of the whole model. */
    public int units() {
        return sizes.get(0).units();
    }
}
