package org.bochner.map;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import org.bochner.base.BochnerException;
import org.bochner.base.Require;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.base.State;
import org.bochner.base.text.Suggestion;
import org.bochner.design.Design;
import org.bochner.design.DesignProblem;
import org.bochner.design.Plan;
import org.bochner.design.Pool;
import org.bochner.design.Search;
import org.bochner.kernel.RowSample;
import org.bochner.map.additive.AdditiveRecipe;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.additive.BinCode;
import org.bochner.map.additive.BinnedRecipe;
import org.bochner.map.additive.Chi2Series;
import org.bochner.map.additive.DesignRecipe;
import org.bochner.map.additive.ExactRecipe;
import org.bochner.map.additive.SampledRecipe;
import org.bochner.map.additive.SeriesRecipe;
import org.bochner.map.binning.BinningRecipe;
import org.bochner.map.composed.DesignedMaps;
import org.bochner.map.composed.MapTypes;
import org.bochner.map.composed.RecipePerTerm;
import org.bochner.map.composed.TermRecipe;
import org.bochner.map.composed.TwoStageRecipe;
import org.bochner.map.dot.DotProductRecipe;
import org.bochner.map.dot.RectifiedRecipe;
import org.bochner.map.dot.SigmoidRecipe;
import org.bochner.map.dot.TensorSketchRecipe;
import org.bochner.map.fourier.FourierForm;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.map.fourier.FrequencyChoice;
import org.bochner.map.landmark.LandmarkChoice;
import org.bochner.map.landmark.LandmarkRecipe;
import org.bochner.map.landmark.NoMap;
import org.bochner.map.layout.ErrorWeight;

/**
 * Creates map recipes, from their parameters or from their spellings, and loads fitted maps.
 *
 * <pre>{@code
 * KernelMachine.of("exp-chi2").withMap(FeatureMaps.twoStage(FeatureMaps.orthogonal(), FeatureMaps.sampled(2)));
 * }</pre>
 *
 * <p>Spellings have further parameters, such as {@code sampled(window=uniform)}.
 */
public final class FeatureMaps {
    /** The parsers of all recipes by name. */
    private static final Map<String, Function<Spelling, TermRecipe>> RECIPES = new TreeMap<>();

    static {
        RECIPES.put(AutoRecipe.NAME, AutoRecipe::parse);
        for (FrequencyChoice choice : FrequencyChoice.values()) {
            RECIPES.put(choice.toString(), spelling -> FourierRecipe.parse(choice, spelling));
        }
        RECIPES.put(ExactRecipe.NAME, ExactRecipe::parse);
        RECIPES.put(SampledRecipe.NAME, SampledRecipe::parse);
        RECIPES.put(DesignRecipe.NAME, DesignRecipe::parse);
        RECIPES.put(Chi2Series.CHEBYSHEV.toString(), spelling -> SeriesRecipe.parse(Chi2Series.CHEBYSHEV, spelling));
        RECIPES.put(Chi2Series.DIRECT.toString(), spelling -> SeriesRecipe.parse(Chi2Series.DIRECT, spelling));
        RECIPES.put(BinnedRecipe.UNARY, BinnedRecipe::parseUnary);
        RECIPES.put(BinnedRecipe.PIECEWISE, BinnedRecipe::parsePiecewise);
        RECIPES.put(BinningRecipe.NAME, BinningRecipe::parse);
        RECIPES.put(TensorSketchRecipe.NAME, TensorSketchRecipe::parse);
        RECIPES.put(RectifiedRecipe.NAME, RectifiedRecipe::parse);
        RECIPES.put(SigmoidRecipe.NAME, SigmoidRecipe::parse);
        RECIPES.put(LandmarkRecipe.NAME, LandmarkRecipe::parse);
        RECIPES.put(NoMap.NAME, NoMap::parse);
    }

    /** Names that other programs have for maps, for suggestions. */
    static final Map<String, String> ALIASES = Suggestion.aliases(Map.ofEntries(
            Map.entry("fourier", "rff randomfourier randomfourierfeatures randomfeatures rbfsampler rks"),
            Map.entry("landmarks", "nystroem nystrom rbfnetwork cksvd"),
            Map.entry("orthogonal", "orf orthogonalrandomfeatures"),
            Map.entry("quasi", "qmc quasimontecarlo halton sobol"),
            Map.entry("structured", "fastfood sorf hadamard"),
            Map.entry("sampled", "additivechi2sampler homkermap homogeneous vedaldi"),
            Map.entry("binning", "randombinning randombinningfeatures randombins"),
            Map.entry("tensor-sketch", "polynomialcountsketch countsketch"),
            Map.entry("rectified", "relu"),
            Map.entry("exact", "identity"),
            Map.entry("none", "nomap kernelmatrix precomputed gram libsvm")));

    private FeatureMaps() {}

    /** Returns {@code auto}, which chooses the map that suits the kernel. */
    public static MapRecipe auto() {
        return new AutoRecipe();
    }

    /**
     * Returns {@code auto} with another limit for additive kernels.
     *
     * @param error the largest relative error; 0.01 by default
     */
    public static MapRecipe auto(double error) {
        return new AutoRecipe(error);
    }

    /** Returns {@code fourier}: random Fourier features, for shift-invariant kernels. */
    public static MapRecipe fourier() {
        return FourierRecipe.RANDOM;
    }

    /** Returns {@code orthogonal}: Fourier features with orthogonal frequencies. */
    public static MapRecipe orthogonal() {
        return new FourierRecipe(FrequencyChoice.ORTHOGONAL, FourierForm.PAIRS);
    }

    /** Returns {@code quasi}: Fourier features with quasi-random frequencies. */
    public static MapRecipe quasi() {
        return new FourierRecipe(FrequencyChoice.QUASI, FourierForm.PAIRS);
    }

    /** Returns {@code structured}: Fourier features by fast Hadamard transforms. */
    public static MapRecipe structured() {
        return new FourierRecipe(FrequencyChoice.STRUCTURED, FourierForm.PAIRS);
    }

    /**
     * Returns a Fourier map with one cosine of a random phase per frequency, as in {@code fourier(phase)}, in place of
     * a cosine and a sine.
     *
     * @param fourier {@link #fourier}, {@link #orthogonal}, {@link #quasi} or {@link #structured}
     */
    public static MapRecipe withPhase(MapRecipe fourier) {
        if (fourier instanceof FourierRecipe pairs) {
            return new FourierRecipe(pairs.choice(), FourierForm.PHASE);
        }
        throw new IllegalArgumentException("phases are for Fourier maps, got " + fourier);
    }

    /** Returns {@code exact}, for the kernels linear and hellinger. */
    public static MapRecipe exact() {
        return new ExactRecipe();
    }

    /** Returns {@code sampled}: 2·order + 1 features per column, for kernels of histograms. */
    public static MapRecipe sampled(int order) {
        return new SampledRecipe(order);
    }

    /** Returns {@code sampled} with a given period, in place of the one with the least error. */
    public static MapRecipe sampled(int order, double period) {
        return new SampledRecipe(order, null, new SampledRecipe.Period.Length(period));
    }

    /** Returns {@code sampled(period=vlfeat)}: the features of VLFeat's homogeneous kernel map. */
    public static MapRecipe sampledAsVlfeat(int order) {
        return new SampledRecipe(order, null, new SampledRecipe.Period.Vlfeat());
    }

    /** Returns {@code lp}: a designed map with a number of features, per column for kernels of histograms. */
    public static MapRecipe designed(int dimension) {
        return new DesignRecipe(dimension, ErrorWeight.ABSOLUTE);
    }

    /** Returns {@code lp(error=…)}: the smallest designed map with at most this error. */
    public static MapRecipe designedForError(double error) {
        return DesignRecipe.ofError(error);
    }

    /** Returns {@code chebyshev}: a series of the χ² kernel with a number of terms per column. */
    public static MapRecipe chebyshev(int terms) {
        return new SeriesRecipe(Chi2Series.CHEBYSHEV, terms);
    }

    /** Returns {@code direct}: the geometric series of the χ² kernel with a number of terms per column. */
    public static MapRecipe direct(int terms) {
        return new SeriesRecipe(Chi2Series.DIRECT, terms);
    }

    /** Returns {@code unary}: bins of rounded values, for the intersection kernel. */
    public static MapRecipe unary(int bins) {
        return new BinnedRecipe(BinCode.UNARY, bins);
    }

    /** Returns {@code piecewise}: bins with linear interpolation, for the intersection kernel. */
    public static MapRecipe piecewise(int bins) {
        return new BinnedRecipe(BinCode.PIECEWISE, bins);
    }

    /** Returns {@code piecewise(sparse)}: two features per value that are not 0; the penalty is not |w|². */
    public static MapRecipe sparsePiecewise(int bins) {
        return new BinnedRecipe(BinCode.SPARSE, bins);
    }

    /**
     * Returns {@code binning}: the cells of random grids as sparse features, for Laplacian kernels.
     *
     * @param grids the number of grids, or 0 for 512 (up to 4,096 rows), 256 (up to 8,192) or 128
     */
    public static MapRecipe binning(int grids) {
        return new BinningRecipe(grids == 0 ? OptionalInt.empty() : OptionalInt.of(grids), 1);
    }

    /** Returns {@code tensor-sketch}, for polynomial kernels. */
    public static MapRecipe tensorSketch() {
        return new TensorSketchRecipe(OptionalInt.empty());
    }

    /** Returns {@code rectified}: random rectified linear units, for arc-cosine kernels. */
    public static MapRecipe rectified() {
        return new RectifiedRecipe(OptionalInt.empty());
    }

    /** Returns {@code sigmoid}: random sigmoid units, for arc-sine kernels. */
    public static MapRecipe sigmoid() {
        return new SigmoidRecipe(OptionalInt.empty());
    }

    /** Returns {@code landmarks}: kernel values at rows of the data, for every kernel. */
    public static MapRecipe landmarks(int features) {
        return LandmarkRecipe.of(features, LandmarkChoice.UNIFORM);
    }

    /** Returns {@code landmarks(by=learned)}: kernel values at landmarks that explain most of the kernel. */
    public static MapRecipe learnedLandmarks(int features) {
        return LandmarkRecipe.of(features, LandmarkChoice.LEARNED);
    }

    /**
     * Returns {@code none}: exact machines, which learn by ridge, svm or svr from the kernel values between all rows.
     */
    public static MapRecipe none() {
        return new NoMap(null);
    }

    /**
     * Returns a map for kernels of a distance, such as exp-chi2: a Fourier map of the features of an additive map.
     *
     * @param second the Fourier map: {@link #fourier}, {@link #orthogonal}, {@link #quasi} or {@link #structured}
     * @param first the additive map, such as {@link #sampled}
     */
    public static MapRecipe twoStage(MapRecipe second, MapRecipe first) {
        if (second instanceof FourierRecipe fourier && first instanceof AdditiveRecipe additive) {
            return new TwoStageRecipe(fourier, additive);
        }
        throw new IllegalArgumentException(
                "the second stage must be a Fourier map and the first an additive map, got " + second + "@" + first);
    }

    /** Returns a map of a sum of kernels, with one recipe per term. */
    public static MapRecipe perTerm(MapRecipe... terms) {
        List<TermRecipe> own = Arrays.stream(terms)
                .filter(TermRecipe.class::isInstance)
                .map(TermRecipe.class::cast)
                .toList();
        Require.sameSize("map of a sum", "recipes of single terms", own.size(), terms.length);
        return new RecipePerTerm(own);
    }

    /** Returns the names of all recipes, in alphabetical order. */
    public static List<String> names() {
        return List.copyOf(RECIPES.keySet());
    }

    /**
     * Returns the names of the recipes for shift-invariant kernels, and for the second stage of kernels of a distance.
     */
    public static List<String> fourierNames() {
        return names(FourierRecipe.class);
    }

    /** Returns the names of the recipes for additive kernels, and for the first stage of kernels of a distance. */
    public static List<String> additiveNames() {
        return names(AdditiveRecipe.class);
    }

    /** Returns the names of the recipes for kernels of the inner product. Each is for one family. */
    public static List<String> dotProductNames() {
        return names(DotProductRecipe.class);
    }

    private static List<String> names(Class<? extends TermRecipe> kind) {
        return names().stream().filter(name -> kind.isInstance(leaf(name))).toList();
    }

    /**
     * Returns the recipe that finds a design again: on the range of the problem, or, if the columns have different
     * ranges, on those of the data. Empty if the recipe would find another design.
     *
     * @param dimension the dimension that was asked for
     */
    public static Optional<MapRecipe> of(DesignProblem problem, Design design, int dimension) {
        Plan plan = design.plan();
        if (plan.pool() == Pool.POLAR || plan.search() != Search.CONTINUOUS) {
            return Optional.empty();
        }
        List<RowSample.Interval> ranges =
                problem.ranges().stream().flatMap(Optional::stream).distinct().toList();
        return Optional.of(new DesignRecipe(
                OptionalInt.of(dimension),
                OptionalDouble.empty(),
                ranges.size() == 1 ? Optional.of(ranges.get(0)) : Optional.empty(),
                problem.universal(),
                problem.relative() ? ErrorWeight.RELATIVE : ErrorWeight.ABSOLUTE,
                plan.norm(),
                plan.form()));
    }

    /**
     * Parses a recipe: {@code fourier}, {@code orthogonal(phase)}, {@code sampled(order=2)}; {@code
     * structured@sampled(order=2)} for a kernel of a distance; or a sum with one recipe per term of a kernel.
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

    /**
     * Loads the map whose {@link FeatureMap#state} this is, with the same bits.
     *
     * @param own loaders of maps of your own, which may be the map itself or a part of it
     * @throws BochnerException if no loader knows the type, or if the saved form is damaged
     */
    public static FeatureMap load(State state, MapLoader... own) {
        return MapTypes.load(state, own);
    }

    /**
     * Returns the designs of a map and of the maps that it consists of, in the order of their features, in words: the
     * kernel, the number of features, the error and the range in which it holds.
     */
    public static List<String> describeDesigns(FeatureMap map) {
        return DesignedMaps.in(map)
                .flatMap(designed -> designed.design().map(facts -> facts.text(designed.kernel())).stream())
                .toList();
    }

    /**
     * Returns the designs of {@link #describeDesigns} as JSON objects, with the keys {@code kernel}, {@code dimension},
     * {@code error}, {@code norm}, {@code weight}, {@code universal}, {@code largestRatio} and
     * {@code largestDifferences}.
     */
    public static List<Map<String, Object>> designsAsJson(FeatureMap map) {
        return DesignedMaps.in(map)
                .flatMap(designed -> designed.design().map(facts -> facts.toJson(designed.kernel())).stream())
                .toList();
    }
}
