package org.bochner.model;

import java.util.List;
import org.bochner.base.Note;
import org.bochner.base.Notes;
import org.bochner.base.row.RowException;
import org.bochner.data.Labels;
import org.bochner.data.Places;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.kernel.Domain;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.KernelRecipe;
import org.bochner.kernel.RowSample;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Workers;
import org.bochner.scale.Resolution;
import org.bochner.scale.Scaler;
import org.bochner.scale.Scaling;
import org.bochner.scale.ScalingBuffer;
import org.bochner.scale.Scalings;

/** From the recipe of a machine to its scaling and map: fits what comes from the data, and notes what was chosen. */
final class Preparation {
    private final KernelMachine machine;
    private final RowSource source;
    private final Workers workers;
    private final Progress progress;
    private final Notes notes = new Notes();
    private MapRecipe chosen;

    Preparation(KernelMachine machine, RowSource source, Workers workers, Progress progress) {
        this.machine = machine;
        this.source = source;
        this.workers = workers;
        this.progress = progress;
        chosen = machine.map();
    }

    Transformer run() {
        KernelFit fit = fitKernel(false);
        progress.report("making the map", 0, Double.NaN);
        chosen = machine.map().chosen(fit.kernel(), fit.rows(), machine.features(), notes::choice);
        return new Transformer(
                fit.scaler(),
                chosen.build(
                        fit.kernel(),
                        fit.rows(),
                        machine.features(),
                        machine.seed().derive("map"),
                        notes::choice));
    }

    /**
     * Fits the scaling, and completes the kernel.
     *
     * @param sampled whether rows are sampled even if neither the kernel nor the map needs them
     */
    KernelFit fitKernel(boolean sampled) {
        KernelRecipe recipe = machine.kernel();
        recipe.requireColumns(source);
        boolean labelled = !(source.labels() instanceof Labels.None);
        ScaleChoice.Choice choice =
                recipe.needsData() && machine.bandwidths() == BandwidthRule.CROSS_VALIDATION && labelled
                        ? new ScaleChoice(machine, source, workers, progress).run()
                        : null;
        if (choice != null) {
            recipe = choice.kernel();
        }
        Scaler scaler = (choice == null ? scaling() : choice.scaling()).fit(source, workers);
        Resolution.notes(source, scaler).forEach(notes::data);
        boolean look = sampled || recipe.needsData() || machine.map().needsData(recipe.withUnitScales());
        progress.report("measuring distances", 0, Double.NaN);
        RowSample rows = look ? sample(machine, recipe, source, scaler) : RowSample.none(source.columns());
        if (choice != null) {
            Kernel kernel = choice.kernel(rows);
            notes.choice((machine.scaling() == null ? "scaling " + scaler.scaling() + " and " : "")
                    + kernel
                    + (machine.scaling() == null ? " were chosen " : " was chosen ")
                    + choice.reason());
            return new KernelFit(scaler, rows, kernel);
        }
        Kernel kernel = recipe.fit(rows);
        if (recipe.needsData()) {
            notes.choice("scale taken from the data, measured on sampled rows: " + kernel);
        }
        return new KernelFit(scaler, rows, kernel);
    }

    /** Sentences on choices that were made, such as a bandwidth. */
    List<Note> notes() {
        return notes.list();
    }

    /** The map's recipe, with all that was left open decided. */
    MapRecipe chosen() {
        return chosen;
    }

    /** Samples scaled rows, each of which must lie in the kernel's domain. */
    static RowSample sample(KernelMachine machine, KernelRecipe kernel, RowSource source, Scaler scaler) {
        ScalingBuffer buffer = new ScalingBuffer();
        Kernel anyScale = kernel.withUnitScales();
        try {
            return RowSample.of(
                    source,
                    rows -> {
                        RowBlock scaled = scaler.apply(rows, buffer);
                        new Domain(anyScale, scaled).check();
                        return scaled;
                    },
                    RowSample.DEFAULT_ROWS,
                    machine.seed().derive("bandwidth"));
        } catch (RowException e) {
            throw Places.of(source, e, scaler.scaling().toString());
        }
    }

    private Scaling scaling() {
        Scaling given = machine.scaling();
        if (given != null) {
            return given;
        }
        boolean standard = machine.kernel().needsData()
                && machine.kernel().takesAnyValue()
                && machine.kernel().takesAnyUnit()
                && !source.sparse();
        if (standard) {
            notes.choice("columns were standardised, because the bandwidth comes from the data");
        }
        return Scalings.parse(standard ? "standard" : "none");
    }
}
