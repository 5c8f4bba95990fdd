package org.bochner.map;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.base.Suggestion;
import org.bochner.map.additive.AdditiveRecipe;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.additive.BinnedMap;
import org.bochner.map.additive.BinnedRecipe;
import org.bochner.map.additive.Chi2Series;
import org.bochner.map.additive.DesignRecipe;
import org.bochner.map.additive.ExactMap;
import org.bochner.map.additive.ExactRecipe;
import org.bochner.map.additive.SampledRecipe;
import org.bochner.map.additive.SeriesMap;
import org.bochner.map.additive.SeriesRecipe;
import org.bochner.map.additive.SpectralMap;
import org.bochner.map.composed.ColumnRangeMap;
import org.bochner.map.composed.ConcatenatedMap;
import org.bochner.map.composed.RecipePerTerm;
import org.bochner.map.composed.ScaledMap;
import org.bochner.map.composed.SelectedColumnsMap;
import org.bochner.map.composed.SelectedFeaturesMap;
import org.bochner.map.composed.TermRecipe;
import org.bochner.map.composed.TwoStageMap;
import org.bochner.map.composed.TwoStageRecipe;
import org.bochner.map.dot.DotProductRecipe;
import org.bochner.map.dot.RectifiedMap;
import org.bochner.map.dot.RectifiedRecipe;
import org.bochner.map.dot.TensorSketchMap;
import org.bochner.map.dot.TensorSketchRecipe;
import org.bochner.map.fourier.Fourier;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierMap;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.map.fourier.Orthogonal;
import org.bochner.map.fourier.Quasi;
import org.bochner.map.fourier.Structured;
import org.bochner.map.fourier.WarpedMap;
import org.bochner.map.fourier.WeightedFourierMap;

/** Reads map recipes from their spellings, and fitted maps from their saved form. */
public final class FeatureMaps {
    /** Every recipe; a new one is a line here. */
    private static final Map<String, Function<Spelling, TermRecipe>> RECIPES = new TreeMap<>();

    static {
        RECIPES.put(AutoRecipe.NAME, AutoRecipe::parse);
        RECIPES.put(Fourier.NAME, fourier(Fourier::new));
        RECIPES.put(Orthogonal.NAME, fourier(Orthogonal::new));
        RECIPES.put(Quasi.NAME, fourier(Quasi::new));
        RECIPES.put(Structured.NAME, fourier(Structured::new));
        RECIPES.put(ExactRecipe.NAME, ExactRecipe::parse);
        RECIPES.put(SampledRecipe.NAME, SampledRecipe::parse);
        RECIPES.put(DesignRecipe.NAME, DesignRecipe::parse);
        RECIPES.put(Chi2Series.CHEBYSHEV.toString(), spelling -> SeriesRecipe.parse(Chi2Series.CHEBYSHEV, spelling));
        RECIPES.put(Chi2Series.DIRECT.toString(), spelling -> SeriesRecipe.parse(Chi2Series.DIRECT, spelling));
        RECIPES.put(BinnedRecipe.UNARY, BinnedRecipe::parseUnary);
        RECIPES.put(BinnedRecipe.PIECEWISE, BinnedRecipe::parsePiecewise);
        RECIPES.put(TensorSketchRecipe.NAME, TensorSketchRecipe::parse);
        RECIPES.put(RectifiedRecipe.NAME, RectifiedRecipe::parse);
    }

    /** Names that other programs have for members of this family, for suggestions. */
    static final Map<String, String> ALIASES = Map.ofEntries(
            Map.entry("rff", "fourier"),
            Map.entry("randomfourier", "fourier"),
            Map.entry("randomfourierfeatures", "fourier"),
            Map.entry("randomfeatures", "fourier"),
            Map.entry("rbfsampler", "fourier"),
            Map.entry("rks", "fourier"),
            Map.entry("nystroem", "fourier"),
            Map.entry("nystrom", "fourier"),
            Map.entry("orf", "orthogonal"),
            Map.entry("orthogonalrandomfeatures", "orthogonal"),
            Map.entry("qmc", "quasi"),
            Map.entry("quasimontecarlo", "quasi"),
            Map.entry("halton", "quasi"),
            Map.entry("sobol", "quasi"),
            Map.entry("fastfood", "structured"),
            Map.entry("sorf", "structured"),
            Map.entry("hadamard", "structured"),
            Map.entry("additivechi2sampler", "sampled"),
            Map.entry("homkermap", "sampled"),
            Map.entry("homogeneous", "sampled"),
            Map.entry("vedaldi", "sampled"),
            Map.entry("polynomialcountsketch", "tensor-sketch"),
            Map.entry("countsketch", "tensor-sketch"),
            Map.entry("relu", "rectified"),
            Map.entry("identity", "exact"),
            Map.entry("none", "exact"));

    /**
     * Every map that can be saved; a new one is a line here. Those that have parts come first, in the order in which
     * one may hold another: a concatenation holds scaled maps, and never the other way round.
     */
    private static final Map<String, Loader> LOADERS = new LinkedHashMap<>();

    /** Makes a map from its saved form; the loaders are those of the user's own maps, which may be parts of it. */
    @FunctionalInterface
    private interface Loader {
        FeatureMap load(State state, MapLoader... own);
    }

    static {
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
        LOADERS.put(TensorSketchMap.TYPE, (state, own) -> TensorSketchMap.load(state));
        LOADERS.put(RectifiedMap.TYPE, (state, own) -> RectifiedMap.load(state));
    }

    private FeatureMaps() {}

    /** The names of all recipes, in alphabetical order. */
    public static List<String> names() {
        return List.copyOf(RECIPES.keySet());
    }

    /** The names of the recipes for shift-invariant kernels, and for the second stage of kernels of a distance. */
    public static List<String> fourierNames() {
        return names().stream()
                .filter(name -> leaf(name) instanceof FourierRecipe)
                .toList();
    }

    /** The names of the recipes for additive kernels, and for the first stage of kernels of a distance. */
    public static List<String> additiveNames() {
        return names().stream()
                .filter(name -> leaf(name) instanceof AdditiveRecipe)
                .toList();
    }

    /** The names of the recipes for kernels of the inner product, each for one of them. */
    public static List<String> dotProductNames() {
        return names().stream()
                .filter(name -> leaf(name) instanceof DotProductRecipe)
                .toList();
    }

    /**
     * The recipe so spelled: {@code fourier}, {@code orthogonal(phase)}, {@code sampled(order=2)};
     * {@code structured@sampled(order=2)} for a kernel of a distance; a sum of such, one for each term of a kernel.
     */
    public static MapRecipe parse(String text) {
        List<TermRecipe> terms = Spelling.reading(() -> Spelling.splitTopLevel("map", text, '+').stream()
                .map(FeatureMaps::term)
                .toList());
        return terms.size() == 1 ? terms.get(0) : new RecipePerTerm(terms);
    }

    private static TermRecipe term(String text) {
        List<String> stages = Spelling.splitTopLevel("map", text, '@');
        TermRecipe recipe = leaf(stages.get(0));
        if (stages.size() == 1) {
            return recipe;
        }
        if (stages.size() == 2
                && recipe instanceof FourierRecipe second
                && leaf(stages.get(1)) instanceof AdditiveRecipe first) {
            return new TwoStageRecipe(second, first);
        }
        throw new SpellingException(
                "map '" + text.strip()
                        + "': write the map of the second stage, '@', and that of the first, as in orthogonal@sampled(order=2)");
    }

    private static TermRecipe leaf(String text) {
        Spelling spelling = Spelling.parse("map", text);
        Function<Spelling, TermRecipe> recipe = RECIPES.get(spelling.name());
        if (recipe == null) {
            throw Spelling.unknown("map", spelling.name(), RECIPES.keySet(), ALIASES);
        }
        return recipe.apply(spelling);
    }

    /** What reads the parameters of Fourier maps. */
    private static Function<Spelling, TermRecipe> fourier(BiFunction<FourierForm, OptionalInt, TermRecipe> maker) {
        return spelling -> {
            spelling.allow("phase", "features");
            FourierForm form = spelling.has("phase") ? FourierForm.PHASE : FourierForm.PAIRS;
            if (!spelling.has("features")) {
                return maker.apply(form, OptionalInt.empty());
            }
            int features = spelling.integer("features", 0);
            form.frequencies(spelling.name(), features);
            return maker.apply(form, OptionalInt.of(features));
        };
    }

    /**
     * Loads the map whose {@link FeatureMap#state} this is, with the same bits.
     *
     * @param own loaders of maps of your own, which may be the map itself or a part of it
     * @throws BochnerException if no loader knows the type, or if the saved form is damaged
     */
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

    /** Whether the library itself has maps of this saved type. */
    static boolean isOwnType(String type) {
        return LOADERS.containsKey(type);
    }

    /**
     * The map that is a part of another. Its type must come after that of the whole, so that a file cannot nest maps
     * until the stack overflows. Maps of the user's own come after all others.
     */
    public static FeatureMap loadPart(State whole, String name, MapLoader... own) {
        State part = whole.part(name);
        List<String> types = new ArrayList<>(LOADERS.keySet());
        for (MapLoader given : own) {
            types.add(given.type());
        }
        // A map of unknown type is refused by load, which says what to do about it.
        Require.that(
                !types.contains(part.type()) || types.indexOf(part.type()) > types.indexOf(whole.type()),
                whole.type(),
                "a map of type '" + part.type() + "' cannot be part of it");
        return load(part, own);
    }
}
