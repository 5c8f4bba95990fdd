package org.bochner.map;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
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
 * Maps of one kernel, measured on the same pairs of rows: several sizes of a map, all maps of the same width, and the
 * smallest that has a wanted error.
 *
 * <p>Threads: safe; immutable.
 */
public final class MapStudy {
    /** How many pairs measure the errors of a map well. */
    public static final int DEFAULT_PAIRS = 20_000;

    /** Numbers a column at which all maps are compared: those of the orders 1 to 5. */
    private static final List<Integer> WIDTHS = List.of(3, 5, 7, 9, 11);

    /** More features than these are suggested by the formula alone. */
    private static final int MOST_MEASURED_FEATURES = 1 << 15;

    /** More than any machine makes, and still a whole number. */
    private static final int MOST_FEATURES = 1_000_000_000;

    /** The most numbers a column among which a map is sought. */
    private static final int WIDEST = 101;

    /** The most features of designed maps among which one is sought: with several columns, more take minutes. */
    private static final int MOST_DESIGNED = 61;

    private static final int MOST_STEPS = 12;

    private final Kernel kernel;
    private final RowSample rows;
    private final Seed seed;
    private final RowPairs pairs;

    /**
     * Chooses the pairs and evaluates the kernel.
     *
     * @param rows at least two
     * @param seed of the pairs, and of the maps
     */
    public MapStudy(Kernel kernel, RowSample rows, int maxPairs, Seed seed) {
        this.kernel = kernel;
        this.rows = rows;
        this.seed = seed;
        this.pairs = new RowPairs(kernel, rows, maxPairs, seed);
    }

    /**
     * A map that was built and measured.
     *
     * @param features how many were asked for; empty where their number follows from the recipe
     */
    public record Entry(MapRecipe recipe, OptionalInt features, FeatureMap map, MapReport report) {
        /** How many numbers it makes of every column, if it is additive. */
        public OptionalInt width() {
            return map instanceof AdditiveMap additive
                    ? OptionalInt.of(additive.featuresPerColumn())
                    : OptionalInt.empty();
        }
    }

    /**
     * The smallest map that was found to have a wanted error.
     *
     * @param features to be asked for; empty where their number follows from the recipe
     * @param error what it is: measured, or, where there is no report, expected by the formula
     * @param reached whether that is as small as wanted; otherwise it is the best that was found
     * @param report what was measured; null where there are too many features for it
     */
    public record Suggestion(
            MapRecipe recipe,
            OptionalInt features,
            double error,
            boolean reached,
            @Nullable MapReport report) {}

    /** Whether all terms of the kernel are additive, so that maps have a number of features for every column. */
    public boolean additive() {
        return pairs.terms().stream().allMatch(term -> term.kernel() instanceof AdditiveKernel);
    }

    /** Whether a map makes as many features as it is asked for. */
    public boolean takesFeatures(MapRecipe recipe) {
        List<Kernel> terms = MapAlgebra.terms(kernel);
        for (int t = 0; t < terms.size(); t++) {
            Kernel leaf = MapAlgebra.leaf(terms.get(t));
            Optional<TermRecipe> ofTerm = leaves(recipe, t);
            if (ofTerm.isPresent() ? ofTerm.get().takesFeatures(leaf) : !(leaf instanceof AdditiveKernel)) {
                return true;
            }
        }
        return false;
    }

    /** The recipe of a term of the kernel, if it is one of ours. */
    private static Optional<TermRecipe> leaves(MapRecipe recipe, int term) {
        if (recipe instanceof RecipePerTerm sum) {
            return Optional.of(sum.terms().get(Math.min(term, sum.terms().size() - 1)));
        }
        return recipe instanceof TermRecipe leaves ? Optional.of(leaves) : Optional.empty();
    }

    /**
     * Builds and measures a map.
     *
     * @param features how many to make; empty where their number follows from the recipe, or is left to it
     * @param notes receives a sentence on every choice that was left to the recipe
     */
    public Entry measure(MapRecipe recipe, OptionalInt features, Consumer<String> notes) {
        MapRecipe chosen = recipe.chosen(kernel, rows, features, notes);
        FeatureMap map = chosen.build(kernel, rows, features, seed.derive("map"), notes);
        return new Entry(chosen, features, map, MapErrors.report(map, pairs));
    }

    private Entry measure(MapRecipe recipe) {
        return measure(recipe, OptionalInt.empty(), note -> {});
    }

    /**
     * Measures several sizes of a map, from small to large: numbers of features where it makes as many as it is asked for;
     * orders, terms or bins where the spelling leaves them open. A map of one size is measured in that.
     *
     * @param notes receives a sentence on every choice that was left to a map of one size
     */
    public List<Entry> sizes(String map, Consumer<String> notes) {
        return sizes(map, MapSizes.usual(map), notes);
    }

    /** The same where the spelling says a size, which is then left out of account. */
    public List<Entry> allSizes(String map) {
        return sizes(map, MapSizes.all(map), note -> {});
    }

    private List<Entry> sizes(String map, List<MapRecipe> recipes, Consumer<String> notes) {
        MapRecipe recipe = FeatureMaps.parse(map);
        List<Entry> entries = new ArrayList<>();
        if (takesFeatures(recipe)) {
            for (int features : leaves(recipe, 0).orElse(FourierRecipe.RANDOM).usualFeatures()) {
                entries.add(measure(recipe, OptionalInt.of(features), note -> {}));
            }
            return entries;
        }
        List<MapRecipe> sizes = additive() ? recipes : List.of(recipe);
        for (MapRecipe size : sizes) {
            entries.add(measure(size, OptionalInt.empty(), sizes.size() == 1 ? notes : note -> {}));
        }
        return entries;
    }

    /**
     * Measures all maps that suit an additive kernel with the same numbers of features a column: 3, 5, 7, 9 and 11, and those
     * of some other maps. The exact map alone where there is one; nothing for other kernels.
     *
     * @param beside the other maps
     */
    public List<Entry> comparison(List<Entry> beside) {
        NavigableSet<Integer> widths = new TreeSet<>(WIDTHS);
        beside.forEach(entry -> entry.width().ifPresent(widths::add));
        List<Entry> entries = new ArrayList<>();
        for (String name : additive() ? suitable() : List.<String>of()) {
            if (MapSizes.isOpen(name)) {
                widths.forEach(
                        width -> MapSizes.ofWidth(name, width).ifPresent(recipe -> entries.add(measure(recipe))));
            } else {
                entries.add(measure(FeatureMaps.parse(name)));
            }
        }
        return entries;
    }

    /** The additive maps that can be built of this kernel, by name, less the one that chooses among them. */
    private List<String> suitable() {
        return FeatureMaps.additiveNames().stream()
                .filter(name -> !name.equals(AutoRecipe.NAME) && suits(name))
                .toList();
    }

    private boolean suits(String name) {
        try {
            // In a small size, which is ready soon; whether it suits does not depend on that.
            MapRecipe recipe = MapSizes.ofWidth(name, WIDTHS.get(0)).orElseGet(() -> FeatureMaps.parse(name));
            FeatureMap unused = recipe.build(kernel, rows, OptionalInt.empty(), seed, note -> {});
            return true;
        } catch (SpellingException e) {
            return false;
        }
    }

    /**
     * Finds the smallest map with a wanted error. Where a map makes any number of features, that is sought, from the
     * variance of independent features on; otherwise the smallest width, of the map so spelled or, for {@code auto}, of
     * all that suit the kernel.
     */
    public Suggestion suggest(String map, ToDoubleFunction<MapReport.Errors> measure, double error) {
        Require.positive("map study", "error", error);
        MapRecipe recipe = FeatureMaps.parse(map);
        if (takesFeatures(recipe)) {
            return recipe instanceof DesignRecipe
                    ? suggestDesign(recipe, measure, error)
                    : suggestFeatures(recipe, measure, error);
        }
        boolean any = recipe instanceof AutoRecipe;
        List<String> names = any ? suitable() : List.of(map);
        return suggestWidth(names, measure, error);
    }

    /** The first of growing designs, because their errors follow no formula. */
    private Suggestion suggestDesign(MapRecipe recipe, ToDoubleFunction<MapReport.Errors> measure, double wanted) {
        int fewest = pairs.terms().size() == 1 ? 1 : 2 * pairs.terms().size();
        Suggestion best = trial(recipe, fewest, measure, wanted);
        for (int features = fewest + 2;
                features <= MOST_DESIGNED && !best.reached;
                features += Math.max(2, features / 4)) {
            Suggestion tried = trial(recipe, features, measure, wanted);
            best = better(tried, best) ? tried : best;
        }
        return best;
    }

    private Suggestion suggestFeatures(MapRecipe recipe, ToDoubleFunction<MapReport.Errors> measure, double wanted) {
        int unit = recipe instanceof TermRecipe leaves ? leaves.unit() : 2;
        double features = featuresByTheory(recipe, measure, wanted);
        @Nullable Suggestion best = null;
        for (int step = 0; step < MOST_STEPS; step++) {
            if (features > MOST_MEASURED_FEATURES) {
                return best != null && limited(best, wanted) ? best : byFormula(recipe, features, unit, wanted);
            }
            Suggestion tried = trial(recipe, roundUp(features, unit), measure, wanted);
            int count = tried.features.orElseThrow();
            if (best == null || better(tried, best)) {
                best = tried;
            }
            // The error falls like 1/√D, more or less; one that is far too small was asked too much.
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

    /** Whether more features would not help, because what does not depend on them errs by more than is wanted. */
    private static boolean limited(Suggestion best, double wanted) {
        return best.report != null && best.report.additiveRms() >= wanted;
    }

    private static boolean better(Suggestion a, Suggestion b) {
        if (a.reached != b.reached) {
            return a.reached;
        }
        return a.reached ? a.features.orElseThrow() < b.features.orElseThrow() : a.error < b.error;
    }

    /** D = V/error² for the RMS error; for others, by what they are to it at a usual size. */
    private double featuresByTheory(MapRecipe recipe, ToDoubleFunction<MapReport.Errors> measure, double wanted) {
        MapReport usual = measure(recipe, OptionalInt.of(MapRecipe.DEFAULT_FEATURES), note -> {})
                .report();
        double rms = usual.fourierRms();
        double measured = usual.overall().absolute().rms();
        // Nothing at all where all pairs are of equal rows.
        double ratio = measured > 0 ? measure.applyAsDouble(usual.overall().absolute()) / measured : 1;
        double share = (Double.isFinite(rms) ? rms : measured) * ratio / wanted;
        return Math.max(2, MapRecipe.DEFAULT_FEATURES * share * share);
    }

    private static int roundUp(double features, int unit) {
        return unit * (int) Math.max(1, Math.ceil(features / unit));
    }

    private Suggestion trial(MapRecipe recipe, int features, ToDoubleFunction<MapReport.Errors> measure, double wanted) {
        OptionalInt count = OptionalInt.of(features);
        MapReport report = measure(recipe, count, note -> {}).report();
        double error = measure.applyAsDouble(report.overall().absolute());
        return new Suggestion(recipe, count, error, error <= wanted, report);
    }

    private static Suggestion byFormula(MapRecipe recipe, double features, int unit, double wanted) {
        int count = roundUp(Math.min(features, MOST_FEATURES), unit);
        return new Suggestion(recipe, OptionalInt.of(count), wanted, true, null);
    }

    private Suggestion suggestWidth(List<String> names, ToDoubleFunction<MapReport.Errors> measure, double wanted) {
        @Nullable Suggestion best = null;
        int last = 0;
        boolean open = names.stream().anyMatch(MapSizes::isOpen);
        for (int width = 1; width <= (open ? WIDEST : 1); width = nextWidth(width)) {
            Suggestion found = bestOfWidth(names, width, measure, wanted);
            if (found != null && found.reached) {
                // Widths may have been left out on the way.
                for (int between = last + 1; between < width; between++) {
                    Suggestion smaller = bestOfWidth(names, between, measure, wanted);
                    if (smaller != null && smaller.reached) {
                        return smaller;
                    }
                }
                return found;
            }
            if (found != null && (best == null || found.error < best.error)) {
                best = found;
            }
            last = width;
        }
        return Objects.requireNonNull(best);
    }

    /** Every width while they are few, then a tenth more. */
    private static int nextWidth(int width) {
        return width == WIDEST ? WIDEST + 1 : Math.min(WIDEST, width + Math.max(1, width / 10));
    }

    private @Nullable Suggestion bestOfWidth(List<String> names, int width, ToDoubleFunction<MapReport.Errors> measure, double wanted) {
        @Nullable Suggestion best = null;
        for (String name : names) {
            Optional<MapRecipe> recipe =
                    MapSizes.isOpen(name) ? MapSizes.ofWidth(name, width) : Optional.of(FeatureMaps.parse(name));
            if (recipe.isEmpty()) {
                continue;
            }
            MapReport report = measure(recipe.get()).report();
            double error = measure.applyAsDouble(report.overall().absolute());
            if (best == null || error < best.error) {
                best = new Suggestion(recipe.get(), OptionalInt.empty(), error, error <= wanted, report);
            }
        }
        return best;
    }
}
