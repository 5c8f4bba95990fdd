package org.bochner.map.additive;

import java.util.function.DoubleUnaryOperator;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.kernel.additive.Chi2;
import org.bochner.map.composed.MapTypes;
import org.bochner.numeric.function.ValueFeatures;
import org.bochner.numeric.optimise.Vectors;

/**
 * A map of the χ² kernel by the first terms of one of its {@link Chi2Series}: cₖ(s·x)/√s for k = 0, …, terms − 1, which
 * approximates the kernel for every scale s, because the kernel is homogeneous. For degree g, all are multiplied by
 * x^((g−1)/2).
 */
public final class SeriesMap extends AdditiveMap {
    public static final String TYPE = "series";

    private final Chi2 kernel;
    private final Chi2Series series;
    private final double scale;
    private final ValueFeatures features;

    public SeriesMap(Chi2 kernel, int columns, Chi2Series series, int terms, double scale) {
        super(kernel, columns, Require.atLeast(series.toString(), "terms", terms, 1));
        this.kernel = kernel;
        this.series = series;
        this.scale = scale;
        this.features = series.features(terms, scale, kernel.degree());
    }

    public static SeriesMap load(State state) {
        Chi2 kernel = MapTypes.kernel(state, Chi2.class);
        Chi2Series series = MapTypes.constant(state, "series", Chi2Series.values());
        return new SeriesMap(kernel, state.count("columns"), series, state.count("terms"), state.number("scale"));
    }

    /** Returns the factor of the values. */
    public double scale() {
        return scale;
    }

    @Override
    public void map(double x, double[] out, int at) {
        features.apply(x, out, at);
    }

    @Override
    public void map(float[] x, int from, int count, float[] out, int at) {
        features.apply(x, from, count, out, at);
    }

    /**
     * Returns the bound of the series. The error of {@code direct} after m terms is κ(x, y)·(qₓ·q_y)^m. The error of
     * {@code chebyshev} is the sum of cₖ(x)·cₖ(y) over all further terms, at most √(r(x)·r(y)) with r(x) = κ(x, x) −
     * |φ(x)|² by the Cauchy-Schwarz inequality.
     */
    @Override
    public ErrorBound errorBound() {
        if (series == Chi2Series.DIRECT) {
            return (column, x, y) ->
                    kernel().scalar(x, y) * Math.pow(Math.abs(quotient(x) * quotient(y)), featuresPerColumn());
        }
        double[] made = new double[featuresPerColumn()];
        DoubleUnaryOperator rest = x -> {
            map(x, made, 0);
            return Math.max(0, kernel().scalar(x, x) - Vectors.dot(made, made));
        };
        return (column, x, y) -> Math.sqrt(rest.applyAsDouble(x) * rest.applyAsDouble(y));
    }

    /** Returns q = (sx − 1)/(sx + 1). */
    private double quotient(double x) {
        return (scale * x - 1) / (scale * x + 1);
    }

    @Override
    public SeriesMap ofColumns(int[] kept) {
        return new SeriesMap(kernel, kept.length, series, featuresPerColumn(), scale);
    }

    @Override
    public State state() {
        return State.of(TYPE)
                .with("kernel", kernel().toString())
                .with("columns", inputDimension())
                .with("series", series.toString())
                .with("terms", featuresPerColumn())
                .with("scale", scale);
    }
}
