package org.bochner.map.fourier;

import org.bochner.base.Require;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Warp;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.layout.LengthScale;
import org.jspecify.annotations.Nullable;

/** The scales or the frequencies of a Fourier map, whose rows may go through a warp first. */
record FourierParameters(FourierMap map, @Nullable Warp warp, ParameterKind kind) implements MapParameters {
    @Override
    public int count() {
        return kind == ParameterKind.SCALES ? map.inputDimension() : map.inputDimension() * map.frequencyCount();
    }

    @Override
    public double[] values() {
        return kind == ParameterKind.SCALES ? map.scales() : map.unitFrequencies();
    }

    @Override
    public Scope scope(int parameter) {
        int column = parameter % map.inputDimension();
        return new Scope(0, column, column + 1);
    }

    @Override
    public FourierMap with(double... values) {
        Require.sameSize(FourierMap.TYPE, "number of parameters", values.length, count());
        if (kind == ParameterKind.FREQUENCIES) {
            return map.withUnitFrequencies(values);
        }
        double[] sigma = new double[values.length];
        for (int l = 0; l < sigma.length; l++) {
            sigma[l] = LengthScale.of(Require.notNegative(FourierMap.TYPE, "scale of column " + l, values[l]));
        }
        return map.withSigma(Bandwidth.ofColumns(sigma));
    }

    @Override
    public MapGradient gradient() {
        return new FourierGradient(map, warp, kind);
    }
}
