package org.bochner.map.composed;

import java.util.Arrays;
import java.util.List;
import org.bochner.data.DenseRows;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.MapGradient;
import org.bochner.map.ParameterKind;
import org.bochner.map.fourier.FourierGradient;
import org.bochner.map.fourier.RowReader;

/** The gradient of a map of two stages, by its one scale or by the frequencies of its second stage. */
public final class TwoStageGradient implements MapGradient {
    private final TwoStageMap map;
    private final ParameterKind freedom;
    private final FourierGradient second;

    public TwoStageGradient(TwoStageMap map, ParameterKind freedom) {
        this.map = map;
        this.freedom = freedom;
        second = new FourierGradient(map.second(), null, freedom);
    }

    @Override
    public int features() {
        return map.outputDimension();
    }

    @Override
    public void add(double[] x, double[] cotangent) {
        double[] inner = new double[map.first().outputDimension()];
        map.first().apply(x, inner);
        second.add(inner, cotangent);
    }

    @Override
    public void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {
        if (map.heavyTailed()) {
            second.add(RowReader.mapped(map.first(), rows), features, cotangents, offset, stride);
            return;
        }
        if (rows instanceof SparseRows sparse) {
            second.add(map.first().apply(sparse), features, cotangents, offset, stride);
            return;
        }
        int width = map.first().outputDimension();
        float[] inner = new float[rows.rows() * width];
        map.first().apply(rows, inner, 0, width);
        second.add(DenseRows.like(rows, width, inner), features, cotangents, offset, stride);
    }

    @Override
    public void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
        second.add(RowReader.mapped(map.first(), rows), features, cotangents, offset, stride);
    }

    @Override
    public List<double[]> sums() {
        return second.sums();
    }

    @Override
    public double[] values() {
        double[] all = second.values();
        return freedom == ParameterKind.SCALES
                ? new double[] {Arrays.stream(all).sum()}
                : all;
    }
}
