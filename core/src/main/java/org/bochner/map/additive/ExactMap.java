package org.bochner.map.additive;

import org.bochner.base.State;
import org.bochner.kernel.SeparableKernel;
import org.bochner.map.composed.MapTypes;

/**
 * The exact map of a kernel Σ f(xₗ)f(yₗ): f(x), one feature per column: √x for {@code hellinger}, x for {@code linear}.
 */
public final class ExactMap extends AdditiveMap {
    public static final String TYPE = "exact";

    private final SeparableKernel kernel;

    public ExactMap(SeparableKernel kernel, int columns) {
        super(kernel, columns, 1);
        this.kernel = kernel;
    }

    public static ExactMap load(State state) {
        return new ExactMap(MapTypes.kernel(state, SeparableKernel.class), state.count("columns"));
    }

    @Override
    public void map(double x, double[] out, int at) {
        out[at] = kernel.feature(x);
    }

    @Override
    public ErrorBound errorBound() {
        return (column, x, y) -> 0;
    }

    @Override
    public ExactMap ofColumns(int[] kept) {
        return new ExactMap(kernel, kept.length);
    }

    @Override
    public State state() {
        return State.of(TYPE).with("kernel", kernel.toString()).with("columns", inputDimension());
    }
}
