package org.bochner.map.composed;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.kernel.Kernel;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapLoader;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.MapMemory;

/**
 * Some features of a map that can make only all of them, as a tensor sketch does: it makes all, and hands on some. So it
 * costs what that map costs, and only what comes behind it is less.
 *
 * <p>Threads: safe; immutable.
 */
public final class SelectedFeaturesMap implements FeatureMap {
    public static final String TYPE = "selected";

    private final FeatureMap map;
    private final int[] kept;

    private SelectedFeaturesMap(FeatureMap map, int[] kept) {
        this.map = map;
        this.kept = kept;
        Require.that(
                map.penalty().plain(),
                TYPE,
                map
                        + " has a penalty that is not plain, so its features cannot be told apart; it must restrict itself");
    }

    /** Some features of a map, in ascending order; the map itself where they are all of them. */
    public static FeatureMap of(FeatureMap map, int... kept) {
        map.units().groupsOf(kept);
        return kept.length == map.outputDimension() ? map : new SelectedFeaturesMap(map, kept.clone());
    }

    public static FeatureMap load(State state, MapLoader... own) {
        return of(FeatureMaps.loadPart(state, "map", own), state.integers("kept", state.count("features")));
    }

    /** The map that makes all features. */
    public FeatureMap map() {
        return map;
    }

    /** Which of its features are handed on, ascending; a new array. */
    public int[] kept() {
        return kept.clone();
    }

    @Override
    public int inputDimension() {
        return map.inputDimension();
    }

    @Override
    public int outputDimension() {
        return kept.length;
    }

    @Override
    public Kernel kernel() {
        return map.kernel();
    }

    @Override
    public void apply(double[] x, double[] out) {
        double[] all = new double[map.outputDimension()];
        map.apply(x, all);
        for (int j = 0; j < kept.length; j++) {
            out[j] = all[kept[j]];
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        int width = map.outputDimension();
        float[] all = new float[size(rows)];
        map.apply(rows, all, 0, width);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            for (int j = 0; j < kept.length; j++) {
                out[at + j] = all[i * width + kept[j]];
            }
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        int width = map.outputDimension();
        double[] all = new double[size(rows)];
        map.apply(rows, all, 0, width);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            for (int j = 0; j < kept.length; j++) {
                out[at + j] = all[i * width + kept[j]];
            }
        }
    }

    private int size(RowBlock rows) {
        return MapMemory.length(
                TYPE, "the features of " + rows.rows() + " rows", (long) rows.rows() * map.outputDimension());
    }

    @Override
    public boolean keepsSparsity() {
        return map.keepsSparsity();
    }

    @Override
    public SparseRows apply(SparseRows rows) {
        return SelectedColumnsMap.pick(map.apply(rows), kept);
    }

    @Override
    public FeatureGroups units() {
        return map.units().restrict(kept);
    }

    @Override
    public FeatureGroups terms() {
        return map.terms().restrict(kept);
    }

    @Override
    public FeatureMap restrict(int... left) {
        units().groupsOf(left);
        return map.restrict(Arrays.stream(left).map(j -> kept[j]).toArray());
    }

    @Override
    public State state() {
        return State.of(TYPE).with("features", kept.length).with("kept", kept).with("map", map.state());
    }

    @Override
    public String toString() {
        return "SelectedFeaturesMap[" + kept.length + " features of " + map + "]";
    }
}
