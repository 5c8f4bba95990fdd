package org.bochner.model;

import java.util.List;
import org.bochner.base.Note;

/**
 * A pruned model, and the sizes that were measured on the way to it.
 *
 * @param model the pruned model
 * @param chosen the size that was taken
 * @param sizes all measured sizes, the whole model first
 * @param unit the kind of the units
 * @param notes the differences between the learning of the model and of the pruned model, in words
 */
public record PruningResult(
        KernelModel model, PrunedModel chosen, List<PrunedModel> sizes, TrainingRecord.MapUnit unit, List<Note> notes) {
    public PruningResult {
        sizes = List.copyOf(sizes);
        notes = List.copyOf(notes);
    }

    PruningResult withModel(KernelModel other) {
        return new PruningResult(other, chosen, sizes, unit, notes);
    }

    /** Returns the number of units of the whole model. */
    public int units() {
        return sizes.get(0).units();
    }
}
