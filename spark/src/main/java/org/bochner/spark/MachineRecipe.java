package org.bochner.spark;

import org.bochner.model.KernelMachine;
import org.bochner.numeric.Precision;
import org.bochner.random.Seed;

/** The machines that params describe. */
final class MachineRecipe {
    static final String KERNEL = "gaussian";
    static final String MAP = "auto";
    static final long SEED = 1;

    private MachineRecipe() {}

    static void defaults(MapParams<?> stage) {
        stage.setDefault(stage.featuresCol(), "features");
        stage.setDefault(stage.handleInvalid(), "error");
        stage.setDefault(stage.kernel(), KERNEL);
        stage.setDefault(stage.map(), MAP);
        stage.setDefault(stage.seed(), SEED);
    }

    /** Returns the machine of a map: kernel, map, features, scaling, components and seed. */
    static KernelMachine of(MapParams<?> stage) {
        KernelMachine machine =
                KernelMachine.of(stage.getKernel()).withMap(stage.getMap()).withSeed(new Seed(stage.getSeed()));
        if (!stage.isSet(stage.kernel())) {
            machine = machine.withOpenKernel();
        }
        if (stage.isDefined(stage.features())) {
            machine = machine.withFeatures(stage.getFeatures());
        }
        if (stage.isDefined(stage.scaling())) {
            machine = machine.withScaling(stage.getScaling());
        }
        return stage.isDefined(stage.components()) ? machine.withComponents(stage.getComponents()) : machine;
    }

    /** Returns the machine of a training. */
    static KernelMachine of(TrainingParams<?> stage) {
        KernelMachine machine =
                of((MapParams<?>) stage).withLearner(stage.getLearner()).withPrecision(precision(stage));
        if (stage.isDefined(stage.uncertainty())) {
            machine = machine.withUncertainty(stage.getUncertainty());
        }
        if (stage instanceof ClassTrainingParams<?> classes) {
            machine = machine.withBalancedClasses(classes.getBalanced());
            if (classes.isDefined(classes.classWeights())) {
                machine = machine.withClassWeights(TrainingChecks.classWeights(classes.getClassWeights()));
            }
            if (classes.isDefined(classes.calibration())) {
                machine = machine.withCalibration(classes.getCalibration());
            }
        }
        return machine;
    }

    static Precision precision(TrainingParams<?> stage) {
        return stage.getPrecision().equals("double") ? Precision.FLOAT64 : Precision.FLOAT32;
    }
}
