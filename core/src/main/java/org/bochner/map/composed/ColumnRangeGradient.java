package org.bochner.map.composed;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.RowBlock;
import org.bochner.map.MapGradient;

/** The gradient of a map of some columns. */
public final class ColumnRangeGradient implements MapGradient {
    private final int from;
    private final int to;
    private final MapGradient inner;

    public ColumnRangeGradient(int from, int to, MapGradient inner) {
        this.from = from;
        this.to = to;
        this.inner = inner;
    }

    @Override
    public int features() {
        return inner.features();
    }

    @Override
    public void add(double[] x, double[] cotangent) {
        inner.add(Arrays.copyOfRange(x, from, to), cotangent);
    }

    @Override
    public void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {
        inner.add(rows.columns(from, to), features, cotangents, offset, stride);
    }

    @Override
    public void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
        inner.add(rows.columns(from, to), features, cotangents, offset, stride);
    }

    @Override
    public List<double[]> sums() {
        return inner.sums();
    }

    @Override
    public double[] values() {
        return inner.values();
    }
}
