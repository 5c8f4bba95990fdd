package org.bochner.model.train;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.bochner.data.RowSource;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Convergence;
import org.bochner.learn.Learner;
import org.bochner.learn.UncertaintyRecipe;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingRecord;
import org.bochner.model.file.SavedRecord;
import org.bochner.numeric.Precision;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.stats.ClassWeighting;
import org.bochner.stats.Components;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link org.bochner.model.KernelMachine}. Settings that are shared are never changed: whoever needs
 * other settings writes to the fields of a {@link #copy}, before passing it on.
 */
public final class TrainingSettings implements Cloneable {
    public KernelRecipe kernel;
    public MapRecipe map = FeatureMaps.auto();
    /** The number of features; empty for the default of the map. */
    public OptionalInt features = OptionalInt.empty();
    /** True if another kernel may be chosen when its cross-validated error is lower. */
    public boolean kernelIsOpen;
    /** True if missing scales are measured as distances between rows instead of chosen by cross-validation. */
    public boolean measuredScales;
    /** The scaling; null to choose one. */
    public @Nullable Scaling scaling;
    /** A fitted scaling to use as it is, that of a model to continue from; null to fit one. */
    public @Nullable Scaler scaler;

    public Learner learner = Learner.ridge();
    public ClassWeighting classWeighting = ClassWeighting.NONE;
    public Precision precision = Precision.FLOAT32;
    public Seed seed = new Seed(1);
    /** The share of the rows that are held out for validation; 0 for none. */
    public double validation;
    /** The number of iterations without a lower validation error after which a solver stops; 0 for any number. */
    public int patience;
    /** The bytes of features that may be kept in memory; empty for the default. */
    public OptionalLong memory = OptionalLong.empty();

    /** The kernel as it was given, if kernel learning has replaced it by the learned one; null otherwise. */
    public @Nullable KernelRecipe givenKernel;
    /** How kernel learning found the kernel, in words; null if it did not. */
    public @Nullable String kernelSearch;

    public @Nullable KernelModel start;
    /** The reductions of a given map before this training, oldest first; those of {@link #start} are added. */
    public List<TrainingRecord.PruningStep> pruning = List.of();

    public @Nullable CalibrationRecipe calibration;
    /** The uncertainty of predictions; null for none. */
    public @Nullable UncertaintyRecipe uncertainty;

    public @Nullable Components components;
    public @Nullable RowSource unlabelled;
    /** The landmarks of a landmark map, before scaling; null to choose them among the rows. */
    public @Nullable RowSource landmarks;

    /** The settings of the stages before the last one of a cascade; empty for a machine of one stage. */
    public List<TrainingSettings> stages = List.of();
    /** The share of the held-out rows by which the errors of a cascade may exceed those of its last stage. */
    public double tolerance;

    /** The number of machines, of different seeds, whose mean is trained; 1 for a single machine. */
    public int average = 1;

    /** The tree whose leaves have machines of their own; null for a single machine. */
    public @Nullable TreeRecipe tree;

    public TrainingSettings(KernelRecipe kernel) {
        this.kernel = kernel;
    }

    /** Returns what the machine is made of, in words; empty for a single machine. */
    String several() {
        if (!stages.isEmpty()) {
            return "a cascade of several stages";
        }
        if (average > 1) {
            return "an average of several machines";
        }
        return tree == null ? "" : "a tree of machines";
    }

    /** Sets the kernel that a map is for, if the kernel is open and the map is for one kernel alone. */
    public void chooseKernel() {
        if (kernelIsOpen && map instanceof BinningRecipe) {
            kernel = Kernels.recipe("laplacian");
        }
    }

    /**
     * Returns the record of a training with these settings.
     *
     * @param rows the number of training rows
     * @param usedMap the map recipe that was used
     * @param usedLearner the learner as it was given; null for components alone
     * @param lambda the penalty that was used
     * @param refit the learner of a refit; null for none
     * @param channels how the weights of channels were learned; null for a single kernel
     * @param convergence how the solver ended; null if not recorded
     * @param steps the reductions of the map by this training, which follow those of the model to start from
     */
    public TrainingRecord record(
            RowSource source,
            long rows,
            MapRecipe usedMap,
            @Nullable Learner usedLearner,
            double lambda,
            @Nullable Learner refit,
            TrainingRecord.@Nullable ChannelWeighting channels,
            @Nullable Convergence convergence,
            List<TrainingRecord.PruningStep> steps) {
        KernelModel from = start;
        List<TrainingRecord.PruningStep> all = new ArrayList<>(pruning);
        all.addAll(from == null ? List.of() : from.training().pruning());
        all.addAll(steps);
        return new TrainingRecord(
                source.identity(),
                rows,
                from == null
                        ? (givenKernel == null ? kernel : givenKernel)
                        : from.training().kernel(),
                usedMap,
                usedLearner,
                lambda,
                refit,
                classWeighting.balanced(),
                classWeighting.factors(),
                seed,
                components == null ? null : components.toString(),
                components == null || unlabelled == null ? null : unlabelled.identity(),
                calibration,
                from == null ? kernelSearch : from.training().kernelSearch(),
                channels,
                convergence,
                all,
                TrainingRecord.libraryVersion(),
                SavedRecord.today());
    }

    /** Returns a copy. */
    public TrainingSettings copy() {
        try {
            return (TrainingSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }
}
