package org.bochner.scale;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.bochner.base.State;

/** Replaces values beyond the bounds of their column by the nearer bound. */
final class ClipScaler extends AbstractScaler {
    private final double[] lower;
    private final double[] upper;
    private final boolean keepsZeros;

    /** Creates a scaler on the arrays, which are not copied. */
    ClipScaler(Clip scaling, double[] lower, double[] upper) {
        super(scaling, lower.length);
        this.lower = lower;
        this.upper = upper;
        keepsZeros = IntStream.range(0, lower.length).allMatch(j -> lower[j] <= 0 && upper[j] >= 0);
    }

    @Override
    public State state() {
        return super.state().with("lower", lower).with("upper", upper);
    }

    @Override
    public double unscaled(int column, double scaled) {
        return scaled;
    }

    @Override
    void addFacts(int column, List<Map<String, Object>> steps) {
        steps.add(step("lower", lower[column], "upper", upper[column]));
    }

    @Override
    public boolean keepsZeros() {
        return keepsZeros;
    }

    private float clipped(float value, int column) {
        return (float) Math.max(lower[column], Math.min(upper[column], value));
    }

    @Override
    void scaleRow(float[] values, int start) {
        for (int j = 0; j < lower.length; j++) {
            values[start + j] = clipped(values[start + j], j);
        }
    }

    @Override
    void scaleEntries(float[] values, int[] indices, int first, int start, int end) {
        for (int e = start; e < end; e++) {
            values[e] = clipped(values[e], indices[e] - first);
        }
    }
}
