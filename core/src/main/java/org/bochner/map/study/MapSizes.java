package org.bochner.map.study;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.bochner.base.Spelling;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.map.additive.BinnedRecipe;
import org.bochner.map.additive.Chi2Series;
import org.bochner.map.additive.DesignRecipe;
import org.bochner.map.additive.SampledRecipe;

/** The sizes of additive maps, and their spellings. */
public final class MapSizes {
    /**
     * The parameter that sets the number of features per column.
     *
     * @param withFeaturesPerColumn the largest value of the parameter with at most a number of features per column
     * @param usual the values for a table
     */
    private record Size(String parameter, IntUnaryOperator withFeaturesPerColumn, List<Integer> usual) {
        static final Size ORDER = new Size("order", count -> (count - 1) / 2, List.of(1, 2, 3, 4, 5));
        static final Size TERMS = new Size("terms", count -> count, List.of(1, 2, 3, 5, 7, 9, 11));
        static final Size DIMENSION =
                new Size("dimension", count -> Math.min(count, DesignRecipe.MOST_TRIED), List.of(3, 5, 7, 9, 11));
        static final Size BINS = new Size("bins", count -> count - 1, List.of(2, 4, 8, 16, 32, 64));
    }

    /** By the names of the recipes; other recipes have one size. */
    private static final Map<String, Size> SIZES = Map.ofEntries(
            Map.entry(SampledRecipe.NAME, Size.ORDER),
            Map.entry(DesignRecipe.NAME, Size.DIMENSION),
            Map.entry(Chi2Series.CHEBYSHEV.toString(), Size.TERMS),
            Map.entry(Chi2Series.DIRECT.toString(), Size.TERMS),
            Map.entry(BinnedRecipe.UNARY, Size.BINS),
            Map.entry(BinnedRecipe.PIECEWISE, Size.BINS));

    private MapSizes() {}

    /**
     * Returns the recipes of a spelling without a size, from small to large; only the recipe itself where the size is
     * given.
     */
    public static List<MapRecipe> usual(String text) {
        return isOpen(text) ? all(text) : List.of(FeatureMaps.parse(text));
    }

    /**
     * Returns the recipes of a spelling in all usual sizes, from small to large; only the recipe itself where it has
     * one size.
     */
    public static List<MapRecipe> all(String text) {
        Optional<Spelling> sizable = sizable(text);
        if (sizable.isEmpty()) {
            return List.of(FeatureMaps.parse(text));
        }
        return size(sizable.get()).usual.stream()
                .map(value -> sized(sizable.get(), value))
                .toList();
    }

    /**
     * Returns the recipe of a spelling without a size, with at most a number of features per column, if there is one.
     */
    public static Optional<MapRecipe> withFeaturesPerColumn(String text, int count) {
        return open(text).flatMap(spelling -> {
            int value = size(spelling).withFeaturesPerColumn.applyAsInt(count);
            return value < 1 ? Optional.empty() : Optional.of(sized(spelling, value));
        });
    }

    /** Returns true if the spelling is of an additive map that has sizes, and does not give one. */
    public static boolean isOpen(String text) {
        return open(text).isPresent();
    }

    private static Optional<Spelling> open(String text) {
        return sizable(text).filter(spelling -> !spelling.has(size(spelling).parameter));
    }

    /** Returns the spelling, if it is of a single map that has sizes. */
    private static Optional<Spelling> sizable(String text) {
        boolean single = Spelling.splitTopLevel("map", text, '+').size() == 1
                && Spelling.splitTopLevel("map", text, '@').size() == 1;
        return single
                ? Optional.of(Spelling.parse("map", text))
                        // A design for a given error finds its size itself.
                        .filter(spelling -> SIZES.containsKey(spelling.name()) && !spelling.has("error"))
                : Optional.empty();
    }

    private static Size size(Spelling spelling) {
        return Objects.requireNonNull(SIZES.get(spelling.name()));
    }

    private static MapRecipe sized(Spelling spelling, int value) {
        String parameter = size(spelling).parameter;
        return FeatureMaps.parse(
                spelling.with(parameter, Integer.toString(value)).toString());
    }
}
