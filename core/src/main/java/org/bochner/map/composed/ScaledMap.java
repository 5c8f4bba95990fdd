package org.bochner.map.composed;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapGradient;
import org.bochner.map.MapLoader;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.layout.RowGradients;
import org.jspecify.annotations.Nullable;

/** √a·φ: the map of a·k. */
public final class ScaledMap extends DelegatingMap<FeatureMap> implements RowGradients.Source {
    public static final String TYPE = "scaled";

    private final double factor;
    private final double root;
    private final ScaledKernel kernel;

    /**
     * Multiplies the kernel of a map.
     *
     * @param factor a, the factor of the kernel; features are multiplied by its square root
     */
    public ScaledMap(double factor, FeatureMap map) {
        super(map);
        this.factor = Require.positive(TYPE, "factor", factor);
        this.root = Math.sqrt(factor);
        this.kernel = new ScaledKernel(factor, map.kernel());
    }

    public static ScaledMap load(State state, MapLoader... own) {
        return new ScaledMap(state.number("factor"), MapTypes.loadPart(state, "map", own));
    }

    /** Returns the factor of the kernel. */
    public double factor() {
        return factor;
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        map().apply(x, out);
        scale(out, 0, outputDimension(), root);
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        map().apply(rows, out, offset, stride);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            scale(out, at, at + outputDimension(), (float) root);
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        map().apply(rows, out, offset, stride);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            scale(out, at, at + outputDimension(), root);
        }
    }

    @Override
    public SparseRows apply(SparseRows rows) {
        SparseRows features = map().apply(rows);
        scale(features.values(), 0, features.entries(), (float) root);
        return features;
    }

    private static void scale(float[] a, int from, int to, float factor) {
        for (int i = from; i < to; i++) {
            a[i] *= factor;
        }
    }

    private static void scale(double[] a, int from, int to, double factor) {
        for (int i = from; i < to; i++) {
            a[i] *= factor;
        }
    }

    @Override
    public MapParameters parameters(ParameterKind kind) {
        MapParameters own = map().parameters(kind);
        return new DelegatedParameters(
                own, moved -> new ScaledMap(factor, moved), () -> new Gradient(own.gradient()), scope -> scope);
    }

    /** Divides the features by √a and multiplies the cotangents by it. */
    private final class Gradient extends DelegatingGradient<MapGradient> {
        Gradient(MapGradient inner) {
            super(inner);
        }

        @Override
        public void add(double[] x, double[] cotangent) {
            inner.add(x, Arrays.stream(cotangent).map(c -> root * c).toArray());
        }

        @Override
        public void add(RowBlock rows, float[] features, float[] cotangents, int offset, int stride) {
            int count = features();
            float[] ownFeatures = new float[rows.rows() * count];
            float[] ownCotangents = new float[rows.rows() * count];
            float times = (float) root;
            float over = (float) (1 / root);
            for (int i = 0; i < rows.rows(); i++) {
                int at = offset + i * stride;
                for (int j = 0; j < count; j++) {
                    ownFeatures[i * count + j] = features[at + j] * over;
                    ownCotangents[i * count + j] = cotangents[at + j] * times;
                }
            }
            inner.add(rows, ownFeatures, ownCotangents, 0, count);
        }

        @Override
        public void add(RowBlock rows, double[] features, double[] cotangents, int offset, int stride) {
            int count = features();
            double[] ownFeatures = new double[rows.rows() * count];
            double[] ownCotangents = new double[rows.rows() * count];
            for (int i = 0; i < rows.rows(); i++) {
                int at = offset + i * stride;
                for (int j = 0; j < count; j++) {
                    ownFeatures[i * count + j] = features[at + j] / root;
                    ownCotangents[i * count + j] = cotangents[at + j] * root;
                }
            }
            inner.add(rows, ownFeatures, ownCotangents, 0, count);
        }
    }

    @Override
    public @Nullable RowGradients gradients(double[] weights, int outputs) {
        return RowGradients.of(map(), Arrays.stream(weights).map(w -> root * w).toArray(), outputs);
    }

    @Override
    public ScaledMap restrict(int... kept) {
        return new ScaledMap(factor, map().restrict(kept));
    }

    @Override
    public State state() {
        return State.of(TYPE).with("factor", factor).with("map", map().state());
    }

    @Override
    public String toString() {
        return "ScaledMap[" + factor + ", " + map() + "]";
    }
}
