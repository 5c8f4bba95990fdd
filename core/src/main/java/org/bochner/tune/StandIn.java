package org.bochner.tune;

import java.util.Locale;
import java.util.OptionalInt;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.data.Holdout;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.ShiftInvariantKernel;
import org.bochner.kernel.composed.ProductKernel;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.model.file.ModelAccess;
import org.bochner.model.train.ExactFit;
import org.bochner.model.train.GridKernel;
import org.bochner.model.train.RoughMap;
import org.bochner.model.train.ScaleChoice;
import org.bochner.model.train.TrainingContext;
import org.bochner.model.train.TrainingSettings;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.jspecify.annotations.Nullable;

/**
 * The machine that learns the length-scales if the map of the model has no derivatives with respect to them: landmarks, random
 * grids, and exact machines with {@code agop}. It has Fourier features. If the kernel is rough, it takes a Gaussian kernel
 * instead, because random features of rough kernels have large errors. It learns on a sample of the rows: the ratios of the
 * length-scales need less accuracy than the model.
 */
final class StandIn {
    /** The most features; rounds of fits take half as many as rows, if that is less. */
    private static final int MOST_FEATURES = 1000;

    private static final int FEWEST_FEATURES = 500;
    private static final KernelRecipe SMOOTH = Kernels.recipe("gaussian");

    private final KernelLearning recipe;
    private final RowSource source;
    private final TrainingSettings model;
    private final KernelMachine machine;

    private StandIn(KernelLearning recipe, RowSource source) {
        this.recipe = recipe;
        this.source = source;
        TrainingSettings settings = ModelAccess.settings(recipe.machine).copy();
        model = ofModel(settings);
        int most = recipe.method.rounds() > 0
                ? (int) Math.max(FEWEST_FEATURES, Math.min(MOST_FEATURES, RowCount.of(source) / 2))
                : MOST_FEATURES;
        int features = Math.min(most, settings.features.orElse(most));
        if (settings.scaling == null) {
            Scaling standard = Scalings.standard();
            Scaling beside = GridKernel.besideCategories(standard, settings, settings.kernel, source.localRows());
            settings.scaling = beside.equals(standard) ? null : beside;
        }
        settings.map = FeatureMaps.auto();
        settings.features = OptionalInt.of(features + features % 2);
        settings.kernelIsOpen = false;
        if (usesSmoothKernel()) {
            settings.kernel = SMOOTH;
        }
        machine = ModelAccess.machine(settings);
    }

    /** Returns the stand-in for the machine of a recipe; null if it needs none. */
    static @Nullable StandIn of(KernelLearning recipe, RowSource source) {
        TrainingSettings settings = ModelAccess.settings(recipe.machine);
        MapRecipe map = settings.map;
        boolean averaged = recipe.method.rounds() > 0 && !map.makesFeatures() && recipe.start == null;
        if (averaged) {
            ExactFit.requireSettings(settings);
        }
        if (map instanceof BinningRecipe grids) {
            grids.requireGrids(settings.kernel.withUnitScales(), source.columns());
        }
        if (!averaged && !(map instanceof LandmarkRecipe) && !(map instanceof BinningRecipe)) {
            return null;
        }
        if (recipe.sharing == Sharing.FREQUENCY) {
            throw new SpellingException(
                    "the map " + map + " has no frequencies to learn",
                    Remedy.advice("learn one scale per column"),
                    Remedy.set(Setting.MAP, "fourier", "has frequencies"));
        }
        return new StandIn(recipe, source);
    }

    KernelMachine machine() {
        return machine;
    }

    /**
     * Returns the rows to learn from: all, or a sample.
     *
     * @param size the rows of a sample
     */
    RowSource rows(int size, Notes notes) {
        long count = RowCount.of(source);
        if (!recipe.sampling || count <= size) {
            return source;
        }
        notes.choice(
                String.format(Locale.ROOT, "scales were learned from a sample of %,d of %,d rows", size, count),
                Remedy.set(Setting.SEARCH_ALL_ROWS, "learns them from all rows"));
        return Holdout.sample(source, size, machine.seed().derive("rows to learn scales from"));
    }

    /**
     * Returns the settings of the model with the learned kernel, whose penalty is chosen anew. The common factor of its
     * scales depends on the map. It is chosen again where maps like that of the model can be compared; the initial kernel is
     * then used instead if its error is at least 3% lower.
     *
     * @param learned the transformer of the stand-in with the learned scales
     * @param initial the transformer of the stand-in before
     */
    TrainingSettings settings(
            Transformer learned, Transformer initial, Workers workers, Progress progress, Notes notes) {
        // With the kernel for the categories of the rows, if the kernel was open.
        TrainingSettings settings = TrainingContext.of(model, source, workers, progress, notes)
                .settings()
                .copy();
        settings.kernelIsOpen = false;
        notes.choice("scales were learned with " + learned.map().outputDimension() + " features of "
                + initial.map().kernel() + "; the model has "
                + (settings.map instanceof LandmarkRecipe ? "landmarks" : "the map " + settings.map));
        Kernel kernel = usesSmoothKernel()
                ? rough(learned.map().kernel())
                : learned.map().kernel();
        settings.scaling = learned.scaler().scaling();
        if (settings.kernel.isSpelled() && ScaleChoice.comparesOwnMaps(settings, source)) {
            ScaleChoice.Initial before = new ScaleChoice.Initial(settings.kernel, scaling(settings, initial));
            settings.kernel = Kernels.recipe(kernel.toString()).withOpenFactors();
            KernelMachine.KernelFit fit = TrainingContext.of(settings, source, workers, progress, notes)
                    .fitLearned(before);
            settings.scaling = fit.scaler().scaling();
            kernel = fit.kernel();
        }
        settings.kernel = KernelRecipe.of(kernel);
        return settings;
    }

    /**
     * Returns the settings of a model without learned scales. Drops the number of features if the map takes none: it is then
     * the number that the search uses.
     */
    static TrainingSettings ofModel(TrainingSettings given) {
        TrainingSettings settings = given.copy();
        if (!settings.map.takesFeatures()) {
            settings.features = OptionalInt.empty();
        }
        return settings;
    }

    /** Returns the scaling of a machine without learned scales. Rows are not scaled if the kernel has all its scales. */
    private Scaling scaling(TrainingSettings settings, Transformer initial) {
        Scaling given = model.scaling;
        if (given != null) {
            return given;
        }
        return settings.kernel.needsData() ? initial.scaler().scaling() : Scalings.none();
    }

    private boolean usesSmoothKernel() {
        Kernel unit = model.kernel.withUnitScales();
        return model.kernel.isSpelled()
                && unit instanceof ShiftInvariantKernel
                && !(unit instanceof ProductKernel)
                && RoughMap.isRough(unit);
    }

    /** Returns the kernel of the model with the length-scales of a smooth kernel. */
    private Kernel rough(Kernel smooth) {
        return ((ShiftInvariantKernel) model.kernel.withUnitScales())
                .withSigma(((ShiftInvariantKernel) smooth).sigma());
    }
}
