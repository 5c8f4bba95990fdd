package org.bochner.map.composed;

import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapLoader;
import org.bochner.numeric.optimise.Vectors;

/**
 * The whitened features R⁻ᵀφ(x) of a map without a plain penalty: their penalty is the plain one. Solvers that work on
 * single rows learn from this map; {@link #unwhiten} then gives the weights of the original features.
 *
 * <p>Threads: safe; immutable.
 */
public final class WhitenedMap extends DelegatingMap<FeatureMap> {
    static final String TYPE = "whitened";

    public WhitenedMap(FeatureMap map) {
        super(map);
    }

    @Override
    public boolean hasPlainPenalty() {
        return true;
    }

    @Override
    public boolean amplifiesRounding() {
        return false;
    }

    @Override
    public boolean keepsSparsity() {
        return false;
    }

    @Override
    public void whiten(double[] features, int at) {}

    @Override
    public void whiten(double[] features, int at, int rows) {}

    @Override
    public void unwhiten(double[] weights, int at, int stride) {}

    @Override
    public void whitenWeights(double[] weights, int at, int stride) {}

    /** Returns weights of the whitened features for D×outputs weights of the original ones; a new array. */
    public double[] whitened(double[] weights, int outputs) {
        double[] whitened = weights.clone();
        for (int o = 0; o < outputs; o++) {
            map().whitenWeights(whitened, o, outputs);
        }
        return whitened;
    }

    /** Returns weights of the original features for D×outputs weights of the whitened ones; a new array. */
    public double[] unwhitened(double[] weights, int outputs) {
        double[] original = weights.clone();
        for (int o = 0; o < outputs; o++) {
            map().unwhiten(original, o, outputs);
        }
        return original;
    }

    @Override
    public void apply(double[] x, double[] out) {
        map().apply(x, out);
        map().whiten(out, 0);
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        int features = outputDimension();
        double[] whitened = whitened(rows);
        for (int i = 0; i < rows.rows(); i++) {
            System.arraycopy(whitened, i * features, out, offset + i * stride, features);
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        int features = outputDimension();
        double[] whitened = whitened(rows);
        for (int i = 0; i < rows.rows(); i++) {
            Vectors.round(whitened, i * features, out, offset + i * stride, features);
        }
    }

    private double[] whitened(RowBlock rows) {
        double[] features = new double[Math.multiplyExact(rows.rows(), outputDimension())];
        map().apply(rows, features, 0, outputDimension());
        map().whiten(features, 0, rows.rows());
        return features;
    }

    /** Selects from the whitened features, because those of fewer original ones have other values. */
    @Override
    public FeatureMap restrict(int... kept) {
        return SelectedFeaturesMap.of(this, kept);
    }

    /** Loads a map from its {@link #state}. */
    static WhitenedMap load(State state, MapLoader... own) {
        return new WhitenedMap(MapTypes.loadPart(state, "map", own));
    }

    /** Returns the saved form, for other processes: models are saved with the map itself. */
    @Override
    public State state() {
        return State.of(TYPE).with("map", map().state());
    }
}
