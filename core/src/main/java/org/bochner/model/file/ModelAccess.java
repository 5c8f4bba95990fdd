package org.bochner.model.file;

import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Function;
import org.bochner.data.RowBlock;
import org.bochner.model.KernelMachine;
import org.bochner.model.KernelModel;
import org.bochner.model.train.TrainingSettings;
import org.jspecify.annotations.Nullable;

/**
 * Gives other packages of this library access to the hidden parts of models and machines. Both classes register their
 * functions when they are loaded.
 */
public final class ModelAccess {
    private static @Nullable Function<ModelParts, KernelModel> maker;
    private static @Nullable Function<KernelModel, ModelParts> parts;
    private static @Nullable Function<KernelModel, Function<RowBlock, double[]>> scorers;
    private static @Nullable Function<KernelMachine, TrainingSettings> settings;
    private static @Nullable Function<TrainingSettings, KernelMachine> machineMaker;

    private ModelAccess() {}

    /** Registers the functions of models. */
    public static void registerModels(
            Function<ModelParts, KernelModel> ofParts,
            Function<KernelModel, ModelParts> partsOf,
            Function<KernelModel, Function<RowBlock, double[]>> scorersOf) {
        maker = ofParts;
        parts = partsOf;
        scorers = scorersOf;
    }

    /** Registers the functions of machines. */
    public static void registerMachines(
            Function<KernelMachine, TrainingSettings> settingsOf,
            Function<TrainingSettings, KernelMachine> ofSettings) {
        settings = settingsOf;
        machineMaker = ofSettings;
    }

    /** Returns the model with these parts. */
    public static KernelModel model(ModelParts of) {
        try {
            MethodHandles.lookup().ensureInitialized(KernelModel.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return Objects.requireNonNull(maker).apply(of);
    }

    /** Returns the parts of a model. */
    public static ModelParts parts(KernelModel model) {
        return Objects.requireNonNull(parts).apply(model);
    }

    /**
     * Returns a function that scores blocks of encoded rows, rows×outputs, for one thread. It reuses its memory: the next call
     * overwrites the scores, whose array may be longer. It throws a {@link org.bochner.base.row.RowException} if the scores of a
     * row are not finite.
     */
    public static Function<RowBlock, double[]> scorer(KernelModel model) {
        return Objects.requireNonNull(scorers).apply(model);
    }

    /** Returns the settings of a machine, which must not be changed. */
    public static TrainingSettings settings(KernelMachine machine) {
        return Objects.requireNonNull(settings).apply(machine);
    }

    /** Returns a machine with these settings, which must not be changed afterwards. */
    public static KernelMachine machine(TrainingSettings of) {
        return Objects.requireNonNull(machineMaker).apply(of);
    }
}
