package org.bochner.scale;

import org.bochner.base.State;
import org.jspecify.annotations.Nullable;

/**
 * A shift and a factor for each column, (xⱼ − shiftⱼ)·factorⱼ: what {@code standard} and {@code min-max} are once
 * fitted. Computed in float64, because a mean far from 0 would swallow the deviations in float32.
 */
final class ColumnScaler extends AbstractScaler {
    /** A shift takes a column's distance from 0 off if it leaves less than one part in so many. */
    private static final double NEAR = 10;

    /** Shifts of more units of the scaled column than this cost more than 6e-5 of such a unit in float32. */
    private static final double FAR = 1000;

    private final double[] shift;
    private final double[] factor;
    private final boolean keepsZeros;

    /** The arrays become the scaler's. */
    ColumnScaler(Scaling scaling, double[] shift, double[] factor) {
        super(scaling, shift.length);
        this.shift = shift;
        this.factor = factor;
        boolean keeps = true;
        for (int j = 0; j < shift.length; j++) {
            keeps &= shift[j] == 0 || factor[j] == 0;
        }
        keepsZeros = keeps;
    }

    static Scaler load(Scaling scaling, State state) {
        int columns = state.count("columns");
        return new ColumnScaler(scaling, state.array("shift", columns), state.array("factor", columns));
    }

    @Override
    public State state() {
        return super.state().with("shift", shift).with("factor", factor);
    }

    @Override
    public boolean keepsZeros() {
        return keepsZeros;
    }

    @Override
    public boolean keepsResolution(int column, double origin) {
        return Math.abs(shift[column] - origin) * NEAR < Math.abs(origin);
    }

    @Override
    public double @Nullable [] origin() {
        double[] origin = new double[shift.length];
        boolean some = false;
        for (int j = 0; j < shift.length; j++) {
            if (Math.abs(shift[j] * factor[j]) > FAR) {
                // Differences of whole numbers from a float32 number are exact.
                origin[j] = (float) shift[j];
                some = true;
            }
        }
        return some ? origin : null;
    }

    /** The differences of shifts and origins are taken in float64, once for all rows. */
    @Override
    AbstractScaler relativeTo(double[] origin) {
        double[] moved = shift.clone();
        for (int j = 0; j < moved.length; j++) {
            moved[j] -= origin[j];
        }
        return new ColumnScaler(scaling(), moved, factor);
    }

    @Override
    void scaleRow(float[] values, int start) {
        for (int j = 0; j < shift.length; j++) {
            values[start + j] = (float) ((values[start + j] - shift[j]) * factor[j]);
        }
    }

    @Override
    void scaleRow(double[] values, int start) {
        for (int j = 0; j < shift.length; j++) {
            values[start + j] = (values[start + j] - shift[j]) * factor[j];
        }
    }

    @Override
    void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
        for (int e = start; e < end; e++) {
            int j = indices[e] - first;
            values[e] = (float) ((values[e] - shift[j]) * factor[j]);
        }
    }
}
