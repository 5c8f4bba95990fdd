package org.bochner.model.train;

import java.util.Arrays;
import org.bochner.base.BochnerException;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelModel;
import org.bochner.model.file.ForeignRecipe;
import org.bochner.model.file.ModelAccess;
import org.bochner.random.Seed;
import org.bochner.scale.Scaling;

/** Checks that the settings of a machine agree with the model that it continues from, whose scaling and map it uses. */
public final class WarmStart {
    private static final Remedy LEAVE_OUT = Remedy.advice("leave it out to use that of the model");

    private WarmStart() {}

    /**
     * Checks all settings that the scaling and the map of the model replace.
     *
     * @throws BochnerException with the first setting that differs from the model
     */
    public static void require(TrainingSettings settings, KernelModel start) {
        ModelAccess.parts(start).requireLinear();
        ModelAccess.parts(start).requireOneStage("a warm start");
        if (!start.training().map().makesFeatures()) {
            throw new BochnerException(
                    "the model to start from is an exact machine, whose map consists of its training rows",
                    Remedy.set(Setting.START, "must be left out"));
        }
        requireKernel(settings.kernel, start);
        MapRecipe own = start.training().map();
        boolean same = settings.map.equals(own)
                || settings.map.equals(FeatureMaps.auto())
                // A loaded model knows of a recipe without a spelling only its text.
                || own.equals(new ForeignRecipe(settings.map.toString()));
        if (!same) {
            throw differs("map", own, settings.map, LEAVE_OUT);
        }
        if (settings.features.isPresent()) {
            requireFeatures(settings.features.getAsInt(), start);
        }
        Scaling scaling = settings.scaling;
        Scaling fitted = start.scaler().scaling();
        if (scaling != null && !scaling.equals(fitted)) {
            throw differs("scaling", fitted, scaling, LEAVE_OUT);
        }
        requireSeed(settings.seed, start);
    }

    /** Checks that a kernel is that of a model, or becomes it when its missing scales are filled in. */
    public static void requireKernel(KernelRecipe kernel, KernelModel start) {
        Kernel fitted = start.map().kernel();
        boolean same = kernel.equals(KernelRecipe.of(fitted))
                || kernel.equals(start.training().kernel())
                || (kernel.needsData() && kernel.hasFamiliesOf(fitted));
        if (!same) {
            throw differs("kernel", fitted, kernel, LEAVE_OUT);
        }
    }

    /** Checks a number of features. A map makes up to one feature more or less per term of the kernel. */
    public static void requireFeatures(int features, KernelModel start) {
        int own = start.map().outputDimension();
        int terms = 1 + Arrays.stream(start.map().terms()).max().orElse(0);
        if (Math.abs(features - own) > terms) {
            throw differs("number of features", own, features, LEAVE_OUT);
        }
    }

    /** Checks a seed: another one would hold out rows that the model was trained on. */
    public static void requireSeed(Seed seed, KernelModel start) {
        long own = start.training().seed().value();
        if (seed.value() != own) {
            throw differs("seed", own, seed.value(), Remedy.set(Setting.SEED, own, "keeps the same rows held out"));
        }
    }

    private static BochnerException differs(String name, Object own, Object given, Remedy remedy) {
        return new BochnerException("the " + name + " of the model is " + own + ", not " + given, remedy);
    }
}
