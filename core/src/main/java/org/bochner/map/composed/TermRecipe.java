package org.bochner.map.composed;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.bochner.base.Notes;
import org.bochner.base.Spelling;
import org.bochner.base.SpellingException;
import org.bochner.kernel.AdditiveKernel;
import org.bochner.kernel.DotProductKernel;
import org.bochner.kernel.Kernel;
import org.bochner.kernel.RowSample;
import org.bochner.map.FeatureMap;
import org.bochner.map.FeatureMaps;
import org.bochner.map.MapRecipe;
import org.bochner.numeric.Workers;
import org.bochner.random.Seed;
import org.jspecify.annotations.Nullable;

/**
 * A recipe for one term of a kernel, without its factor and columns. A recipe builds maps of the kinds of kernels that
 * it knows, and fails with advice for the others.
 */
public interface TermRecipe extends MapRecipe {
    /** Returns the number of features that a spelling asks for, if it does. */
    static OptionalInt features(Spelling spelling) {
        return integer(spelling, "features");
    }

    /** Returns a parameter of a spelling that may be missing. */
    static OptionalInt integer(Spelling spelling, String name) {
        return spelling.has(name) ? OptionalInt.of(spelling.integer(name, 0)) : OptionalInt.empty();
    }

    /** Returns a parameter of a spelling that may be missing. */
    static OptionalDouble number(Spelling spelling, String name) {
        return spelling.has(name) ? OptionalDouble.of(spelling.number(name)) : OptionalDouble.empty();
    }

    /** Returns the constant that a parameter of a spelling names; null if the parameter is missing. */
    static <E extends Enum<E>> @Nullable E word(Spelling spelling, String key, E[] values) {
        String text = spelling.text(key);
        if (text == null) {
            return null;
        }
        List<String> words = Arrays.stream(values).map(TermRecipe::word).toList();
        String known = Spelling.oneOf(spelling.name() + " " + key, text, words.toArray(String[]::new), Map.of());
        return values[words.indexOf(known)];
    }

    /** Returns the constant whose name, in lower case, is a parameter's value; another one if it is not given. */
    static <E extends Enum<E>> E word(Spelling spelling, String key, E[] values, E absent) {
        return Objects.requireNonNullElse(word(spelling, key, values), absent);
    }

    /** Returns a constant as spelled. */
    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Spells a recipe, {@code name(a=1, b)}, without the parameters that are empty texts. */
    static String spell(String name, String... parameters) {
        String given = Arrays.stream(parameters).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
        return given.isEmpty() ? name : name + "(" + given + ")";
    }

    /** Spells a parameter; an empty text where it has no value. */
    static String parameter(String name, OptionalInt value) {
        return value.isPresent() ? name + "=" + value.getAsInt() : "";
    }

    /** Spells a parameter; an empty text where it has no value. */
    static String parameter(String name, OptionalDouble value) {
        return value.isPresent() ? name + "=" + Spelling.print(value.getAsDouble()) : "";
    }

    /** Returns true if the map of the kernel makes the number of features that it is asked for. */
    default boolean takesFeatures(Kernel leaf) {
        return !(leaf instanceof AdditiveKernel) && features().isEmpty();
    }

    /** Returns true if the recipe chooses the number of features itself when {@code features} is 0. */
    default boolean choosesFeatures(Kernel leaf) {
        return false;
    }

    /** Returns numbers of features for a table of sizes, from small to large. */
    default List<Integer> usualFeatures() {
        return List.of(128, 256, 512, 1024, 2048, 4096);
    }

    /** Returns true if one map of the recipe is for a sum of kernels as a whole, instead of one map per term. */
    default boolean joinsTerms() {
        return false;
    }

    /** Returns the unit of which the number of features must be a multiple. */
    default int unit() {
        return 1;
    }

    /** Returns the recipe without choices for a kernel. */
    default TermRecipe chosenFor(Kernel leaf, RowSample rows, int features, Notes notes) {
        return this;
    }

    /**
     * Returns the map of a kernel without factor and columns. The recipe has no choices left; see {@link #chosenFor}.
     *
     * @param features the number of features, where the recipe takes one; otherwise 0
     */
    FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes);

    /** Returns the map of a kernel without factor and columns, built on some threads. */
    default FeatureMap map(Kernel leaf, RowSample rows, int features, Seed seed, Notes notes, Workers workers) {
        return map(leaf, rows, features, seed, notes);
    }

    /** Returns the failure of a recipe that has no map of the kernel, with the recipes that have. */
    default SpellingException refuse(Kernel leaf) {
        List<String> others = leaf instanceof AdditiveKernel
                ? FeatureMaps.additiveNames()
                : leaf instanceof DotProductKernel ? FeatureMaps.dotProductNames() : FeatureMaps.fourierNames();
        return new SpellingException(
                "map '" + this + "' is not for kernels such as " + leaf + "; take one of " + String.join(", ", others));
    }

    @Override
    default MapRecipe chosen(Kernel kernel, RowSample rows, OptionalInt features, Notes notes) {
        return new MapAlgebra(List.of(this), notes).chosen(kernel, rows, features);
    }

    @Override
    default FeatureMap build(Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Notes notes) {
        return build(kernel, rows, features, seed, notes, Workers.all());
    }

    @Override
    default FeatureMap build(
            Kernel kernel, RowSample rows, OptionalInt features, Seed seed, Notes notes, Workers workers) {
        return new MapAlgebra(List.of(this), notes).build(kernel, rows, features, seed, workers);
    }
}
