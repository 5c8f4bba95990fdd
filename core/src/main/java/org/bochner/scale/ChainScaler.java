package org.bochner.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bochner.base.State;
import org.jspecify.annotations.Nullable;

/** Several scalers, one after the other. */
final class ChainScaler extends AbstractScaler {
    private final List<AbstractScaler> steps;
    private final boolean keepsZeros;

    ChainScaler(ChainScaling scaling, int columns, List<? extends Scaler> steps) {
        super(scaling, columns);
        this.steps = steps.stream().map(AbstractScaler.class::cast).toList();
        keepsZeros = steps.stream().allMatch(Scaler::keepsZeros);
    }

    /** Returns the steps, in order. */
    List<AbstractScaler> steps() {
        return steps;
    }

    @Override
    public double[][] matrix() {
        return steps.get(steps.size() - 1).matrix();
    }

    @Override
    public State state() {
        State state = super.state();
        for (int s = 0; s < steps.size(); s++) {
            state.with(ChannelScaler.partName(s), steps.get(s).state());
        }
        return state;
    }

    @Override
    public double unscaled(int column, double scaled) {
        double value = scaled;
        for (int s = steps.size() - 1; s >= 0; s--) {
            value = steps.get(s).unscaled(column, value);
        }
        return value;
    }

    @Override
    void addFacts(int column, List<Map<String, Object>> steps) {
        this.steps.forEach(step -> step.addFacts(column, steps));
    }

    @Override
    public boolean keepsZeros() {
        return keepsZeros;
    }

    @Override
    boolean keepsResolution(int column, double origin) {
        return steps.get(0).keepsResolution(column, origin);
    }

    @Override
    public double @Nullable [] origin() {
        return steps.get(0).origin();
    }

    @Override
    AbstractScaler relativeTo(double[] origin) {
        List<AbstractScaler> moved = new ArrayList<>(steps);
        moved.set(0, steps.get(0).relativeTo(origin));
        return new ChainScaler((ChainScaling) scaling(), columns(), moved);
    }

    @Override
    void scaleRow(float[] values, int start) {
        for (AbstractScaler step : steps) {
            step.scaleRow(values, start);
        }
    }

    @Override
    void scaleRows(float[] values, int rows) {
        steps.forEach(step -> step.scaleRows(values, rows));
    }

    @Override
    void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
        for (AbstractScaler step : steps) {
            step.scaleEntries(values, indices, first, start, end);
        }
    }
}
