package org.bochner.model.train;

import java.util.function.UnaryOperator;
import org.bochner.base.Notes;
import org.bochner.base.row.RowException;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.RowSample;
import org.bochner.kernel.columns.Domain;
import org.bochner.map.MapRecipe;
import org.bochner.model.KernelMachine;
import org.bochner.model.Progress;
import org.bochner.model.Transformer;
import org.bochner.numeric.Workers;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.Scalings;
import org.bochner.scale.fit.ScaledRows;
import org.bochner.stats.FiniteFeatures;

/** Fits the scaling and the map of a machine to the data, and notes the choices. */
public final class Preparation {
    private final TrainingSettings settings;
    private final RowSource source;
    private final Workers workers;
    private final Progress progress;
    private final Notes notes;
    private MapRecipe chosen;

    /**
     * Creates a preparation.
     *
     * @param notes receives the choices, such as a bandwidth
     */
    public Preparation(TrainingSettings settings, RowSource source, Workers workers, Progress progress, Notes notes) {
        this.settings = settings;
        this.source = source;
        this.workers = workers;
        this.progress = progress;
        this.notes = notes;
        chosen = settings.map;
    }

    public Transformer run() {
        KernelMachine.KernelFit fit = fitKernel(false);
        progress.report("making the map", 0, Double.NaN);
        chosen = settings.map.chosen(fit.kernel(), fit.rows(), settings.features, notes::choice);
        return new Transformer(
                fit.scaler(),
                chosen.build(fit.kernel(), fit.rows(), settings.features, settings.seed.derive("map"), notes::choice));
    }

    /**
     * Fits the scaling and completes the kernel.
     *
     * @param sampled true to sample rows even if neither the kernel nor the map needs them
     */
    public KernelMachine.KernelFit fitKernel(boolean sampled) {
        KernelRecipe recipe = settings.kernel;
        recipe.requireColumns(source);
        boolean labelled = source.labels().targets() > 0;
        ScaleChoice.Choice choice = recipe.needsData() && !settings.measuredScales && labelled
                ? new ScaleChoice(settings, source, workers, progress).run()
                : null;
        if (choice != null) {
            recipe = choice.kernel();
        }
        Scaler scaler = (choice == null ? scaling() : choice.scaling()).fit(source, workers);
        notes.addAll(scaler.notes(source));
        boolean look = sampled || recipe.needsData() || settings.map.needsData(recipe.withUnitScales());
        progress.report("measuring distances", 0, Double.NaN);
        RowSample rows = look ? sample(settings, recipe, source, scaler) : RowSample.none(source.columns());
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
            notes.choice("scale taken from the data, measured on sampled rows: " + kernel);
        }
        return new KernelMachine.KernelFit(scaler, rows, kernel);
    }

    /** Returns the map recipe with all open choices made. */
    public MapRecipe chosen() {
        return chosen;
    }

    /** Samples scaled rows, each of which must lie in the kernel's domain. */
    public static RowSample sample(TrainingSettings settings, KernelRecipe kernel, RowSource source, Scaler scaler) {
        UnaryOperator<RowBlock> scaling = scaler.forBlocks();
        Kernel anyScale = kernel.withUnitScales();
        try {
            return RowSample.of(
                    source,
                    rows -> {
                        RowBlock scaled = scaling.apply(rows);
                        new Domain(anyScale, scaled).check();
                        FiniteFeatures.requireMappable(scaled);
                        return scaled;
                    },
                    RowSample.DEFAULT_ROWS,
                    settings.seed.derive("bandwidth"));
        } catch (RowException e) {
            throw ScaledRows.located(source, e, scaler.scaling());
        }
    }

    private Scaling scaling() {
        Scaling given = settings.scaling;
        if (given != null) {
            return given;
        }
        boolean standard = settings.kernel.needsData()
                && settings.kernel.takesAnyValue()
                && settings.kernel.takesAnyUnit()
                && !source.sparse();
        if (standard) {
            notes.choice("columns were standardised, because the bandwidth comes from the data");
        }
        return standard ? Scalings.standard() : Scalings.none();
    }
}
