package org.bochner.map.composed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.base.text.Suggestion;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.Kernels;
import org.bochner.map.FeatureMap;
import org.bochner.map.MapLoader;
import org.bochner.map.additive.BinnedMap;
import org.bochner.map.additive.ExactMap;
import org.bochner.map.additive.SeriesMap;
import org.bochner.map.additive.SpectralMap;
import org.bochner.map.binning.BinningMap;
import org.bochner.map.curve.CurveMap;
import org.bochner.map.dot.RectifiedMap;
import org.bochner.map.dot.SigmoidMap;
import org.bochner.map.dot.TensorSketchMap;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.WarpedMap;
import org.bochner.map.fourier.WeightedFourierMap;
import org.bochner.map.landmark.LandmarkMap;
import org.bochner.map.landmark.TreeLandmarkMap;

/** The types of saved maps, and how each is loaded. */
public final class MapTypes {
    /**
     * The loaders of all saved types. Types with parts come first, in the order in which one may contain another: a
     * concatenation may contain scaled maps, but not the other way round.
     */
    private static final Map<String, Loader> LOADERS = new LinkedHashMap<>();

    /** Loads a map. The user's loaders are for parts of it. */
    @FunctionalInterface
    private interface Loader {
        FeatureMap load(State state, MapLoader... own);
    }

    static {
        LOADERS.put(WhitenedMap.TYPE, WhitenedMap::load);
        LOADERS.put(ComponentMap.TYPE, ComponentMap::load);
        LOADERS.put(ConcatenatedMap.TYPE, ConcatenatedMap::load);
        LOADERS.put(ScaledMap.TYPE, ScaledMap::load);
        LOADERS.put(ColumnRangeMap.TYPE, ColumnRangeMap::load);
        LOADERS.put(SelectedFeaturesMap.TYPE, SelectedFeaturesMap::load);
        LOADERS.put(SelectedColumnsMap.TYPE, (state, own) -> SelectedColumnsMap.load(state));
        LOADERS.put(WarpedMap.TYPE, (state, own) -> WarpedMap.load(state));
        LOADERS.put(TwoStageMap.TYPE, (state, own) -> TwoStageMap.load(state));
        LOADERS.put(FourierMap.TYPE, (state, own) -> FourierMap.load(state));
        LOADERS.put(WeightedFourierMap.TYPE, (state, own) -> WeightedFourierMap.load(state));
        LOADERS.put(ExactMap.TYPE, (state, own) -> ExactMap.load(state));
        LOADERS.put(SpectralMap.TYPE, (state, own) -> SpectralMap.load(state));
        LOADERS.put(SeriesMap.TYPE, (state, own) -> SeriesMap.load(state));
        LOADERS.put(BinnedMap.TYPE, (state, own) -> BinnedMap.load(state));
        LOADERS.put(BinningMap.TYPE, (state, own) -> BinningMap.load(state));
        LOADERS.put(TensorSketchMap.TYPE, (state, own) -> TensorSketchMap.load(state));
        LOADERS.put(LandmarkMap.TYPE, (state, own) -> LandmarkMap.load(state));
        LOADERS.put(TreeLandmarkMap.TYPE, (state, own) -> TreeLandmarkMap.load(state));
        LOADERS.put(CurveMap.TYPE, (state, own) -> CurveMap.load(state));
        LOADERS.put(RectifiedMap.TYPE, (state, own) -> RectifiedMap.load(state));
        LOADERS.put(SigmoidMap.TYPE, (state, own) -> SigmoidMap.load(state));
    }

    private MapTypes() {}

    /** Returns the kernel of a saved map, which must be of the given kind. */
    public static <K> K kernel(State state, Class<K> kind) {
        Kernel kernel = Kernels.parse(state.text("kernel"));
        if (kind.isInstance(kernel)) {
            return kind.cast(kernel);
        }
        throw new BochnerException(
                state.type() + ": the kernel '" + state.text("kernel") + "' has no map of this type");
    }

    /** Returns the constant whose {@code toString} a saved map has under a key. */
    public static <E> E constant(State state, String key, E[] values) {
        return Arrays.stream(values)
                .filter(value -> value.toString().equals(state.text(key)))
                .findFirst()
                .orElseThrow(
                        () -> new BochnerException(state.type() + ": unknown " + key + " '" + state.text(key) + "'"));
    }

    /** Loads a map; see {@link org.bochner.map.FeatureMaps#load}. */
    public static FeatureMap load(State state, MapLoader... own) {
        Loader loader = LOADERS.get(state.type());
        for (MapLoader given : own) {
            loader = given.type().equals(state.type())
                    ? (saved, all) -> given.load().apply(saved)
                    : loader;
        }
        if (loader == null) {
            throw new BochnerException("map: unknown saved type '" + state.type() + "'"
                    + Suggestion.hint(state.type(), LOADERS.keySet())
                    + "; if it is a map of your own, load the model in Java with KernelModel.load(path, new MapLoader(\""
                    + state.type() + "\", ...))");
        }
        try {
            return loader.load(state, own);
        } catch (IllegalArgumentException | SpellingException e) {
            throw new BochnerException("map: the saved form is damaged: " + e.getMessage(), e);
        }
    }

    /** Returns true if the library itself has maps of this saved type. */
    public static boolean isOwnType(String type) {
        return LOADERS.containsKey(type);
    }

    /**
     * Loads a part of a map. Its type must come after that of the whole map, so that a file cannot nest maps until the
     * stack overflows. Types of the user come after all others.
     */
    public static FeatureMap loadPart(State whole, String name, MapLoader... own) {
        State part = whole.part(name);
        List<String> types = new ArrayList<>(LOADERS.keySet());
        for (MapLoader given : own) {
            types.add(given.type());
        }
        // A map of unknown type is refused by load.
        Require.that(
                !types.contains(part.type()) || types.indexOf(part.type()) > types.indexOf(whole.type()),
                whole.type() + ": a map of type '" + part.type() + "' cannot be part of it");
        return load(part, own);
    }
}
