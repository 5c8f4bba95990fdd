package org.bochner.map;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Nearest;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.State;

/** Reads map recipes from their spellings, and fitted maps from their saved form. */
public final class FeatureMaps {
    /** Every recipe; a new one is a line here. */
    private static final Map<String, Function<FourierForm, MapRecipe>> RECIPES = new TreeMap<>(Map.of(
            Fourier.NAME, Fourier::new,
            Orthogonal.NAME, Orthogonal::new,
            Quasi.NAME, Quasi::new,
            Structured.NAME, Structured::new));

    /**
     * Every map that can be saved; a new one is a line here. Those that have parts come first, in the order in which
     * one may hold another: a concatenation holds scaled maps, and never the other way round.
     */
    private static final Map<String, Function<State, FeatureMap>> LOADERS = new LinkedHashMap<>();

    static {
        LOADERS.put(ConcatenatedMap.TYPE, ConcatenatedMap::load);
        LOADERS.put(ScaledMap.TYPE, ScaledMap::load);
        LOADERS.put(ColumnsMap.TYPE, ColumnsMap::load);
        LOADERS.put(WarpedMap.TYPE, WarpedMap::load);
        LOADERS.put(FourierMap.TYPE, FourierMap::load);
    }

    private FeatureMaps() {}

    /** The names of all recipes, in alphabetical order. */
    public static List<String> names() {
        return List.copyOf(RECIPES.keySet());
    }

    /** The recipe so spelled: {@code fourier}, {@code orthogonal(phase)}, … */
    public static MapRecipe parse(String text) {
        Spelling spelling = Spelling.parse("map", text);
        Function<FourierForm, MapRecipe> recipe = RECIPES.get(spelling.name());
        if (recipe == null) {
            throw Spelling.unknown("map", spelling.name(), RECIPES.keySet());
        }
        return recipe.apply(spelling.allow("phase").has("phase") ? FourierForm.PHASE : FourierForm.PAIRS);
    }

    /** The map whose {@link FeatureMap#state} this is, with the same bits; fails where the state is none of ours. */
    public static FeatureMap load(State state) {
        Function<State, FeatureMap> loader = LOADERS.get(state.type());
        if (loader == null) {
            throw new BochnerException(
                    "map: unknown saved type '" + state.type() + "'" + Nearest.hint(state.type(), LOADERS.keySet()));
        }
        try {
            return loader.apply(state);
        } catch (IllegalArgumentException e) {
            throw new BochnerException("map: the saved form is damaged: " + e.getMessage(), e);
        }
    }

    /**
     * The map that is a part of another. Its type must come after that of the whole, so that a file cannot nest maps
     * until the stack overflows.
     */
    static FeatureMap loadPart(State whole, String name) {
        State part = whole.part(name);
        List<String> types = List.copyOf(LOADERS.keySet());
        Require.that(
                types.indexOf(part.type()) > types.indexOf(whole.type()),
                whole.type(),
                "a map of type '" + part.type() + "' cannot be part of it");
        return load(part);
    }
}
