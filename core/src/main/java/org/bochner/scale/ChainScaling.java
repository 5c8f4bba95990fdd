package org.bochner.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowSource;
import org.bochner.numeric.Workers;
import org.bochner.scale.fit.ScaledView;

/**
 * Several scalings, one after the other: {@code log1p then standard}. Each is fitted to the rows that the ones before it have
 * scaled.
 *
 * <p>Cost: fitting takes one pass over the rows per step that learns from them. Sparse rows stay sparse if all steps keep
 * zeros.
 */
record ChainScaling(List<Scaling> steps) implements Scaling {
    static final String THEN = "then";

    ChainScaling {
        steps = List.copyOf(steps);
        Require.that(steps.size() >= 2, "scaling", "a chain needs at least two steps");
        for (Scaling step : steps) {
            Require.that(
                    step instanceof FixedScaling || step instanceof LearnedScaling || step instanceof LinearScaling,
                    step + ": a step of a chain has no columns and is no chain");
        }
    }

    /** Returns the steps of a scaling: those of a chain, else the scaling itself. */
    static List<Scaling> stepsOf(Scaling scaling) {
        return scaling instanceof ChainScaling chain ? chain.steps : List.of(scaling);
    }

    @Override
    public Scaler fit(RowSource rows, Workers workers) {
        List<Scaler> fitted = new ArrayList<>();
        RowSource view = rows;
        for (Scaling step : steps) {
            Scaler scaler = step.fit(view, workers);
            fitted.add(scaler);
            view = new ScaledView(view, scaler);
        }
        return new ChainScaler(ofFitted(fitted), rows.columns(), fitted);
    }

    /** Returns the chain of the recipes of fitted steps; a fitted recipe of a matrix knows its matrix. */
    static ChainScaling ofFitted(List<? extends Scaler> steps) {
        return new ChainScaling(steps.stream().map(Scaler::scaling).toList());
    }

    @Override
    public boolean mixesColumns() {
        return steps.stream().anyMatch(Scaling::mixesColumns);
    }

    @Override
    public boolean isSpelled() {
        return steps.stream().allMatch(Scaling::isSpelled);
    }

    @Override
    public boolean normalises() {
        return steps.stream().anyMatch(Scaling::normalises);
    }

    @Override
    public Scaler load(State state) {
        int columns = state.count("columns");
        List<Scaler> parts = new ArrayList<>();
        for (Scaling step : steps) {
            Scaler part = step.load(state.part(ChannelScaler.partName(parts.size())));
            if (part.columns() != columns) {
                throw new BochnerException("the saved scaler of " + columns + " columns does not fit its step " + step
                        + ", saved for " + part.columns());
            }
            parts.add(part);
        }
        return new ChainScaler(ofFitted(parts), columns, parts);
    }

    @Override
    public String toString() {
        return steps.stream().map(Scaling::toString).collect(Collectors.joining(" " + THEN + " "));
    }
}
