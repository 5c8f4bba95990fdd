package org.bochner.map.fourier;

import java.math.BigDecimal;
import java.math.MathContext;
import org.bochner.base.Require;
import org.bochner.kernel.Bandwidth;
import org.bochner.kernel.Warp;
import org.bochner.map.MapGradient;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.jspecify.annotations.Nullable;

/** The scales or the frequencies of a Fourier map, whose rows may go through a warp first. */
record FourierParameters(FourierMap map, @Nullable Warp warp, ParameterKind kind) implements MapParameters {
    private static final MathContext FEW_DIGITS = new MathContext(12);

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
            sigma[l] = length(Require.notNegative(FourierMap.TYPE, "scale of column " + l, values[l]));
        }
        return map.withSigma(Bandwidth.ofColumns(sigma));
    }

    /** One over a scale, rounded so that a number of few digits survives two inversions to the last bit. */
    private static double length(double scale) {
        double length = 1 / scale;
        if (!(length < Double.POSITIVE_INFINITY)) {
            return length;
        }
        double rounded = new BigDecimal(length).round(FEW_DIGITS).doubleValue();
        return Math.abs(rounded - length) <= 2 * Math.ulp(length) ? rounded : length;
    }

    @Override
    public MapGradient gradient() {
        return new FourierGradient(map, warp, kind);
    }
}
