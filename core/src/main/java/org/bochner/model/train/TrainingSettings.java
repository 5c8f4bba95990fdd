package org.bochner.model.train;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.bochner.data.RowSource;
import org.bochner.kernel.KernelRecipe;
import org.bochner.learn.CalibrationRecipe;
import org.bochner.learn.Learner;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelModel;
import org.bochner.model.TrainingRecord;
import org.bochner.numeric.Precision;
import org.bochner.random.Seed;
import org.bochner.scale.Scaling;
import org.bochner.stats.ClassWeighting;
import org.bochner.stats.Components;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link org.bochner.model.KernelMachine}. The machine changes only copies that it has not shared
 * yet; no other class writes to the fields.
 */
public final class TrainingSettings implements Cloneable {
    public final KernelRecipe kernel;
    public MapRecipe map = FeatureMaps.parse("auto");
    /** The number of features; empty for the default of the map. */
    public OptionalInt features = OptionalInt.empty();
    /** True if another kernel may be chosen when its cross-validated error is lower. */
    public boolean kernelIsOpen;
    /** True if missing scales are measured as distances between rows instead of chosen by cross-validation. */
    public boolean measuredScales;
    /** The scaling; null to choose one. */
    public @Nullable Scaling scaling;

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

    public @Nullable KernelModel start;
    /** The reductions of a given map before this training, oldest first; those of {@link #start} are added. */
    public List<TrainingRecord.PruningStep> pruning = List.of();

    public @Nullable CalibrationRecipe calibration;
    public @Nullable Components components;
    public @Nullable RowSource unlabelled;

    public TrainingSettings(KernelRecipe kernel) {
        this.kernel = kernel;
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
