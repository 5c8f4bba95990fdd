package org.bochner.model;

import java.util.ArrayList;
import java.util.List;
import org.bochner.base.RowException;
import org.bochner.data.Places;
import org.bochner.data.RowBlock;
import org.bochner.data.RowSource;
import org.bochner.kernel.Domain;
import org.bochner.kernel.Kernel;
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
    private final List<String> notes = new ArrayList<>();
    private MapRecipe chosen;

    Preparation(KernelMachine machine, RowSource source, Workers workers, Progress progress) {
        this.machine = machine;
        this.source = source;
        this.workers = workers;
        this.progress = progress;
        chosen = machine.map();
    }

    Transformer run() {
        machine.kernel().requireColumns(source);
        Scaler scaler = scaling().fit(source, workers);
        notes.addAll(Resolution.notes(source, scaler));
        boolean look = machine.kernel().needsData()
                || machine.map().needsData(machine.kernel().complete());
        RowSample rows = look ? sample(scaler) : RowSample.none(source.columns());
        Kernel fitted = machine.kernel().needsData()
                ? machine.kernel().fit(rows)
                : machine.kernel().complete();
        if (machine.kernel().needsData()) {
            notes.add("scale taken from the data, measured on sampled rows: " + fitted);
        }
        progress.report("making the map", 0, Double.NaN);
        chosen = machine.map().chosen(fitted, rows, machine.features(), notes::add);
        return new Transformer(
                scaler,
                chosen.build(fitted, rows, machine.features(), machine.seed().derive("map"), notes::add));
    }

    /** Sentences on choices that were made, such as a bandwidth. */
    List<String> notes() {
        return notes;
    }

    /** The map's recipe, with all that was left open decided. */
    MapRecipe chosen() {
        return chosen;
    }

    private RowSample sample(Scaler scaler) {
        progress.report("measuring distances", 0, Double.NaN);
        ScalingBuffer buffer = new ScalingBuffer();
        Kernel anyScale = machine.kernel().withUnitScales();
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
            notes.add("columns were standardised, because the bandwidth comes from the data");
        }
        return Scalings.parse(standard ? "standard" : "none");
    }
}
