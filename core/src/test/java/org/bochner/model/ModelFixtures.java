package org.bochner.model;

import org.bochner.base.State;
import org.bochner.learn.calibrate.Calibration;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.file.ModelParts;
import org.bochner.model.file.SavedModel;
import org.bochner.model.train.Compaction;

/** What tests do with the parts of a model. */
public final class ModelFixtures {
    private ModelFixtures() {}

    public static KernelModel withCalibration(KernelModel model, Calibration calibration) {
        return ModelAccess.model(parts(model).withCalibration(calibration));
    }

    static State state(KernelModel model) {
        return SavedModel.state(parts(model));
    }

    static KernelModel load(String name, State state) {
        return ModelAccess.model(SavedModel.load(name, state));
    }

    static KernelModel compact(KernelModel model) {
        return ModelAccess.model(Compaction.of(parts(model)));
    }

    static ModelParts parts(KernelModel model) {
        return ModelAccess.parts(model);
    }
}
