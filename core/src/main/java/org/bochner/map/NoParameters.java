package org.bochner.map;

import java.util.List;
import org.bochner.data.RowBlock;

/** The parameters of a map that has none. */
final class NoParameters implements MapParameters {
    @Override
    public int count() {
        return 0;
    }

    @Override
    public double[] values() {
        return new double[0];
    }

    @Override
    public Scope scope(int parameter) {
        throw new IndexOutOfBoundsException("there are no parameters");
    }

    @Override
    public FeatureMap with(double... values) {
        throw new UnsupportedOperationException("there are no parameters");
    }

    @Override
    public MapGradient gradient() {
        return new MapGradient() {
            @Override
            public int features() {
                return 0;
            }

            @Override
            public void add(double[] x, double[] cotangent) {}

            @Override
            public void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {}

            @Override
            public void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {}

            @Override
            public List<double[]> sums() {
                return List.of();
            }

            @Override
            public double[] values() {
                return new double[0];
            }
        };
    }
}
