package org.bochner.map;

import java.util.Arrays;
import org.bochner.base.Require;

/** The one scale of a kernel of a distance: one over the length-scale of its second stage. */
final class ComposedScale implements MapParameters {
    private final ComposedMap map;

    ComposedScale(ComposedMap map) {
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
    public ComposedMap with(double... values) {
        Require.sameSize(ComposedMap.TYPE, "number of parameters", values.length, 1);
        return map.withSigma(1 / Require.positive(ComposedMap.TYPE, "scale", values[0]));
    }

    @Override
    public MapGradient gradient() {
        return new ComposedGradient(map, Freedom.SCALES);
    }
}
