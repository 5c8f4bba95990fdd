package org.bochner.map.composed;

import java.util.Arrays;
import org.bochner.base.Require;
import org.bochner.base.State;
import org.bochner.data.RowBlock;
import org.bochner.data.SparseRows;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapLoader;
import org.bochner.map.layout.FeatureGroups;
import org.bochner.map.layout.MapMemory;

/**
 * Some features of a map that can only compute all of its features, such as a tensor sketch. It costs as much as that
 * map.
 *
 * <p>Threads: safe; immutable.
 */
public final class SelectedFeaturesMap extends DelegatingMap<FeatureMap> {
    public static final String TYPE = "selected";

    private final int[] kept;

    private SelectedFeaturesMap(FeatureMap map, int[] kept) {
        super(map);
        this.kept = kept;
        Require.that(map.hasPlainPenalty(), TYPE, map + " has no plain penalty, so it must implement restrict itself");
    }

    /** Returns some features of a map, in ascending order; the map itself where all are kept. */
    public static FeatureMap of(FeatureMap map, int... kept) {
        FeatureGroups.unitsOf(map).groupsOf(kept);
        return kept.length == map.outputDimension() ? map : new SelectedFeaturesMap(map, kept.clone());
    }

    public static FeatureMap load(State state, MapLoader... own) {
        return of(MapTypes.loadPart(state, "map", own), state.integers("kept", state.count("features")));
    }

    /** Returns the features that are kept; a new array. */
    public int[] kept() {
        return kept.clone();
    }

    @Override
    public int outputDimension() {
        return kept.length;
    }

    @Override
    public void apply(double[] x, double[] out) {
        double[] all = new double[map().outputDimension()];
        map().apply(x, all);
        for (int j = 0; j < kept.length; j++) {
            out[j] = all[kept[j]];
        }
    }

    @Override
    public void apply(RowBlock rows, float[] out, int offset, int stride) {
        int features = map().outputDimension();
        float[] all = new float[size(rows)];
        map().apply(rows, all, 0, features);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            for (int j = 0; j < kept.length; j++) {
                out[at + j] = all[i * features + kept[j]];
            }
        }
    }

    @Override
    public void apply(RowBlock rows, double[] out, int offset, int stride) {
        int features = map().outputDimension();
        double[] all = new double[size(rows)];
        map().apply(rows, all, 0, features);
        for (int i = 0; i < rows.rows(); i++) {
            int at = offset + i * stride;
            for (int j = 0; j < kept.length; j++) {
                out[at + j] = all[i * features + kept[j]];
            }
        }
    }

    private int size(RowBlock rows) {
        return MapMemory.length(
                TYPE, "the features of " + rows.rows() + " rows", (long) rows.rows() * map().outputDimension());
    }

    @Override
    public SparseRows apply(SparseRows rows) {
        return SelectedColumnsMap.select(map().apply(rows), kept);
    }

    @Override
    public int[] units() {
        return FeatureGroups.unitsOf(map()).restrict(kept);
    }

    @Override
    public int[] terms() {
        return FeatureGroups.of(map().terms()).restrict(kept);
    }

    @Override
    public FeatureMap restrict(int... left) {
        FeatureGroups.unitsOf(this).groupsOf(left);
        return map().restrict(Arrays.stream(left).map(j -> kept[j]).toArray());
    }

    @Override
    public State state() {
        return State.of(TYPE).with("features", kept.length).with("kept", kept).with("map", map().state());
    }

    @Override
    public String toString() {
        return "SelectedFeaturesMap[" + kept.length + " features of " + map() + "]";
    }
}
