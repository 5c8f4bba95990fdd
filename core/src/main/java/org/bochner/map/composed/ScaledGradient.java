package org.bochner.map.composed;

import java.util.List;
import org.bochner.data.RowBlock;
import org.bochner.map.MapGradient;

/** The gradient of a map that is multiplied by a factor. */
public final class ScaledGradient implements MapGradient {
    private final double factor;
    private final MapGradient inner;

    /** Takes what features are multiplied by. */
    public ScaledGradient(double factor, MapGradient inner) {
        this.factor = factor;
        this.inner = inner;
    }

    @Override
    public int features() {
        return inner.features();
    }

    @Override
    public void add(double[] x, double[] cotangent) {
        double[] own = new double[features()];
        for (int j = 0; j < own.length; j++) {
            own[j] = factor * cotangent[j];
        }
        inner.add(x, own);
    }

    @Override
    public void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {
        int width = features();
        float[] ownFeatures = new float[rows.rows() * width];
        float[] ownCotangents = new float[rows.rows() * width];
        float times = (float) factor;
        float over = (float) (1 / factor);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            for (int j = 0; j < width; j++) {
                ownFeatures[i * width + j] = features[at + j] * over;
                ownCotangents[i * width + j] = cotangents[at + j] * times;
            }
        }
        inner.add(rows, ownFeatures, ownCotangents, 0, width);
    }

    @Override
    public void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
        int width = features();
        double[] ownFeatures = new double[rows.rows() * width];
        double[] ownCotangents = new double[rows.rows() * width];
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            for (int j = 0; j < width; j++) {
                ownFeatures[i * width + j] = features[at + j] / factor;
                ownCotangents[i * width + j] = cotangents[at + j] * factor;
            }
        }
        inner.add(rows, ownFeatures, ownCotangents, 0, width);
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
