package org.bochner.scale;

import java.util.List;
import java.util.Map;

/** The scaler of a scaling that learns nothing from the rows. */
class FixedScaler extends AbstractScaler {
    private final FixedScaling scaling;

    FixedScaler(FixedScaling scaling, int columns) {
        super(scaling, columns);
        this.scaling = scaling;
    }

    @Override
    public final double unscaled(int column, double scaled) {
        return scaling.unscaled(scaled);
    }

    @Override
    void addFacts(int column, List<Map<String, Object>> steps) {
        if (!(scaling instanceof None)) {
            steps.add(step());
        }
    }

    @Override
    final void scaleRow(float[] values, int start) {
        scaling.scale(values, start, start + columns());
    }

    @Override
    final void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
        scaling.scale(values, start, end);
    }
}
