package org.bochner.map;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bochner.base.Notes;
import org.bochner.base.Require;
import org.bochner.base.SpellingException;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.additive.AdditiveMap;
import org.bochner.map.additive.AutoRecipe;
import org.bochner.map.additive.DesignRecipe;
import org.bochner.map.composed.MapAlgebra;
import org.bochner.map.composed.RecipePerTerm;
import org.bochner.map.composed.TermRecipe;
import org.bochner.map.fourier.FourierRecipe;
import org.bochner.map.study.MapErrors;
import org.bochner.map.study.MapSizes;
import org.bochner.map.study.RowPairs;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * Measures maps of one kernel on the same pairs of rows: several sizes of a map, all maps with the same number of
 * features per column, and the smallest map with a wanted error.
 *
 * <p>Threads: safe; immutable.
 */
public final class MapStudy {
    /** A number of pairs that measures the errors of a map well. */
    public static final int DEFAULT_PAIRS = 20_000;

    /** Features per column at which all maps are compared: those of the orders 1 to 5. */
    private static final List<Integer> PER_COLUMN = List.of(3, 5, 7, 9, 11);

    /** Larger numbers of features are suggested by the formula, without a measurement. */
    private static final int MOST_MEASURED_FEATURES = 1 << 15;

    /** The largest number of features that is suggested. */
    private static final int MOST_FEATURES = 1_000_000_000;

    /** The most features per column of the maps that are tried. */
    private static final int MOST_PER_COLUMN = 101;

    /** The most features of the designed maps that are tried: with several columns, more take minutes. */
    private static final int MOST_DESIGNED = 61;

    private static final int MOST_STEPS = 12;

    private final Kernel kernel;
    private final RowSample rows;
    private final Seed seed;
    private final RowPairs pairs;

    private MapStudy(Kernel kernel, RowSample rows, Seed seed, RowPairs pairs) {
        this.kernel = kernel;
        this.rows = rows;
        this.seed = seed;
        this.pairs = pairs;
    }

    /**
     * Chooses pairs of rows and evaluates the kernel on them.
     *
     * @param rows at least two
     * @param seed the seed of the pairs and of the maps
     */
    public static MapStudy prepare(Kernel kernel, RowSample rows, int maxPairs, Seed seed) {
        return new MapStudy(kernel, rows, seed, new RowPairs(kernel, rows, maxPairs, seed));
    }

    /**
     * A map that was built and measured.
     *
     * @param features the number of features that was asked for; empty where it follows from the recipe
     */
    public record Entry(MapRecipe recipe, OptionalInt features, FeatureMap map, MapReport report) {
        /** Returns the number of features per column, if the map is additive. */
        public OptionalInt featuresPerColumn() {
            return map instanceof AdditiveMap additive
                    ? OptionalInt.of(additive.featuresPerColumn())
                    : OptionalInt.empty();
        }
    }

    /**
     * The smallest map that was found with a wanted error.
     *
     * @param features the number of features to ask for; empty where it follows from the recipe
     * @param error the measured error or, where there is no report, the error that the formula predicts
     * @param reached true if the error is as small as wanted; otherwise the map is the best that was found
     * @param report the measurement; null where there are too many features to measure
     */
    public record Suggestion(
            MapRecipe recipe,
            OptionalInt features,
            double error,
            boolean reached,
            @Nullable MapReport report) {}

    /** Returns true if all terms of the kernel are additive, so that maps have a number of features per column. */
    public boolean additive() {
        return pairs.terms().stream().allMatch(term -> term.kernel() instanceof AdditiveKernel);
    }

    /** Returns true if the recipe makes the number of features that it is asked for. */
    public boolean takesFeatures(MapRecipe recipe) {
        List<Kernel> terms = MapAlgebra.terms(kernel);
        for (int t = 0; t < terms.size(); t++) {
            Kernel leaf = MapAlgebra.leaf(terms.get(t));
            Optional<TermRecipe> ofTerm = termRecipe(recipe, t);
            if (ofTerm.isPresent() ? ofTerm.get().takesFeatures(leaf) : !(leaf instanceof AdditiveKernel)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the recipe of a term of the kernel, if it is one of the library. */
    private static Optional<TermRecipe> termRecipe(MapRecipe recipe, int term) {
        if (recipe instanceof RecipePerTerm sum) {
            return Optional.of(sum.terms().get(Math.min(term, sum.terms().size() - 1)));
        }
        return recipe instanceof TermRecipe single ? Optional.of(single) : Optional.empty();
    }

    /**
     * Builds and measures a map.
     *
     * @param features the number of features; empty where it follows from the recipe, or the recipe chooses it
     * @param notes receives the choices that the recipe makes
     */
    public Entry measure(MapRecipe recipe, OptionalInt features, Notes notes) {
        MapRecipe chosen = recipe.chosen(kernel, rows, features, notes);
        FeatureMap map = chosen.build(kernel, rows, features, seed.derive("map"), notes);
        return new Entry(chosen, features, map, MapErrors.report(map, pairs));
    }

    private Entry measure(MapRecipe recipe) {
        return measure(recipe, OptionalInt.empty(), new Notes());
    }

    /**
     * Measures several sizes of a map, from small to large: numbers of features where the recipe takes one; otherwise
     * orders, terms, dimensions or bins, if the spelling does not give them. A map of one size is measured in that
     * size.
     *
     * @param notes receives the choices that the recipe of a single size makes
     */
    public List<Entry> sizes(String map, Notes notes) {
        return sizes(map, MapSizes.usual(map), notes);
    }

    /** Measures several sizes of a map, and ignores the size that the spelling gives. */
    public List<Entry> allSizes(String map) {
        return sizes(map, MapSizes.all(map), new Notes());
    }

    private List<Entry> sizes(String map, List<MapRecipe> recipes, Notes notes) {
        MapRecipe recipe = FeatureMaps.parse(map);
        List<Entry> entries = new ArrayList<>();
        if (takesFeatures(recipe)) {
            for (int features :
                    termRecipe(recipe, 0).orElse(FourierRecipe.RANDOM).usualFeatures()) {
                entries.add(measure(recipe, OptionalInt.of(features), new Notes()));
            }
            return entries;
        }
        List<MapRecipe> sizes = additive() ? recipes : List.of(recipe);
        for (MapRecipe size : sizes) {
            entries.add(measure(size, OptionalInt.empty(), sizes.size() == 1 ? notes : new Notes()));
        }
        return entries;
    }

    /**
     * Measures all maps that suit an additive kernel, with 3, 5, 7, 9 and 11 features per column and with the numbers
     * of some other maps. Measures only the exact map where there is one, and nothing for other kernels.
     *
     * @param beside the other maps
     */
    public List<Entry> comparison(List<Entry> beside) {
        NavigableSet<Integer> counts = new TreeSet<>(PER_COLUMN);
        beside.forEach(entry -> entry.featuresPerColumn().ifPresent(counts::add));
        List<Entry> entries = new ArrayList<>();
        for (String name : additive() ? suitable() : List.<String>of()) {
            if (MapSizes.isOpen(name)) {
                counts.forEach(count ->
                        MapSizes.withFeaturesPerColumn(name, count).ifPresent(recipe -> entries.add(measure(recipe))));
            } else {
                entries.add(measure(FeatureMaps.parse(name)));
            }
        }
        return entries;
    }

    /**
     * Returns the names of the additive maps that can be built of this kernel, without {@code auto}, which chooses
     * among them.
     */
    private List<String> suitable() {
        return FeatureMaps.additiveNames().stream()
                .filter(name -> !name.equals(AutoRecipe.NAME) && suits(name))
                .toList();
    }

    private boolean suits(String name) {
        try {
            // A small size is built fast, and whether the map suits the kernel does not depend on its size.
            MapRecipe recipe =
                    MapSizes.withFeaturesPerColumn(name, PER_COLUMN.get(0)).orElseGet(() -> FeatureMaps.parse(name));
            FeatureMap unused = recipe.build(kernel, rows, OptionalInt.empty(), seed, new Notes());
            return true;
        } catch (SpellingException e) {
            return false;
        }
    }

    /**
     * Finds the smallest map with a wanted error. If the recipe takes a number of features, the search starts at the
     * number that the variance of independent features predicts. Otherwise it finds the fewest features per column, of
     * the given map or, for {@code auto}, of all maps that suit the kernel.
     *
     * @param measure selects the measure from the absolute errors of all pairs
     */
    public Suggestion suggest(String map, ToDoubleFunction<MapReport.Errors> measure, double error) {
        Require.positive("map study", "error", error);
        MapRecipe recipe = FeatureMaps.parse(map);
        Search search = new Search(measure, error);
        if (takesFeatures(recipe)) {
            return recipe instanceof DesignRecipe ? search.designs(recipe) : search.features(recipe);
        }
        return search.perColumn(recipe instanceof AutoRecipe ? suitable() : List.of(map));
    }

    /** A search for the smallest map whose error, by a measure, is at most the wanted one. */
    private final class Search {
        private final ToDoubleFunction<MapReport.Errors> measure;
        private final double wanted;

        Search(ToDoubleFunction<MapReport.Errors> measure, double wanted) {
            this.measure = measure;
            this.wanted = wanted;
        }

        private Suggestion trial(MapRecipe recipe, OptionalInt features) {
            MapReport report = measure(recipe, features, new Notes()).report();
            double error = measure.applyAsDouble(report.overall().absolute());
            return new Suggestion(recipe, features, error, error <= wanted, report);
        }

        /** Tries growing designs, because their errors follow no formula. */
        Suggestion designs(MapRecipe recipe) {
            int fewest = pairs.terms().size() == 1 ? 1 : 2 * pairs.terms().size();
            Suggestion best = trial(recipe, OptionalInt.of(fewest));
            for (int features = fewest + 2;
                    features <= MOST_DESIGNED && !best.reached;
                    features += Math.max(2, features / 4)) {
                best = better(best, trial(recipe, OptionalInt.of(features)));
            }
            return best;
        }

        Suggestion features(MapRecipe recipe) {
            int unit = recipe instanceof TermRecipe single ? single.unit() : 2;
            double features = featuresByTheory(recipe);
            @Nullable Suggestion best = null;
            for (int step = 0; step < MOST_STEPS; step++) {
                if (features > MOST_MEASURED_FEATURES) {
                    // More features do not help if the error of the first stage alone exceeds the wanted error.
                    boolean limited = best != null && best.report != null && best.report.additiveRms() >= wanted;
                    OptionalInt count = OptionalInt.of(roundUp(Math.min(features, MOST_FEATURES), unit));
                    return limited ? Objects.requireNonNull(best) : new Suggestion(recipe, count, wanted, true, null);
                }
                int count = roundUp(features, unit);
                Suggestion tried = trial(recipe, OptionalInt.of(count));
                best = best == null ? tried : better(best, tried);
                // The error falls about like 1/√D; where it is far too small, fewer features are tried.
                double square = tried.error / wanted * (tried.error / wanted);
                double next = tried.reached ? count * square : count * Math.max(1.05, 1.02 * square);
                boolean enough = tried.reached && next > 0.95 * count;
                boolean foundBelow = best.reached && next >= best.features.orElseThrow();
                if (enough || foundBelow || roundUp(next, unit) == count) {
                    break;
                }
                features = next;
            }
            return Objects.requireNonNull(best);
        }

        /** Returns the second map if it is better than the first. */
        private static Suggestion better(Suggestion a, Suggestion b) {
            if (a.reached != b.reached) {
                return a.reached ? a : b;
            }
            boolean second = a.reached ? b.features.orElseThrow() < a.features.orElseThrow() : b.error < a.error;
            return second ? b : a;
        }

        /**
         * D = V/error² for the RMS error; other measures are converted by their ratio to the RMS error at the default
         * size.
         */
        private double featuresByTheory(MapRecipe recipe) {
            Suggestion usual = trial(recipe, OptionalInt.of(MapRecipe.DEFAULT_FEATURES));
            MapReport report = Objects.requireNonNull(usual.report);
            double rms = report.fourierRms();
            double measured = report.overall().absolute().rms();
            // The RMS error is 0 if all rows are equal.
            double ratio = measured > 0 ? usual.error / measured : 1;
            double share = (Double.isFinite(rms) ? rms : measured) * ratio / wanted;
            return Math.max(2, MapRecipe.DEFAULT_FEATURES * share * share);
        }

        private static int roundUp(double features, int unit) {
            return unit * (int) Math.max(1, Math.ceil(features / unit));
        }

        Suggestion perColumn(List<String> names) {
            Optional<Suggestion> best = Optional.empty();
            int last = 0;
            boolean open = names.stream().anyMatch(MapSizes::isOpen);
            for (int count = 1; count <= (open ? MOST_PER_COLUMN : 1); count = next(count)) {
                Optional<Suggestion> found = bestOfSize(names, count);
                if (found.isPresent() && found.get().reached) {
                    // The search may have skipped smaller numbers.
                    return IntStream.range(last + 1, count)
                            .mapToObj(between -> bestOfSize(names, between))
                            .flatMap(Optional::stream)
                            .filter(Suggestion::reached)
                            .findFirst()
                            .orElse(found.get());
                }
                best = leastError(Stream.concat(best.stream(), found.stream()));
                last = count;
            }
            return best.orElseThrow();
        }

        /** One more while the number is small, then a tenth more. */
        private static int next(int count) {
            return count == MOST_PER_COLUMN
                    ? MOST_PER_COLUMN + 1
                    : Math.min(MOST_PER_COLUMN, count + Math.max(1, count / 10));
        }

        private Optional<Suggestion> bestOfSize(List<String> names, int count) {
            return leastError(names.stream()
                    .flatMap(name -> MapSizes.isOpen(name)
                            ? MapSizes.withFeaturesPerColumn(name, count).stream()
                            : Stream.of(FeatureMaps.parse(name)))
                    .map(recipe -> trial(recipe, OptionalInt.empty())));
        }

        private static Optional<Suggestion> leastError(Stream<Suggestion> tried) {
            return tried.min(Comparator.comparingDouble(Suggestion::error));
        }
    }
}
