package org.bochner.map.composed;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;

/** The one scale of a kernel of a distance: one over the length-scale of its second stage. */
public final class TwoStageScale implements MapParameters {
    private final TwoStageMap map;

    public TwoStageScale(TwoStageMap map) {
        this.map = map;
    }

    @Override
    public int count() {
        return 1;
    }

    @Override
    public double[] values() {
        return Arrays.copyOf(map.second().scales(), 1);
    }

    @Override
    public Scope scope(int parameter) {
        return new Scope(0, 0, map.inputDimension());
    }

    @Override
    public TwoStageMap with(double... values) {
        Require.sameSize(TwoStageMap.TYPE, "number of parameters", values.length, 1);
        return map.withSigma(1 / Require.positive(TwoStageMap.TYPE, "scale", values[0]));
    }

    @Override
    public MapGradient gradient() {
        return new TwoStageGradient(map, ParameterKind.SCALES);
    }
}
