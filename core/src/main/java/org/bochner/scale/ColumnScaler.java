package org.bochner.scale;

import java.util.List;
import java.util.Map;
import org.bochner.base.State;
import org.jspecify.annotations.Nullable;

/**
 * Scales each column by a shift and a factor, (xⱼ − shiftⱼ)·factorⱼ, in float64: in float32, a mean far from 0 would swallow
 * the deviations.
 */
final class ColumnScaler extends AbstractScaler {
    /** A shift removes the distance of a column from 0 if it leaves less than one part in this number. */
    private static final double NEAR = 10;

    /** A shift of more units of the scaled column than this loses more than 6e-5 of a unit in float32. */
    private static final double FAR = 1000;

    private final double[] shift;
    private final double[] factor;
    private final boolean keepsZeros;

    /** Creates a scaler on the arrays, which are not copied. */
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

    @Override
    public State state() {
        return super.state().with("shift", shift).with("factor", factor);
    }

    @Override
    public double unscaled(int column, double scaled) {
        return factor[column] == 0 ? Double.NaN : scaled / factor[column] + shift[column];
    }

    @Override
    void addFacts(int column, List<Map<String, Object>> steps) {
        steps.add(step("shift", shift[column], "factor", factor[column]));
    }

    @Override
    public boolean keepsZeros() {
        return keepsZeros;
    }

    @Override
    boolean keepsResolution(int column, double origin) {
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

    /** Subtracts the origins from the shifts in float64, once for all rows. */
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
    void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
        for (int e = start; e < end; e++) {
            int j = indices[e] - first;
            values[e] = (float) ((values[e] - shift[j]) * factor[j]);
        }
    }
}
