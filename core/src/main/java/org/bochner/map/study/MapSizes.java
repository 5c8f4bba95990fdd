package org.bochner.map.study;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.bochner.base.Spelling;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.map.additive.DesignRecipe;

/** What sizes an additive map comes in, and how they are spelled. */
public final class MapSizes {
    /**
     * The parameter that sets how many numbers a map makes of a column.
     *
     * @param ofWidth its largest value with so many numbers a column
     * @param usual values worth a table
     */
    private record Size(String parameter, IntUnaryOperator ofWidth, List<Integer> usual) {
        static final Size ORDER = new Size("order", width -> (width - 1) / 2, List.of(1, 2, 3, 4, 5));
        static final Size TERMS = new Size("terms", width -> width, List.of(1, 2, 3, 5, 7, 9, 11));
        static final Size DIMENSION =
                new Size("dimension", width -> Math.min(width, DesignRecipe.WIDEST_TRIED), List.of(3, 5, 7, 9, 11));
        static final Size BINS = new Size("bins", width -> width - 1, List.of(2, 4, 8, 16, 32, 64));
    }

    /** By the names of the recipes; one that is not here has one size only. */
    private static final Map<String, Size> SIZES = Map.of(
            "sampled",
            Size.ORDER,
            DesignRecipe.NAME,
            Size.DIMENSION,
            "chebyshev",
            Size.TERMS,
            "direct",
            Size.TERMS,
            "unary",
            Size.BINS,
            "piecewise",
            Size.BINS);

    private MapSizes() {}

    /** The recipes of a spelling that leaves its size open, from small to large; itself where it does not. */
    public static List<MapRecipe> usual(String text) {
        return isOpen(text) ? all(text) : List.of(FeatureMaps.parse(text));
    }

    /** The recipes of a spelling in several sizes, from small to large, whatever its own is; itself where there is one. */
    public static List<MapRecipe> all(String text) {
        Optional<Spelling> sizable = sizable(text);
        if (sizable.isEmpty()) {
            return List.of(FeatureMaps.parse(text));
        }
        return size(sizable.get()).usual.stream()
                .map(value -> sized(sizable.get(), value))
                .toList();
    }

    /** The recipe of a spelling that leaves its size open with at most so many numbers a column, if there is one. */
    public static Optional<MapRecipe> ofWidth(String text, int width) {
        return open(text).flatMap(spelling -> {
            int value = size(spelling).ofWidth.applyAsInt(width);
            return value < 1 ? Optional.empty() : Optional.of(sized(spelling, value));
        });
    }

    /** Whether the spelling leaves the size of an additive map open. */
    public static boolean isOpen(String text) {
        return open(text).isPresent();
    }

    private static Optional<Spelling> open(String text) {
        return sizable(text).filter(spelling -> !spelling.has(size(spelling).parameter));
    }

    /** The spelling of a single map that comes in sizes. */
    private static Optional<Spelling> sizable(String text) {
        boolean single = Spelling.splitTopLevel("map", text, '+').size() == 1
                && Spelling.splitTopLevel("map", text, '@').size() == 1;
        return single
                ? Optional.of(Spelling.parse("map", text))
                        // A design that is given an error finds its size itself.
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
