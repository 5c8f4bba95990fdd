package org.bochner.model.train;

import java.util.Locale;
import java.util.OptionalInt;
import org.bochner.base.BochnerException;
import org.bochner.base.Notes;
import org.bochner.base.Remedy;
import org.bochner.base.Setting;
import org.bochner.base.SpellingException;
import org.bochner.base.row.RowException;
import org.bochner.base.text.Digits;
import org.bochner.data.Encoding;
import org.bochner.data.RowSource;
import org.bochner.data.sample.RowCount;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.Kernels;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.SampleTask;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapRecipe;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.map.landmark.LandmarkChoice;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.scale.fit.ScaledRows;
import org.bochner.stats.ClassWeights;
import org.jspecify.annotations.Nullable;

/**
 * The settings and rows of a training, with which all its steps work. Fits the scaling and the map.
 */
public final class TrainingContext {
    /** The longest list every JVM can make. */
    private static final int MOST_ROWS = Integer.MAX_VALUE - 8;

    private final TrainingSettings settings;
    private final RowSource source;
    private final Workers workers;
    private final Progress progress;
    private final Notes notes;

    /**
     * A fitted scaling and map.
     *
     * @param recipe the map recipe with all open choices made
     */
    public record Prepared(Transformer transformer, MapRecipe recipe) {}

    private TrainingContext(
            TrainingSettings settings, RowSource source, Workers workers, Progress progress, Notes notes) {
        this.settings = settings;
        this.source = source;
        this.workers = workers;
        this.progress = progress;
        this.notes = notes;
    }

    /**
     * Returns the context of a training whose settings have a kernel for the categories of the rows, if its map is binning and
     * its kernel is open.
     *
     * @param notes receives the choices, such as a bandwidth
     */
    public static TrainingContext of(
            TrainingSettings settings, RowSource source, Workers workers, Progress progress, Notes notes) {
        Encoding.requireComplete(source);
        TrainingSettings complete = GridKernel.complete(settings, source);
        if (!complete.several().isEmpty()) {
            String single = complete.stages.isEmpty() ? "a single machine" : "a machine of one stage";
            throw new BochnerException(
                    complete.several() + " can only be trained, and this needs " + single,
                    Remedy.advice(complete.stages.isEmpty() ? "give one" : "give the machine of one stage"));
        }
        return new TrainingContext(complete, source, workers, progress, notes);
    }

    /** Returns the settings, with a kernel for categories. */
    public TrainingSettings settings() {
        return settings;
    }

    /** Returns the training rows. */
    public RowSource source() {
        return source;
    }

    public Workers workers() {
        return workers;
    }

    public Progress progress() {
        return progress;
    }

    /** Returns the notes that receive choices. */
    public Notes notes() {
        return notes;
    }

    /** Returns a context with other settings and rows, whose choices go to notes of its own. */
    TrainingContext with(TrainingSettings otherSettings, RowSource otherRows) {
        return of(otherSettings, otherRows, workers, progress, new Notes());
    }

    /** Returns the weights of the classes of the rows. */
    ClassWeights weights() {
        return settings.classWeighting.of(source);
    }

    /** Fits the scaling and the map. */
    public Prepared prepare() {
        KernelMachine.KernelFit fit = fitKernel(false);
        boolean learned =
                settings.map instanceof LandmarkRecipe landmarkMap && landmarkMap.by() == LandmarkChoice.LEARNED;
        progress.report(learned ? "learning the landmarks" : "making the map", 0, Double.NaN);
        Seed seed = settings.seed.derive("map");
        RowSource landmarks = settings.landmarks;
        if (landmarks != null) {
            RowSample rows = landmarks(landmarks, fit);
            MapRecipe given = landmarkRecipe().given(rows.rows(), settings.features);
            FeatureMap map = given.build(fit.kernel(), rows, OptionalInt.empty(), seed, notes, workers);
            return new Prepared(new Transformer(fit.scaler(), map), given);
        }
        if (settings.map instanceof LandmarkRecipe recipe && recipe.by() == LandmarkChoice.GIVEN) {
            throw new SpellingException(
                    settings.map + ": no landmarks are given", Remedy.set(Setting.LANDMARKS, "FILE", "reads them"));
        }
        MapRecipe chosen = settings.map.chosen(fit.kernel(), fit.rows(), settings.features, notes);
        if (chosen instanceof BinningRecipe recipe) {
            BinningRecipe sized = recipe.grids().isPresent() ? recipe : recipe.forRows(RowCount.of(source.localRows()));
            CellPass cells = new CellPass(sized, source.localRows(), fit.scaler(), workers);
            return new Prepared(new Transformer(fit.scaler(), cells.map(fit.kernel(), seed, progress, notes)), sized);
        }
        if (chosen instanceof LandmarkRecipe recipe) {
            int count = recipe.count(settings.features);
            progress.memory(
                    String.format(Locale.ROOT, "%,d landmarks", count), chosen.bytesNeeded(source.columns(), count));
        }
        FeatureMap map = chosen.build(fit.kernel(), fit.rows(), settings.features, seed, notes, workers);
        return new Prepared(new Transformer(fit.scaler(), map), chosen);
    }

    private LandmarkRecipe landmarkRecipe() {
        if (settings.map instanceof LandmarkRecipe recipe) {
            return recipe;
        }
        throw new SpellingException(
                "landmarks are given for the map " + settings.map + ", which has none",
                Remedy.set(Setting.MAP, LandmarkRecipe.NAME, "uses them"));
    }

    /** Reads the given landmarks, scaled as the training rows. */
    private RowSample landmarks(RowSource given, KernelMachine.KernelFit fit) {
        if (given.columns() != source.columns()) {
            throw new BochnerException(given.name() + ": landmarks have " + given.columns()
                    + " columns, the training rows have " + source.columns()
                    + "; give rows with the columns of the training data");
        }
        int most = given.rows() < 0 ? MOST_ROWS : (int) Math.max(2, Math.min(MOST_ROWS, given.rows()));
        return sample(given.encodedBy(source.encoding()), fit.kernel(), fit.scaler(), most, settings.seed);
    }

    /**
     * Fits the scaling and completes the kernel.
     *
     * @param sampled true to sample rows even if neither the kernel nor the map needs them
     */
    public KernelMachine.KernelFit fitKernel(boolean sampled) {
        return fitKernel(sampled, null);
    }

    /** Fits the scaling and completes a learned kernel, or the initial one if its error is lower. */
    public KernelMachine.KernelFit fitLearned(ScaleChoice.Initial initial) {
        return fitKernel(false, initial);
    }

    private KernelMachine.KernelFit fitKernel(boolean sampled, ScaleChoice.@Nullable Initial initial) {
        KernelRecipe recipe = settings.kernel;
        RowSource local = source.localRows();
        recipe.requireColumns(local);
        // Before scales are chosen, which may take minutes.
        if (settings.map instanceof LandmarkRecipe landmarkMap
                && settings.landmarks == null
                && !landmarkMap.isOpen(settings.features)
                && local.rows() >= 0) {
            landmarkMap.requireRows(local.rows(), landmarkMap.count(settings.features));
        }
        boolean labelled = source.labels().targets() > 0;
        Scaler given = settings.scaler;
        ScaleChoice.Choice choice = given == null ? TextChoice.of(settings, source) : null;
        String obstacle = "";
        if (choice == null && recipe.needsData() && !settings.measuredScales && labelled) {
            ScaleChoice search = new ScaleChoice(settings, initial, source, workers, progress);
            choice = search.run();
            obstacle = search.obstacle();
        }
        if (choice != null) {
            recipe = choice.kernel();
        }
        Scaler scaler = given != null ? given : (choice == null ? scaling() : choice.scaling()).fit(local, workers);
        notes.addAll(source.trainingNotes());
        notes.addAll(scaler.notes(local));
        boolean look = sampled
                || recipe.needsData()
                || settings.map.rowsNeeded(recipe.withUnitScales(), settings.features) > 0;
        RowSample rows = RowSample.none(source.columns());
        if (look) {
            progress.report("sampling rows", 0, Double.NaN);
            rows = sample(settings, recipe, local, scaler);
        }
        if (choice != null) {
            Kernel kernel = choice.kernel(rows);
            notes.choice((settings.scaling == null ? "scaling " + scaler.scaling() + " and " : "")
                    + kernel
                    + (settings.scaling == null ? " were chosen " : " was chosen ")
                    + choice.reason());
            return new KernelMachine.KernelFit(scaler, rows, kernel);
        }
        Kernel kernel = recipe.fit(rows);
        if (recipe.needsData()) {
            notes.choice("scale taken from the data, measured on sampled rows: " + kernel + obstacle);
        }
        return new KernelMachine.KernelFit(scaler, rows, kernel);
    }

    /** Samples scaled rows, each of which must lie in the kernel's domain. */
    public static RowSample sample(TrainingSettings settings, KernelRecipe kernel, RowSource source, Scaler scaler) {
        Kernel anyScale = kernel.withUnitScales();
        int most = Math.max(RowSample.DEFAULT_ROWS, settings.map.rowsNeeded(anyScale, settings.features));
        return sample(source, anyScale, scaler, most, settings.seed.derive("bandwidth"));
    }

    private static RowSample sample(RowSource source, Kernel kernel, Scaler scaler, int most, Seed seed) {
        try {
            return source.parted().isPresent()
                    ? new MappableSampleTask(scaler, kernel, SampleTask.of(source, most, seed))
                            .over(source, new Workers(1))
                    : RowSample.of(source, MappableSampleTask.checked(scaler, kernel), most, seed);
        } catch (RowException e) {
            throw ScaledRows.located(source, e, scaler.scaling());
        }
    }

    private Scaling scaling() {
        Scaling given = settings.scaling;
        if (given != null) {
            return given;
        }
        RowSource local = source.localRows();
        if (settings.kernel.withUnitScales().equals(Kernels.linear())
                && !local.sparse()
                && !ScalingCandidates.alikeRanges(RowSample.of(local, settings.seed.derive("units")))) {
            notes.choice("columns were standardised, because their units differ: the largest value of one is more than "
                    + Digits.shortest(ScalingCandidates.MOST_APART) + " times that of most columns");
            return GridKernel.ofNumbers(Scalings.standard(), local);
        }
        boolean standard = settings.kernel.needsData()
                && settings.kernel.takesAnyValue()
                && settings.kernel.takesAnyUnit()
                && !local.sparse();
        if (standard) {
            notes.choice("columns were standardised, because the bandwidth comes from the data");
        }
        return standard
                ? GridKernel.besideCategories(Scalings.standard(), settings, settings.kernel, local)
                : Scalings.none();
    }
}
