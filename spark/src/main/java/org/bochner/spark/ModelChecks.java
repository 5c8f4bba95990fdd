package org.bochner.spark;

import org.bochner.base.BochnerException;
import org.bochner.model.KernelModel;

/** Checks that stages can use models. */
final class ModelChecks {
    private ModelChecks() {}

    /** Fails for models of sets. */
    static void requireRows(KernelModel model) {
        if (model.ofSets()) {
            throw new BochnerException("the model predicts sets of rows, and stages predict single rows");
        }
    }
}
