package org.bochner.map.composed;

import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.composed.ScaledKernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.bochner.map.MapParameters;
import org.bochner.map.ParameterKind;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.Penalty;

/** √a·φ: the map of a·k. */
public final class ScaledMap implements FeatureMap {
    public static final String TYPE = "scaled";

    private final double factor;
    private final FeatureMap map;
    private final ScaledKernel kernel;

    /**
     * Multiplies a map's kernel.
     *
     * @param factor a, what the kernel is multiplied by
     */
    public ScaledMap(double factor, FeatureMap map) {
        this.factor = Require.positive(TYPE, "factor", factor);
        this.map = map;
        this.kernel = new ScaledKernel(factor, map.kernel());
    }

    public static ScaledMap load(State state, MapLoader... own) {
        return new ScaledMap(state.number("factor"), FeatureMaps.loadPart(state, "map", own));
    }

    /** What the kernel is multiplied by; features are multiplied by its root. */
    public double factor() {
        return factor;
    }

    /** The map that is scaled. */
    public FeatureMap map() {
        return map;
    }

    @Override
    public int inputDimension() {
        return map.inputDimension();
    }

    @Override
    public int outputDimension() {
        return map.outputDimension();
    }

    @Override
    public Kernel kernel() {
        return kernel;
    }

    @Override
    public void apply(double[] x, double[] out) {
        map.apply(x, out);
        double root = Math.sqrt(factor);
        for (int j = 0; j < outputDimension(); j++) {
            out[j] *= root;
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        map.apply(rows, out, offset, stride);
        float root = (float) Math.sqrt(factor);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            scale(out, at, at + outputDimension(), root);
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        map.apply(rows, out, offset, stride);
        double root = Math.sqrt(factor);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            for (int j = at; j < at + outputDimension(); j++) {
                out[j] *= root;
            }
        }
    }

    @Override
    public boolean keepsSparsity() {
        return map.keepsSparsity();
    }

    @Override
    public SparseRows apply(SparseRows rows) {
        SparseRows features = map.apply(rows);
        scale(features.values(), 0, features.entries(), (float) Math.sqrt(factor));
        return features;
    }

    @Override
    public Penalty penalty() {
        return map.penalty();
    }

    private static void scale(float[] a, int from, int to, float factor) {
        for (int i = from; i < to; i++) {
            a[i] *= factor;
        }
    }

    @Override
    public MapParameters parameters(ParameterKind freedom) {
        MapParameters own = map.parameters(freedom);
        return DelegatedParameters.of(own, moved -> new ScaledMap(factor, moved))
                .withGradient(() -> new ScaledGradient(Math.sqrt(factor), own.gradient()));
    }

    @Override
    public FeatureGroups units() {
        return map.units();
    }

    @Override
    public FeatureGroups terms() {
        return map.terms();
    }

    @Override
    public ScaledMap restrict(int... kept) {
        return new ScaledMap(factor, map.restrict(kept));
    }

    @Override
    public State state() {
        return State.of(TYPE).with("factor", factor).with("map", map.state());
    }

    @Override
    public String toString() {
        return "ScaledMap[" + factor + ", " + map + "]";
    }
}
